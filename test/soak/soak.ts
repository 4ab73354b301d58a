// node --expose-gc --import tsx test/soak/soak.ts [--seconds 120] [--seed 1] [--kubelet reference|1.36|1.37] [--pods 250] [--rate 200] [--quiet-every 20]
//
// A kubelet in a process of its own, on whose node things happen without end, and to which something bad happens every
// two seconds. Four consumers in this process are told about it. At each quiet point all of them must know what is so.

import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PodsClient } from "../../src/index.js";
import { seededRandom } from "../../src/testing/index.js";
import { GoHost, type Host, ReferenceHost } from "./hosts.js";
import { difference, Reader } from "./oracle.js";
import { SOAK_MASK, World } from "./world.js";

/** How long consumers may take to agree once nothing happens any more: the guard may hold absences for a minute. */
const QUIET_AT_MOST_MS = 120_000;

/** As often as an agent may ask for, so that silent losses heal within the run. */
const RESYNC_MS = 5_000;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: "1" },
    kubelet: { type: "string", default: "reference" },
    pods: { type: "string", default: "250" },
    rate: { type: "string", default: "200" },
    "quiet-every": { type: "string", default: "20" },
  },
});
const seconds = Number(values.seconds);
const random = seededRandom(Number(values.seed));
const world = new World(random, Number(values.pods));
const host: Host =
  values.kubelet === "reference"
    ? new ReferenceHost(world, random)
    : new GoHost(world, values.kubelet as "1.36" | "1.37");

const rejections: unknown[] = [];
process.on("unhandledRejection", (reason) => rejections.push(reason));

const end = new AbortController();
const pods = new PodsClient({ socketPath: host.socketPath });
const slow = new Reader("slow", world, { delayMs: 5 });
const readers = [
  new Reader("eager", world),
  new Reader("with finished pods", world, { includeFinished: true }),
  slow,
  new Reader("informer", world),
];
await host.start();
const options = { signal: end.signal, resyncIntervalMs: RESYNC_MS };
const informer = pods.informer({ ...options, mask: SOAK_MASK });
const reading = readers.map((reader) =>
  reader.read(
    reader.name === "informer" ? informer : pods.watchPods({ ...options, includeFinished: reader.includeFinished }),
  ),
);

let happened = 0;
let lively = true;
let debt = 0;
const ticker = setInterval(() => {
  if (!lively) return;
  for (debt += Number(values.rate) / 100; debt >= 1; debt--) {
    host.tell(world.next());
    happened++;
  }
}, 10);

/** What can go wrong; each leaves a kubelet that serves. */
const faults: Record<string, () => Promise<void>> = {
  kill: async () => {
    await host.kill();
    await sleep(random() * 1_500);
    await host.start();
  },
  stop: async () => {
    host.signal("SIGSTOP");
    await sleep(200 + random() * 3_000);
    host.signal("SIGCONT");
  },
  restart: () => host.restart(random() * 500),
  "crash loop": async () => {
    for (let i = 0; i < 3; i++) {
      await host.kill();
      await host.start();
    }
  },
  "slow consumer": async () => {
    slow.delayMs = 3_000;
    await sleep(1_500);
    slow.delayMs = 5;
  },
  "socket unlinked": async () => {
    rmSync(host.socketPath, { force: true });
    await sleep(random() * 1_000);
    await host.kill();
    await host.start();
  },
  "socket behind a link": async () => {
    const aside = `${host.socketPath}.aside`;
    renameSync(host.socketPath, aside);
    symlinkSync(aside, host.socketPath);
    await sleep(1_000);
    renameSync(aside, host.socketPath);
  },
  "a file in the socket's place": async () => {
    const aside = `${host.socketPath}.aside`;
    renameSync(host.socketPath, aside);
    if (random() < 0.5) writeFileSync(host.socketPath, "");
    else mkdirSync(host.socketPath);
    await sleep(500);
    rmSync(host.socketPath, { recursive: true });
    renameSync(aside, host.socketPath);
  },
};
if (host.reference || host.profile === "1.37") {
  faults["not ready"] = async () => {
    await host.kill();
    await host.start({ initializing: true });
    await sleep(300 + random() * 2_500);
    await host.ready();
  };
}
if (host.reference || host.profile === "1.36") {
  faults["early answers"] = async () => {
    await host.kill();
    await host.start({ firstPods: random() < 0.5 ? 0 : Math.floor(random() * Number(values.pods)) });
    await sleep(500 + random() * 2_500);
    await host.readRest();
  };
}
if (host.reference) {
  faults["silent drop"] = async () => host.faults("drop", 1 + Math.floor(random() * 20));
  faults["corrupt pod"] = async () => host.faults("corrupt", 1 + Math.floor(random() * 3));
}

const suffered = new Map<string, number>();
async function suffer(untilMs: number): Promise<void> {
  const names = Object.keys(faults);
  while (performance.now() < untilMs) {
    const dueMs = performance.now() + 2_000;
    const name = names[Math.floor(random() * names.length)] ?? "";
    suffered.set(name, (suffered.get(name) ?? 0) + 1);
    await faults[name]?.();
    await sleep(Math.max(0, dueMs - performance.now()));
  }
}

const convergedMs: number[] = [];
const divergences: string[] = [];
const heaps: { atMs: number; bytes: number }[] = [];

/** Nothing happens any more: within a bounded time everybody knows what is so. */
async function quiet(): Promise<void> {
  lively = false;
  await host.flush();
  const startMs = performance.now();
  const streams = informer.state.counters.resyncs;
  const settled = () => {
    const { phase, unconfirmed, counters } = informer.state;
    const lastMs = Math.max(startMs, ...readers.map((reader) => reader.lastEventMs));
    return (
      phase === "synced" &&
      unconfirmed.count === 0 &&
      counters.resyncs > streams + 1 &&
      performance.now() - lastMs > 500
    );
  };
  while (!settled() && performance.now() - startMs < QUIET_AT_MOST_MS) await sleep(50);
  const cached = new Map(informer.list().map((pod) => [pod.metadata?.uid ?? "", pod]));
  for (const [name, found] of [
    ...readers.map((reader) => [reader.name, reader.differences()] as const),
    ["informer's cache", difference(world.expected(false), cached)] as const,
  ]) {
    if (found.length > 0) divergences.push(`${name}: ${found.length} pods, ${found.slice(0, 3).join("; ")}`);
  }
  convergedMs.push(Math.max(0, ...readers.map((reader) => reader.lastEventMs)) - startMs);
  globalThis.gc?.();
  heaps.push({ atMs: performance.now(), bytes: process.memoryUsage().heapUsed });
  lively = true;
}

/** MiB per hour that the heap grows, by least squares, without the first minute or third. */
function heapSlope(): number {
  const points = heaps.slice(Math.min(3, Math.floor(heaps.length / 3)));
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [t, b] = [mean(({ atMs }) => atMs), mean(({ bytes }) => bytes)];
  const covariance = mean((point) => (point.atMs - t) * (point.bytes - b));
  return (covariance / mean((point) => (point.atMs - t) ** 2)) * (3_600_000 / 2 ** 20);
}

const startMs = performance.now();
const endMs = startMs + seconds * 1_000;
for (let nextMs = startMs; performance.now() < endMs; ) {
  nextMs = Math.min(endMs, performance.now() + Number(values["quiet-every"]) * 1_000);
  await suffer(nextMs);
  await quiet();
  const { counters } = informer.state;
  console.log(
    `${String(Math.round((performance.now() - startMs) / 1_000)).padStart(5)} s  ${happened} changes, ` +
      `${counters.streams} streams, heap ${((heaps.at(-1)?.bytes ?? 0) / 2 ** 20).toFixed(1)} MiB, ` +
      `known after ${Math.max(0, Math.round(convergedMs.at(-1) ?? 0))} ms, ${divergences.length} divergences`,
  );
}
clearInterval(ticker);
const { counters } = informer.state;
end.abort();
await Promise.all(reading);
await pods.close();
await host[Symbol.asyncDispose]();

const violations = readers.flatMap((reader) => reader.violations);
const elapsed = (performance.now() - startMs) / 1_000;
console.log(`
kubelet      ${values.kubelet}, ${values.pods} pods, seed ${values.seed}
ran          ${Math.round(elapsed)} s, ${happened} changes, ${counters.streams} streams, ${counters.resyncs} complete lists
faults       ${[...suffered].map(([name, times]) => `${name} ${times}`).join(", ")}
told         ${readers.map(({ name, counts }) => `${name}: ${[...counts].map(([type, n]) => `${type} ${n}`).join(" ")}`).join("\n             ")}
malformed    ${counters.malformed} messages
quiet points ${convergedMs.length}, ${divergences.length} divergences
violations   ${violations.length}
unhandled    ${rejections.length} rejections
heap         ${(heaps[0]?.bytes ?? 0) / 2 ** 20 > 0 ? heaps.map(({ bytes }) => (bytes / 2 ** 20).toFixed(1)).join(" ") : "-"} MiB, slope ${heaps.length < 4 ? "-" : heapSlope().toFixed(2)} MiB/h`);
for (const line of [...divergences, ...violations, ...rejections.map(String)]) console.log(`  ${line}`);
if (divergences.length + violations.length + rejections.length > 0) process.exitCode = 1;
