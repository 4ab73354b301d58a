// KEP-4188's first purpose: the conditions of every pod of the node, static or not.

import assert from "node:assert/strict";
import { conditionsOf, fromKubernetesJson, podMasks } from "../../src/index.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { sampleNode } from "../../src/testing/index.js";
import { filtering } from "../helpers/filtering-kubelet.js";
import { clientOf, kubeletAndClient } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

const mask = podMasks.conditionsOf;

const all = sampleNode()
  .map((json) => conditionsOf(fromKubernetesJson(json)))
  .sort((a, b) => (a.uid < b.uid ? -1 : 1));

test("conditionsOf returns plain data for the static and API pods of a list", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const list = (await pods.listPods({ mask })).map((pod) => conditionsOf(pod));
  assert.deepEqual(list, all);
  assert.deepEqual(
    list
      .filter((info) => info.static)
      .map(({ name }) => name)
      .sort(),
    ["etcd-node-1", "kube-apiserver-node-1"],
  );
  const deleted = list.find(({ deletionTimestamp }) => deletionTimestamp !== undefined);
  assert.ok(deleted?.deletionTimestamp instanceof Date);
  const plain = JSON.parse(JSON.stringify(list)) as unknown[];
  assert.equal(plain.length, list.length);
  assert.deepEqual(Object.keys(plain[0] as object).sort(), ["conditions", "name", "namespace", "static", "uid"]);
  const [first] = list;
  assert.ok(first);
  assert.deepEqual(conditionsOf(await pods.getPod(first.uid, { mask })), first);
});

test("requests only the fields that conditionsOf reads, and for a watch those that the library reads", async (t) => {
  const { socketPath, masks } = await filtering(t);
  const pods = clientOf(t, { socketPath });
  assert.equal((await pods.listPods({ mask })).length, all.length);
  const [first] = all;
  assert.ok(first);
  assert.equal(conditionsOf(await pods.getPod(first.uid, { mask })).uid, first.uid);
  for await (const event of pods.watchPods({ mask })) if (event.type === "SYNCED") break;
  assert.deepEqual(masks, [mask, mask, mask.union(OWN_MASK)].map(String));
});

test("a watch marks readiness as unverified after a kubelet restart", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const seen: (string | undefined)[] = [];
  let restarted: Promise<void> | undefined;
  for await (const event of pods.watchPods({ mask, namespace: "shop" })) {
    if (event.type === "SYNCED") restarted ??= kubelet.restart();
    if (event.type === "SYNCED" || event.type === "DISCONNECTED" || event.pod.metadata.name !== "ledger-1") continue;
    const info = conditionsOf(event.pod);
    const ready = info.conditions.find(({ type }) => type === "Ready")?.status;
    seen.push(`${ready}${info.readinessUnverifiedUntil === undefined ? "" : " unverified"}`);
    if (seen.length === 3) break;
  }
  assert.deepEqual(seen, ["True", "False unverified", "True"]);
  await restarted;
});
