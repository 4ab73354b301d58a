// The reference kubelet compared with the kubelet's Go code, if `go` is installed: whether it keeps up with a thousand events per second and
// ten watchers, its CPU time, and the latency of its responses.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { RawClient } from "../../src/conformance/raw-client.js";
import { toKubernetesJson } from "../../src/pod/to-json.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { GoKubelet, noGo } from "../interop/go-kubelet.js";
import type { KubeletOrder } from "./kubelet-child.js";
import { podOfSize } from "./pods.js";
import { median, Process, printTable, quantile } from "./processes.js";
import type { WatchersOrder } from "./watchers.js";

const { values } = parseArgs({
  options: {
    pods: { type: "string", default: "500" },
    "pod-bytes": { type: "string", default: "7000" },
    rate: { type: "string", default: "1000" },
    watchers: { type: "string", default: "10" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
  },
});
const [pods, podBytes, rate, watchers, seconds, rounds] = [
  values.pods,
  values["pod-bytes"],
  values.rate,
  values.watchers,
  values.seconds,
  values.rounds,
].map(Number) as [number, number, number, number, number, number];

interface Figures {
  /** Number of events that were sent. */
  told: number;
  /** Share of the events that arrived at the watcher that received the fewest. */
  delivered: number;
  ends: number;
  cpuPercent: number;
  rssMiB: number;
}

interface Contender {
  pid: number;
  socketPath: string;
  /** Sends events for `seconds`, and returns their number. */
  run(): Promise<number>;
  close(): Promise<void>;
}

async function reference(): Promise<Contender> {
  const child = Process.fork("kubelet-child");
  const order: KubeletOrder = { op: "start", pods, podBytes, rate };
  const { socketPath } = await child.ask<{ socketPath: string }>(order);
  return {
    pid: child.pid,
    socketPath,
    async run() {
      child.send({ ...order, op: "run" });
      await sleep(seconds * 1000);
      return (await child.ask<{ told: number }>({ ...order, op: "stop" })).told;
    },
    close: () => child[Symbol.asyncDispose](),
  };
}

async function own(): Promise<Contender> {
  const kubelet = await GoKubelet.start("1.37", { mode: "verbatim" });
  const all = Array.from({ length: pods }, (_, i) => podOfSize(podBytes, i));
  await kubelet.do("add", { pods: all.map((pod) => toKubernetesJson(pod)) });
  return {
    pid: kubelet.process.pid ?? 0,
    socketPath: kubelet.socketPath,
    async run() {
      const startMs = performance.now();
      let told = 0;
      while (performance.now() - startMs < seconds * 1000) {
        const due = ((performance.now() - startMs) / 1000) * rate;
        const made: Promise<unknown>[] = [];
        for (; told < due; told++) {
          const pod = all[told % pods];
          const container = pod?.status?.containerStatuses[0];
          if (pod === undefined || container === undefined) continue;
          container.restartCount++;
          made.push(kubelet.do("status", { pods: [toKubernetesJson(pod)] }));
        }
        await Promise.all(made);
        await sleep(10);
      }
      return told;
    },
    close: () => kubelet[Symbol.asyncDispose](),
  };
}

async function measure(start: () => Promise<Contender>): Promise<Figures> {
  const contender = await start();
  const readers = Process.fork("watchers");
  try {
    const order: WatchersOrder = { op: "watch", socketPath: contender.socketPath, watchers };
    await readers.ask(order);
    const before = cpuSeconds(contender.pid);
    const startMs = performance.now();
    const told = await contender.run();
    const cpu = cpuSeconds(contender.pid) - before;
    const tookSeconds = (performance.now() - startMs) / 1000;
    const rssMiB = rss(contender.pid);
    await sleep(500);
    const { counts, ends } = await readers.ask<{ counts: number[]; ends: string[] }>({ ...order, op: "count" });
    const delivered = Math.min(...counts) / told;
    return { told, delivered, ends: ends.length, cpuPercent: (cpu / tookSeconds) * 100, rssMiB };
  } finally {
    await readers[Symbol.asyncDispose]();
    await contender.close();
  }
}

/** User and system time of a process: fields 14 and 15 of its stat, in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function rss(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

async function throughput(): Promise<void> {
  const contenders: [name: string, start: () => Promise<Contender>][] = [["reference kubelet", reference]];
  if (noGo === false) contenders.push(["the kubelet's Go code", own]);
  const rows: Figures[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, [, start]] of contenders.entries()) rows[i]?.push(await measure(start));
  }
  console.log(`${pods} pods of ${podBytes} bytes, ${rate} events per second for ${seconds} s, ${watchers} watchers`);
  console.log(`(median of ${rounds} rounds)\n`);
  const of = (i: number, key: keyof Figures) => median(rows[i]?.map((figures) => figures[key]) ?? []);
  printTable([
    ["", "events/s", "least delivered", "watches ended", "CPU", "RSS"],
    ...contenders.map(([name], i) => [
      name,
      (of(i, "told") / seconds).toFixed(0),
      `${(of(i, "delivered") * 100).toFixed(2)} %`,
      String(of(i, "ends")),
      `${of(i, "cpuPercent").toFixed(0)} %`,
      `${of(i, "rssMiB").toFixed(0)} MiB`,
    ]),
  ]);
  if (contenders.length > 1) {
    const cpu = of(0, "cpuPercent") / of(1, "cpuPercent");
    console.log(
      `CPU, as a ratio of the Go code's with its driver, which reads each event as JSON: ${cpu.toFixed(2)}\n`,
    );
  }
}

async function firstAnswer(): Promise<void> {
  const inProcess: number[] = [];
  for (let i = 0; i < 20; i++) {
    const startMs = performance.now();
    await using kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
    await using client = new RawClient({ socketPath: kubelet.socketPath });
    const answer = await client.list();
    if (!answer.ok) throw answer.error;
    inProcess.push(performance.now() - startMs);
  }
  const process_: number[] = [];
  for (let i = 0; i < 5; i++) {
    const startMs = performance.now();
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../dist/cli/main.js"), "serve"]);
    await once(child.stdout, "data");
    process_.push(performance.now() - startMs);
    child.kill();
    await once(child, "exit");
  }
  console.log("from start to the first answer, ms\n");
  const row = (name: string, ms: number[]) =>
    [name, ms[0], median(ms), quantile(ms, 1)].map((cell) =>
      typeof cell === "number" ? cell.toFixed(1) : String(cell),
    );
  printTable([
    ["", "first", "median", "worst"],
    row("ReferenceKubelet.start() and a list", inProcess),
    row("kubelet-pods serve, a process, until it listens", process_),
  ]);
}

await firstAnswer();
await throughput();
process.exit();
