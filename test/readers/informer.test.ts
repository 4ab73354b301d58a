// What an informer answers while too little is known of a pod, and when code of users runs.

import assert from "node:assert/strict";
import type { ContainerEvent, Pod } from "../../src/index.js";
import { podMask } from "../../src/pod/mask.js";
import { resolveSelector } from "../../src/pod/selector.js";
import { PodWatch } from "../../src/readers/pod-watch.js";
import { CONNECTED, gone, make, makeHost, put, SYNCED } from "../helpers/scripted-informer.js";
import { test } from "../helpers/test.js";
import { settle } from "../helpers/virtual-clock.js";

const UNREADABLE = new Uint8Array([0x0a, 0x05, 0x2a, 0x01, 0x75, 0xff, 0xff]); // metadata.uid "u", and a tag without a value
const narrow = { mask: podMask("metadata.name"), includeFinished: false, resyncIntervalMs: 3_600_000 };

test("find() returns `unreadable` if the last readable version lacks fields of the selector", async () => {
  const selector = resolveSelector({ labelSelector: "app=web" });
  const { host, inform, clock, say } = makeHost();
  const watch = new PodWatch<Pod>(host, { ...narrow, signal: undefined });
  const events = watch[Symbol.asyncIterator]();
  void events.next();
  await settle();
  await say(CONNECTED, put({ uid: "u", labels: { app: "web" } }), SYNCED);
  const selected = inform({ selector });
  await clock.advance(1_000);
  await say(CONNECTED, { type: "ADDED", pod: UNREADABLE }, SYNCED);
  const { pod, confidence, reason } = selected.find({ uid: "u" });
  assert.deepEqual([pod, confidence, reason], [undefined, "uncertain", "unreadable"]);
  assert.deepEqual([...selected.state.unreadable], ["u"]);
  await selected.close();
  await watch.return();
});

test("a static pod is not absent after its DELETED if a list has the next pod of its manifest", async () => {
  const { informer, clock, say } = make();
  const uid = "0123456789abcdef0123456789abcdef";
  const stamped = (seen: string) => put({ uid, seen, created: undefined, ip: "10.0.0.1" });
  await settle();
  await say(CONNECTED, put({ uid: "a" }), stamped("2026-01-01T00:00:00Z"), SYNCED);
  const absent = informer.confirmAbsent([uid]);
  await clock.advance(1_000);
  await say(CONNECTED, put({ uid: "a" }), stamped("2026-01-01T00:01:00Z"), SYNCED, gone(uid));
  assert.deepEqual(await absent, []);
  const { pod, confidence, reason } = informer.find({ uid });
  assert.deepEqual([pod, confidence, reason], [undefined, "uncertain", "unconfirmed"]);
  await say(stamped("2026-01-01T00:01:00Z"));
  assert.equal(informer.get({ uid })?.metadata?.uid, uid);
  await informer.close();
});

test("requests a list when a finished pod is being removed, if finished pods are included", async () => {
  for (const includeFinished of [true, false]) {
    const { informer, clock, upstream, say } = make({ includeFinished });
    await say(CONNECTED, put({ uid: "a" }), put({ uid: "b" }), SYNCED);
    await say(put({ uid: "a", phase: "Succeeded", terminating: true }), gone("a"));
    const { streams } = upstream;
    await clock.advance(120_000);
    assert.equal(upstream.streams > streams, includeFinished, `includeFinished: ${includeFinished}`);
    await informer.close();
  }
});

test("a container watch read from within `until` receives each run once", async () => {
  const { informer, clock, say } = make();
  const first = informer.watchContainers();
  void first.next();
  await clock.advance(1_000);
  await say(CONNECTED, put({ uid: "x", id: "x" }), SYNCED);
  const events = informer.watchContainers();
  const taken: Promise<IteratorResult<ContainerEvent<Pod>, undefined>>[] = [];
  const take = (count: number) => {
    for (let i = 0; i < count; i++) taken.push(events.next());
    return true;
  };
  const found = informer.waitFor({ uid: "a" }, { until: () => take(3) });
  await say(put({ uid: "a", id: "a" }));
  await found;
  take(1);
  await say(put({ uid: "z", id: "z" }));
  const words = (await Promise.all(taken)).map(({ value }) =>
    value !== undefined && "pod" in value ? `${value.type} ${value.pod.metadata.uid}` : value?.type,
  );
  assert.deepEqual(words, ["STARTED x", "STARTED a", "SYNCED", "STARTED z"]);
  await informer.close();
});
