// Static pods as kubelets make them, by what Kubernetes' own end-to-end test of the API wants of them
// (test/e2e_node/pods_api_test.go), and by pkg/kubelet/config/common.go.

import assert from "node:assert/strict";
import { isReady, type Pod, type PodEvent, podMasks, toDate } from "../../src/index.js";
import { canonicalQuantity } from "../../src/testing/canonical-quantity.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";

const manifest: PodJson = {
  metadata: { name: "static-pod" },
  spec: { containers: [{ name: "test-container", image: "busybox", command: ["sleep", "3600"] }] },
};

async function next(watch: AsyncIterator<PodEvent<Pod>, undefined>, type: string): Promise<Pod> {
  for (;;) {
    const { value, done } = await watch.next();
    assert.ok(!done && value);
    if (value.type === type) return "pod" in value ? value.pod : ({} as Pod);
  }
}

async function watched(t: TestContext, profile: "1.36" | "1.37" = "1.37") {
  const { kubelet, pods } = await kubeletAndClient(t, { profile });
  const watch = pods.watchPods();
  await next(watch, "SYNCED");
  while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
  return { kubelet, pods, watch };
}

test("should be able to list and watch static pods", async (t) => {
  const { kubelet, pods, watch } = await watched(t);
  const uid = kubelet.addStaticPod({ ...manifest, metadata: { name: "static-pod", namespace: "e2e" } });
  const added = await next(watch, "ADDED");
  assert.deepEqual([added.metadata.namespace, added.metadata.name], ["e2e", "static-pod-node-1"]);
  assert.equal(added.metadata.uid, uid);
  assert.deepEqual(
    (await pods.listPods()).map(({ metadata }) => metadata.name),
    ["static-pod-node-1"],
  );
  kubelet.removePod(uid);
  kubelet.finishPod(uid);
  const deleted = await next(watch, "DELETED");
  assert.deepEqual([deleted.metadata.namespace, deleted.metadata.name], ["e2e", "static-pod-node-1"]);
});

test("addStaticPod() fills in what a kubelet does, and keeps a given UID", async (t) => {
  const { kubelet, pods } = await watched(t);
  const uid = kubelet.addStaticPod(manifest);
  const { metadata, spec, status } = await pods.getPod(uid);
  assert.deepEqual([metadata.namespace, metadata.name, spec.nodeName], ["default", "static-pod-node-1", "node-1"]);
  assert.deepEqual(
    spec.tolerations.map(({ key, operator, effect }) => [key, operator, effect]),
    [["", "Exists", "NoExecute"]],
  );
  const { annotations } = metadata;
  assert.deepEqual(
    [annotations["kubernetes.io/config.hash"], annotations["kubernetes.io/config.source"]],
    [uid, "file"],
  );
  assert.ok(Date.parse(annotations["kubernetes.io/config.seen"] ?? "") > 0);
  assert.equal(toDate(metadata.creationTimestamp), undefined);
  assert.equal(status.phase, "Pending");
  assert.equal(kubelet.addStaticPod({ ...manifest, metadata: { name: "own", uid: "given" } }), "given");
});

test("an upgrade replaces a static pod by one with another UID", async (t) => {
  const { kubelet, pods, watch } = await watched(t, "1.36");
  const uid = kubelet.addStaticPod(manifest);
  kubelet.startPod(uid);
  await next(watch, "ADDED");
  await kubelet.restart({ profile: "1.37" });
  const added = await next(watch, "ADDED");
  assert.notEqual(added.metadata.uid, uid);
  assert.equal(added.metadata.name, "static-pod-node-1");
  assert.deepEqual((await pods.listPods({ mask: podMasks.identity })).length, 1);
  await kubelet.restart({ profile: "1.36" });
  const query = { mask: podMasks.identity, timeoutMs: 60_000 }; // a kubelet that is young is waited for
  assert.equal((await pods.listPods(query))[0]?.metadata.uid, uid);
});

test("serves a mirror pod as its static pod, without the API server's metadata", async (t) => {
  const [etcd] = sampleNode();
  assert.ok(etcd?.metadata);
  const { annotations = {}, uid } = etcd.metadata;
  const { pods } = await kubeletAndClient(t, {
    pods: [
      {
        ...etcd,
        metadata: {
          ...etcd.metadata,
          uid: "of-the-api-server",
          annotations: { ...annotations, "kubernetes.io/config.mirror": uid ?? "" },
          creationTimestamp: "2026-11-20T08:00:00Z",
          generation: 3,
          resourceVersion: "77",
          managedFields: [{ manager: "kubelet", operation: "Update" }],
          ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "node-1", uid: "n", controller: true }],
        },
      },
    ],
  });
  const { metadata } = await pods.getPod(uid ?? "");
  const { creationTimestamp, generation, resourceVersion, managedFields, ownerReferences } = metadata;
  assert.deepEqual(
    [creationTimestamp, generation, resourceVersion, managedFields, ownerReferences],
    [undefined, 0n, "", [], []],
  );
});

test("should return correct state post-restart without transient oscillations", async (t) => {
  const { kubelet, pods } = await watched(t);
  const uid = "2c4d8b1e-0000-4000-8000-000000000001";
  kubelet.addPod({ ...manifest, metadata: { name: "restarted", namespace: "e2e", uid } });
  kubelet.startPod(uid);
  await kubelet.restart({ initializingMs: 50, firstStatusMs: 0 });
  const phases = new Set<string>();
  while (!phases.has("Ready")) {
    const phase = await pods.getPod(uid, { mask: podMasks.isReady, retry: false }).then(
      (pod) => (isReady(pod) ? "Ready" : "NotReady"),
      ({ code }) => String(code),
    );
    phases.add(phase);
  }
  assert.ok(!phases.has("NotReady"));
  assert.ok(phases.has("initializing"));
});

test("sends quantities in Go's canonical form", async (t) => {
  const cases: Record<string, string> = {
    "0.5": "500m",
    "1000m": "1",
    "1.5": "1500m",
    "1.5Gi": "1536Mi",
    "1024Mi": "1Gi",
    "1000000": "1M",
    "128974848": "128974848",
    "1e3": "1e3",
    "12000e3": "12000e3",
    "0.5Ki": "512",
    "100.5Mi": "102912Ki",
    "0.0001Ki": "103m",
    "0": "0",
    "0Mi": "0",
    "-1.5Gi": "-1536Mi",
    "1n": "1m",
  };
  for (const [text, canonical] of Object.entries(cases)) assert.equal(canonicalQuantity(text), canonical, text);
  const containers = [{ name: "c", resources: { requests: { cpu: "0.5", memory: "1.5Gi" } } }];
  const { pods } = await kubeletAndClient(t, { pods: [{ metadata: { uid: "u" }, spec: { containers } }] });
  const [container] = (await pods.getPod("u")).spec.containers;
  assert.equal(container?.resources?.requests["cpu"]?.string, "500m");
  assert.equal(container?.resources?.requests["memory"]?.string, "1536Mi");
});
