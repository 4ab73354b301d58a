// The keys that are looked for in the node's files: cgroup directories and network namespaces. By the reference kubelet's trees, and in a
// hierarchy of cgroup version 2 that is made by hand, with processes moved into it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readlinkSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CgroupLayout,
  cgroupPathOf,
  type InformerOptions,
  type Pod,
  type PodInformer,
  type PodKey,
} from "../../src/index.js";
import { containerOf } from "../../src/pod/containers.js";
import { type ReferenceKubelet, seededRandom } from "../../src/testing/index.js";
import { environmentOf, kubeletAndClient } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const isRoot = process.getuid?.() === 0;
const A = "2c4d8b1e-0000-4000-8000-00000000000a";
const B = "2c4d8b1e-0000-4000-8000-00000000000b";
const LAYOUT: CgroupLayout = { driver: "systemd", version: 2, root: "/kubepods.slice" };
const podOf = (uid: string, more: object = {}) => ({
  metadata: { uid, namespace: "shop", name: `web-${uid.slice(-1)}` },
  spec: {
    containers: [
      { name: "app", image: "a" },
      { name: "log", image: "l" },
    ],
    ...more,
  },
});

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "looks-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function nodeOf(t: TestContext, informerOptions: InformerOptions<never>, pods = [podOf(A)]) {
  const root = temporary(t);
  const roots = { cgroupRoot: join(root, "cgroup"), procRoot: join(root, "proc") };
  const { kubelet, pods: client } = await kubeletAndClient(t, { pods, ...roots });
  for (const { metadata } of pods) kubelet.startPod(metadata.uid);
  const { cgroups, processes } = informerOptions;
  const informer = client.informer({
    ...informerOptions,
    ...(cgroups && { cgroups: { root: roots.cgroupRoot } }),
    ...(processes && { processes: { procRoot: roots.procRoot }, cgroups: { root: roots.cgroupRoot } }),
  });
  await informer.synced();
  await until(t, () => informer.state.unresolved.count === 0 && informer.find({ cgroupID: 1 }).doubt !== "unresolved");
  return { kubelet, client, informer, ...roots };
}

function directoryOf(kubelet: ReferenceKubelet, root: string, uid: string, name?: string): string {
  const pod = podIn(kubelet, uid);
  return join(root, cgroupPathOf(pod, name === undefined ? undefined : containerOf(pod, name)?.instance, LAYOUT));
}

function podIn(kubelet: ReferenceKubelet, uid: string): Pod {
  return (kubelet.pods.find(({ metadata }) => metadata?.uid === uid) ?? assert.fail()) as unknown as Pod;
}

const numberOf = (path: string) => statSync(path, { bigint: true }).ino;

function told(informer: PodInformer, key: PodKey) {
  const { pod, container, certainty, doubt, gone } = informer.find(key);
  return [pod?.metadata.name, container?.name, doubt ?? certainty, gone?.cause];
}

test("a cgroup's number means the container, the pod where it is the pod's or the sandbox's, and both after their ends", async (t) => {
  const { kubelet, informer, cgroupRoot } = await nodeOf(t, { retainMs: 60_000, cgroups: {} });
  const app = numberOf(directoryOf(kubelet, cgroupRoot, A, "app"));
  const own = numberOf(directoryOf(kubelet, cgroupRoot, A));
  assert.deepEqual(told(informer, { cgroupID: app }), ["web-a", "app", "proved", undefined]);
  assert.deepEqual(told(informer, { cgroupID: Number(app) }), ["web-a", "app", "proved", undefined]);
  assert.deepEqual(told(informer, { cgroupID: own }), ["web-a", undefined, "proved", undefined]);
  assert.equal(informer.get({ cgroupID: own })?.metadata.uid, A);
  assert.deepEqual(told(informer, { cgroupID: 1n }), [undefined, undefined, "recent", undefined]);
  kubelet.restartContainer(A, "app", { exitCode: 1 });
  const next = numberOf(directoryOf(kubelet, cgroupRoot, A, "app"));
  const found = await informer.waitFor({ cgroupID: next }, { until: ({ container }) => container !== undefined });
  assert.deepEqual([found.container?.restartCount, found.container?.ended], [1, false]);
  const before = informer.find({ cgroupID: app }).container;
  assert.deepEqual(
    [before?.restartCount, before?.ended, informer.find({ cgroupID: app }).certainty],
    [0, true, "proved"],
  );
  kubelet.deletePod(A);
  kubelet.finishPod(A);
  kubelet.removePod(A);
  await until(t, () => informer.list().length === 0);
  for (const [cgroupID, name] of [
    [next, "app"],
    [own, undefined],
  ] as const)
    assert.deepEqual(told(informer, { cgroupID }), ["web-a", name, "proved", "finished"]);
  assert.equal(informer.find({ cgroupID: next }).gone?.end?.reason, "deleted");
});

test("leaves below a container are its own, two levels and 32 of them; others are counted, and then nobody is a guess", async (t) => {
  const { kubelet, informer, cgroupRoot } = await nodeOf(t, { cgroups: {} });
  const app = directoryOf(kubelet, cgroupRoot, A, "app");
  mkdirSync(join(app, "container/inner"), { recursive: true });
  await informer.lacking([]); // a list
  await until(t, () => informer.find({ cgroupID: numberOf(join(app, "container")) }).pod !== undefined);
  for (const leaf of ["container", "container/inner"])
    assert.deepEqual(told(informer, { cgroupID: numberOf(join(app, leaf)) }), ["web-a", "app", "proved", undefined]);
  mkdirSync(join(app, "container/inner/deep"));
  await informer.lacking([]);
  await until(t, () => informer.state.unresolved.count === 1);
  assert.deepEqual(told(informer, { cgroupID: 1n }), [undefined, undefined, "unresolved", undefined]);
  for (let i = 0; i < 40; i++) mkdirSync(join(app, `many-${i}`));
  await informer.lacking([]);
  await until(t, () => informer.state.unresolved.count > 8);
});

test("a directory that went before it was read is counted, and one that is not there yet is looked for at the next list", async (t) => {
  const { kubelet, informer, cgroupRoot } = await nodeOf(t, { cgroups: {} });
  const app = directoryOf(kubelet, cgroupRoot, A, "app");
  kubelet.endContainer(A, "log", { exitCode: 0 });
  kubelet.addPod(podOf(B));
  // Created, started and ended between two looks: nothing is left of it.
  kubelet.startPod(B);
  kubelet.restartContainer(B, "app", { exitCode: 1 });
  await until(
    t,
    () =>
      informer.state.unresolved.count === 1 &&
      informer.find({ uid: B, containerName: "app" }).container?.restartCount === 1,
  );
  rmSync(app, { recursive: true });
  kubelet.restartContainer(A, "app", { exitCode: 1 });
  const again = directoryOf(kubelet, cgroupRoot, A, "app");
  rmSync(again, { recursive: true });
  await until(t, () => informer.state.unresolved.count === 2);
  assert.equal(informer.find({ cgroupID: 2n ** 63n }).doubt, "unresolved");
  mkdirSync(again);
  await informer.lacking([]);
  await until(t, () => informer.state.unresolved.count === 1);
  assert.deepEqual(told(informer, { cgroupID: numberOf(again) }), ["web-a", "app", "proved", undefined]);
});

test("a container that came and went unseen is counted, and its number is nobody's only as a guess", async (t) => {
  const { kubelet, informer, cgroupRoot } = await nodeOf(t, { retainMs: 60_000, cgroups: {} });
  kubelet.addPod(podOf(B));
  await informer.waitFor({ uid: B });
  kubelet.startPod(B);
  const cgroupID = numberOf(directoryOf(kubelet, cgroupRoot, B, "app"));
  kubelet.deletePod(B);
  kubelet.finishPod(B); // in one turn: nothing is left of it when it is told
  await until(t, () => informer.find({ uid: B }).gone !== undefined);
  assert.equal(informer.find({ cgroupID }).pod, undefined);
  assert.equal(informer.find({ cgroupID }).doubt, "unresolved");
  assert.equal(informer.state.unresolved.count, 2, "both of its containers");
});

test("what ran before anybody looked may have had any number: then nobody is contested", async (t) => {
  const root = join(temporary(t), "cgroup");
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [podOf(A)], cgroupRoot: root });
  kubelet.startPod(A);
  const first = pods.informer({ retainMs: 60_000 });
  await first.synced();
  kubelet.restartContainer(A, "app", { exitCode: 1 });
  await until(t, () => first.find({ uid: A, containerName: "app" }).container?.restartCount === 1);
  const at = new Date(Math.ceil(environmentOf(t).clock.wallMs()));
  kubelet.deletePod(A);
  kubelet.finishPod(A);
  kubelet.removePod(A);
  await until(t, () => first.list().length === 0);
  const second = pods.informer({ retainMs: 60_000, cgroups: { root } });
  await second.synced();
  const { pod, certainty, doubt } = second.find({ cgroupID: 1 }, { at });
  assert.deepEqual([pod, certainty, doubt], [undefined, "contested", "unresolved"]);
});

test("a network namespace means its pod, passes to the next one, and is never the node's", async (t) => {
  const host = podOf("2c4d8b1e-0000-4000-8000-00000000000c", { hostNetwork: true });
  const { kubelet, informer, procRoot } = await nodeOf(t, { retainMs: 60_000, processes: {} }, [podOf(A), host]);
  const pid = kubelet.addProcess(A, "app");
  const netnsOf = (each: number) => BigInt(/\d+/.exec(readlinkSync(join(procRoot, String(each), "ns/net")))?.[0] ?? 0);
  const netns = netnsOf(pid);
  assert.deepEqual(told(informer, { netns }), ["web-a", undefined, "recent", undefined]);
  assert.deepEqual(told(informer, { netns: netnsOf(1) }), [undefined, undefined, "recent", undefined]);
  kubelet.deletePod(A);
  kubelet.finishPod(A);
  kubelet.addPod(podOf(B));
  kubelet.startPod(B);
  const next = netnsOf(kubelet.addProcess(B, "app"));
  assert.equal(next, netns, "the lowest number that is free");
  await informer.waitFor({ netns }, { until: ({ pod }) => pod.metadata.uid === B });
  assert.equal(informer.get({ netns })?.metadata.uid, B);
});

test("a namespace is no pod's from when its sandbox may be another one until it was looked for, and nobody is a guess at any time", async (t) => {
  const { kubelet, informer, procRoot, cgroupRoot } = await nodeOf(t, { retainMs: 600_000, processes: {} });
  const { clock } = environmentOf(t);
  const netns = BigInt(
    /\d+/.exec(readlinkSync(join(procRoot, String(kubelet.addProcess(A, "app")), "ns/net")))?.[0] ?? 0,
  );
  assert.equal(informer.get({ netns })?.metadata.uid, A);
  const slices = join(cgroupRoot, "kubepods.slice");
  kubelet.startPod(A, { ip: "10.9.9.9" });
  renameSync(slices, `${slices}.hidden`);
  await until(t, () => informer.get({ ip: "10.9.9.9" }) !== undefined);
  assert.equal(informer.get({ netns }), undefined, "it may be another sandbox's by now");
  renameSync(`${slices}.hidden`, slices);
  await informer.lacking([]);
  await until(t, () => informer.get({ netns })?.metadata.uid === A);
  await new Promise((resolve) => clock.after(60_000, () => resolve(undefined)));
  const { certainty } = informer.find({ netns: 1 }, { at: clock.wallMs() - 30_000 });
  assert.equal(certainty, "recent");
  assert.equal(informer.find({ ip: "10.9.9.1" }, { at: clock.wallMs() - 30_000 }).certainty, "told");
});

test("what an informer was not made for, and what is no number, is refused; informers of a client look at the same files", async (t) => {
  const { kubelet, client, informer } = await nodeOf(t, { cgroups: {} });
  assert.throws(
    () => informer.find({ netns: 4 }),
    /find: netns: the informer was made without processes; informer\(\{ processes: \{\} \}\)$/,
  );
  assert.throws(() => client.informer().get({ cgroupID: 1 }), /get: cgroupID: the informer was made without cgroups/);
  for (const cgroupID of [0, -1, 1.5, 2 ** 60, "12", 0n])
    assert.throws(() => informer.find({ cgroupID } as never), /cgroupID is no bigint, nor a whole number/);
  assert.throws(
    () => client.informer({ cgroups: { root: "/elsewhere" } }),
    /another informer of the client has others/,
  );
  assert.throws(
    () => client.informer({ cgroups: { cgroupRoot: "/" } as never }),
    /no such option: cgroupRoot; there are root/,
  );
  const mixed = temporary(t);
  mkdirSync(join(mixed, "memory/kubepods.slice"), { recursive: true });
  const { pods } = await kubeletAndClient(t, { pods: kubelet.pods });
  const other = pods.informer({ cgroups: { root: mixed } });
  await other.synced();
  await until(t, () => {
    try {
      return other.find({ cgroupID: 1 }) === undefined;
    } catch (error) {
      assert.match(String(error), /unsupported-platform|cgroupID does not exist with cgroup version 1, nor where/);
      return true;
    }
  });
});

test("in a hierarchy of version 2, with processes moved into it", {
  skip: !isRoot && "needs root",
}, async (t) => {
  const mount = mkdtempSync(join(tmpdir(), "looks-"));
  execFileSync("mount", ["-t", "cgroup2", "none", mount]);
  const made: string[] = [];
  const name = `kp${process.pid}-kubepods.slice`;
  const sleeper = spawn("unshare", ["-n", "sleep", "1000"]);
  t.after(async () => {
    sleeper.kill("SIGKILL");
    await new Promise((resolve) => sleeper.once("exit", resolve));
    for (const directory of made.reverse()) rmdirSync(directory);
    execFileSync("umount", ["--lazy", mount]); // a look may be under way
    rmdirSync(mount);
  });
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [podOf(A)] });
  kubelet.startPod(A);
  const layout: CgroupLayout = { driver: "systemd", version: 2, root: join(mount, name) };
  const pod = podIn(kubelet, A);
  const paths = ["app", "log"].map((each) => cgroupPathOf(pod, containerOf(pod, each)?.instance, layout));
  const [app = "", log = ""] = paths;
  for (const directory of [app, log, join(app, "container")]) {
    const above: string[] = [];
    for (let each = directory; each !== mount; each = join(each, "..")) above.unshift(each);
    for (const each of above) {
      if (made.includes(each)) continue;
      mkdirSync(each);
      made.push(each);
    }
  }
  writeFileSync(join(app, "container/cgroup.procs"), String(sleeper.pid));
  const informer = pods.informer({ cgroups: { root: mount }, processes: {} });
  await informer.synced();
  await until(t, () => informer.find({ cgroupID: numberOf(log) }).pod !== undefined);
  assert.deepEqual(told(informer, { cgroupID: numberOf(join(app, "container")) }), [
    "web-a",
    "app",
    "proved",
    undefined,
  ]);
  assert.deepEqual(told(informer, { cgroupID: numberOf(app) }), ["web-a", "app", "proved", undefined]);
  const netns = BigInt(/\d+/.exec(readlinkSync(`/proc/${sleeper.pid}/ns/net`))?.[0] ?? 0);
  await informer.lacking([]);
  await until(t, () => informer.find({ netns }).pod?.metadata.uid === A);
});

test("by chance: a namespace that is told to be a pod's was that pod's", async (t) => {
  const random = seededRandom(7);
  const draw = (count: number) => Math.floor(random() * count);
  const { clock } = environmentOf(t);
  const uids = Array.from({ length: 99 }, (_, i) => `2c4d8b1e-0000-4000-8000-0000000001${String(i).padStart(2, "0")}`);
  const { kubelet, informer, procRoot, cgroupRoot } = await nodeOf(
    t,
    { retainMs: 600_000, processes: {}, resyncIntervalMs: 30_000 },
    [],
  );
  const truth: { netns: bigint; uid: string; fromMs: number; toMs: number }[] = [];
  const living: { uid: string; last: (typeof truth)[number] }[] = [];
  const netnsOf = (uid: string) => {
    const pid = kubelet.addProcess(uid, "app");
    return BigInt(/\d+/.exec(readlinkSync(join(procRoot, String(pid), "ns/net")))?.[0] ?? 0);
  };
  const counts = { right: 0, cautious: 0, nobody: 0 };
  for (let step = 0; step < 400; step++) {
    const each = living[draw(living.length)];
    const act = draw(4);
    const now = clock.wallMs();
    if (each === undefined || (act === 0 && uids.length > 0)) {
      const uid = uids.pop();
      if (uid === undefined) break;
      kubelet.addPod(podOf(uid));
      kubelet.startPod(uid);
      const last = { netns: netnsOf(uid), uid, fromMs: now, toMs: Number.POSITIVE_INFINITY };
      truth.push(last);
      living.push({ uid, last });
    } else if (act === 1) {
      kubelet.deletePod(each.uid);
      kubelet.finishPod(each.uid);
      each.last.toMs = clock.wallMs();
      living.splice(living.indexOf(each), 1);
    } else if (act === 2) {
      kubelet.startPod(each.uid, { ip: `10.${1 + (step >> 8)}.${step & 255}.${draw(200) + 1}` }); // another sandbox
      each.last.toMs = now;
      each.last = { netns: netnsOf(each.uid), uid: each.uid, fromMs: now, toMs: Number.POSITIVE_INFINITY };
      truth.push(each.last);
    } else kubelet.restartContainer(each.uid, "app", { exitCode: 1 });
    // Where nothing is there when it is looked for, it is found with the next list.
    const slices = join(cgroupRoot, "kubepods.slice");
    const isHidden = draw(3) === 0;
    if (isHidden) renameSync(slices, `${slices}.hidden`);
    await new Promise((resolve) => clock.after(draw(3) === 0 ? 15_000 : draw(400), () => resolve(undefined)));
    if (isHidden) renameSync(`${slices}.hidden`, slices);
    for (let asked = 0; asked < 6; asked++) {
      const { netns } = truth[draw(truth.length)] ?? assert.fail();
      const at = Math.floor(clock.wallMs() - random() * random() * 120_000);
      const holders = truth.filter((span) => span.netns === netns && span.fromMs <= at && at <= span.toMs);
      const { pod, certainty } = informer.find({ netns }, { at });
      const isRight = pod === undefined ? holders.length === 0 : holders.some(({ uid }) => uid === pod.metadata.uid);
      if (certainty === "told" || certainty === "proved") {
        assert.ok(
          isRight && pod !== undefined,
          `${step}: ${pod?.metadata.uid} ${certainty} at ${at}, in truth ${JSON.stringify(holders.map(({ uid }) => uid))}`,
        );
        counts.right++;
      } else if (pod === undefined) counts.nobody++;
      else counts.cautious++;
    }
  }
  assert.ok(counts.right > 100, JSON.stringify(counts));
});
