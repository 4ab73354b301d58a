// Masks over the wire: against kubelets that ignore them, that apply them, and that refuse them.

import assert from "node:assert/strict";
import { type PodEvent, type PodsClient, podMask, podMasks, toKubernetesJson } from "../../src/index.js";
import { decodeBy } from "../../src/pod/decode.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { project } from "../../src/pod/project.js";
import { sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { filtering } from "../helpers/filtering-kubelet.js";
import { clientOf, kubeletAndClient } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const web = sampleNode().find((json) => json.metadata?.name?.startsWith("web-")) ?? {};
const uid = web.metadata?.uid ?? "";
const MASK = ["metadata.name", "status.podIPs", "spec.containers.image"] as const;

/** What the mask above selects of a pod, as JSON. */
const expected = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: web.metadata?.name },
  spec: { containers: web.spec?.containers?.map(({ image }) => ({ image })) },
  status: { podIPs: web.status?.podIPs },
};

async function next<P>(watch: AsyncIterator<PodEvent<P>, undefined>): Promise<PodEvent<P>> {
  const { value, done } = await watch.next();
  assert.ok(!done && value);
  return value;
}

async function until<P>(watch: AsyncIterator<PodEvent<P>, undefined>, type: string): Promise<PodEvent<P>[]> {
  const events: PodEvent<P>[] = [];
  do events.push(await next(watch));
  while (events.at(-1)?.type !== type);
  return events;
}

async function checkEverything(socketPath: string, t: TestContext): Promise<void> {
  const pods = clientOf(t, { socketPath });
  const mask = podMask(...MASK);
  const name = web.metadata?.name;
  const listed = (await pods.listPods({ mask: MASK })).find((pod) => pod.metadata?.name === name);
  const got = await pods.getPod(uid, { mask });
  const informer = pods.informer({ mask });
  await informer.synced();
  const watched = (await until(pods.watchPods({ mask: MASK }), "SYNCED")).flatMap((event) =>
    "pod" in event && event.pod.metadata?.name === name ? event.pod : [],
  );
  const found = [
    listed,
    got,
    informer.get({ uid }),
    informer.get({ namespace: web.metadata?.namespace ?? "", name: name ?? "" }),
    ...watched,
  ];
  assert.equal(found.length, 5);
  for (const pod of found) {
    assert.ok(pod);
    assert.deepEqual(toKubernetesJson(pod, { mask }), expected);
  }
  assert.deepEqual([informer.get({ ip: web.status?.podIP ?? "" })?.metadata?.name], [name]);
  const id = web.status?.containerStatuses?.[0]?.containerID ?? "";
  assert.equal(informer.get({ containerID: id })?.metadata?.name, name);
}

describe("pods have exactly the fields of the mask", () => {
  for (const profile of ["1.38", "1.37", "1.36", "v1beta1", "v1", "documented"] as const) {
    test(`with a ${profile} kubelet`, async (t) => {
      const { kubelet } = await kubeletAndClient(t, { profile, pods: sampleNode() });
      await checkEverything(kubelet.socketPath, t);
    });
  }

  test("with a server that applies masks, which also receives the fields a watch needs [#93]", async (t) => {
    const { socketPath, masks } = await filtering(t);
    await checkEverything(socketPath, t);
    const asked = podMask(...MASK).toString();
    assert.deepEqual(masks.slice(0, 2), [asked, asked], "a call requests no other field");
    for (const path of ["metadata.uid", "metadata.annotations", "status.podIP", "spec.containers.image"]) {
      assert.ok(masks[2]?.split(",").includes(path), path);
    }
  });

  test("with a server that rejects masks, after one retry without a mask", async (t) => {
    const { socketPath, masks } = await filtering(t, { refuse: true });
    await checkEverything(socketPath, t);
    assert.deepEqual(masks.filter((mask) => mask !== "").length, 1);
  });

  for (const [what, second] of [
    ["two calls", (pods: PodsClient) => pods.getPod(uid, { mask: ["metadata.uid"] })],
    ["a call and a watch", (pods: PodsClient) => pods.watchPods({ mask: ["metadata.uid"] }).next()],
  ] as const) {
    test(`with a server that rejects masks, while ${what} are in flight`, async (t) => {
      const { socketPath, masks } = await filtering(t, { refuse: true });
      const pods = clientOf(t, { socketPath });
      await pods.probe(); // one connection for both
      masks.length = 0;
      const [first, other] = await Promise.all([pods.listPods({ mask: ["metadata.name"] }), second(pods)]);
      assert.equal(first.length, sampleNode().length);
      assert.ok(!("value" in other) || other.value?.type === "ADDED");
      assert.equal(masks.filter((mask) => mask !== "").length, 2, "both were in flight when the first was rejected");
    });
  }

  test("without a mask the request has no mask and pods are complete", async (t) => {
    const { socketPath, masks } = await filtering(t);
    const [pod] = await clientOf(t, { socketPath }).listPods();
    assert.ok(pod?.spec?.containers[0]?.image);
    assert.deepEqual(masks, [""]);
  });

  test("each call gets its own fields from a shared request", async (t) => {
    const { socketPath, masks } = await filtering(t);
    const pods = clientOf(t, { socketPath });
    await pods.probe();
    masks.length = 0;
    // The first waits for no one; the others wait together.
    const [, names, phases] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, () => pods.listPods({ mask: ["metadata.uid"] }))),
      pods.listPods({ mask: ["metadata.name"] }),
      pods.listPods({ mask: ["status.phase"] }),
    ]);
    assert.ok(names.every((pod) => pod.metadata?.name !== "" && (pod as { status?: unknown }).status === undefined));
    assert.ok(
      phases.every((pod) => pod.status?.phase !== "" && (pod as { metadata?: unknown }).metadata === undefined),
    );
  });

  test("mask paths of type string are checked at run time", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const paths: string[] = ["metadata.name"];
    const [pod] = await pods.listPods({ mask: podMask(...paths) });
    assert.ok(pod?.metadata?.name);
    // @ts-expect-error the type says what to write
    assert.equal((await pods.listPods({ mask: paths }))[0]?.metadata?.name, pod.metadata.name);
    paths.push("metadata.nmae");
    assert.throws(() => podMask(...paths), { code: "invalid-argument", message: /did you mean name/ });
    // @ts-expect-error
    await assert.rejects(pods.listPods({ mask: paths }), { code: "invalid-argument", message: /did you mean name/ });
    // @ts-expect-error
    assert.throws(() => pods.watchPods({ mask: paths }), { code: "invalid-argument" });
  });
});

describe("a watch with a mask", () => {
  const change = (labels: Record<string, string>, phase = "Running") => ({
    ...web,
    metadata: { ...web.metadata, labels },
    status: { ...web.status, phase },
  });

  test("emits a change only if a selected field has changed, for each consumer [#93]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const labels = pods.watchPods({ mask: ["metadata.uid", "metadata.labels"] });
    const phases = pods.watchPods({ mask: ["metadata.uid", "status.phase"] });
    await until(labels, "SYNCED");
    await until(phases, "SYNCED");
    kubelet.updatePod(change({ a: "1" }));
    kubelet.updatePod(change({ a: "1" }, "Unknown"));
    kubelet.updatePod(change({ a: "2" }, "Unknown"));
    const relabelled = await next(labels);
    assert.ok(relabelled.type === "MODIFIED");
    const phased = await next(phases);
    assert.ok(phased.type === "MODIFIED");
    assert.deepEqual([phased.pod.status?.phase, phased.previous.status?.phase], ["Unknown", "Running"]);
    assert.equal(
      (phased.pod.metadata as { labels?: object }).labels &&
        Object.keys((phased.pod.metadata as { labels?: object }).labels ?? {}).length,
      0,
    );
    kubelet.finishPod(uid);
    const deleted = (await until(phases, "DELETED")).at(-1);
    assert.ok(deleted?.type === "DELETED" && deleted.pod.metadata?.uid === uid);
    await Promise.all([labels.return?.(), phases.return?.()]);
  });

  test("requests the same fields after each outage and emits the same fields", async (t) => {
    const kubelet = await filtering(t);
    const pods = clientOf(t, { socketPath: kubelet.socketPath });
    const informer = pods.informer({ mask: MASK });
    const watch = pods.watchPods({ mask: ["metadata.name", "status.phase"], labelSelector: "app" });
    await informer.synced();
    const told = await until(watch, "SYNCED");
    const pod = informer.get({ uid });
    assert.ok(pod);
    const asked = kubelet.masks.at(-1);
    for (const path of [...MASK, "metadata.labels", "status.phase"]) assert.ok(asked?.split(",").includes(path), path);
    for (let outage = 1; outage <= 2; outage++) {
      kubelet.masks.length = 0;
      // A pod that comes meanwhile is told with the fields that were asked for, and no others.
      const late = { ...web, metadata: { ...web.metadata, uid: `late-${outage}`, name: `late-${outage}` } };
      kubelet.pods.push(encodePod(fromKubernetesJson(late)));
      kubelet.dropWatches();
      const again = await until(watch, "SYNCED");
      assert.deepEqual(kubelet.masks, [asked]);
      const added = again.flatMap((event) => (event.type === "ADDED" ? [event.pod] : []));
      const expectedPod = decodeBy(podMask("metadata.name", "status.phase").plan, encodePod(fromKubernetesJson(late)));
      assert.deepEqual(structuredClone(added), [structuredClone(expectedPod)]);
      assert.equal(informer.get({ uid }), pod, "the pod has not changed");
      const read = structuredClone(informer.get({ uid: `late-${outage}` }));
      assert.deepEqual(read, structuredClone({ ...pod, metadata: { ...pod?.metadata, name: `late-${outage}` } }));
    }
    assert.ok(told.length > 1);
    await Promise.all([informer.close(), watch.return?.()]);
  });

  test("an informer with more fields opens a new stream, one with fewer fields does not", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const few = pods.informer({ mask: podMasks.identity });
    await few.synced();
    assert.equal(few.state.counters.streams, 1);
    const told: string[] = [];
    const events = few[Symbol.asyncIterator]();
    const synced = await until(events, "SYNCED");
    const waiting = events.next().then(
      ({ value }) => told.push(value?.type ?? "end"),
      () => {},
    );

    const more = pods.informer();
    assert.deepEqual([more.size, more.state.phase], [0, "connecting"]);
    await more.synced();
    assert.equal(few.state.counters.streams, 2);
    assert.equal(more.size, synced.length - 1);
    assert.ok(more.list().every((pod) => pod.spec?.containers[0]?.image));

    const less = pods.informer({ mask: ["metadata.labels"] });
    await less.synced();
    assert.equal(few.state.counters.streams, 2);
    assert.deepEqual(told, []);
    await Promise.all([few.close(), more.close(), less.close(), waiting]);
  });

  test("an informer retains only the fields of its mask", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const informer = pods.informer({ mask: podMasks.identity });
    await informer.synced();
    const pod = informer.get({ uid });
    assert.ok(pod);
    const whole = encodePod(fromKubernetesJson(web));
    assert.deepEqual(pod, decodeBy(podMasks.identity.plan, whole));
    assert.ok(project(whole, podMasks.identity.plan).length < 120);
  });
});
