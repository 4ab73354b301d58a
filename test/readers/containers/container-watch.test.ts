// watchContainers over real sockets and the reference kubelet.

import assert from "node:assert/strict";
import { type ContainerEvent, type MaskedPod, podMask } from "../../../src/index.js";
import { sampleNode } from "../../../src/testing/index.js";
import { kubeletAndClient } from "../../helpers/kubelet.js";
import { describe, type TestContext, test } from "../../helpers/test.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const B = "2c4d8b1e-0000-4000-8000-000000000002";
const pod = (uid: string, more: object = {}) => ({
  metadata: { uid, namespace: "shop", name: `pod-${uid.slice(-1)}`, labels: { app: "web" } },
  spec: { containers: [{ name: "main", image: "app:1" }], ...more },
});
const mask = podMask("metadata.name", "metadata.labels");
type AgentPod = MaskedPod<typeof mask>;
interface Named {
  readonly metadata: { readonly name: string };
}

function words(event: ContainerEvent<Named>): string {
  if (event.type === "SYNCED") return `SYNCED ${event.count}${event.initial ? " initial" : ""}`;
  if (event.type === "DISCONNECTED") return "DISCONNECTED";
  const who = `${event.pod.metadata.name}/${event.container.name}`;
  if (event.type === "MISSED") return `MISSED ${who} ${event.restartCounts.join("-")}`;
  const about = `${event.type} ${who} ${event.container.restartCount}${event.initial ? " initial" : ""}`;
  return event.type === "STARTED"
    ? about
    : `${about} ${(event.end.exitCode === undefined ? undefined : event.end.reported?.reason) ?? event.basis}`;
}

/** Takes events up to one, whose words begin so. */
async function upTo(events: AsyncIterator<ContainerEvent<Named>, undefined>, last: string): Promise<string[]> {
  const told: string[] = [];
  for (;;) {
    const { value, done } = await events.next();
    assert.ok(!done && value, `ended before ${last}`);
    told.push(words(value));
    if (told.at(-1)?.startsWith(last)) return told;
  }
}

async function watched(t: TestContext, options: { pods?: object[]; start?: string[] } = {}) {
  const { pods: given = [pod(A)], start = [A] } = options;
  const { kubelet, pods } = await kubeletAndClient(t, { pods: given as never });
  for (const uid of start) kubelet.startPod(uid);
  const events = pods.watchContainers({ mask });
  return { kubelet, pods, events };
}

/** Leaves out DISCONNECTED, which is told again whenever the reason changes. */
const connected = (told: readonly string[]) => told.filter((each) => each !== "DISCONNECTED");

/** Waits until a watch of the kubelet's is open: what is told then is told live. */
async function live(kubelet: { watchers: number }): Promise<void> {
  while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));
}

test("emits the known runs first, then each start and each end with its reason", async (t) => {
  const { kubelet, events } = await watched(t);
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  assert.deepEqual(await upTo(events, "SYNCED"), [
    "STARTED pod-1/main 0 initial",
    "ENDED pod-1/main 0 initial Error",
    "STARTED pod-1/main 1 initial",
    "SYNCED 1 initial",
  ]);
  await live(kubelet);
  kubelet.restartContainer(A, "main", { exitCode: 137, reason: "OOMKilled" });
  assert.deepEqual(await upTo(events, "STARTED"), ["ENDED pod-1/main 1 OOMKilled", "STARTED pod-1/main 2"]);
  kubelet.addEphemeralContainer(A, { name: "debug", image: "shell:1" });
  assert.deepEqual(await upTo(events, "STARTED"), ["STARTED pod-1/debug 0"]);
  kubelet.finishPod(A);
  assert.deepEqual(await upTo(events, "ENDED pod-1/debug"), [
    "ENDED pod-1/main 2 Completed",
    "ENDED pod-1/debug 0 Completed",
  ]);
});

test("events carry the run, its container kind and the masked pod", async (t) => {
  const init = { name: "setup", image: "setup:1" };
  const side = { name: "proxy", image: "proxy:1", restartPolicy: "Always" };
  const { kubelet, events } = await watched(t, { pods: [pod(A, { initContainers: [init, side] })], start: [] });
  await upTo(events, "SYNCED");
  await live(kubelet);
  const lives = kubelet.startPod(A);
  const seen: ContainerEvent<AgentPod>[] = [];
  for (let n = 0; n < 4; n++) {
    const { value } = await events.next();
    assert.ok(value);
    seen.push(value);
  }
  const started = seen.flatMap((event) => (event.type === "STARTED" ? [event.container] : []));
  assert.deepEqual(
    started,
    lives.map((life) => ({ ...life, ended: false })),
  );
  assert.deepEqual(
    started.map(({ kind }) => kind),
    ["init", "sidecar", "regular"],
  );
  const ended = seen.find((event) => event.type === "ENDED");
  assert.ok(ended?.type === "ENDED");
  assert.equal(ended.container.ended, true);
  assert.equal(ended.end.exitCode, 0);
  assert.deepEqual(Object.keys(ended.pod).sort(), ["$typeName", "metadata"]);
  assert.equal(ended.pod.metadata.labels["app"], "web");
});

describe("a slow reader", () => {
  test("receives the end of its run, a range of missed runs, and the last runs", async (t) => {
    const { kubelet, pods, events } = await watched(t);
    const informer = pods.informer({ mask });
    await upTo(events, "SYNCED");
    await informer.synced();
    await live(kubelet);
    for (let n = 0; n < 19; n++) kubelet.restartContainer(A, "main", { exitCode: 1 });
    const last = kubelet.restartContainer(A, "main", { exitCode: 2 });
    await informer.waitFor({ containerID: last.containerID });
    const told = await upTo(events, "STARTED pod-1/main 20");
    assert.deepEqual(told.slice(0, 3), ["ENDED pod-1/main 0 Error", "MISSED pod-1/main 1-11", "STARTED pod-1/main 12"]);
    assert.equal(told.length, 2 + 2 * 8 + 1);
  });

  test("receives the runs of a pod that started and ended meanwhile", async (t) => {
    const { kubelet, pods, events } = await watched(t);
    const informer = pods.informer({ mask, retainMs: 60_000 });
    await upTo(events, "SYNCED");
    await informer.synced();
    await live(kubelet);
    kubelet.addPod(pod(B));
    kubelet.startPod(B);
    kubelet.endContainer(B, "main", { exitCode: 3, reason: "OOMKilled" });
    kubelet.finishPod(B, "Failed");
    await informer.waitFor({ uid: B }, { until: ({ gone }) => gone !== undefined });
    assert.deepEqual(await upTo(events, "ENDED"), ["STARTED pod-2/main 0", "ENDED pod-2/main 0 OOMKilled"]);
  });
});

describe("an outage", () => {
  test("hides no run that the kubelet still shows", async (t) => {
    const { kubelet, events } = await watched(t);
    await upTo(events, "SYNCED");
    const restarted = kubelet.restart({ downtimeMs: 50 });
    kubelet.restartContainer(A, "main", { exitCode: 1 });
    kubelet.restartContainer(A, "main", { exitCode: 2 });
    kubelet.restartContainer(A, "main", { exitCode: 3 });
    kubelet.addPod(pod(B));
    kubelet.startPod(B);
    kubelet.endContainer(B, "main", { exitCode: 4, reason: "OOMKilled" });
    kubelet.finishPod(B, "Failed");
    await restarted;
    const told = await upTo(events, "SYNCED");
    assert.deepEqual(connected(told), [
      "ENDED pod-1/main 0 replacement",
      "MISSED pod-1/main 1-1",
      "STARTED pod-1/main 2",
      "ENDED pod-1/main 2 Error",
      "STARTED pod-1/main 3",
      "STARTED pod-2/main 0",
      "ENDED pod-2/main 0 OOMKilled",
      "SYNCED 1",
    ]);
  });

  test("ends no run of a static pod whose status is still empty", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const uid = kubelet.addStaticPod(pod("", {}));
    kubelet.startPod(uid);
    const events = pods.watchContainers({ mask });
    await upTo(events, "SYNCED");
    await kubelet.restart({ firstStatusMs: 300 });
    assert.deepEqual(connected(await upTo(events, "SYNCED")), ["SYNCED 1"]);
    await live(kubelet);
    kubelet.restartContainer(uid, "main", { exitCode: 1 });
    assert.equal((await upTo(events, "STARTED")).length, 2);
  });
});

describe("a selection", () => {
  test("emits no end for a pod that leaves it, and new events after its return", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    kubelet.addPod(pod(A)); // it is no older than the stream
    kubelet.startPod(A);
    kubelet.restartContainer(A, "main", { exitCode: 1 });
    const options = { mask, labelSelector: "app=web", resyncIntervalMs: 1_000 };
    const events = pods.watchContainers(options);
    const watch = pods.watchPods(options);
    assert.equal((await upTo(events, "SYNCED 1")).length, 4);
    const comesOrGoes = async (type: string) => {
      for (let event = await watch.next(); event.value?.type !== type; event = await watch.next())
        assert.ok(!event.done);
    };
    kubelet.setLabels(A, { app: "other" });
    await comesOrGoes("DELETED");
    kubelet.restartContainer(A, "main", { exitCode: 2 });
    kubelet.restartContainer(A, "main", { exitCode: 3 });
    kubelet.setLabels(A, { app: "web" });
    await comesOrGoes("ADDED");
    assert.deepEqual(await upTo(events, "STARTED pod-1/main 3"), [
      "STARTED pod-1/main 2",
      "ENDED pod-1/main 2 Error",
      "STARTED pod-1/main 3",
    ]);
  });

  test("excludes runs of pods that were finished before, without includeFinished", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const finished = kubelet.pods.find(({ metadata }) => metadata.name.startsWith("report-"));
    assert.ok(finished);
    const told = await upTo(pods.watchContainers({ mask }), "SYNCED");
    assert.ok(!told.some((each) => each.includes("report-")));
    const all = await upTo(pods.watchContainers({ mask, includeFinished: true }), "SYNCED");
    const ofFinished = all.filter((each) => each.includes("report-"));
    assert.ok(ofFinished.length === 2 && ofFinished.every((each) => each.includes(" initial")), "as they are");
    // It is listed once more, with another stamp: it is still none that came.
    const events = pods.watchContainers({ mask: podMask("metadata.name", "metadata.annotations") });
    await upTo(events, "SYNCED");
    await kubelet.restart();
    assert.equal(connected(await upTo(events, "SYNCED")).length, 1);
  });
});

describe("an informer's container watch", () => {
  test("agrees with find() and ends with the informer", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: [pod(A)] });
    kubelet.startPod(A);
    const informer = pods.informer({ mask });
    await informer.synced();
    const events = informer.watchContainers();
    await upTo(events, "SYNCED 1 initial");
    await live(kubelet);
    kubelet.restartContainer(A, "main", { exitCode: 1 });
    for (const type of ["ENDED", "STARTED"] as const) {
      const { value } = await events.next();
      assert.ok(value?.type === type);
      const { pod, container } = informer.find({ containerID: value.container.containerID });
      assert.deepEqual(container, { ...value.container, startedAt: container?.startedAt });
      assert.equal(pod?.metadata.name, value.pod.metadata.name);
    }
    const pending = events.next();
    const rejected = assert.rejects(pending, { code: "closed" });
    await informer.close();
    await rejected;
    assert.throws(() => informer.watchContainers({ sgnal: 1 } as never), { code: "invalid-argument" });
  });

  test("begins with the informer's pods when it joins late", async (t) => {
    const other = { ...pod(B), metadata: { ...pod(B).metadata, labels: { app: "db" } } };
    const { kubelet, pods } = await kubeletAndClient(t, { pods: [pod(A), other] });
    kubelet.startPod(A);
    const informer = pods.informer({ mask, labelSelector: "app=web" });
    await informer.synced();
    await upTo(pods.watchContainers({ mask }), "SYNCED 2 initial");
    assert.deepEqual(await upTo(informer.watchContainers(), "SYNCED"), [
      "STARTED pod-1/main 0 initial",
      "SYNCED 1 initial",
    ]);
  });
});

describe("a container watch", () => {
  test("ends on abort, break and close(), and can be iterated once", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: [pod(A)] });
    const controller = new AbortController();
    const events = pods.watchContainers({ mask: podMask("metadata.name"), signal: controller.signal });
    await upTo(events, "SYNCED");
    const pending = events.next();
    controller.abort(new Error("enough"));
    await assert.rejects(pending, { message: "enough" });
    const broken = pods.watchContainers();
    for await (const event of broken) if (event.type === "SYNCED") break;
    assert.deepEqual(await broken.next(), { done: true, value: undefined });
    assert.throws(() => broken[Symbol.asyncIterator](), { code: "invalid-argument" });
    const open = pods.watchContainers();
    await upTo(open, "SYNCED");
    const last = open.next();
    const rejected = assert.rejects(last, { code: "closed" });
    await pods.close();
    await rejected;
  });

  test("shares the stream of a watch of whole pods and leaves none open", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const watch = pods.watchPods();
    for await (const event of watch) if (event.type === "SYNCED") break;
    const events = pods.watchContainers();
    const told = await upTo(events, "SYNCED");
    await live(kubelet);
    assert.equal(kubelet.watchers, 1);
    assert.ok(told.length > 10);
    assert.deepEqual(new Set(told).size, told.length);
    await events.return?.();
    while (kubelet.watchers > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
