// KEP-4188's first purpose: how every pod of the node stands, static or not.

import assert from "node:assert/strict";
import { conditionsOf, fromKubernetesJson, type PodConditions, podMasks } from "../../src/index.js";
import { HEAD_MASK } from "../../src/pod/head.js";
import { sampleNode } from "../../src/testing/index.js";
import { filtering } from "../helpers/filtering-kubelet.js";
import { clientOf, kubeletAndClient } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const uidOf = (name: string) =>
  sampleNode().find(({ metadata }) => metadata?.name?.startsWith(name))?.metadata?.uid ?? assert.fail(name);

const all = sampleNode()
  .map((json) => conditionsOf(fromKubernetesJson(json)))
  .sort((a, b) => (a.uid < b.uid ? -1 : 1));

const readyOf = (info: PodConditions | undefined) => info?.conditions.find(({ type }) => type === "Ready")?.status;

async function next(lists: AsyncIterator<readonly PodConditions[], undefined>): Promise<readonly PodConditions[]> {
  const { value, done } = await lists.next();
  assert.ok(!done && value);
  return value;
}

/** Undefined once everything that waits for nothing else has come. */
const settled = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));

test("listPodConditions has the fields of PodInfo for static and regular pods, as plain data", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const list = await pods.listPodConditions();
  assert.deepEqual(list, all);
  assert.deepEqual(
    list
      .filter((info) => info.static)
      .map(({ name }) => name)
      .sort(),
    ["etcd-node-1", "kube-apiserver-node-1"],
  );
  const going = list.find(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  assert.ok(going?.deletionTimestamp instanceof Date);
  const plain = JSON.parse(JSON.stringify(list)) as unknown[];
  assert.equal(plain.length, list.length);
  assert.deepEqual(Object.keys(plain[0] as object).sort(), ["conditions", "name", "namespace", "static", "uid"]);
  assert.deepEqual(
    (await pods.listPodConditions({ namespace: "monitoring" })).map(({ name }) => name),
    ["node-exporter-9fj4c"],
  );
});

test("getPodConditions has those of one pod", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const uid = uidOf("ledger");
  assert.deepEqual(
    await pods.getPodConditions(uid),
    all.find((info) => info.uid === uid),
  );
  await assert.rejects(pods.getPodConditions("nobody"), { code: "not-found" });
  await assert.rejects(pods.getPodConditions(uid, { mask: [] } as never), /getPodConditions: no such option: mask/);
});

test("no more is read of a pod than that", async (t) => {
  const { socketPath, masks } = await filtering(t);
  const pods = clientOf(t, { socketPath });
  assert.equal((await pods.listPodConditions()).length, all.length);
  assert.equal((await pods.getPodConditions(uidOf("ledger"))).name, "ledger-1");
  assert.equal((await next(pods.watchPodConditions())).length, all.length - 2, "two of them are finished");
  const watched = podMasks.conditionsOf.union(HEAD_MASK);
  assert.deepEqual(masks, [podMasks.conditionsOf, podMasks.conditionsOf, watched].map(String));
});

describe("watchPodConditions", () => {
  test("gives the whole list once it is known, and whenever a condition has changed", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const lists = pods.watchPodConditions({ includeFinished: true });
    const first = await next(lists);
    const order = (list: readonly PodConditions[]) => [...list].sort((a, b) => (a.uid < b.uid ? -1 : 1));
    assert.deepEqual(order(first), all);
    const json = sampleNode().find(({ metadata }) => metadata?.uid === uidOf("ledger")) ?? {};
    // Something else than a condition is no change.
    kubelet.updatePod({ ...json, status: { ...json.status, message: "of no interest" } });
    const conditions = json.status?.conditions?.map((c) => (c.type === "Ready" ? { ...c, status: "False" } : c)) ?? [];
    kubelet.updatePod({ ...json, status: { ...json.status, conditions } });
    const second = await next(lists);
    assert.equal(second.length, first.length);
    assert.equal(readyOf(second.find(({ uid }) => uid === uidOf("ledger"))), "False");
    assert.deepEqual(order(first), all, "an earlier list stays what it was");
    kubelet.deletePod(uidOf("ledger"));
    const third = await next(lists);
    assert.ok(third.find(({ uid }) => uid === uidOf("ledger"))?.deletionTimestamp instanceof Date);
    await lists.return?.();
    assert.deepEqual(await lists.next(), { done: true, value: undefined });
  });

  test("gives an empty list of an empty node, then the pod that comes, then none", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const lists = pods.watchPodConditions();
    assert.deepEqual(await next(lists), []);
    kubelet.addPod({
      metadata: { name: "a", namespace: "n", uid: "u" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    assert.deepEqual(
      (await next(lists)).map(({ name }) => name),
      ["a"],
    );
    kubelet.finishPod("u");
    let list = await next(lists);
    while (list.length > 0) list = await next(lists);
  });

  test("goes on after a restart, whose unverified readiness can be told", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const lists = pods.watchPodConditions({ fieldSelector: `metadata.name=ledger-1` });
    assert.equal(readyOf((await next(lists))[0]), "True");
    await kubelet.restart();
    const [unverified] = await next(lists);
    assert.ok(unverified);
    assert.deepEqual([readyOf(unverified), unverified.readinessUnverifiedUntil !== undefined], ["False", true]);
    const [looked] = await next(lists);
    assert.ok(looked);
    assert.deepEqual([readyOf(looked), looked.readinessUnverifiedUntil !== undefined], ["True", false]);
  });

  test("calls of next that wait together get lists in order", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const manifest = (name: string) => ({
      metadata: { name, namespace: "n" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const [s, other] = [kubelet.addStaticPod(manifest("s")), kubelet.addStaticPod(manifest("t"))];
    for (const uid of [s, other]) kubelet.startPod(uid);
    const lists = pods.watchPodConditions();
    let list = await next(lists);
    while (list.length < 2) list = await next(lists);
    const eager = pods.watchPods({ includeFinished: true });
    while ((await eager.next()).value?.type !== "SYNCED");
    kubelet.deletePod(other);
    kubelet.removePod(s);
    kubelet.finishPod(s);
    kubelet.addStaticPod(manifest("s"));
    // All of it has come when somebody else has been told the last of it.
    for (let told = (await eager.next()).value; !(told?.type === "ADDED"); told = (await eager.next()).value);
    const waiting = [next(lists), next(lists)] as const;
    const [first, second] = await Promise.all([waiting[0], Promise.race([waiting[1], settled()])]);
    for (const each of [first, second ?? first])
      assert.deepEqual(each.map(({ name }) => name).sort(), ["s-node-1", "t-node-1"]);
    assert.equal((await pods.listPodConditions()).filter(({ uid }) => uid === s).length, 1);
    const rejected = waiting[1].catch(() => {});
    await pods.close();
    await rejected;
  });

  test("ends by return while it waits, by its signal, and by close; it is iterated once", async (t) => {
    const { pods } = await kubeletAndClient(t);
    const returned = pods.watchPodConditions();
    await next(returned);
    const waiting = returned.next();
    await returned.return?.();
    assert.deepEqual(await waiting, { done: true, value: undefined });

    const stop = new AbortController();
    const aborted = pods.watchPodConditions({ signal: stop.signal });
    await next(aborted);
    const pending = aborted.next();
    stop.abort(new Error("enough"));
    await assert.rejects(pending, /enough/);

    const closed = pods.watchPodConditions();
    closed[Symbol.asyncIterator]();
    assert.throws(() => closed[Symbol.asyncIterator](), /iterated once/);
    await next(closed);
    const rejected = assert.rejects(closed.next(), { code: "closed" });
    await pods.close();
    await rejected;
  });
});
