// node --import tsx --test examples/oom-watch/agent.test.ts

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { End } from "kubelet-pods";
import type { EndRecord } from "kubelet-pods/journal";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { ExitCounter, watchEnds, workloadText } from "./agent.js";

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
  const directory = mkdtempSync(join(tmpdir(), "oom-watch-"));
  const exits: EndRecord[] = [];
  let wake = () => {};
  let [stop, running] = [new AbortController(), Promise.resolve()];
  const start = () => {
    stop = new AbortController();
    running = watchEnds({
      socketPath: kubelet.socketPath,
      directory,
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
    rmSync(directory, { recursive: true });
  });
  /** Waits for this many reports, and returns their reasons. */
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

test("each end is reported with its workload, also of the time in which the kubelet or the agent was away", async (t) => {
  const { kubelet, exits, reasons, start, end } = await node(t);
  const oom = { exitCode: 137, reason: "OOMKilled" };
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  start();
  assert.deepEqual(await reasons(1), ["exited"]);
  kubelet.restartContainer(A, "main", oom);
  assert.deepEqual(await reasons(2), ["exited", "OOMKilled"]);
  const [first] = exits;
  assert.equal(first && workloadText(first), "Deployment/web");
  const restarted = kubelet.restart({ downtimeMs: 30 });
  kubelet.restartContainer(A, "main", oom);
  await restarted;
  assert.deepEqual(await reasons(3), ["exited", "OOMKilled", "OOMKilled"]);
  await end();
  kubelet.endContainer(A, "main", { exitCode: 7 });
  start();
  await reasons(4);
  assert.deepEqual(
    exits.map(({ end: { exitCode } }) => exitCode),
    [1, 137, 137, 7],
  );
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
      name: "p",
      workload: { kind: "Deployment", name: "web" },
      container: { name: 'a"\n' },
      end: { reason, oom } as End,
    } as EndRecord);
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
