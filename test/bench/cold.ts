// The usual load of an agent: one event per second, or none.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Contender, type Events, type Memory, type Synced, start } from "./contenders.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import { type Bench, inTurn } from "./part.js";
import { Process } from "./processes.js";

/** One of the pods changes each second. */
export const PODS = 500;
const COLD = { events: 20, perSecond: 1 };

/**
 * CPU time of the process per event. Between two events, other processes fill the processor's caches. The mean includes the first event,
 * for which V8 compiles, and the garbage collections of a process that has just started; the median is what later events cost.
 */
export async function cold(bench: Bench): Promise<void> {
  await each(bench, [PODS], async (client, server, add) => {
    await client.ask({ op: "events", each: true });
    server.send({ op: "trickle", ...COLD } satisfies FirehoseOrder);
    const { cpuUs, medianUs } = await client.report<Events>();
    add("CPU per cold event", "us", cpuUs / (COLD.events + 1)); // the last event has its own pod
    if (medianUs !== undefined) add("the median event", "us", medianUs);
    await server.report();
  });
  const names = namesOf(bench);
  bench.figures.print("one event per second", names, ["CPU per cold event", "the median event"], PODS);
}

/** Anonymous memory, and PSS. RSS also counts the pages of the Node.js binary, which all Node.js processes share. */
export async function rest(bench: Bench): Promise<void> {
  await each(bench, bench.sizes, async (client, _, add) => {
    await client.ask<Memory>({ op: "memory" });
    const rollup = readFileSync(`/proc/${client.pid}/smaps_rollup`, "utf8");
    const kB = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(rollup)?.[1]);
    add("anonymous at rest", "MiB", kB("Anonymous") / 1_024);
    add("PSS at rest", "MiB", kB("Pss") / 1_024);
  });
  for (const pods of bench.sizes)
    bench.figures.print("at rest", namesOf(bench), ["anonymous at rest", "PSS at rest"], pods);
}

const namesOf = ({ clients }: Bench) => clients.map(({ name }) => name);

type Add = (figure: string, unit: string, value: number) => void;

/** Starts each client, waits until it has all pods, and measures it. */
async function each(
  { figures, rounds, directory, packages, clients }: Bench,
  sizes: readonly number[],
  measure: (client: Process, server: Process, add: Add) => Promise<void>,
): Promise<void> {
  const socketPath = join(directory, "pods-api.sock");
  for (const pods of sizes) {
    await using server = Process.fork("firehose");
    const served = await server.ask<Served>({ op: "listen", socketPath, pods, json: true } satisfies FirehoseOrder);
    for (let round = 0; round < rounds; round++) {
      for (const contender of inTurn(clients, round)) await one(contender, served, pods);
    }
    async function one(contender: Contender, served: Served, pods: number): Promise<void> {
      await using client = start(contender, socketPath, served, packages);
      await client.ask<Synced>({ op: "watch" });
      await measure(client, server, (figure, unit, value) => figures.add(figure, unit, contender.name, pods, value));
    }
  }
}
