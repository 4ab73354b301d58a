// The number of connections and requests of each client while a server cuts connections or refuses requests.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CLIENT_NODE, RECONNECTING, start } from "./contenders.js";
import type { Counted, FirehoseOrder, Served } from "./firehose.js";
import type { Bench } from "./part.js";
import { Process } from "./processes.js";

const SECONDS = 60;

export async function outage({ figures, directory, packages }: Bench): Promise<void> {
  // Each client has its own server, which counts its requests.
  await Promise.all(
    RECONNECTING.map(async (contender, c) => {
      const socketPath = join(directory, `outage-${c}.sock`);
      const order: FirehoseOrder = { op: "listen", socketPath, pods: 110, json: true };
      for (const mode of ["cutting", "initializing"] as const) {
        await using server = Process.fork("firehose");
        const served = await server.ask<Served>(order);
        await using client = start(contender, socketPath, served, packages);
        await client.ask({ op: "watch" });
        await server.ask({ op: "down" } satisfies FirehoseOrder);
        await server.ask({ op: "mode", mode } satisfies FirehoseOrder);
        await server.ask({ op: "up" } satisfies FirehoseOrder);
        await server.ask({ op: "count" } satisfies FirehoseOrder);
        await sleep(SECONDS * 1_000);
        const counted = await server.ask<Counted>({ op: "count" } satisfies FirehoseOrder);
        const { connections, requests } = contender === CLIENT_NODE ? counted.json : counted.socket;
        if (mode === "cutting") figures.add("connections, all cut", "", contender.name, undefined, connections);
        else figures.add("requests, all refused", "", contender.name, undefined, requests);
      }
    }),
  );
  figures.print(
    `an outage of ${SECONDS} s`,
    RECONNECTING.map(({ name }) => name),
    ["connections, all cut", "requests, all refused"],
  );
}
