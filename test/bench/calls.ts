// CPU time and latency of getPod and listPods.

import { join } from "node:path";
import { type Calls, start } from "./contenders.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import { type Bench, inTurn } from "./part.js";
import { Process } from "./processes.js";

/** With these numbers, a round takes each client about the same time. */
const GETS = 160;
const PODS_LISTED = 12_000;
/** After so many calls, V8 has compiled the hot code. */
const WARM = { gets: 320, podsListed: 100_000 };

export async function calls({
  figures,
  rounds,
  sizes,
  directory,
  packages,
  clients: contenders,
}: Bench): Promise<void> {
  const socketPath = join(directory, "pods-api.sock");
  for (const size of sizes) {
    await using server = Process.fork("firehose");
    const order: FirehoseOrder = { op: "listen", socketPath, pods: size, json: true };
    const served = await server.ask<Served>(order);
    const clients = contenders.map((contender) => {
      return { name: contender.name, process: start(contender, socketPath, served, packages) };
    });
    const lists = (pods: number) => Math.max(3, Math.ceil(pods / size));
    const ask = (process: Process, op: "get" | "list", times: number, pauseMs?: number) =>
      process.ask<Calls>({ op, times, pods: served.pods, pauseMs });
    for (const { process } of clients) {
      await ask(process, "get", WARM.gets, 0);
      await ask(process, "list", lists(WARM.podsListed), 0);
    }
    for (let round = 0; round < rounds; round++) {
      for (const { name, process } of inTurn(clients, round)) {
        const get = await ask(process, "get", GETS);
        const list = await ask(process, "list", lists(PODS_LISTED));
        figures.add("getPod CPU", "us", name, size, get.cpuUs);
        figures.add("getPod p50", "ms", name, size, get.p50Ms);
        figures.add("getPod p99", "ms", name, size, get.p99Ms);
        figures.add("listPods CPU", "ms", name, size, list.cpuUs / 1_000);
        figures.add("listPods p50", "ms", name, size, list.p50Ms);
        figures.add("CPU per listed pod", "us", name, size, list.cpuUs / size);
      }
    }
    for (const { process } of clients) await process[Symbol.asyncDispose]();
    figures.print(
      `calls, pods of ${(served.podBytes / 1_000).toFixed(1)} kB`,
      contenders.map(({ name }) => name),
      ["getPod CPU", "getPod p50", "getPod p99", "listPods CPU", "listPods p50", "CPU per listed pod"],
      size,
    );
  }
}
