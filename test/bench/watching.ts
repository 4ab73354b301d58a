// The watch: from the start of a process to SYNCED, at rest, in a burst, and at a steady rate.

import { join } from "node:path";
import { type Events, type Memory, type Synced, start } from "./contenders.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import { type Bench, inTurn } from "./part.js";
import { Process } from "./processes.js";

const WARM_EVENTS = 20_000;
/** Events of one measurement. Large nodes need more, because a full garbage collection is rare. */
const EVENTS = 20_000;
const LARGE = { pods: 5_000, events: 100_000 };
/** Changes that have the time in a label. */
const TIMED = { events: 600, perSecond: 200 };

export async function watch({ figures, rounds, sizes, directory, packages, clients }: Bench): Promise<void> {
  const socketPath = join(directory, "pods-api.sock");
  const names = clients.map(({ name }) => name);
  for (const size of sizes) {
    await using server = Process.fork("firehose");
    const served = await server.ask<Served>({
      op: "listen",
      socketPath,
      pods: size,
      json: true,
    } satisfies FirehoseOrder);
    for (let round = 0; round < rounds; round++) {
      for (const contender of inTurn(clients, round)) {
        const startMs = performance.now();
        await using client = start(contender, socketPath, served, packages);
        const add = (figure: string, unit: string, value: number | undefined) =>
          figures.add(figure, unit, contender.name, size, value);
        await client.ask<Synced>({ op: "watch" });
        add("start to SYNCED", "ms", performance.now() - startMs);
        const { rss, heap } = await client.ask<Memory>({ op: "memory" });
        add("RSS at rest", "MiB", rss / 2 ** 20);
        add("heap at rest", "kB", heap / 1_000);

        // A second watch, with all code loaded.
        const { syncedMs, longestBlockMs } = await client.ask<Synced>({ op: "watch" });
        add("list to SYNCED", "ms", syncedMs);
        add("longest block", "ms", longestBlockMs);

        /** Sends the changes, and waits until the client has the last one. */
        const changes = async (order: FirehoseOrder) => {
          await client.ask({ op: "events" });
          server.send(order);
          const told = await client.report<Events>();
          await server.report();
          return told;
        };
        await changes({ op: "blast", events: WARM_EVENTS });
        const events = size < LARGE.pods ? EVENTS : LARGE.events;
        add("CPU per event", "us", (await changes({ op: "blast", events })).cpuUs / events);
        const { lateMs } = await changes({ op: "trickle", ...TIMED });
        add("age p50", "ms", lateMs?.[0]);
        add("age p99", "ms", lateMs?.[1]);
      }
    }
    const what = `watch, pods of ${(served.podBytes / 1_000).toFixed(1)} kB`;
    figures.print(what, names, ["start to SYNCED", "list to SYNCED", "longest block", "RSS at rest"], size);
    figures.print(what, names, ["CPU per event", "age p50", "age p99"], size);
  }
  const [least = 0, most = 0] = [Math.min(...sizes), Math.max(...sizes)];
  if (most === least) return;
  for (const name of names) {
    const heap = figures.median("heap at rest", name, most) - figures.median("heap at rest", name, least);
    figures.add("heap per pod", "kB", name, undefined, heap / (most - least));
  }
  figures.print(`what each pod adds to the heap, from ${least} to ${most} pods`, names, ["heap per pod"]);
}
