// node --import tsx --test examples/gpu-metrics/agent.test.ts

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { gpuMetrics } from "./agent.js";

const GPU = "nvidia.com/gpu";
const SHARED = "nvidia.com/gpu.shared";
const gpus = (resourceName: string, ...deviceIDs: string[]) => ({ resourceName, deviceIDs, numaNodes: [0] });
const pod = (name: string, uid: string) => ({
  metadata: { uid, namespace: "ml", name },
  spec: { containers: [{ name: "train", image: "train" }] },
  status: { phase: "Running" },
});

async function started(t: TestContext) {
  const kubelet = await ReferenceKubelet.start({ pods: [pod("a", "uid-a"), pod("b", "uid-b")], podResources: true });
  kubelet.setAllocatable({ devices: [gpus(GPU, "GPU-0", "GPU-1"), gpus(SHARED, "GPU-2::0", "GPU-2::1", "GPU-2::2")] });
  kubelet.assignResources("uid-a", "train", { devices: [gpus(GPU, "GPU-0"), gpus(SHARED, "GPU-2::1")] });
  kubelet.assignResources("uid-b", "train", { devices: [gpus(SHARED, "GPU-2::2")] });
  const stop = new AbortController();
  const server = gpuMetrics({
    readGpus: async () => ["GPU-0", "GPU-1", "GPU-2"].map((uuid, i) => ({ uuid, utilization: i / 10 })),
    socketPath: kubelet.socketPath,
    podResourcesSocketPath: kubelet.podResourcesSocketPath ?? "",
    signal: stop.signal,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    stop.abort();
    await kubelet.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ready = async () => (await fetch(`${url}/readyz`)).status === 200;
  while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 5));
  const series = async (name: string) =>
    (await (await fetch(`${url}/metrics`)).text()).split("\n").filter((line) => line.startsWith(`${name}{`));
  return { kubelet, url, series };
}

test("each GPU has its holders by pod and UID, all of them where it is shared, and none where it is free", async (t) => {
  const { series } = await started(t);
  assert.deepEqual(await series("gpu_utilization_ratio"), [
    'gpu_utilization_ratio{gpu="GPU-0",namespace="ml",pod="a",uid="uid-a",container="train"} 0',
    'gpu_utilization_ratio{gpu="GPU-1"} 0.1',
    'gpu_utilization_ratio{gpu="GPU-2",namespace="ml",pod="a",uid="uid-a",container="train"} 0.2',
    'gpu_utilization_ratio{gpu="GPU-2",namespace="ml",pod="b",uid="uid-b",container="train"} 0.2',
  ]);
  assert.deepEqual(await series("node_devices_free"), [
    `node_devices_free{resource="${GPU}"} 1`,
    `node_devices_free{resource="${SHARED}"} 1`,
  ]);
});

test("a pod with the name of an earlier one does not get the devices of that one", async (t) => {
  const { kubelet, series } = await started(t);
  kubelet.finishPod("uid-a");
  kubelet.removePod("uid-a");
  kubelet.addPod(pod("a", "uid-a2"));
  for (;;) {
    const lines = (await series("gpu_utilization_ratio")).join("\n");
    assert.doesNotMatch(lines, /uid-a2/);
    if (lines.includes('{gpu="GPU-0"}')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test("SIGTERM ends it", async (t) => {
  await using kubelet = await ReferenceKubelet.start({ podResources: true });
  const path = fileURLToPath(import.meta.url.replace("agent.test", "main")); // .ts or .js, like this file
  const { socketPath: KUBELET_PODS_SOCKET, podResourcesSocketPath: KUBELET_PODRESOURCES_SOCKET } = kubelet;
  const env = { ...process.env, PORT: "0", KUBELET_PODS_SOCKET, KUBELET_PODRESOURCES_SOCKET };
  const child = spawn(process.execPath, [...process.execArgv, path], { env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(createInterface(child.stdout), "line");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
