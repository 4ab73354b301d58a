// npm run example NAME [ARGUMENTS]
//
// Runs an example against a reference kubelet with pods of its own, in which something happens all the time; or against
// the kubelet of $KUBELET_PODS_SOCKET.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { churn, ReferenceKubelet, sampleNode, seededRandom } from "kubelet-pods/testing";
import { PretendApiServer } from "./support/pretend-api-server.js";

const EXAMPLES: Readonly<Record<string, string>> = {
  list: "the pods of this node, and of each what a mask selects",
  watch: "what there is, then what becomes of it",
  informer: "a cache: which pod has this address?",
  "wait-until-ready": "wait until a pod is ready",
  snapshots: "keep a file with the pods of this node",
  metrics: "Prometheus metrics of the pods of this node",
  "pid-follower": "each process of a pod, when it is seen and when it has ended",
  "cni-rules": "rules of addresses in step with pods",
  "enrich-by-ip": "stamp what pods send with the pod that sent it, over HTTP",
  "oom-watch": "every end of a container, with its reason and workload",
  "process-to-pod": "which pod and container a process belongs to",
  kubectl: "a small kubectl for this node",
  otel: "OpenTelemetry: a span and a log record of each container that ends",
  "prometheus-targets": "this node's pods as targets of Prometheus, over HTTP",
  fallback: "the kubelet where it has the API, else the API server",
  "from-make-informer/before": "an informer of client-node",
  "from-make-informer/after": "the same with kubelet-pods",
};

/** What is asked for where nobody says: names and addresses of the sample. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  informer: ["10.244.1.15", "10.244.9.9"],
  "wait-until-ready": ["shop", "web-6bf9d8c7d5-hq6rn"],
  kubectl: ["get", "pods"],
};

const [name = "", ...given] = process.argv.slice(2);
if (!Object.hasOwn(EXAMPLES, name)) {
  const lines = Object.entries(EXAMPLES).map(([example, what]) => `  ${example.padEnd(27)}${what}`);
  console.error(`usage: npm run example NAME [ARGUMENTS]\n\n${lines.join("\n")}`);
  process.exit(2);
}

const directory = await mkdtemp(join(tmpdir(), "example-"));
const env: NodeJS.ProcessEnv = { ...process.env };
const end = new AbortController();
let pretended: (() => Promise<void>) | undefined;
if (env["KUBELET_PODS_SOCKET"] === undefined) pretended = await pretend();

const defaults = name === "snapshots" ? [join(directory, "pods.json")] : ARGUMENTS[name];
const args = given.length > 0 ? given : (defaults ?? []);
const file = [`${name}.ts`, `${name}/main.ts`].map((path) => join(import.meta.dirname, path)).find(existsSync) ?? name;
// In a group of its own: a terminal's SIGINT comes here, and is handed on once.
const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { stdio: "inherit", env, detached: true });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, "exit")) as [number | null];
end.abort();
await pretended?.();
await rm(directory, { recursive: true, force: true });
process.exitCode = code ?? 1;

/** A node for the example: a kubelet, processes, an API server. Returns what ends it. */
async function pretend(): Promise<() => Promise<void>> {
  const socketPath = join(directory, "pods-api.sock");
  env["KUBELET_PODS_SOCKET"] = socketPath;
  const needsApiServer = name === "fallback" || name.startsWith("from-make-informer");
  const api = needsApiServer ? await PretendApiServer.start(sampleNode()) : undefined;
  if (api !== undefined) {
    env["KUBECONFIG"] = join(directory, "kubeconfig");
    env["NODE_NAME"] = "node-1";
    await writeFile(env["KUBECONFIG"], api.kubeconfig);
  }
  const running = new Set<ReferenceKubelet>();
  if (name === "fallback") void comeAndGo(socketPath, running);
  else {
    const procRoot = join(directory, "proc");
    const kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode(), procRoot });
    running.add(kubelet);
    const random = seededRandom(8);
    const timer = setInterval(() => churn(kubelet, random), 1_000);
    end.signal.addEventListener("abort", () => clearInterval(timer));
    if (name === "oom-watch") Object.assign(env, { STATE_DIR: directory });
    if (name === "process-to-pod" || name === "pid-follower") {
      addProcesses(kubelet);
      env["HOST_PROC"] ??= procRoot;
    }
  }
  return async () => {
    for (const kubelet of running) await kubelet.close();
    await api?.close();
  };
}

/** A kubelet that is there from the third second to the eighth, and from the thirteenth on. */
async function comeAndGo(socketPath: string, running: Set<ReferenceKubelet>): Promise<void> {
  env["POLL_MS"] = "1000";
  for (const [awayMs, upMs] of [
    [3_000, 5_000],
    [5_000, 86_400_000],
  ]) {
    await passed(awayMs ?? 0);
    if (end.signal.aborted) return;
    const kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode() });
    running.add(kubelet);
    await passed(upMs ?? 0);
    running.delete(kubelet);
    await kubelet.close();
  }
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (end.signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    end.signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Calls for each container that runs. */
function forRunning(kubelet: ReferenceKubelet, call: (uid: string, name: string) => void): void {
  for (const pod of kubelet.pods) {
    for (const { name, state } of pod.status.containerStatuses) if (state?.running) call(pod.metadata.uid, name);
  }
}

function addProcesses(kubelet: ReferenceKubelet): void {
  let pid = 1000;
  forRunning(kubelet, (uid, name) => kubelet.addProcess(uid, name, { pid: pid++ }));
}
