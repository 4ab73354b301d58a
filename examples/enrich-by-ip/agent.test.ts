// node --import tsx --test examples/enrich-by-ip/agent.test.ts

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { enricher } from "./agent.js";

const [A, B] = ["2c4d8b1e-0000-4000-8000-000000000001", "2c4d8b1e-0000-4000-8000-000000000002"] as const;
const pod = (uid: string, name: string) => ({
  metadata: { uid, namespace: "shop", name, creationTimestamp: new Date().toISOString() },
  spec: { containers: [{ name: "main", image: "app" }] },
});

async function started(t: TestContext) {
  const kubelet = await ReferenceKubelet.start({ pods: [pod(A, "a"), pod(B, "b")] });
  const stop = new AbortController();
  const server = enricher({ socketPath: kubelet.socketPath, signal: stop.signal });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    stop.abort();
    await kubelet.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const enrich = async (record: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/enrich`, { method: "POST", body: JSON.stringify([record]) });
    const [enriched] = (await response.json()) as Record<string, unknown>[];
    return enriched ?? {};
  };
  /** Repeats the request until the kubelet has reported the awaited pod. */
  const becomes = async (record: object, name: string | undefined) => {
    for (;;) {
      const enriched = await enrich(record);
      if (enriched["k8s.pod.name"] === name) return enriched;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { kubelet, url, enrich, becomes };
}

test("by address, by container, by UID: the most exact decides, and what senders say of themselves stands", async (t) => {
  const { kubelet, enrich, becomes } = await started(t);
  kubelet.startPod(A, { ip: "127.0.0.1" });
  const [main] = kubelet.startPod(B, { ip: "10.1.0.8" });
  const byAddress = await becomes({ body: "x" }, "a");
  assert.deepEqual([byAddress["k8s.pod.uid"], byAddress["k8s.node.name"], byAddress["body"]], [A, "node-1", "x"]);
  const byContainer = await becomes({ "container.id": main?.containerID }, "b");
  assert.deepEqual([byContainer["k8s.container.name"], byContainer["k8s.container.restart_count"]], ["main", 0]);
  assert.equal((await enrich({ "k8s.pod.uid": B }))["k8s.pod.name"], "b");
  assert.equal((await enrich({ "k8s.pod.uid": B, "k8s.pod.name": "mine" }))["k8s.pod.name"], "mine");
});

test("a span that arrives after its pod is gone, and an address that another pod has by now", async (t) => {
  const { kubelet, url, becomes } = await started(t);
  kubelet.startPod(A, { ip: "127.0.0.1" });
  await becomes({}, "a");
  kubelet.finishPod(A);
  await becomes({ "k8s.pod.uid": A }, "a");
  kubelet.startPod(B, { ip: "127.0.0.1" });
  await becomes({}, "b");
  assert.match(
    await (await fetch(`${url}/metrics`)).text(),
    /enricher_records_total\{result="found"\} \d+[\s\S]*enricher_synced 1\n/,
  );
});

test("it is healthy while the kubelet is away, answers what it knew, and refuses what is no list", async (t) => {
  const { kubelet, url, becomes } = await started(t);
  kubelet.startPod(A, { ip: "127.0.0.1" });
  await becomes({}, "a");
  void kubelet.restart({ downtimeMs: 60_000 });
  await becomes({}, "a");
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  for (const body of ["{", "{}", "1"]) {
    assert.equal((await fetch(`${url}/enrich`, { method: "POST", body })).status, 400);
  }
  assert.equal((await fetch(`${url}/else`)).status, 404);
});

test("SIGTERM ends it", async (t) => {
  await using kubelet = await ReferenceKubelet.start();
  const path = fileURLToPath(import.meta.url.replace("agent.test", "main")); // .ts or .js, like this file
  const env = { ...process.env, PORT: "0", KUBELET_PODS_SOCKET: kubelet.socketPath };
  const args = [...process.execArgv, path];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(createInterface(child.stdout), "line");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
