// What kubelets do that one would not expect, where a scenario cannot show it: see test/scenarios for the rest.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RawClient } from "../../src/conformance/raw-client.js";
import { PodsClient, toKubernetesJson } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import {
  type DeletionReason,
  type EvictionOptions,
  type EvictionReason,
  type FinishedPhase,
  type PodJson,
  ReferenceKubelet,
  type ReferenceKubeletOptions,
  sampleNode,
} from "../../src/testing/index.js";
import { pause } from "../../src/timing/pause.js";
import { endSession } from "../helpers/hostile.js";
import { environmentOf, kubeletAndClient, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { pod, restarted } from "../scenarios/pods.js";
import { openRaw, restartCounts } from "../scenarios/raw-watch.js";
import { Wire } from "../scenarios/wire.js";

async function started(t: TestContext, options: ReferenceKubeletOptions = {}) {
  const kubelet = await kubeletOf(t, options);
  const wire = new Wire(kubelet.socketPath);
  t.after(() => wire[Symbol.asyncDispose]());
  return { kubelet, wire };
}

async function read(watch: AsyncGenerator<string>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) lines.push((await watch.next()).value ?? "(over)");
  return lines;
}

/** Asks again until the list is as long as that. */
async function listed(t: TestContext, wire: Wire, length: number): Promise<string[]> {
  for (;;) {
    const lines = await wire.list();
    if (lines.length === length && !lines[0]?.includes(":")) return lines;
    await pause(environmentOf(t).clock, 20); // the kubelet lets a hundred calls through per second
  }
}

test("drops events beyond 1,000 at once for all watchers, without ending a stream", async (t) => {
  const { kubelet, wire } = await started(t);
  const watches = [wire.watch(), wire.watch()];
  for (const watch of watches) await read(watch, 1);
  for (let i = 0; i < 1_500; i++) kubelet.addPod(pod(`p${String(i).padStart(4, "0")}`));
  for (const watch of watches) {
    const lines = await read(watch, 1_000);
    assert.ok(lines[999]?.startsWith("ADDED p0999 "), lines[999]);
  }
  assert.equal(kubelet.dropped, 500);
  kubelet.addPod(pod("next"));
  for (const watch of watches) assert.match((await read(watch, 1))[0] ?? "", /^ADDED next /);
  assert.equal((await wire.list()).length, 1_501);
});

test("sends changes made during the initial events after the marker, even outdated ones", async (t) => {
  const many = Array.from({ length: 300 }, (_, i) => pod(`p${String(i).padStart(3, "0")}`));
  const last = many.at(-1) as PodJson;
  const { kubelet } = await started(t, { pods: many });
  const { session, stream } = openRaw(kubelet.socketPath);
  await new Promise((resolve) => stream.once("readable", resolve)); // 64 KiB are sent, and the kubelet waits
  kubelet.updatePod(restarted(last, 1));
  kubelet.updatePod(restarted(last, 2));
  const chunks: Buffer[] = [];
  let counts: number[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    counts = restartCounts(Buffer.concat(chunks));
    if (counts.length === many.length + 2) break;
  }
  endSession(session);
  assert.deepEqual(counts.slice(-3), [2, 1, 2]);
});

test("a restart changes config.seen of every pod, and nothing else", async (t) => {
  const { kubelet } = await started(t, { pods: sampleNode() });
  const without = () =>
    kubelet.pods.map((p) => {
      const json = toKubernetesJson(p);
      const { "kubernetes.io/config.seen": seen, ...annotations } = json.metadata?.annotations ?? {};
      return { seen, json: { ...json, metadata: { ...json.metadata, annotations } } };
    });
  const before = without();
  await kubelet.restart({ kill: true, firstStatusMs: 0 });
  const after = without();
  assert.deepEqual(
    after.map(({ json }) => json),
    before.map(({ json }) => json),
  );
  assert.ok(after.every(({ seen }, i) => seen !== before[i]?.seen && !Number.isNaN(Date.parse(seen ?? ""))));
});

describe("a restart that has to read its sources", { concurrency: true }, () => {
  const statics = sampleNode().filter((p) => p.metadata?.annotations?.["kubernetes.io/config.source"] === "file");

  test("1.36: lists no pods, then static pods, then all", async (t) => {
    const { kubelet, wire } = await started(t, { profile: "1.36", pods: sampleNode() });
    await kubelet.restart({ initializingMs: 2_000 });
    assert.deepEqual(await wire.list(), []);
    assert.deepEqual(
      (await listed(t, wire, statics.length)).map((line) => line.split(" ")[0]).sort(),
      statics.map((p) => p.metadata?.name).sort(),
    );
    await listed(t, wire, sampleNode().length);
  });

  test("1.37: rejects lists, then lists all pods", async (t) => {
    const { kubelet, wire } = await started(t, { pods: sampleNode() });
    await kubelet.restart({ initializingMs: 1_000 });
    assert.deepEqual(await wire.list(), ["FailedPrecondition: Kubelet is initializing"]);
    await listed(t, wire, sampleNode().length);
  });

  test("a static pod is Pending until its first status, which is sent as ADDED", async (t) => {
    const { kubelet, wire } = await started(t);
    const uid = kubelet.addStaticPod(pod("etcd"));
    await kubelet.restart({ kill: true, firstStatusMs: 60_000 });
    assert.deepEqual(await wire.list(), ["etcd-node-1 Pending #etcd"]);
    const watch = wire.watch();
    await read(watch, 2);
    kubelet.setInitializing(false);
    assert.deepEqual(await read(watch, 1), ["ADDED etcd-node-1 Running Ready=True running #etcd"]);
    assert.deepEqual(await wire.get(uid), ["etcd-node-1 Running Ready=True running #etcd"]);
  });

  test("sends first statuses after firstStatusMs without further calls", async (t) => {
    const { kubelet, wire } = await started(t, { pods: [pod("web")] });
    await kubelet.restart({ kill: true, firstStatusMs: 1_000 });
    const [first, , again] = await read(wire.watch(), 3);
    assert.equal(first, "ADDED web Running Ready=False/unverified running #web");
    assert.equal(again, "ADDED web Running Ready=True running #web");
  });
});

describe("the feature gate", () => {
  test("off at the start: creates no socket and no directory", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
    const { kubelet, pods } = await kubeletAndClient(t, { socketPath, gate: false }, { retry: false });
    assert.equal(existsSync(dirname(socketPath)), false);
    await assert.rejects(pods.listPods(), { code: "socket-missing" });
    await kubelet.restart({ gate: true });
    assert.deepEqual(await pods.listPods(), []);
  });

  test("off after a restart: leaves the old socket file", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, {}, { retry: false });
    await kubelet.restart({ gate: false });
    await assert.rejects(pods.listPods(), { code: "connection-refused" });
  });

  test("a restart with another profile acts as an upgrade", async (t) => {
    const { kubelet, wire } = await started(t, { profile: "1.36", initializing: true });
    assert.deepEqual(await wire.list(), []);
    await kubelet.restart({ profile: "1.37", kill: true });
    assert.deepEqual(await wire.list(), ["FailedPrecondition: Kubelet is initializing"]);
  });
});

test("derives a static pod's UID from its manifest", async (t) => {
  const { kubelet } = await started(t);
  const uid = kubelet.addStaticPod(pod("etcd"));
  assert.throws(() => kubelet.addStaticPod(pod("etcd")), { message: /a pod with this UID already exists/ });
  kubelet.removePod(uid);
  assert.throws(() => kubelet.addStaticPod(pod("etcd")), { message: /call finishPod/ });
  kubelet.finishPod(uid);
  assert.equal(kubelet.addStaticPod(pod("etcd")), uid);
  assert.notEqual(kubelet.addStaticPod(pod("other")), uid);
});

test("starting, evicting, finishing and rejecting a pod sets its status", async (t) => {
  const { kubelet } = await started(t);
  const bare = (name: string, more = {}): PodJson => ({
    metadata: { name, namespace: "default", uid: name },
    spec: { containers: [{ name: "main" }], initContainers: [{ name: "init" }], ...more },
  });
  const of = (uid: string) => kubelet.pods.find(({ metadata }) => metadata?.uid === uid)?.status;
  kubelet.addPod(bare("a"));
  const waiting = [...(of("a")?.initContainerStatuses ?? []), ...(of("a")?.containerStatuses ?? [])];
  const reasons = waiting.map(({ name, state }) => [name, state?.waiting?.reason]);
  assert.deepEqual(reasons, [
    ["init", "PodInitializing"],
    ["main", "PodInitializing"],
  ]);
  assert.equal(of("a")?.phase, "Pending");
  kubelet.addPod(bare("b"));
  kubelet.startPod("a");
  kubelet.startPod("b");
  const [a, b] = [of("a"), of("b")];
  assert.match(a?.containerStatuses[0]?.containerID ?? "", /^containerd:\/\/[0-9a-f]{64}$/);
  assert.ok(a?.containerStatuses[0]?.state?.running && a.initContainerStatuses[0]?.state?.terminated);
  assert.notEqual(a?.containerStatuses[0]?.containerID, b?.containerStatuses[0]?.containerID);
  assert.notEqual(a?.podIP, b?.podIP);
  assert.ok(a?.conditions.some(({ type, status }) => type === "Ready" && status === "True"));
  kubelet.evictPod("a");
  kubelet.finishPod("a");
  assert.equal(of("a")?.phase, "Failed", "a failed pod stays Failed");
  kubelet.finishPod("b");
  assert.equal(of("b")?.phase, "Succeeded");
  kubelet.removePod("b");
  assert.throws(() => kubelet.addPod(bare("b")), { code: "invalid-argument", message: /never reuses one/ });
  kubelet.updatePod(pod("a", { uid: "a" }));
  kubelet.finishPod("a", "Failed");
  assert.ok(
    of("a")?.containerStatuses.every(({ state }) => state?.terminated),
    "it ends again",
  );
  kubelet.rejectPod(bare("c"));
  kubelet.removePod("c");
  assert.equal(of("c"), undefined, "a pod that never ran needs no finishPod()");
  assert.throws(() => kubelet.deletePod("a", { gracePeriodSeconds: Number.POSITIVE_INFINITY }), {
    code: "invalid-argument",
  });
});

test("the phase of an ended pod follows from its containers' exit codes", async (t) => {
  const { kubelet } = await started(t);
  const statusOf = (uid: string) => kubelet.pods.find(({ metadata }) => metadata.uid === uid)?.status;
  const evicted = (uid: string, exitCode: number, why?: EvictionOptions) => {
    kubelet.addPod({ metadata: { uid, name: uid }, spec: { containers: [{ name: "main" }] } });
    kubelet.startPod(uid);
    kubelet.evictPod(uid, why);
    kubelet.endContainer(uid, "main", { exitCode });
    assert.throws(() => kubelet.finishPod(uid, exitCode === 0 ? "Failed" : "Succeeded"), { code: "invalid-argument" });
    kubelet.finishPod(uid);
    const { phase, reason, conditions = [] } = statusOf(uid) ?? {};
    return [phase, reason, conditions.some(({ type }) => type === "DisruptionTarget")];
  };
  assert.deepEqual(evicted("a", 0), ["Succeeded", "", true]);
  assert.deepEqual(evicted("b", 7), ["Failed", "Evicted", true]);
  const message = 'Usage of EmptyDir volume "e" exceeds the limit "5Mi". ';
  assert.deepEqual(
    evicted("c", 0, { message }),
    ["Succeeded", "", false],
    "exceeding its own limit sets no DisruptionTarget condition",
  );
  kubelet.addPod({ metadata: { uid: "d", name: "d" }, spec: { containers: [{ name: "main" }] } });
  kubelet.startPod("d");
  kubelet.evictPod("d", {
    reason: "DeadlineExceeded",
    message: "Pod was active on the node longer than the specified deadline",
  });
  kubelet.endContainer("d", "main", { exitCode: 0 });
  kubelet.finishPod("d");
  assert.deepEqual([statusOf("d")?.phase, statusOf("d")?.reason], ["Failed", "DeadlineExceeded"]);
});

test("uses the now option for all times, including a missing creation time", async (t) => {
  let now = new Date("2026-02-03T04:05:06Z");
  const { kubelet } = await started(t, { now: () => now, pods: [pod("old")] });
  kubelet.addPod({ metadata: { uid: "a", name: "a" }, spec: { containers: [{ name: "main" }] } });
  now = new Date("2026-02-03T04:06:00Z");
  const [{ startedAt } = {}] = kubelet.startPod("a");
  assert.equal(startedAt?.toISOString(), "2026-02-03T04:06:00.000Z");
  const { metadata, status } = toKubernetesJson(kubelet.pods[0] ?? assert.fail());
  assert.equal(metadata?.creationTimestamp, "2026-02-03T04:05:06Z");
  assert.equal(status?.startTime, "2026-02-03T04:05:06Z");
});

test("rejects a pods option that is not a list", async () => {
  for (const pods of [sampleNode, "pods", {}])
    await assert.rejects(ReferenceKubelet.start({ pods: pods as unknown as PodJson[] }), {
      code: "invalid-argument",
      message: /pods must be a list of pods/,
    });
});

test("rejects actions that no kubelet performs, and changes nothing", async (t) => {
  const { kubelet, wire } = await started(t, { pods: [pod("web")] });
  const [web, job] = ["uid-of-web", "job"];
  kubelet.addPod({
    metadata: { uid: job, name: job },
    spec: { restartPolicy: "Never", containers: [{ name: "main" }] },
  });
  kubelet.startPod(job);
  const refused = (act: () => void, message: RegExp) =>
    assert.throws(act, { code: "invalid-argument", message }, String(message));
  const before = await wire.list();
  refused(() => kubelet.evictPod(web, { reason: "Bored" as EvictionReason }), /one of Evicted, Preempting, Terminated/);
  refused(() => kubelet.deletePod(web, { reason: "Evicted" as DeletionReason }), /one of EvictionByEvictionAPI, /);
  refused(() => kubelet.setSandboxReady(web, false), /sandbox stays ready while containers run; call endContainer/);
  refused(() => kubelet.setSandboxReady(web, 1 as unknown as boolean), /true or false/);
  refused(() => kubelet.finishPod(web, "Done" as FinishedPhase), /phase must be Succeeded or Failed/);
  assert.deepEqual(await wire.list(), before);
  kubelet.endContainer(job, "main", { exitCode: 3 });
  const ended = await wire.list();
  assert.match(ended[0] ?? "", /^job Failed Ready=False terminated/, "its last container has ended");
  refused(() => kubelet.finishPod(job, "Succeeded"), /lead to phase Failed/);
  refused(() => kubelet.startPod(job), /cannot start again/);
  refused(() => kubelet.evictPod(job), /already ended/);
  assert.deepEqual(await wire.list(), ended);
});

test("a pod with one completed and one running container is not ready", async (t) => {
  const { kubelet } = await started(t);
  const containers = [{ name: "done" }, { name: "works" }];
  const state = { terminated: { exitCode: 0, startedAt: null, finishedAt: null } };
  const containerStatuses = [{ name: "done", image: "", imageID: "", ready: false, restartCount: 0, state }];
  const spec = { containers, restartPolicy: "Never" };
  kubelet.addPod({ metadata: { uid: "a", name: "a" }, spec, status: { containerStatuses } });
  kubelet.startPod("a");
  const [status] = kubelet.pods.map((p) => p.status);
  assert.deepEqual(
    status?.containerStatuses.map(({ name, state, ready }) => [name, state?.running !== undefined, ready]),
    [
      ["done", false, false],
      ["works", true, true],
    ],
  );
  assert.equal(status?.conditions.find(({ type }) => type === "Ready")?.status, "False");
});

test("1.36 serves no start time between a restart and the first status", async (t) => {
  const bare: PodJson = { metadata: { uid: "a", name: "a" }, spec: { containers: [] } };
  const { kubelet, wire } = await started(t, { profile: "1.36", pods: [bare] });
  await using raw = new RawClient({ socketPath: kubelet.socketPath });
  const startTime = async () => {
    const answer = await raw.list();
    assert.ok(answer.ok);
    return decodePod(answer.value[0] ?? new Uint8Array()).status?.startTime;
  };
  await kubelet.restart({ kill: true, firstStatusMs: 3_600_000 });
  assert.equal(await startTime(), undefined);
  kubelet.setInitializing(false);
  assert.notEqual(await startTime(), undefined);
  assert.equal((await wire.list()).length, 1);
});

test("a running 1.36 kubelet does not forget its pods", async (t) => {
  const { kubelet, wire } = await started(t, { profile: "1.36", pods: [pod("web")] });
  assert.throws(() => kubelet.setInitializing(true), {
    code: "invalid-argument",
    message: /a running 1\.36 kubelet does not lose its pods; restart\(\{ initializingMs \}\)/,
  });
  assert.equal((await wire.list()).length, 1);
  const starting = await kubeletOf(t, { profile: "1.36", initializing: true });
  starting.setInitializing(true); // it still is
  starting.setInitializing(false);
  assert.throws(() => starting.setInitializing(true), { code: "invalid-argument" });
  const later = await kubeletOf(t, { profile: "1.37" });
  later.setInitializing(true); // it then rejects requests
});

test("a restart with 1,500 pods loses no first status", async (t) => {
  const many = Array.from({ length: 1_500 }, (_, i) => pod(`p${String(i).padStart(4, "0")}`));
  const { kubelet, wire } = await started(t, { pods: many });
  await kubelet.restart({ kill: true, firstStatusMs: 3_600_000 });
  const watch = wire.watch();
  await read(watch, 1_501);
  kubelet.setInitializing(false); // which has the workers look now
  const told = await read(watch, 1_500);
  assert.equal(new Set(told).size, 1_500);
  assert.equal(kubelet.dropped, 0);
});

test("15 kubelets in one process cause no Node.js warning", async (t) => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  t.after(() => process.off("warning", warned));
  for (let i = 0; i < 15; i++) await started(t);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(warnings, []);
});

test("a drain keeps static pods and pods of DaemonSets", async (t) => {
  const { kubelet, wire } = await started(t, { pods: sampleNode() });
  const watch = wire.watch();
  await read(watch, sampleNode().length + 1);
  const stays = sampleNode().filter(
    ({ metadata }) =>
      metadata?.annotations?.["kubernetes.io/config.source"] === "file" ||
      metadata?.ownerReferences?.some(({ kind }) => kind === "DaemonSet"),
  );
  const drained = await kubelet.drain();
  assert.equal(drained.length, sampleNode().length - stays.length);
  assert.equal((await wire.list()).length, stays.length);
  const running = sampleNode().length - stays.length - 2; // a Job's pod and an evicted one had ended
  const told = await read(watch, 3 * running);
  assert.equal(told.filter((line) => line.startsWith("DELETED")).length, running);
});

test("a paused kubelet accepts connections, answers nothing, and continues after resume()", async (t) => {
  const { kubelet, wire } = await started(t);
  const watch = wire.watch();
  await read(watch, 1);
  kubelet.pause();
  kubelet.addPod(pod("web"));
  await using late = new PodsClient({ socketPath: kubelet.socketPath, retry: false });
  await assert.rejects(late.listPods({ timeoutMs: 50 }), { code: "deadline" });
  const list = wire.list();
  kubelet.resume();
  assert.deepEqual(await read(watch, 1), ["ADDED web Running Ready=True running #web"]);
  assert.equal((await list).length, 1);
  assert.equal((await late.listPods({ timeoutMs: 5_000 })).length, 1);
});

test("kubelets in one process have separate pods, rate limits and faults", async (t) => {
  const all = await Promise.all([1, 2, 3, 4].map((n) => started(t, { pods: [pod(`p${n}`)] })));
  all[0]?.kubelet.faults.hang("request", 1);
  const first = all[0]?.wire.list();
  const calls = all.slice(1).flatMap(({ wire }) => Array.from({ length: 10 }, () => wire.list()));
  const lines = (await Promise.all(calls)).flat();
  assert.deepEqual(new Set(lines.map((line) => line.split(" ")[0])), new Set(["p2", "p3", "p4"]));
  await all[0]?.kubelet.faults.clear();
  assert.equal((await first)?.length, 1);
});
