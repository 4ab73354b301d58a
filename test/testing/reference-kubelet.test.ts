import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { PodsClient } from "../../src/index.js";
import { type PodInput, parsePods, ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { socketIdentity } from "../../src/wire/socket-path.js";
import { kubeletPods, noFixtures } from "../helpers/fixtures.js";
import { kubeletAndClient, temporaryDirectory } from "../helpers/kubelet.js";

test("the socket comes, goes and comes again as a kubelet's does", async (t) => {
  const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
  const { kubelet, pods } = await kubeletAndClient(t, { socketPath, pods: sampleNode() }, { retry: false });
  assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(socketPath)), ["pods-api.sock"], "the temporary name is gone");
  const before = socketIdentity(socketPath);

  const restarted = kubelet.restart({ downtimeMs: 50 });
  const error = await pods.listPods().then(
    () => pods.listPods(),
    (e) => e,
  );
  assert.match(error.code, /^(connection-lost|refused)$/, "the file is left behind while nobody listens");
  await restarted;
  assert.notEqual(socketIdentity(socketPath), before);
  assert.equal((await pods.listPods({ retry: true })).length, sampleNode().length);

  await kubelet.close();
  assert.deepEqual(readdirSync(dirname(socketPath)), []);
});

test("close leaves nothing behind, and is the same promise twice", async () => {
  const kubelet = await ReferenceKubelet.start();
  assert.equal(kubelet.close(), kubelet.close());
  await kubelet.close();
  assert.equal(existsSync(dirname(kubelet.socketPath)), false);
});

test("instances do not disturb each other", async (t) => {
  const [a, b] = await Promise.all([kubeletAndClient(t, { pods: sampleNode() }), kubeletAndClient(t)]);
  assert.deepEqual([(await a.pods.listPods()).length, (await b.pods.listPods()).length], [sampleNode().length, 0]);
});

test("a watcher that falls more than 100 events behind is dropped after them", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode().slice(0, 1) });
  const watch = pods.watchPods();
  await watch.next();
  await watch.next();
  const [pod] = sampleNode();
  for (let i = 0; i < 300; i++) kubelet.updatePod(pod as PodInput);
  let events = 0;
  await assert.rejects(
    async () => {
      for await (const _ of watch) events++;
    },
    { code: "too-slow", message: /kubelet_pod_watch_events_dropped_total/ },
  );
  assert.ok(events >= 100 && events < 300, `${events} events`);
});

test("bad input is refused and changes nothing", async (t) => {
  const { kubelet } = await kubeletAndClient(t);
  assert.throws(() => kubelet.addPod({ metadata: { name: "a" } }), {
    code: "invalid-argument",
    message: /pod \/a: metadata\.uid is missing/,
  });
  assert.throws(() => kubelet.addPod({ kind: "PodList" } as never), { code: "invalid-argument" });
  assert.throws(() => kubelet.finishPod("nobody"), { code: "invalid-argument" });
  assert.throws(() => kubelet.removePod("nobody"), { code: "invalid-argument" });
  assert.deepEqual(kubelet.pods, []);
});

test("a mirror pod is served as the static pod behind it", async (t) => {
  const annotations = { "kubernetes.io/config.hash": "abc", "kubernetes.io/config.mirror": "abc", other: "1" };
  const mirror = { metadata: { name: "etcd-node-1", uid: "of-the-mirror", resourceVersion: "7", annotations } };
  const { pods } = await kubeletAndClient(t, { pods: [mirror] });
  const [pod] = await pods.listPods();
  assert.equal(pod?.metadata?.uid, "abc");
  assert.deepEqual(pod?.metadata?.annotations, { "kubernetes.io/config.hash": "abc", other: "1" });
});

describe("parsePods", () => {
  const a = { kind: "Pod", metadata: { uid: "a" } };
  const b = { kind: "Pod", metadata: { uid: "b" } };
  const cases: [what: string, text: string][] = [
    ["a PodList", JSON.stringify({ kind: "PodList", items: [a, b] })],
    ["a List", JSON.stringify({ kind: "List", items: [a, b] })],
    ["an array", JSON.stringify([a, b])],
    ["documents of JSON", `${JSON.stringify(a)}\n---\n${JSON.stringify(b)}\n---\n`],
    ["documents of YAML", "---\nkind: Pod\nmetadata: {uid: a}\n---\nkind: Pod\nmetadata: {uid: b}\n"],
    ["a YAML list", "kind: PodList\nitems:\n- {kind: Pod, metadata: {uid: a}}\n- {kind: Pod, metadata: {uid: b}}\n"],
  ];
  for (const [what, text] of cases) {
    test(what, async () => assert.deepEqual(await parsePods(text), [a, b]));
  }
  test("one Pod", async () => assert.deepEqual(await parsePods(JSON.stringify(a)), [a]));
  test("what holds something else is refused, without quoting it", async () => {
    const secret = { kind: "List", items: [a, { kind: "Secret", data: "hidden" }] };
    await assert.rejects(parsePods(JSON.stringify(secret)), {
      message: "invalid-argument: document 1.items[1]: not a Pod",
    });
    await assert.rejects(
      parsePods("{hidden"),
      (e: Error) => /neither JSON nor YAML: see line 1/.test(e.message) && !/hidden/.test(e.message),
    );
    await assert.rejects(parsePods("hidden"), { message: "invalid-argument: document 1: not an object" });
  });
});

test("serves what a real kubelet had", { skip: noFixtures }, async (t) => {
  const given = kubeletPods("1.35");
  const { kubelet } = await kubeletAndClient(t, { pods: given });
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  const names = (await pods.listPods()).map((pod) => pod.metadata?.name);
  assert.deepEqual(names.sort(), given.map((pod) => pod.metadata?.name).sort());
});
