// Pods that cannot be read, or only in part: what each kind of reader makes of them. They are damaged behind their heads.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type PodEvent, podMask } from "../../src/index.js";
import { Lookups } from "../../src/lookup/lookups.js";
import type { PodMask } from "../../src/pod/mask.js";
import { PodSelector } from "../../src/pod/selector.js";
import type { WatchHost } from "../../src/readers/event-stream.js";
import { PodInformer } from "../../src/readers/informer.js";
import { PodWatch } from "../../src/readers/pod-watch.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { Upstream } from "../../src/stream/upstream.js";
import { seededRandom } from "../../src/testing/index.js";
import { scriptedSource } from "../helpers/scripted-source.js";
import { test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

/** A pod, and a field behind everything else of its spec that a mask may leave out. */
function pod(uid: string, app: string, image: string): Uint8Array {
  return toBinary(
    PodSchema,
    create(PodSchema, {
      metadata: { uid, name: `name-${uid}`, namespace: "ns", labels: { app } },
      spec: { containers: [{ name: "c", image }] },
      status: { podIP: "10.0.0.1", containerStatuses: [{ name: "c", containerID: `containerd://id-${uid}` }] },
    }),
  );
}

/** The same, and a volume behind it whose name is longer than the volume. */
const broken = (uid: string, app: string, image: string) =>
  Uint8Array.from([...pod(uid, app, image), 0x12, 0x04, 0x0a, 0x02, 0x0a, 0x7f]);

const identity = (uid: string) =>
  toBinary(PodSchema, create(PodSchema, { metadata: { uid, name: `name-${uid}`, namespace: "ns" } }));

/** A source that says what the test says, on one stream. */
function make() {
  const { source, say } = scriptedSource({ type: "CONNECTED", server: "1", connection: "1", lists: "complete" });
  const clock = new VirtualClock();
  const upstream = new Upstream({ source, clock, random: seededRandom(1), index: (pods) => new Lookups(pods, clock) });
  const host: WatchHost = { clock, timeoutMs: undefined, upstream: () => upstream, enter: () => () => {} };
  const options = { includeFinished: false, signal: undefined, resyncIntervalMs: 120_000 };
  return {
    watch: (mask?: PodMask, labelSelector?: string) =>
      new PodWatch<Told>(host, {
        ...options,
        mask,
        ...(labelSelector && { selector: new PodSelector({ labelSelector }) }),
      }),
    informer: () => new PodInformer<Told>(host, { ...options, retainMs: 0, maxRetained: 0 }),
    say,
  };
}

interface Told {
  metadata?: { uid: string; labels?: Record<string, string> };
  spec?: { containers: { image: string }[] };
}

/** What a watch has to tell now. */
function drain(watch: PodWatch<Told>): string[] {
  const text = (event: PodEvent<Told>) =>
    "pod" in event ? `${event.type} ${event.pod.metadata?.uid} ${event.pod.spec?.containers[0]?.image}` : event.type;
  const told: string[] = [];
  for (let event = watch.poll(); event !== undefined; event = watch.poll()) told.push(text(event));
  return told;
}

const list: SourceEvent[] = [
  { type: "ADDED", pod: pod("a", "web", "v1") },
  { type: "ADDED", pod: pod("b", "web", "v1") },
  { type: "SYNCED" },
];

/** Has a watch listen, and gives its first event. */
async function first(watch: PodWatch<Told>, say: () => Promise<void>): Promise<string | undefined> {
  const event = watch.next();
  await say();
  const { value } = await event;
  return value?.type;
}

test("a watch receives the last readable state, and the deletion of an unreadable pod", async () => {
  const { watch: watchOf, say } = make();
  const watch = watchOf();
  assert.equal(await first(watch, () => say(...list)), "ADDED");
  assert.deepEqual(drain(watch), ["ADDED b v1", "SYNCED"]);
  await say(
    { type: "MODIFIED", pod: pod("a", "web", "v2") },
    { type: "MODIFIED", pod: broken("a", "web", "v3") },
    { type: "MODIFIED", pod: pod("b", "web", "v2") },
  );
  assert.deepEqual(drain(watch), ["MODIFIED a v2", "MODIFIED b v2"], "what is broken in between is passed over");
  await say({ type: "MODIFIED", pod: broken("a", "web", "v4") }, { type: "DELETED", pod: identity("a") });
  assert.deepEqual(drain(watch), ["DELETED a v2"]);
  await watch.return();
});

test("a mask without the damaged field keeps receiving the pod; one with it does not", async () => {
  for (const [mask, told] of [
    [podMask("metadata.uid", "metadata.labels"), ["MODIFIED a undefined"]],
    [podMask("metadata.uid", "metadata.labels", "spec.volumes.name"), []],
  ] as const) {
    const { watch: watchOf, say } = make();
    const watch = watchOf(mask);
    await first(watch, () => say(...list));
    drain(watch);
    await say({ type: "MODIFIED", pod: broken("a", "db", "v2") });
    assert.deepEqual(drain(watch), told);
    await watch.return();
  }
});

test("an unreadable pod neither leaves nor enters a selection", async () => {
  const { watch: watchOf, say } = make();
  const [web, db] = [watchOf(undefined, "app=web"), watchOf(undefined, "app=db")];
  const waiting = db.next();
  await first(web, () => say(...list));
  assert.equal((await waiting).value?.type, "SYNCED");
  drain(web);
  await say({ type: "MODIFIED", pod: broken("a", "db", "v2") });
  assert.deepEqual([drain(web), drain(db)], [[], []]);
  await say({ type: "MODIFIED", pod: pod("a", "db", "v3") });
  assert.deepEqual([drain(web), drain(db)], [["DELETED a v3"], ["ADDED a v3"]]);
  await Promise.all([web.return(), db.return()]);
});

test("an informer returns the last readable state by every key and lists unreadable pods", async () => {
  const { informer: informerOf, say } = make();
  const informer = informerOf();
  await say({ type: "ADDED", pod: broken("z", "web", "v1") }, ...list);
  await informer.synced();
  assert.deepEqual([informer.size, informer.get({ uid: "z" }), [...informer.state.unreadable]], [2, undefined, ["z"]]);
  const before = informer.get({ uid: "a" });
  await say({ type: "MODIFIED", pod: broken("a", "db", "v2") }, { type: "DELETED", pod: identity("b") });
  assert.deepEqual([...informer.state.unreadable], ["z", "a"]);
  assert.equal(informer.state.counters.malformed, 2);
  for (const found of [
    informer.get({ uid: "a" }),
    informer.get({ namespace: "ns", name: "name-a" }),
    informer.get({ containerID: "containerd://id-a" }),
    informer.get({ ip: "10.0.0.1" }),
    ...informer.list(),
  ]) {
    assert.equal(found, before);
  }
  await say({ type: "MODIFIED", pod: pod("a", "web", "v3") });
  assert.equal(informer.get({ uid: "a" })?.spec?.containers[0]?.image, "v3");
  assert.deepEqual([...informer.state.unreadable], ["z"]);
  await informer.close();
});
