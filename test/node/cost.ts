// node --import tsx test/node/cost.ts [SECONDS]: what a kubelet and an agent take at 10 and 100 pods with a little churn, side by side in turn. Prints a
// table for test/bench/README.md.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../bench/processes.js";
import { root } from "../helpers/programs.js";
import { LiveNode, nodeName } from "./live-node.js";

const seconds = Number(process.argv[2] ?? 60);
const ROUNDS = 3;
const SIZES = [10, 100] as const;
const WAYS = ["nothing", "watch", "poll each 10 s"] as const;

interface Sample {
  kubeletMs: number;
  agentMs: number;
  rssMiB: number;
  requests: number;
}

const node = await LiveNode.up("cluster", nodeName("cost"));
if (node === undefined) throw new Error("a cluster is needed");
const [newest = ""] = node.facts.versions;
await node.start(newest);
await node.apply(deployment());

for (const size of SIZES) {
  await node.kubectl("-n", "cost", "scale", "deployment", "idle", `--replicas=${size}`);
  await node.kubectl("-n", "cost", "rollout", "status", "deployment", "idle", "--timeout=300s");
  await sleep(20_000);
  const samples = new Map<string, Sample[]>(WAYS.map((way) => [way, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) samples.get(way)?.push(await measure(node, way));
  }
  for (const way of WAYS) {
    const all = samples.get(way) ?? [];
    const perMinute = (of: (sample: Sample) => number) => Math.round((median(all.map(of)) * 60) / seconds);
    const cells = [
      perMinute((s) => s.kubeletMs),
      perMinute((s) => s.agentMs),
      Math.round(median(all.map((s) => s.rssMiB))),
      perMinute((s) => s.requests),
    ];
    console.log(`| ${size} pods, ${way} | ${cells.join(" | ")} |`);
  }
}
await node.down();

async function measure(node: LiveNode, way: string): Promise<Sample> {
  let agent: ChildProcess | undefined;
  let last = "{}";
  if (way !== "nothing") {
    const program = join(root, "test/node/cost-agent.mjs");
    agent = spawn(process.execPath, [program, way === "watch" ? "watch" : "poll", node.socketPath], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: agent.stdout as NodeJS.ReadableStream });
    await once(lines, "line");
    lines.on("line", (line) => {
      last = line;
    });
  }
  const [cpu, requests] = [Number(await node.drive("cpu")), await requestsOf(node)];
  await churn(node);
  const kubeletMs = Number(await node.drive("cpu")) - cpu;
  if (agent !== undefined) {
    agent.kill("SIGTERM");
    await once(agent, "close");
  }
  const made = (await requestsOf(node)) - requests;
  const { cpuMs = 0, rssMiB = 0 } = JSON.parse(last) as { cpuMs?: number; rssMiB?: number };
  return { kubeletMs, agentMs: cpuMs, rssMiB, requests: made };
}

/** A probe that fails and succeeds each five seconds, and a short pod each fifteen. */
async function churn(node: LiveNode): Promise<void> {
  const file = join(node.facts.sharedDir, "cost.unready");
  for (let i = 0; i < seconds / 5; i++) {
    if (i % 2 === 0) writeFileSync(file, "");
    else rmSync(file, { force: true });
    const run = ["run", `short-${Date.now()}`, "--image=localhost/tool:1", "--restart=Never", "--", "sleep", "4"];
    if (i % 3 === 0) await node.kubectl("-n", "cost", ...run);
    if (i % 3 === 2) await node.kubectl("-n", "cost", "delete", "pod", "-l", "run", "--now", "--wait=false");
    await sleep(5_000);
  }
  rmSync(file, { force: true });
}

/** How many calls of the Pods API the kubelet has counted; watches count when they end. */
async function requestsOf(node: LiveNode): Promise<number> {
  const text = await node.drive("metrics");
  return [...text.matchAll(/^kubelet_pod_requests_total\{[^}]*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

function deployment(): string {
  const probe = "{ exec: { command: [/tool, check, /shared/cost.unready] }, periodSeconds: 1, failureThreshold: 1 }";
  const pod = (labels: string, container: string, volumes = "") =>
    `{ metadata: { labels: ${labels} }, spec: { terminationGracePeriodSeconds: 1, containers: [${container}]${volumes} } }`;
  const volume = `, volumes: [{ name: s, hostPath: { path: "${node?.facts.sharedDir}" } }]`;
  const probed = `{ name: main, image: "localhost/tool:1", args: [sleep], readinessProbe: ${probe}, volumeMounts: [{ name: s, mountPath: /shared }] }`;
  const idle = '{ name: main, image: "localhost/tool:1", args: [sleep] }';
  const one = (name: string, replicas: number, template: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name}, namespace: cost }\nspec: { replicas: ${replicas}, selector: { matchLabels: { app: ${name} } }, template: ${template} }\n`;
  return [
    "apiVersion: v1\nkind: Namespace\nmetadata: { name: cost }\n",
    one("idle", 1, pod("{ app: idle }", idle)),
    one("probed", 2, pod("{ app: probed }", probed, volume)),
  ].join("---\n");
}
