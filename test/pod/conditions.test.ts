import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  fromKubernetesJson,
  isFinished,
  isReady,
  isStatic,
  isTerminating,
  type MaskedPod,
  type Pod,
  PodsClient,
  podMask,
  podMasks,
  readinessUnverified,
} from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";

const pods = sampleNode().map((json) => fromKubernetesJson(json));
const named = (start: string): Pod => {
  const pod = pods.find(({ metadata }) => metadata?.name.startsWith(start));
  assert.ok(pod);
  return pod;
};

/** The names of those of which it is so, as far as the sample has them. */
const those = (is: (pod: Pod) => boolean) => pods.filter(is).map(({ metadata }) => metadata?.name.split("-")[0]);

test("what the sample's pods are", () => {
  assert.deepEqual(those(isStatic), ["etcd", "kube"]);
  assert.deepEqual(those(isTerminating), ["search"]);
  assert.deepEqual(those(isFinished), ["report", "cache"]);
  assert.deepEqual(
    those((pod) => !isReady(pod)),
    ["web", "payments", "cart", "orders", "report", "cache"],
  );
  assert.deepEqual(those(readinessUnverified), []);
});

test("a pod of which nothing is known is nothing", () => {
  for (const is of [isReady, isFinished, isStatic, isTerminating, readinessUnverified]) assert.equal(is({}), false);
});

describe("an evicted pod", () => {
  test("is not ready though it says so, and not finished while a container runs, of whatever kind", async (t) => {
    const { kubelet, pods: client } = await kubeletAndClient(t, { pods: sampleNode() });
    const uid = named("ledger").metadata?.uid ?? "";
    kubelet.evictPod(uid);
    const evicted = await client.getPod(uid);
    assert.ok(evicted.status?.conditions.some(({ type, status }) => type === "Ready" && status === "True"));
    assert.deepEqual([isReady(evicted), isFinished(evicted)], [false, false]);
    const debuggerOnly = structuredClone(evicted);
    for (const { state } of debuggerOnly.status?.containerStatuses ?? []) delete state?.running;
    assert.equal(isFinished(debuggerOnly), false, "an ephemeral container runs");
    kubelet.finishPod(uid);
    assert.equal(isFinished(await client.getPod(uid)), true);
  });
});

test("readiness that a restarted 1.37 does not vouch for is told from what was found out", async (t) => {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  t.after(() => kubelet.close());
  await kubelet.restart({ firstStatusMs: 3_600_000 });
  await using client = new PodsClient({ socketPath: kubelet.socketPath });
  const list = await client.listPods({ mask: podMasks.readiness });
  const unverified = list.filter(readinessUnverified).map(({ metadata }) => metadata?.name.split("-")[0]);
  const wereReady = pods.filter(
    (pod) => !isStatic(pod) && pod.status?.conditions.some((c) => c.type === "Ready" && c.status === "True"),
  );
  assert.deepEqual(unverified.sort(), wereReady.map(({ metadata }) => metadata?.name.split("-")[0]).sort());
  assert.ok(list.every((pod) => !isReady(pod)));
});

test("masks that have what is read are enough, and others do not compile", () => {
  const mask = podMask("metadata.annotations", "metadata.deletionTimestamp", "status");
  const all = (pod: MaskedPod<typeof mask>) =>
    [isReady, isFinished, isStatic, isTerminating, readinessUnverified].map((is) => is(pod));
  assert.equal(all(named("etcd")).length, 5);
  const identity = (pod: MaskedPod<typeof podMasks.identity>) => {
    // @ts-expect-error: it has no annotations
    isStatic(pod);
    // @ts-expect-error: it has no status
    return isReady(pod);
  };
  assert.equal(typeof identity, "function");
});
