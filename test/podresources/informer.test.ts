// The informer of resources over the reference kubelet's two sockets.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { PodResourcesLister } from "../../src/gen/podresources/podresources_pb.js";
import { podMasks } from "../../src/index.js";
import { PodResourcesClient, type PodResourcesInformer } from "../../src/podresources/index.js";
import type { ReferenceKubeletOptions } from "../../src/testing/index.js";
import { clientOf, environmentOf, kubeletOf, serve } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { allocatable, plain, train, trainer } from "./assignments.js";

const DAY_MS = 86_400_000;

async function setup(t: TestContext, options: ReferenceKubeletOptions = {}, socketPath?: string) {
  const kubelet = await kubeletOf(t, { pods: [trainer, plain], podResources: true, ...options });
  kubelet.assignResources("uid-trainer", "train", train);
  kubelet.setAllocatable(allocatable);
  const client = clientOf(t, { socketPath: kubelet.socketPath });
  const resources = new PodResourcesClient(
    { socketPath: socketPath ?? kubelet.podResourcesSocketPath },
    environmentOf(t),
  );
  t.after(() => resources.close());
  const pods = client.informer({ mask: podMasks.identity });
  // No poll within a test: what is read is read for its reason.
  const informer = resources.informer(pods, { pollIntervalMs: DAY_MS });
  return { kubelet, client, resources, pods, informer };
}

const holders = (
  informer: PodResourcesInformer<{ metadata: { namespace: string; name: string; uid: string } }>,
  id: string,
) => informer.byDevice(id).map(({ pod, container }) => `${pod.metadata.uid}/${container}`);

describe("the informer of resources", () => {
  test("knows who holds what, and what is free", async (t) => {
    const { informer } = await setup(t);
    assert.equal(informer.state.phase, "connecting");
    assert.deepEqual(informer.list(), []);
    await informer.synced();
    assert.equal(informer.state.phase, "synced");
    assert.ok(informer.state.readAt instanceof Date);
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"]);
    assert.deepEqual(informer.byDevice("nic0", "example.com/nic")[0]?.numaNodes, [0, 1]);
    assert.deepEqual(holders(informer, "GPU-3"), []);
    assert.deepEqual(informer.free().devices, [
      { resourceName: "nvidia.com/gpu", deviceIDs: ["GPU-3"], numaNodes: [1] },
    ]);
  });

  test("reads a pod that comes alone, and everything when one goes", async (t) => {
    const { kubelet, informer } = await setup(t);
    await informer.synced();
    kubelet.addPod({ ...trainer, metadata: { name: "trainer-1", namespace: "ml", uid: "uid-1" } }, { status: false });
    kubelet.assignResources("uid-1", "log", {
      devices: [{ resourceName: "nvidia.com/gpu", deviceIDs: ["GPU-3"], numaNodes: [1] }],
    });
    kubelet.updatePod({ ...trainer, metadata: { name: "trainer-1", namespace: "ml", uid: "uid-1" } });
    await until(t, () => holders(informer, "GPU-3").length > 0);
    assert.deepEqual(holders(informer, "GPU-3"), ["uid-1/log"]);
    assert.deepEqual(informer.free().devices, []);
    kubelet.finishPod("uid-trainer");
    await until(t, () => informer.free().devices.length > 0);
    assert.deepEqual(holders(informer, "GPU-1"), []);
    assert.deepEqual(informer.free().devices[0]?.deviceIDs, ["GPU-1", "GPU-2"]);
  });

  test("is stale while the kubelet is away, tells what it knew, and reads anew afterwards", async (t) => {
    const { kubelet, informer, pods } = await setup(t);
    await informer.synced();
    const first = informer.state.readAt;
    const restarted = kubelet.restart({ kill: true, downtimeMs: 200 });
    await until(t, () => informer.state.phase === "stale");
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"]);
    await restarted;
    await until(t, () => pods.state.counters.streams > 1 && (informer.state.readAt ?? 0) > (first ?? 0));
    await informer.synced();
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"]);
  });

  test("where the kubelet has no Get, one List stands for it", async (t) => {
    const calls: string[] = [];
    const pod = (name: string, id: string) => ({
      namespace: "ml",
      name,
      containers: [{ name: "main", devices: [{ resourceName: "r", deviceIds: [id] }] }],
    });
    const listed = [pod("trainer-0", "d0")];
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.list, () => {
        calls.push("List");
        return { podResources: listed };
      });
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => ({
        devices: [{ resourceName: "r", deviceIds: ["d0", "d1"] }],
      }));
    });
    const { kubelet, informer } = await setup(t, {}, socketPath);
    await informer.synced();
    assert.deepEqual(informer.free().devices, [{ resourceName: "r", deviceIDs: ["d1"], numaNodes: [] }]);
    listed.push(pod("trainer-1", "d1"));
    kubelet.addPod({ ...trainer, metadata: { name: "trainer-1", namespace: "ml", uid: "uid-1" } });
    await until(t, () => holders(informer, "d1").length > 0);
    assert.deepEqual(holders(informer, "d1"), ["uid-1/main"]);
    assert.equal(calls.length, 2);
  });

  test("synced rejects with what is in the way, and goes on", async (t) => {
    const kubelet = await kubeletOf(t, { pods: [plain] });
    const client = clientOf(t, { socketPath: kubelet.socketPath });
    const resources = new PodResourcesClient(
      { socketPath: `${kubelet.socketPath}.absent`, retry: false },
      environmentOf(t),
    );
    t.after(() => resources.close());
    const informer = resources.informer(client.informer({ mask: podMasks.identity }));
    await assert.rejects(informer.synced({ timeoutMs: 500 }), { code: "socket-missing" });
    assert.equal(informer.state.phase, "connecting");
    assert.equal(informer.state.error?.code, "socket-missing");
    await assert.rejects(informer.synced({ signal: AbortSignal.abort(new Error("mine")) }), { message: "mine" });
  });

  test("ends by itself, with its client, and with the pods' informer", async (t) => {
    const { informer, pods, resources } = await setup(t);
    const other = resources.informer(pods);
    const third = resources.informer(pods);
    await informer.synced();
    await informer.close();
    await informer.close();
    assert.equal(informer.state.phase, "closed");
    await assert.rejects(informer.synced(), { code: "closed" });
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"], "reads give what was known");
    await pods.close();
    await assert.rejects(other.synced(), { code: "closed" });
    assert.equal(other.state.phase, "closed");
    await resources.close();
    assert.equal(third.state.phase, "closed");
    assert.throws(() => resources.informer(pods), { code: "closed" });
  });

  test("a 1.36 kubelet that has read a part of its sources is not believed: nothing is free that was given", async (t) => {
    const { kubelet, informer, pods } = await setup(t, { profile: "1.36" });
    await informer.synced();
    const before = informer.state.readAt ?? 0;
    await kubelet.restart({ initializingMs: DAY_MS, firstStatusMs: 0 });
    await until(t, () => pods.state.phase === "synced" && pods.state.unconfirmed.count > 0);
    await assert.rejects(informer.synced({ timeoutMs: 300 }), { code: "deadline" });
    assert.deepEqual([informer.state.phase, informer.state.readAt], ["stale", before]);
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"]);
    assert.deepEqual(
      informer.free().devices.map(({ deviceIDs }) => deviceIDs),
      [["GPU-3"]],
    );
    kubelet.setInitializing(false);
    await informer.synced({ timeoutMs: 60_000 });
    assert.equal(pods.state.unconfirmed.count, 0);
    assert.ok((informer.state.readAt ?? 0) > before);
    assert.deepEqual(holders(informer, "GPU-1"), ["uid-trainer/train"]);
  });

  test("what was read of another kubelet process is stale until it has been read again", async (t) => {
    let answers = true;
    const socketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.list, async () => {
        while (!answers) await new Promise((resolve) => setTimeout(resolve, 5));
        return { podResources: [{ name: "trainer-0", namespace: "ml" }] };
      });
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => ({}));
    });
    const { kubelet, informer, pods } = await setup(t, {}, socketPath);
    await informer.synced();
    answers = false;
    const { streams } = pods.state.counters;
    await kubelet.restart({ kill: true, firstStatusMs: 0 });
    await until(t, () => pods.state.phase === "synced" && pods.state.counters.streams > streams);
    assert.equal(informer.state.phase, "stale");
    answers = true;
    await informer.synced();
  });

  test("a device near two NUMA nodes, which the kubelet writes twice, is one", async (t) => {
    const twice = (id: string) =>
      [0n, 1n].map((ID) => ({ resourceName: "r", deviceIds: [id], topology: { nodes: [{ ID }] } }));
    const socketPath = await serve(t, (router) => {
      const container = { name: "train", devices: twice("d0") };
      router.rpc(PodResourcesLister.method.list, () => ({
        podResources: [{ name: "trainer-0", namespace: "ml", containers: [container] }],
      }));
      router.rpc(PodResourcesLister.method.getAllocatableResources, () => ({
        devices: [...twice("d0"), ...twice("d1")],
      }));
    });
    const { informer } = await setup(t, {}, socketPath);
    await informer.synced();
    assert.deepEqual(informer.byDevice("d0")[0]?.devices, [
      { resourceName: "r", deviceIDs: ["d0"], numaNodes: [0, 1] },
    ]);
    assert.deepEqual(informer.free().devices, [{ resourceName: "r", deviceIDs: ["d1"], numaNodes: [0, 1] }]);
  });

  test("leaves the signal as it was found where it cannot be made", async (t) => {
    const { resources, pods } = await setup(t);
    const { signal } = new AbortController();
    await resources.close();
    assert.throws(() => resources.informer(pods, { signal }), { code: "closed" });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });

  test("refuses what is no informer, and polls too often", async (t) => {
    const { client, resources, pods } = await setup(t);
    for (const options of [{ labelSelector: "app=web" }, { namespace: "ml" }, { includeFinished: true }]) {
      const some = client.informer({ mask: podMasks.identity, ...options });
      assert.throws(() => resources.informer(some), { code: "invalid-argument", hint: /informer of all/ });
    }
    assert.throws(() => resources.informer([] as never), { code: "invalid-argument" });
    assert.throws(() => resources.informer(pods, { pollIntervalMs: 999 }), {
      code: "invalid-argument",
      message: /1000/,
    });
    assert.throws(() => resources.informer(pods, { pollIntervalMs: Number.POSITIVE_INFINITY }), {
      code: "invalid-argument",
    });
    assert.throws(() => resources.informer(pods, { pollIntervalMs: Number.NaN }), { code: "invalid-argument" });
    assert.throws(() => resources.informer(pods, { pollMs: 1 } as never), {
      code: "invalid-argument",
      message: /pollMs/,
    });
  });
});
