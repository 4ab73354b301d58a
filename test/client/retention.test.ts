// What an informer says of pods that it no longer retains, and of times that it has not seen whole.

import assert from "node:assert/strict";
import type { PodJson } from "../../src/index.js";
import { bytesOf, ScriptedNode } from "../helpers/scripted-node.js";
import { test } from "../helpers/test.js";

function podOf(n: number, ip = `10.0.0.${n}`): Uint8Array {
  const seen = "2025-01-01T00:00:00Z";
  return bytesOf({
    metadata: {
      uid: `uid-${n}`,
      name: `pod-${n}`,
      namespace: "ns",
      creationTimestamp: seen,
      annotations: { "kubernetes.io/config.source": "api", "kubernetes.io/config.seen": seen },
    },
    spec: { containers: [{ name: "c" }], terminationGracePeriodSeconds: 1 },
    status: {
      phase: "Running",
      podIP: ip,
      podIPs: [{ ip }],
      containerStatuses: [{ name: "c", containerID: `containerd://${n}`, state: { running: {} } }],
    },
  } as unknown as PodJson);
}

test("says that more ends than maxRetained were reported, and counts those that were dropped", async (t) => {
  const node = new ScriptedNode(t);
  node.pods = [1, 2, 3, 4, 5].map((n) => podOf(n));
  const informer = node.client.informer({ retainMs: 600_000, maxRetained: 2 });
  await node.clock.advance(30_000);
  const at = node.clock.wallMs();
  await node.clock.advance(30_000);
  for (const n of [1, 2, 3, 4]) {
    await node.send("DELETED", podOf(n));
    await node.clock.advance(1_000);
  }
  node.pods = [podOf(5)];
  await node.clock.advance(20_000);
  const { retained, evicted } = informer.state;
  assert.ok(retained <= 2 && evicted >= 2, `${retained} retained, ${evicted} evicted`);
  const find = (n: number) => informer.find({ ip: `10.0.0.${n}` }, { at });
  assert.equal(find(4).pod?.metadata.uid, "uid-4");
  const { pod, confidence, reason } = find(1);
  assert.deepEqual([pod, confidence, reason], [undefined, "uncertain", "evicted"]);
  const early = informer.find({ ip: "10.0.0.1" }, { at: node.clock.wallMs() - 3_600_000 });
  assert.deepEqual([early.confidence, early.reason], ["uncertain", "before-start"]);
});

test("ends that are older than retainMs do not count as dropped", async (t) => {
  const node = new ScriptedNode(t);
  node.pods = [1, 2, 3].map((n) => podOf(n));
  const informer = node.client.informer({ retainMs: 5_000, maxRetained: 100 });
  await node.clock.advance(30_000);
  for (const n of [1, 2]) {
    await node.send("DELETED", podOf(n));
    await node.clock.advance(30_000);
  }
  node.pods = [podOf(3)];
  await node.send("DELETED", podOf(1));
  await node.clock.advance(300_000);
  assert.deepEqual([informer.state.retained, informer.state.evicted], [0, 0]);
});

test("a time before the first sync stays before-start, also if ends were dropped since", async (t) => {
  const node = new ScriptedNode(t);
  node.pods = [1, 2, 3, 4].map((n) => podOf(n));
  const at = node.clock.wallMs();
  await node.clock.advance(10_000);
  const informer = node.client.informer({ retainMs: 600_000, maxRetained: 1 });
  await node.clock.advance(30_000);
  for (const n of [1, 2, 3]) {
    await node.send("DELETED", podOf(n));
    await node.clock.advance(1_000);
  }
  assert.ok(informer.state.evicted > 0);
  const { confidence, reason } = informer.find({ ip: "10.9.9.9" }, { at });
  assert.deepEqual([confidence, reason], ["uncertain", "before-start"]);
});

for (const kubeletVersion of ["1.37", undefined] as const)
  test(`an answer that no pod had an address never gets less sure, kubelet ${kubeletVersion ?? "of any version"}`, async (t) => {
    const node = new ScriptedNode(t);
    node.lists = kubeletVersion === undefined ? undefined : "complete";
    node.pods = [podOf(1)];
    const informer = node.client.informer({ retainMs: 600_000 });
    await node.clock.advance(2_000);
    const at = node.clock.wallMs() - 500;
    const order = ["uncertain", "likely", "reported", "confirmed"];
    let last = 0;
    for (let s = 0; s < 200; s++) {
      const { confidence, reason } = informer.find({ ip: "10.9.9.9" }, { at });
      const now = order.indexOf(confidence);
      assert.ok(now >= last, `${confidence} (${reason}) after ${order[last]}, ${s} s later`);
      last = now;
      await node.clock.advance(1_000);
    }
    assert.ok(last >= (kubeletVersion === undefined ? 0 : 1), order[last]);
  });

test("confirmAbsent() takes a list of UIDs, and nothing else", async (t) => {
  const node = new ScriptedNode(t);
  node.pods = [podOf(1)];
  const informer = node.client.informer();
  for (const wrong of [{ uid: "uid-1" }, "uid-1", undefined, 5, [5], [""]])
    await assert.rejects(informer.confirmAbsent(wrong as never), {
      code: "invalid-argument",
      message: /confirmAbsent/,
    });
});
