// An agent with a journal. It says when it is synced and has written what it was shown, and each record; a record counts as taken once that has been heard.

import { PodsClient } from "../../src/index.js";
import { openJournal } from "../../src/journal/index.js";

/** What an agent says. */
export type Said =
  | { readonly type: "synced" }
  | { readonly type: "end"; readonly id: string; readonly exitCode: number | undefined };

const say = (said: Said) => new Promise<void>((resolve) => process.send?.(said, () => resolve()));

process.once("message", async ({ socketPath, directory }: { socketPath: string; directory: string }) => {
  const pods = new PodsClient({ socketPath });
  const journal = await openJournal(pods, { directory });
  void (async () => {
    await pods.informer().synced({ timeoutMs: 0 });
    while (journal.state.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
    await say({ type: "synced" });
  })();
  for await (const { container, end } of journal)
    if (container !== undefined) await say({ type: "end", id: container.containerID, exitCode: end.exitCode });
});
