// The double as a node for containers: what each verb returns, tells, and leaves on the node.

import assert from "node:assert/strict";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { PodConditionSchema, type PodStatus, PodStatusSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import {
  containerOf,
  fromKubernetesJson,
  logPathOf,
  type PodKey,
  parseLogPath,
  processIdentity,
} from "../../src/index.js";
import { churn, type PodInput, sampleNode } from "../../src/testing/index.js";
import { probed, settle, terminate } from "../../src/testing/pod-status.js";
import { seededRandom } from "../../src/testing/random.js";
import { clientOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const B = "2c4d8b1e-0000-4000-8000-000000000002";
const pod = (uid: string, restartPolicy = "Always") => ({
  metadata: { uid, namespace: "shop", name: `pod-${uid.slice(-1)}`, creationTimestamp: "2026-11-22T10:00:00Z" },
  spec: { restartPolicy, initContainers: [{ name: "setup" }], containers: [{ name: "main", image: "app:1" }] },
});

async function started(t: TestContext, restartPolicy?: string) {
  const directory = temporaryDirectory(t);
  const procRoot = join(directory, "proc");
  const kubelet = await kubeletOf(t, {
    pods: [pod(A, restartPolicy), pod(B, restartPolicy)],
    procRoot,
  });
  const client = clientOf(t, { socketPath: kubelet.socketPath });
  const informer = client.informer({ retainMs: 60_000 });
  await informer.synced();
  /** Waits until the informer has what the double has. */
  const settled = async (uid: string) => {
    const version = () => kubelet.pods.find(({ metadata }) => metadata.uid === uid)?.status;
    await informer.waitFor(
      { uid },
      { until: ({ pod }) => JSON.stringify(structuredClone(pod.status), big) === JSON.stringify(version(), big) },
    );
  };
  return { kubelet, informer, settled, procRoot };
}

const big = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

test("startPod() sets a kubelet's fields, and a new address restarts the containers", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  const [setup, main] = kubelet.startPod(A, { ip: "10.1.0.7" });
  assert.deepEqual([setup?.kind, setup?.ended, main?.kind, main?.ended], ["init", true, "regular", false]);
  await settled(A);
  const { spec, status } = informer.get({ ip: "10.1.0.7" }) ?? assert.fail();
  assert.deepEqual(
    [status.phase, spec.nodeName, status.hostIP, status.hostIPs[0]?.ip, status.qosClass],
    ["Running", "node-1", "10.0.0.11", "10.0.0.11", "BestEffort"],
  );
  const [, moved] = kubelet.startPod(A, { ip: "10.1.0.8" });
  await settled(A);
  assert.notEqual(moved?.containerID, main?.containerID);
  assert.equal(moved?.restartCount, 1);
  assert.equal(informer.get({ ip: "10.1.0.7" }), undefined);
  assert.equal(informer.get({ ip: "10.1.0.8" })?.metadata.uid, A);
  assert.equal(informer.find({ containerID: main?.containerID ?? "" })?.container?.ended, true);
  assert.throws(() => kubelet.startPod(A, { ip: "x" }), { code: "invalid-argument" });
});

test("containers end, start again with a new ID, and restart between two statuses", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  const [, first] = kubelet.startPod(A);
  const ended = kubelet.endContainer(A, "main", { reason: "OOMKilled", message: "too much" });
  assert.deepEqual([ended.containerID, ended.ended], [first?.containerID, true]);
  await settled(A);
  const row = () => containerOf(informer.get({ uid: A }) ?? assert.fail(), "main");
  assert.deepEqual([row()?.state, row()?.exit?.reason, row()?.exit?.exitCode], ["ended", "OOMKilled", 137]);
  const second = kubelet.startContainer(A, "main");
  assert.deepEqual([second.restartCount, second.ended], [1, false]);
  assert.notEqual(second.containerID, first?.containerID);
  const third = kubelet.restartContainer(A, "main", { exitCode: 1 });
  await settled(A);
  assert.deepEqual([third.restartCount, row()?.lastExit?.exitCode, row()?.run?.containerID], [2, 1, third.containerID]);
  assert.equal(
    informer.find({ uid: A, containerName: "main", restartCount: 1 })?.container?.containerID,
    second.containerID,
  );
  assert.deepEqual(kubelet.startContainer(A, "main"), third, "starting a running container changes nothing");
});

test("rejects starts that the restart policy forbids, and changes nothing", async (t) => {
  const { kubelet } = await started(t, "Never");
  kubelet.startPod(A);
  const refused = { code: "invalid-argument" };
  for (const change of ["endContainer", "restartContainer"] as const) {
    assert.throws(() => kubelet[change](B, "main"), { ...refused, message: /is not running/ });
  }
  assert.deepEqual(kubelet.pods[1]?.status.containerStatuses, []);
  assert.throws(() => kubelet.restartContainer(A, "main"), refused);
  assert.equal(kubelet.pods[0]?.status.containerStatuses[0]?.restartCount, 0);
  kubelet.endContainer(A, "main");
  assert.throws(() => kubelet.startContainer(A, "main"), refused);
  assert.throws(() => kubelet.startContainer(A, "setup"), refused);
  assert.throws(() => kubelet.startContainer(A, "nobody"), refused);
  assert.throws(() => kubelet.endContainer("nobody", "main"), refused);
});

test("rejects a second run of an ephemeral container, whatever the restart policy", async (t) => {
  const { kubelet } = await started(t, "Always");
  kubelet.startPod(A);
  kubelet.addEphemeralContainer(A, { name: "debug", image: "busybox" });
  kubelet.endContainer(A, "debug");
  assert.throws(() => kubelet.startContainer(A, "debug"), {
    code: "invalid-argument",
    message: /its restart policy forbids a restart/,
  });
  kubelet.endContainer(A, "main");
  kubelet.startContainer(A, "main");
});

test("a pod that ends while it initializes has an unknown end for the init container that runs", () => {
  const status = create(PodStatusSchema, {
    phase: "Pending",
    initContainerStatuses: [
      { name: "a", ready: true, state: { terminated: { exitCode: 0, reason: "Completed" } } },
      { name: "b", state: { running: {} } },
      { name: "c", state: { waiting: { reason: "PodInitializing" } } },
    ],
    containerStatuses: [{ name: "main", state: { waiting: { reason: "PodInitializing" } } }],
  });
  terminate(status, fromKubernetesJson({ metadata: { name: "a" }, spec: { containers: [] } }));
  const ends = [...status.initContainerStatuses, ...status.containerStatuses].map(({ state }) => [
    state?.terminated?.reason,
    state?.terminated?.exitCode,
  ]);
  const none = [undefined, undefined];
  assert.deepEqual(ends, [["Completed", 0], ["ContainerStatusUnknown", 137], none, none]);
  assert.equal(status.phase, "Failed");
});

test("setReady() changes one container or all", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  kubelet.startPod(A);
  const isReady = () => informer.get({ uid: A })?.status.conditions.find(({ type }) => type === "Ready")?.status;
  for (const [ready, name] of [
    [false, "main"],
    [true, undefined],
    [false, undefined],
  ] as const) {
    kubelet.setReady(A, ready, name);
    await settled(A);
    assert.equal(isReady(), ready ? "True" : "False");
  }
  assert.throws(() => kubelet.setReady(A, true, "nobody"), { code: "invalid-argument" });
});

test("a static pod without probes is ready when all of its containers run", () => {
  const status = (...ready: boolean[]) =>
    create(PodStatusSchema, {
      conditions: ["Ready", "ContainersReady", "PodScheduled"].map((type) => ({ type, status: "False", reason: "x" })),
      containerStatuses: ready.map((is, i) => ({
        name: `c${i}`,
        ready: false,
        state: is ? { running: {} } : { waiting: {} },
      })),
    });
  const told = (of: PodStatus) => {
    probed(of);
    return of.conditions.map(({ status, reason }) => `${status} ${reason}`);
  };
  assert.deepEqual(told(status(true, true)), ["True ", "True ", "False x"]);
  assert.deepEqual(told(status(true, false)), ["False x", "False x", "False x"]);
});

test("sets the transition time only when a kubelet's condition changes, never on others", () => {
  const now = new Date("2026-11-20T09:00:00Z");
  const old = create(TimeSchema, { seconds: 5n });
  const condition = (type: string, status: string) => create(PodConditionSchema, { type, status });
  const before = create(PodStatusSchema, {
    conditions: [condition("Ready", "True"), condition("mine.example/ok", "True")],
  });
  for (const each of before.conditions) each.lastTransitionTime = old;
  const since = (status: string) => {
    const next = create(PodStatusSchema, {
      conditions: [condition("Ready", status), condition("mine.example/ok", status)],
    });
    settle(next, before, fromKubernetesJson({ metadata: { name: "a" }, spec: { containers: [] } }), now);
    return next.conditions.map(({ lastTransitionTime }) => lastTransitionTime?.seconds);
  };
  assert.deepEqual(since("True"), [5n, undefined]);
  assert.deepEqual(since("False"), [BigInt(now.getTime() / 1_000), undefined]);
});

test("addEphemeralContainer() changes spec and status, and find() returns it by ID", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  kubelet.startPod(A);
  const debug = kubelet.addEphemeralContainer(A, { name: "debug", image: "busybox", targetContainerName: "main" });
  await settled(A);
  const found = informer.find({ containerID: debug.containerID });
  assert.deepEqual([found.container?.kind, found.container?.name, found.pod?.metadata.uid], ["ephemeral", "debug", A]);
  assert.equal(found.pod?.spec.ephemeralContainers[0]?.targetContainerName, "main");
  assert.throws(() => kubelet.addEphemeralContainer(A, { name: "main", image: "x" }), { code: "invalid-argument" });
});

test("addProcess() creates a process that resolves to its container", async (t) => {
  const { kubelet, informer, settled, procRoot } = await started(t);
  kubelet.startPod(A);
  const second = kubelet.restartContainer(A, "main");
  await settled(A);
  const path = logPathOf(pod(A), second);
  const found = informer.find(parseLogPath(path) as PodKey);
  assert.equal(found?.container?.containerID, second.containerID);
  const pid = kubelet.addProcess(A, "main");
  const before = await processIdentity(pid, { procRoot });
  assert.equal(informer.find(before?.cgroup as PodKey).container?.containerID, second.containerID);
  kubelet.startPod(B);
  assert.equal(kubelet.addProcess(B, "main", { pid }), pid);
  const after = await processIdentity(pid, { procRoot });
  assert.ok(after !== undefined && after.startTicks > (before?.startTicks ?? 0) && after.cgroup?.uid === B);
  assert.notEqual(kubelet.addProcess(B, "main"), pid);
  await using bare = await kubeletOf(t, { pods: [pod(A)] });
  bare.startPod(A);
  const short = { ...pod(A), metadata: { uid: "u1", namespace: "shop", name: "short" } };
  await using shortNamed = await kubeletOf(t, { pods: [short], procRoot });
  shortNamed.startPod("u1");
  const inShort = await processIdentity(shortNamed.addProcess("u1", "main"), { procRoot });
  assert.equal(inShort?.cgroup?.uid, "u1");
  assert.throws(() => bare.addProcess(A, "main"), { message: /without procRoot/ });
});

test("churn continues with the pods of an earlier kubelet and the same seed", async (t) => {
  // As `serve --churn --state` does, which begins with the same seed each time.
  for (const steps of [5, 10, 15, 20, 25, 30, 40, 50]) {
    let pods = sampleNode() as PodInput[];
    for (let start = 0; start < 3; start++) {
      const kubelet = await kubeletOf(t, { pods });
      const random = seededRandom(1);
      for (let i = 0; i < steps; i++) churn(kubelet, random);
      pods = kubelet.pods;
    }
  }
});

test("churn restarts containers with new IDs, and its pods have UUIDs", async (t) => {
  const kubelet = await kubeletOf(t, { pods: sampleNode() });
  const random = seededRandom(5);
  const given = new Set(kubelet.pods.map(({ metadata }) => metadata.uid));
  let restarts = 0;
  for (let i = 0; i < 400; i++) {
    const before = new Map(kubelet.pods.map((each) => [each.metadata.uid, each]));
    const step = churn(kubelet, random);
    for (const { metadata, status } of kubelet.pods) {
      if (!given.has(metadata.uid))
        assert.match(metadata.uid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      if (step !== "restart") continue;
      for (const { name, containerID, restartCount, lastState } of status.containerStatuses) {
        const was = before.get(metadata.uid)?.status.containerStatuses.find((each) => each.name === name);
        if (was === undefined || was.restartCount === restartCount) continue;
        restarts++;
        assert.notEqual(containerID, was.containerID);
        assert.equal(lastState?.terminated?.containerID, was.containerID);
      }
    }
  }
  assert.ok(restarts > 10);
});

test("a created container waits with its ID, and ends with StartError if it cannot start", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  kubelet.createContainer(A, "main");
  await settled(A);
  const row = () => containerOf(informer.get({ uid: A }) ?? assert.fail(), "main") ?? assert.fail();
  assert.equal(row().state, "waiting");
  const [, id] = row().status?.containerID.split("//") ?? [];
  assert.equal(kubelet.startContainer(A, "main").containerID, id);
  kubelet.endContainer(A, "main", { exitCode: 1 });
  kubelet.createContainer(A, "main");
  const failed = kubelet.endContainer(A, "main");
  await settled(A);
  assert.deepEqual(
    [row().exit?.exitCode, row().exit?.reason, row().exit?.startedAt, row().lastExit?.exitCode, row().restartCount],
    [128, "StartError", undefined, 1, 1],
  );
  assert.equal(failed.startedAt, undefined);
});

test("CrashLoopBackOff keeps the ID of the ended container, and its end as last state", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  kubelet.startPod(A);
  const died = kubelet.endContainer(A, "main", { exitCode: 1 });
  kubelet.backOffContainer(A, "main");
  await settled(A);
  const row = containerOf(informer.get({ uid: A }) ?? assert.fail(), "main");
  assert.deepEqual([row?.state, row?.status?.state?.waiting?.reason], ["waiting", "CrashLoopBackOff"]);
  assert.deepEqual([row?.run?.containerID, row?.lastExit?.exitCode, row?.restartCount], [died.containerID, 1, 0]);
  assert.throws(() => kubelet.backOffContainer(A, "main"), { code: "invalid-argument" });
  assert.equal(kubelet.startContainer(A, "main").restartCount, 1);
});

test("loseContainer() counts a restart and ends the run as ContainerStatusUnknown", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  kubelet.startPod(A);
  kubelet.loseContainer(A, "main");
  await settled(A);
  const row = () => containerOf(informer.get({ uid: A }) ?? assert.fail(), "main") ?? assert.fail();
  assert.deepEqual([row().state, row().run, row().restartCount], ["waiting", undefined, 1]);
  assert.deepEqual([row().lastExit?.exitCode, row().lastExit?.reason], [137, "ContainerStatusUnknown"]);
  assert.deepEqual(
    [row().status?.state?.waiting?.reason, row().lastExit?.finishedAt],
    ["ContainerCreating", undefined],
  );
  assert.equal(kubelet.startContainer(A, "main").restartCount, 1);
  assert.throws(() => kubelet.loseContainer(B, "main"), { code: "invalid-argument" });
});

test("an evicted pod ends without a reason, or Failed with an unknown container", async (t) => {
  const { kubelet } = await started(t);
  const statusOf = (uid: string) => kubelet.pods.find(({ metadata }) => metadata.uid === uid)?.status ?? assert.fail();
  for (const uid of [A, B]) {
    kubelet.startPod(uid);
    kubelet.evictPod(uid);
  }
  kubelet.finishPod(A, "Succeeded");
  assert.deepEqual([statusOf(A).phase, statusOf(A).reason], ["Succeeded", ""]);
  kubelet.loseContainer(B, "main");
  kubelet.finishPod(B, "Failed");
  const [main] = statusOf(B).containerStatuses;
  assert.deepEqual([statusOf(B).phase, statusOf(B).reason, main?.restartCount], ["Failed", "Evicted", 1]);
  for (const each of [main?.state, main?.lastState])
    assert.deepEqual([each?.terminated?.reason, each?.terminated?.containerID], ["ContainerStatusUnknown", ""]);
});

test("restartAllContainers() replaces the containers, whose last state has no ID", async (t) => {
  const { kubelet, informer, settled } = await started(t);
  const before = kubelet.startPod(A);
  const after = kubelet.restartAllContainers(A);
  await settled(A);
  assert.deepEqual(
    after.map(({ restartCount }) => restartCount),
    before.map(() => 1),
  );
  const main = containerOf(informer.get({ uid: A }) ?? assert.fail(), "main");
  assert.deepEqual([main?.state, main?.lastExit?.reason], ["running", "RestartingAllContainers"]);
  assert.equal(main?.status?.lastState?.terminated?.containerID, "");
});
