// Events of pods of 20 kB. Some operators create such pods; they consist mostly of environment variables and annotations.

import { join } from "node:path";
import { CLIENT_NODE, type Events, OURS, OURS_MASKED, RAW, start } from "./contenders.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import type { Bench } from "./part.js";
import { Process } from "./processes.js";

const POD_BYTES = 20_000;
const PODS = 110;
const EVENTS = 10_000;

export async function large({ figures, rounds, directory, packages }: Bench): Promise<void> {
  const contenders = [RAW, OURS, OURS_MASKED, CLIENT_NODE];
  const socketPath = join(directory, "pods-api.sock");
  await using server = Process.fork("firehose");
  const order: FirehoseOrder = { op: "listen", socketPath, pods: PODS, podBytes: POD_BYTES, json: true };
  const served = await server.ask<Served>(order);
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      await using client = start(contender, socketPath, served, packages);
      await client.ask({ op: "watch" });
      const blast = async () => {
        await client.ask({ op: "events" });
        server.send({ op: "blast", events: EVENTS } satisfies FirehoseOrder);
        const told = await client.report<Events>();
        await server.report();
        return told.cpuUs / EVENTS;
      };
      await blast();
      figures.add("CPU per event of 20 kB", "us", contender.name, PODS, await blast());
    }
  }
  const names = contenders.map(({ name }) => name);
  figures.print(`events of pods of ${served.podBytes / 1_000} kB`, names, ["CPU per event of 20 kB"], PODS);
}
