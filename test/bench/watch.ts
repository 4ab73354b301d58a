// npm run bench:watch -- [throughput] [burst] [latency] [recovery] [outage] [memory] [stalled] [--rounds 3]
//
// The watch beside a bare connect-node stream and beside @grpc/grpc-js with @grpc/proto-loader, on the same server, each
// client in a process of its own. Without names all parts run, about ten minutes.

import { subscribe } from "node:diagnostics_channel";
import { mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import net from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type ConnectionMessage, PodsClient } from "../../src/index.js";
import { ReferenceKubelet, sampleNode, seededRandom } from "../../src/testing/index.js";
import type { FirehoseOrder } from "./firehose.js";
import { LAST_POD, uidOf } from "./pods.js";
import { median, Process, printTable, quantile } from "./processes.js";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "3" } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const directory = mkdtempSync(join(tmpdir(), "bench-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
const socketPath = join(directory, "pods-api.sock");

interface Contender {
  name: string;
  kind: string;
  mask?: string[];
}
const OURS: Contender = { name: "kubelet-pods", kind: "kubelet-pods" };
const OURS_MASKED: Contender = {
  name: "kubelet-pods, five fields",
  kind: "kubelet-pods",
  mask: ["metadata.uid", "metadata.name", "metadata.labels", "status.phase", "status.podIPs"],
};
const CONNECT: Contender = { name: "connect, bytes only", kind: "connect" };
const CONNECT_DECODING: Contender = { name: "connect, whole pod", kind: "connect, decoding" };
const GRPC: Contender = { name: "grpc-js, bytes only", kind: "grpc-js" };
const GRPC_DECODING: Contender = { name: "grpc-js, whole pod", kind: "grpc-js, decoding" };
const ALL = [OURS, OURS_MASKED, CONNECT, CONNECT_DECODING, GRPC, GRPC_DECODING];

async function firehose(pods: number, podBytes: number): Promise<Process> {
  const server = new Process("firehose.ts", [], ["--import", "tsx"]);
  await server.ask<string>({ op: "listen", socketPath, pods, podBytes } satisfies FirehoseOrder);
  return server;
}

function contend({ kind, mask }: Contender): Process {
  return new Process("contender.mjs", [JSON.stringify({ kind, socketPath, mask })], ["--expose-gc"]);
}

interface Run {
  ms: number;
  cpuUs: number;
  events: number;
  lateUs: [number, number];
}

interface Burst {
  burstMs: number;
  sinceMarkerMs?: number;
  longestBlockMs: number;
}

async function measured(server: Process, contender: Contender, order: FirehoseOrder): Promise<Run> {
  await using client = contend(contender);
  await client.report<Burst>();
  client.send("start");
  server.send(order);
  const run = await client.report<Run>();
  await server.report();
  return run;
}

async function throughput(): Promise<void> {
  for (const [podBytes, events] of [
    [7_000, 30_000],
    [20_000, 10_000],
  ] as const) {
    await using server = await firehose(250, podBytes);
    const runs = new Map<Contender, Run[]>(ALL.map((contender) => [contender, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [contender, list] of runs) list.push(await measured(server, contender, { op: "blast", events }));
    }
    const rate = (contender: Contender) => median((runs.get(contender) ?? []).map(({ ms }) => (events / ms) * 1_000));
    const cpu = (contender: Contender) => median((runs.get(contender) ?? []).map(({ cpuUs }) => cpuUs / events));
    console.log(
      `${events} events about 250 pods of ${podBytes / 1_000} kB, as fast as they come (medians of ${rounds})`,
    );
    printTable([
      ["", "events/s", "of connect", "CPU per event", "told"],
      ...ALL.map((contender) => [
        contender.name,
        rate(contender).toFixed(0),
        (rate(contender) / rate(CONNECT)).toFixed(2),
        `${cpu(contender).toFixed(1)} us`,
        String(median((runs.get(contender) ?? []).map((run) => run.events))),
      ]),
    ]);
  }
}

async function burst(): Promise<void> {
  for (const pods of [250, 500]) await burstOf(pods);
}

async function burstOf(pods: number): Promise<void> {
  await using _ = await firehose(pods, 20_000);
  const bursts = new Map<Contender, Burst[]>(ALL.map((contender) => [contender, []]));
  for (let round = 0; round < rounds * 3; round++) {
    for (const [contender, list] of bursts) {
      await using client = contend(contender);
      list.push(await client.report<Burst>());
    }
  }
  console.log(`the first list: ${pods} pods of 20 kB (medians of ${rounds * 3})`);
  printTable([
    ["", "connecting to SYNCED", "marker to SYNCED", "longest block"],
    ...[...bursts].map(([contender, list]) => {
      const since = list.flatMap(({ sinceMarkerMs }) => sinceMarkerMs ?? []);
      return [
        contender.name,
        `${median(list.map(({ burstMs }) => burstMs)).toFixed(0)} ms`,
        since.length === 0 ? "-" : `${median(since).toFixed(0)} ms`,
        `${median(list.map(({ longestBlockMs }) => longestBlockMs)).toFixed(0)} ms`,
      ];
    }),
  ]);
}

async function latency(): Promise<void> {
  await using server = await firehose(250, 7_000);
  const rows: string[][] = [];
  for (const contender of [OURS, OURS_MASKED, CONNECT_DECODING, GRPC_DECODING]) {
    const late: [number, number][] = [];
    for (let round = 0; round < rounds; round++) {
      late.push((await measured(server, contender, { op: "trickle", events: 1_000, perSecond: 200 })).lateUs);
    }
    const ms = ([0, 1] as const).map((i) => `${(median(late.map((us) => us[i])) / 1_000).toFixed(2)} ms`);
    rows.push([contender.name, ...ms]);
  }
  console.log("a change on the server to its event in the consumer, 200 per second, 7 kB");
  printTable([["", "p50", "p99"], ...rows]);
}

async function recovery(): Promise<void> {
  const restarts = 200;
  const random = seededRandom(1);
  const kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode() });
  // A directory tells nothing of what a link in it points to.
  const link = join(directory, "link.sock");
  symlinkSync(socketPath, link);
  const other = mkdtempSync(join(directory, "elsewhere-"));
  const far = join(other, "link.sock");
  renameSync(link, far);
  const late = new Map<string, number[]>([
    ["with directory events", []],
    ["polling only", []],
  ]);
  for (let i = 0; i < restarts; i++) {
    // New clients each time: an outage that follows another within half a minute is waited out more slowly.
    const clients = [new PodsClient({ socketPath }), new PodsClient({ socketPath: far })];
    const watches = clients.map((pods) => pods.watchPods());
    const synced = async (watch: (typeof watches)[number]) => {
      for (;;) if ((await watch.next()).value?.type === "SYNCED") return performance.now();
    };
    await Promise.all(watches.map(synced));
    const next = watches.map(synced);
    await kubelet.restart({ downtimeMs: 50 + random() * 1_000 });
    const upMs = performance.now();
    (await Promise.all(next)).forEach((atMs, c) => {
      [...late.values()][c]?.push(atMs - upMs);
    });
    for (const pods of clients) await pods.close();
  }
  await kubelet.close();
  rmSync(far);
  console.log(`the socket is there again to SYNCED, ${restarts} restarts`);
  printTable([
    ["", "p50", "p99", "max"],
    ...[...late].map(([name, ms]) => [name, ...[0.5, 0.99, 1].map((q) => `${quantile(ms, q).toFixed(0)} ms`)]),
  ]);
}

async function outage(): Promise<void> {
  const seconds = 60;
  let dials = 0;
  subscribe("kubelet-pods:connection", (message) => {
    if ((message as ConnectionMessage).type === "failed") dials++;
  });
  const dead = join(directory, "dead.sock");
  const server = net.createServer().listen(`${dead}.real`);
  await sleep(50);
  renameSync(`${dead}.real`, dead);
  await new Promise((resolve) => server.close(resolve));
  const lost = new PodsClient({ socketPath: dead });
  const lostWatch = lost.watchPods();
  void (async () => {
    for await (const _ of lostWatch);
  })().catch(() => {});

  const kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode(), initializing: true });
  const waiting = new PodsClient({ socketPath });
  let streams = 0;
  const informer = waiting.informer();
  const grpc = contend(GRPC);
  grpc.report().catch(() => {});
  await sleep(seconds * 1_000);
  streams = informer.state.counters.streams;
  await lost.close();
  await waiting.close();
  await grpc[Symbol.asyncDispose]();
  await kubelet.close();
  console.log(`an outage of ${seconds} s`);
  printTable([
    ["", "dials", "requests", "at most"],
    ["nobody listens", String(dials), "0", `${15 + 2.2 * seconds} dials`],
    ["initializing", "1", String(streams), `${8 + 2.2 * seconds} requests`],
  ]);
}

async function memory(): Promise<void> {
  const rows: string[][] = [];
  for (const pods of [110, 500]) {
    await using _ = await firehose(pods, 20_000);
    const rss = async (contender: Contender) => {
      const list: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await using client = contend(contender);
        await client.report();
        await sleep(2_000);
        list.push((await client.ask<{ rss: number }>("memory")).rss / 2 ** 20);
      }
      return median(list);
    };
    for (const contender of [OURS, OURS_MASKED, CONNECT, GRPC]) {
      rows.push([`${contender.name}, ${pods} pods of 20 kB`, `${(await rss(contender)).toFixed(0)} MiB`]);
    }
  }
  console.log("RSS of an idle process that watches (connect and grpc-js keep no pods)");
  printTable([["", "RSS"], ...rows]);
}

async function stalled(): Promise<void> {
  const events = 1_000_000;
  await using server = await firehose(250, 2_000);
  const pods = new PodsClient({ socketPath });
  const stuck = pods.watchPods();
  const informer = pods.informer();
  while ((await stuck.next()).value?.type !== "SYNCED");
  /** Sends so many events, and waits until the last one is known. */
  const through = async (count: number, nth: number) => {
    server.send({ op: "blast", events: count } satisfies FirehoseOrder);
    while (informer.get(uidOf(LAST_POD))?.metadata?.labels["state"] !== `last-${nth}`) await sleep(10);
    await server.report();
  };
  await through(100_000, 1); // until the engine has compiled what it will
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 100);
  const startMs = performance.now();
  await through(events, 2);
  const seconds = (performance.now() - startMs) / 1_000;
  clearInterval(timer);
  const after = process.memoryUsage().rss;
  let told = 0;
  for await (const event of stuck) {
    told++;
    if (event.type === "ADDED") break; // the last pod's
  }
  await pods.close();
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  console.log(`a consumer that stalls through ${events} events (${seconds.toFixed(0)} s)`);
  printTable([
    ["RSS before", "at most", "after", "growth", "then told"],
    [mib(before), mib(most), mib(after), mib(most - before), `${told} events`],
  ]);
}

const parts: Record<string, () => Promise<void>> = { throughput, burst, latency, recovery, outage, memory, stalled };
const wanted = positionals.length > 0 ? positionals : Object.keys(parts);
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})\n`);
for (const name of wanted) {
  const part = parts[name];
  if (part === undefined) throw new Error(`${name}: there are ${Object.keys(parts).join(", ")}`);
  await part();
}
