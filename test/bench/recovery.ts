// The time from the return of a restarted server until each client has all pods again.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../src/testing/index.js";
import { RECONNECTING, start } from "./contenders.js";
import type { FirehoseOrder, Served } from "./firehose.js";
import type { Bench } from "./part.js";
import { Process, quantile } from "./processes.js";

const RESTARTS = 20;
const PODS = 110;
/** This package and grpc-js wait longer after outages that follow one another quickly. */
const PAUSE_MS = 1_000;

export async function recovery({ figures, directory, packages }: Bench): Promise<void> {
  const socketPath = join(directory, "pods-api.sock");
  const random = seededRandom(1);
  await using server = Process.fork("firehose");
  const order: FirehoseOrder = { op: "listen", socketPath, pods: PODS, json: true };
  const served = await server.ask<Served>(order);
  const late = RECONNECTING.map((): number[] => []);
  for (let i = 0; i < RESTARTS; i++) {
    // New clients each time: most outages are the first one of a client.
    const clients = RECONNECTING.map((contender) => start(contender, socketPath, served, packages));
    await Promise.all(clients.map((client) => client.ask({ op: "watch" })));
    await sleep(PAUSE_MS);
    await server.ask({ op: "down" } satisfies FirehoseOrder);
    await sleep(50 + random() * 1_000);
    await server.ask({ op: "up" } satisfies FirehoseOrder);
    const upMs = performance.now();
    await Promise.all(
      clients.map(async (client, c) => {
        await client.report();
        late[c]?.push(performance.now() - upMs);
        await client[Symbol.asyncDispose]();
      }),
    );
  }
  for (const [c, { name }] of RECONNECTING.entries()) {
    for (const [figure, q] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ] as const) {
      figures.add(`back to SYNCED ${figure}`, "ms", name, undefined, quantile(late[c] ?? [], q));
    }
  }
  figures.print(
    `the server is back after 0.05 to 1.05 s, ${RESTARTS} restarts, ${PODS} pods`,
    RECONNECTING.map(({ name }) => name),
    ["back to SYNCED p50", "back to SYNCED p99"],
  );
}
