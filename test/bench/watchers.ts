// Watchers in their own process. Each counts its events.

import { RawClient } from "../../src/conformance/raw-client.js";

export interface WatchersOrder {
  op: "watch" | "count";
  socketPath: string;
  watchers: number;
}

const counts: number[] = [];
const ends: string[] = [];

process.on("message", async ({ op, socketPath, watchers }: WatchersOrder) => {
  if (op === "count") {
    process.send?.({ counts, ends });
    return;
  }
  const synced = Array.from({ length: watchers }, (_, i) => {
    const client = new RawClient({ socketPath });
    counts[i] = 0;
    return new Promise<void>((resolve) => {
      (async () => {
        let live = false;
        for await (const event of client.watch()) {
          if (!("pod" in event)) ends.push(event.code);
          else if (event.type === "INITIAL_SYNC_COMPLETE") {
            live = true;
            resolve();
          } else if (live) counts[i] = (counts[i] ?? 0) + 1;
        }
      })();
    });
  });
  await Promise.all(synced);
  process.send?.({ ready: true });
});
