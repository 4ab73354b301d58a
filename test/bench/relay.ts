// Readers at a door beside readers on the kubelet itself: how late they hear of an event, and what it costs.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RawClient } from "../../src/conformance/raw-client.js";
import type { KubeletOrder } from "./kubelet-child.js";
import type { Bench } from "./part.js";
import { Process } from "./processes.js";
import type { RelayOrder } from "./relay-child.js";

const PODS = 250;
const POD_BYTES = 8_000;
const READERS = 20;
const SECONDS = 10;
const RATES = [100, 400, 1_600];
const DIRECT = "on the kubelet";
const DOOR = "at a door";
const FIGURES = ["p50", "p99", "most", "relay CPU per event", "missed"];

export async function relay({ figures, rounds, directory }: Bench): Promise<void> {
  for (const rate of RATES) {
    for (let round = 0; round < rounds; round++) {
      for (const where of [DIRECT, DOOR]) {
        await using kubelet = Process.fork("kubelet-child");
        const started = { op: "start", pods: PODS, podBytes: POD_BYTES, rate } satisfies KubeletOrder;
        const { socketPath } = await kubelet.ask<{ socketPath: string }>(started);
        await using relay = Process.fork("relay-child");
        const door = join(directory, "door.sock");
        await relay.ask({ op: "serve", socketPath, door } satisfies RelayOrder);
        const path = where === DOOR ? door : socketPath;
        const delays: number[] = [];
        let synced = 0;
        const clients = Array.from({ length: READERS }, () => new RawClient({ socketPath: path }));
        for (const client of clients) void read(client, delays, () => synced++);
        while (synced < READERS) await sleep(10);
        // One more, that takes nothing.
        const stuck = new RawClient({ socketPath: path });
        if (where === DOOR) await stuck.watch()[Symbol.asyncIterator]().next();
        const { cpuUs: beforeUs } = await relay.ask<{ cpuUs: number }>({ op: "cpu" });
        kubelet.send({ ...started, op: "run" } satisfies KubeletOrder);
        await sleep(SECONDS * 1_000);
        const { told } = await kubelet.ask<{ told: number }>({ ...started, op: "stop" } satisfies KubeletOrder);
        await sleep(500);
        const { cpuUs } = await relay.ask<{ cpuUs: number }>({ op: "cpu" });
        delays.sort((a, b) => a - b);
        const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
        const add = (figure: string, unit: string, value: number | undefined) =>
          figures.add(`${figure} at ${rate}/s`, unit, where, undefined, value);
        add("p50", "ms", at(0.5));
        add("p99", "ms", at(0.99));
        add("most", "ms", at(1));
        add("missed", "%", 100 * (1 - delays.length / (told * READERS)));
        if (where === DOOR) add("relay CPU per event", "us", (cpuUs - beforeUs) / told);
        for (const client of [...clients, stuck]) await client[Symbol.asyncDispose]();
      }
    }
    const title = `${READERS} readers, one beside them that takes nothing, ${rate} events a second`;
    figures.print(
      title,
      [DIRECT, DOOR],
      FIGURES.map((figure) => `${figure} at ${rate}/s`),
    );
  }
}

/** Reads for ever, and notes how late each event is: it has the time of its making in it. */
async function read(client: RawClient, delays: number[], onSynced: () => void): Promise<void> {
  let isLive = false;
  for await (const event of client.watch()) {
    if (!("pod" in event)) continue;
    if (event.type === "INITIAL_SYNC_COMPLETE") {
      isLive = true;
      onSynced();
    } else if (isLive) {
      const text = Buffer.from(event.pod).toString("latin1");
      const [, atMs] = /at=(\d+\.\d+)/.exec(text) ?? [];
      if (atMs !== undefined) delays.push(performance.timeOrigin + performance.now() - Number(atMs));
    }
  }
}
