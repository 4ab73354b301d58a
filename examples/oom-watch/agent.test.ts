// node --import tsx --test examples/oom-watch/agent.test.ts

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { EndedRecord } from "kubelet-pods";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { ExitCounter, watchExits, workloadOf } from "./agent.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-6bf9d8c7d5", uid: "r", controller: true };
const pod = {
  metadata: {
    uid: A,
    namespace: "shop",
    name: "web-6bf9d8c7d5-2lm8z",
    labels: { "pod-template-hash": "6bf9d8c7d5" },
    ownerReferences: [owner],
  },
  spec: { containers: [{ name: "main", image: "app" }] },
};

async function node(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), "oom-"));
  const kubelet = await ReferenceKubelet.start({ pods: [pod] });
  kubelet.startPod(A);
  const exits: EndedRecord[] = [];
  let wake = () => {};
  let [stop, running] = [new AbortController(), Promise.resolve()];
  const start = () => {
    stop = new AbortController();
    running = watchExits({
      socketPath: kubelet.socketPath,
      directory,
      signal: stop.signal,
      tell: (exit) => {
        exits.push(exit);
        wake();
      },
    });
  };
  const end = () => {
    stop.abort();
    return running;
  };
  t.after(async () => {
    await end();
    await kubelet.close();
    rmSync(directory, { recursive: true });
  });
  /** Returns the reasons that have been told, once there are so many. */
  const reasons = async (count: number) => {
    while (exits.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return exits.map(({ end }) => end.reason);
  };
  return { kubelet, exits, reasons, start, end };
}

test("each kill is told once, with its workload, also what fell into the time in which the agent or the kubelet was away", async (t) => {
  const { kubelet, exits, reasons, start, end } = await node(t);
  const oom = { exitCode: 137, reason: "OOMKilled" };
  kubelet.restartContainer(A, "main", oom);
  start();
  assert.deepEqual(await reasons(1), ["OOMKilled"]);
  assert.equal(exits[0] && workloadOf(exits[0]), "Deployment/web");
  await end();
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  start();
  assert.deepEqual(await reasons(2), ["OOMKilled", "exited"]);
  const restarted = kubelet.restart({ downtimeMs: 30 });
  kubelet.restartContainer(A, "main", oom);
  await restarted;
  assert.deepEqual(await reasons(3), ["OOMKilled", "exited", "OOMKilled"]);
  await end();
  start();
  kubelet.endContainer(A, "main");
  assert.deepEqual(await reasons(4), ["OOMKilled", "exited", "OOMKilled", "exited"]);
});

test("they are counted by workload and reason, and no name breaks a line", () => {
  const counter = new ExitCounter();
  const container = { name: 'a"\n', kind: "regular", containerID: "", restartCount: 0 };
  const workload = { kind: "Deployment", name: "web" };
  for (const reason of ["OOMKilled", "OOMKilled", "exited"] as const)
    counter.count({ namespace: "shop", name: "p", workload, container, end: { reason } } as EndedRecord);
  const labels = 'namespace="shop",workload="Deployment/web",container="a__"';
  assert.equal(
    counter.metrics,
    `# TYPE container_exits_total counter
container_exits_total{${labels},reason="OOMKilled"} 2
container_exits_total{${labels},reason="exited"} 1
`,
  );
});
