// node client.mjs '{"module": "connect", ...}': one client in its own process. It is plain JavaScript, so that no loader is measured. Orders
// come as lines of JSON on standard input, and reports go to standard output.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";

/**
 * @typedef {object} Told Callbacks of a watch.
 * @property {() => void} synced the client has all pods
 * @property {(uid: string, state: string) => void} pod a decoded pod and its label `state`
 * @property {(bytes: Uint8Array) => void} bytes a pod that is not decoded
 *
 * @typedef {object} Client
 * @property {(uid: string, name: string) => Promise<unknown>} get
 * @property {() => Promise<number>} list
 * @property {(told: Told) => Promise<void>} watch until the process ends or a next watch begins
 *
 * @typedef {(order: { socketPath: string, url: string, timeoutMs: number, mask?: string[], decoder?: string, packages: string }) => Client | Promise<Client>} Open
 */

const { module, ...how } = JSON.parse(process.argv[2] ?? "{}");
const LAST = "bbbbbbbb-0000-4000-8000-000000999999";
/** Only the last pod is smaller. */
const LAST_BYTES = 600;

const BURST = 8;
const PAUSE_MS = 120;

const report = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const quantile = (sorted, q) => sorted[Math.floor(sorted.length * q)];
const ascending = (a, b) => a - b;

let startMs = 0;
let cpu = process.cpuUsage();
let events = 0;
const lateUs = [];
/** CPU time of each event, in microseconds. Measured only if the order asks for it, because reading it adds to the cost of a burst. */
let eachUs;
let cpuOfLast = cpu;
const loop = monitorEventLoopDelay({ resolution: 1 });

function event(isLast, state) {
  events++;
  if (eachUs !== undefined) {
    const { user, system } = process.cpuUsage(cpuOfLast);
    cpuOfLast = process.cpuUsage();
    eachUs.push(user + system);
  }
  if (isLast) {
    const { user, system } = process.cpuUsage(cpu);
    lateUs.sort(ascending);
    const late = [0.5, 0.99].map((q) => quantile(lateUs, q) / 1e3);
    const medianUs = eachUs && quantile(eachUs.sort(ascending), 0.5);
    report({ events, ms: performance.now() - startMs, cpuUs: user + system, medianUs, lateMs: late });
  } else if (state?.length > 9) lateUs.push(Number(process.hrtime.bigint() - BigInt(state)) / 1e3);
}

const told = {
  synced() {
    loop.disable();
    report({ syncedMs: performance.now() - startMs, longestBlockMs: loop.max / 1e6 });
  },
  pod: (uid, state) => event(uid === LAST, state),
  bytes: (bytes) => event(bytes.length < LAST_BYTES),
};

/** Makes calls one after the other, in bursts that kubelet-pods sends without rate limiting. */
async function repeat({ times, pauseMs = PAUSE_MS }, call) {
  const tookMs = [];
  let cpuUs = 0;
  for (let i = 0; i < times; ) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const before = process.cpuUsage();
    for (const end = Math.min(times, i + BURST); i < end; i++) {
      const callMs = performance.now();
      await call(i);
      tookMs.push(performance.now() - callMs);
    }
    const { user, system } = process.cpuUsage(before);
    cpuUs += user + system;
  }
  tookMs.sort(ascending);
  report({ cpuUs: cpuUs / times, p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) });
}

/** @type {Record<string, (order: any, client: Client) => unknown>} */
const orders = {
  get: (order, client) =>
    repeat(order, (i) => {
      const { uid, name } = order.pods[i % order.pods.length];
      return client.get(uid, name);
    }),
  list: (order, client) => repeat(order, () => client.list()),
  watch(_, client) {
    loop.reset();
    loop.enable();
    startMs = performance.now();
    client.watch(told).catch((error) => report({ error: String(error) }));
  },
  /** Starts a measurement, which the event of the last pod ends. */
  events({ each = false }) {
    events = 0;
    lateUs.length = 0;
    eachUs = each ? [] : undefined;
    startMs = performance.now();
    cpu = process.cpuUsage();
    cpuOfLast = cpu;
    report({ ready: true });
  },
  memory() {
    globalThis.gc?.();
    setTimeout(() => {
      globalThis.gc?.();
      const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
      report({ rss, heap: heapUsed + arrayBuffers });
    }, 300);
  },
};

const { open } = await import(`./clients/${module}.mjs`);
// All calls have a deadline, as they should have in agents.
const client = await open({ ...how, timeoutMs: 60_000 });
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  Promise.resolve(orders[order.op](order, client)).catch((error) => report({ error: String(error) }));
}
process.exit();
