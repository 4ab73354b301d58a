// npm run example NAME [ARGUMENTS]
//
// Runs an example against a reference kubelet whose pods change all the time, or against the kubelet at
// $KUBELET_PODS_SOCKET.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { churn, ReferenceKubelet, sampleNode, seededRandom } from "kubelet-pods/testing";

const EXAMPLES: Readonly<Record<string, string>> = {
  watch: "prints all pods, then every change",
  informer: "finds the pod that has an address",
  "wait-until-ready": "waits until a pod is ready",
  "cni-rules": "maintains rules for pod addresses",
  "enrich-by-ip": "adds pod attributes to telemetry records",
  "lookup-service": "answers other programs over HTTP on a Unix socket",
  "oom-watch": "reports every container end, with its reason and workload",
  otel: "emits an OpenTelemetry span and log record for each container that ends",
};

/** Default arguments: names and addresses of the sample. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  informer: ["10.244.1.15", "10.244.9.9"],
  "wait-until-ready": ["shop", "web-6bf9d8c7d5-hq6rn"],
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
let stopKubelet: (() => Promise<void>) | undefined;
if (env["KUBELET_PODS_SOCKET"] === undefined) stopKubelet = await startKubelet();

const args = given.length > 0 ? given : (ARGUMENTS[name] ?? []);
const file = [`${name}.ts`, `${name}/main.ts`].map((path) => join(import.meta.dirname, path)).find(existsSync) ?? name;
// The example runs in its own process group, so that it gets the SIGINT of a terminal only once, from here.
const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { stdio: "inherit", env, detached: true });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
const [code] = (await once(child, "exit")) as [number | null];
end.abort();
await stopKubelet?.();
await rm(directory, { recursive: true, force: true });
process.exitCode = code ?? 1;

/** Starts a kubelet in which something changes each second. Returns a function that stops it. */
async function startKubelet(): Promise<() => Promise<void>> {
  const socketPath = join(directory, "pods-api.sock");
  env["KUBELET_PODS_SOCKET"] = socketPath;
  if (name === "lookup-service") env["LOOKUP_SOCKET"] = join(directory, "lookup.sock");
  const kubelet = await ReferenceKubelet.start({ socketPath, pods: sampleNode() });
  const random = seededRandom(8);
  const timer = setInterval(() => churn(kubelet, random), 1_000);
  return async () => {
    clearInterval(timer);
    await kubelet.close();
  };
}
