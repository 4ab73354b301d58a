// An agent with a journal. It says when it is synced and has written what it was shown, and each record; a record counts as taken once that has been heard.

import { PodsClient } from "../../src/index.js";
import { openJournalOn } from "../../src/journal/journal.js";
import { seededRandom } from "../../src/testing/index.js";
import { faultyDisk } from "./faulty-disk.js";

/** What an agent says. */
export type Said =
  | { readonly type: "synced" }
  | { readonly type: "end"; readonly id: string; readonly exitCode: number | undefined };

/** What an agent is to do. */
export interface AgentOrder {
  readonly socketPath: string;
  readonly directory: string;
  /** True if one operation in twenty-five on the files fails. */
  readonly hasFaults?: boolean;
  readonly maxBytes?: number;
}

const say = (said: Said) => new Promise<void>((resolve) => process.send?.(said, () => resolve()));

// Whoever started it has ended. Its output would keep a runner waiting.
process.once("disconnect", () => process.exit(1));

process.once("message", async ({ socketPath, directory, hasFaults, maxBytes, seed }: AgentOrder & { seed: number }) => {
  const pods = new PodsClient({ socketPath });
  const disk = hasFaults === true ? faultyDisk(seededRandom(seed)) : undefined;
  const journal = await openJournalOn(pods, { directory, maxBytes }, disk);
  void (async () => {
    await pods.informer().synced({ timeoutMs: 0 });
    while (journal.state.waiting > 0) await new Promise((resolve) => setImmediate(resolve));
    await say({ type: "synced" });
  })();
  for await (const { container, end } of journal)
    if (container !== undefined) await say({ type: "end", id: container.containerID, exitCode: end.exitCode });
});
