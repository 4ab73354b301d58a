// node --import tsx --test examples/oom-watch/agent.test.ts

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { End } from "kubelet-pods";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { type Exit, ExitCounter, watchExits } from "./agent.js";

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
  const kubelet = await ReferenceKubelet.start({ pods: [pod] });
  kubelet.startPod(A);
  const exits: Exit[] = [];
  let wake = () => {};
  let [stop, running] = [new AbortController(), Promise.resolve()];
  const start = () => {
    stop = new AbortController();
    running = watchExits({
      socketPath: kubelet.socketPath,
      signal: stop.signal,
      report: (exit) => {
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

test("each kill is reported once with its workload, also one while the kubelet was away", async (t) => {
  const { kubelet, exits, reasons, start, end } = await node(t);
  const oom = { exitCode: 137, reason: "OOMKilled" };
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  start();
  while (kubelet.watchers === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  kubelet.restartContainer(A, "main", oom);
  assert.deepEqual(await reasons(1), ["OOMKilled"]);
  assert.equal(exits[0]?.workload, "Deployment/web");
  const restarted = kubelet.restart({ downtimeMs: 30 });
  kubelet.restartContainer(A, "main", oom);
  await restarted;
  assert.deepEqual(await reasons(2), ["OOMKilled", "OOMKilled"]);
  kubelet.endContainer(A, "main");
  assert.deepEqual(await reasons(3), ["OOMKilled", "OOMKilled", "exited"]);
  await end();
});

test("they are counted by workload and reason, and no name breaks a line", () => {
  const counter = new ExitCounter();
  for (const [reason, oom] of [
    ["OOMKilled", "container"],
    ["OOMKilled", "container"],
    ["exited", "process"],
    ["exited", undefined],
  ] as const)
    counter.count({
      namespace: "shop",
      pod: "p",
      workload: "Deployment/web",
      container: 'a"\n',
      end: { reason, oom } as End,
    });
  const labels = 'namespace="shop",workload="Deployment/web",container="a__"';
  assert.equal(
    counter.metrics,
    `# TYPE container_exits_total counter
container_exits_total{${labels},reason="OOMKilled",oom="container"} 2
container_exits_total{${labels},reason="exited",oom="process"} 1
container_exits_total{${labels},reason="exited",oom=""} 1
`,
  );
});
