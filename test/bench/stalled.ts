// Memory of a client while one watch is not read and an informer continues.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PodsClient } from "../../src/index.js";
import { OURS } from "./contenders.js";
import type { FirehoseOrder } from "./firehose.js";
import type { Bench } from "./part.js";
import { LAST_POD, uidOf } from "./pods.js";
import { Process } from "./processes.js";

const PODS = 250;
const WARM_EVENTS = 100_000;
const EVENTS = 500_000;
const MIB = 2 ** 20;

export async function stalled({ figures, directory }: Bench): Promise<void> {
  const socketPath = join(directory, "pods-api.sock");
  await using server = Process.fork("firehose");
  await server.ask({ op: "listen", socketPath, pods: PODS, podBytes: 2_000 } satisfies FirehoseOrder);
  await using pods = new PodsClient({ socketPath });
  const stuck = pods.watchPods();
  const informer = pods.informer();
  while ((await stuck.next()).value?.type !== "SYNCED");
  /** Sends `events` events, and waits until the informer has the last one. */
  const through = async (events: number, nth: number) => {
    server.send({ op: "blast", events } satisfies FirehoseOrder);
    while (informer.get({ uid: uidOf(LAST_POD) })?.metadata?.labels["state"] !== `last-${nth}`) await sleep(10);
    await server.report();
  };
  await through(WARM_EVENTS, 1); // V8 compiles the hot code
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 100);
  await through(EVENTS, 2);
  clearInterval(timer);
  let told = 0;
  for await (const event of stuck) {
    told++;
    if (event.type === "ADDED") break; // of the last pod
  }
  figures.add("RSS before", "MiB", OURS.name, undefined, before / MIB);
  figures.add("at most", "MiB", OURS.name, undefined, most / MIB);
  figures.add("then told", "", OURS.name, undefined, told);
  const title = `a reader that stalls through ${EVENTS} events about ${PODS} pods`;
  figures.print(title, [OURS.name], ["RSS before", "at most", "then told"]);
}
