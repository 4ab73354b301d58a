// What goes wrong on purpose, as a client meets it.

import assert from "node:assert/strict";
import { RawClient } from "../../src/conformance/raw-client.js";
import type { ClientOptions, PodsError } from "../../src/index.js";
import { type ReferenceKubeletOptions, sampleNode } from "../../src/testing/index.js";
import { pause } from "../../src/timing/pause.js";
import { clientOf, environmentOf, kubeletOf } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { pod, restarted } from "../scenarios/pods.js";
import { Wire } from "../scenarios/wire.js";

async function started(t: TestContext, options: ReferenceKubeletOptions = {}, clientOptions: ClientOptions = {}) {
  const kubelet = await kubeletOf(t, { pods: [pod("web")], ...options });
  const pods = clientOf(t, { socketPath: kubelet.socketPath, retry: false, ...clientOptions });
  const wire = new Wire(kubelet.socketPath);
  t.after(() => wire[Symbol.asyncDispose]());
  return { kubelet, pods, wire };
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: PodsError) => error.code,
  );

async function read(watch: AsyncGenerator<string>, count: number): Promise<string[]> {
  const lines: string[] = [];
  while (lines.length < count) lines.push((await watch.next()).value ?? "(over)");
  return lines;
}

/** A watch that has read what is there. */
async function watching(wire: Wire, count = 2): Promise<AsyncGenerator<string>> {
  const watch = wire.watch();
  assert.equal((await read(watch, count)).at(-1), "INITIAL_SYNC_COMPLETE");
  return watch;
}

const web = (restarts: number, type = "MODIFIED") =>
  `${type} web Running Ready=True running${restarts > 0 ? `/${restarts}` : ""} #web`;

describe("connections", () => {
  test("refused until it is cleared, while those that are open go on", async (t) => {
    const { kubelet, pods, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.refuse();
    assert.equal(await codeOf(pods.listPods()), "connection-refused");
    kubelet.updatePod(restarted(pod("web"), 1));
    assert.deepEqual(await read(watch, 1), [web(1)]);
    await kubelet.faults.clear();
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("so many are closed, or answered with garbage, and the next is well", async (t) => {
    const { kubelet, pods } = await started(t);
    kubelet.faults.closeConnections(2);
    kubelet.faults.garbage();
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(await codeOf(pods.listPods()));
    assert.deepEqual(codes, ["connection-lost", "connection-lost", "wrong-peer", "answered"]);
  });

  test("hangs before the handshake, until it is cleared", async (t) => {
    const { kubelet, pods } = await started(t);
    kubelet.faults.hang("handshake");
    const call = codeOf(pods.listPods());
    assert.equal(await codeOf(pods.listPods({ timeoutMs: 50 })), "deadline");
    await kubelet.faults.clear();
    assert.equal(await call, "answered");
  });

  test("standing still in between does not end it", async (t) => {
    const { kubelet, pods } = await started(t);
    kubelet.faults.hang("handshake");
    const call = codeOf(pods.listPods({ timeoutMs: 200 }));
    await pause(environmentOf(t).clock, 20); // by then it has connected, or it does so while the kubelet stands still
    kubelet.pause();
    kubelet.resume();
    assert.equal(await call, "deadline");
    kubelet.faults.refuse();
    await kubelet.restart();
    await pause(environmentOf(t).clock, 20); // by then the client has seen the old process end
    assert.equal(await codeOf(pods.listPods()), "connection-refused", "another process does not end it either");
    await Promise.all([kubelet.faults.clear(), kubelet.faults.clear()]);
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("hangs after the handshake: so many requests, and no other", async (t) => {
    const { kubelet, pods, wire } = await started(t);
    kubelet.faults.hang("request", 2);
    assert.equal(await codeOf(pods.listPods({ timeoutMs: 50 })), "deadline");
    while (kubelet.faults.hanging > 0) await new Promise((resolve) => setImmediate(resolve));
    const watch = wire.watch();
    const first = watch.next();
    while (kubelet.faults.hanging === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await codeOf(pods.listPods()), "answered");
    await kubelet.faults.clear();
    assert.equal((await first).value, web(0, "ADDED"));
  });

  test("dropped after so many events, which have all come", async (t) => {
    const { kubelet, wire } = await started(t);
    kubelet.faults.dropConnection({ afterEvents: 4 });
    const watch = await watching(wire);
    for (let i = 1; i <= 5; i++) kubelet.updatePod(restarted(pod("web"), i));
    assert.deepEqual(await read(watch, 3), [web(1), web(2), "(connection-lost)"]);
    await watching(wire);
  });

  test("dropped at once", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.dropConnection();
    assert.deepEqual(await read(watch, 1), ["(connection-lost)"]);
  });

  test("truncated in the middle of an event, the first one or a later one", async (t) => {
    const { kubelet, wire } = await started(t);
    kubelet.faults.truncate();
    assert.deepEqual(await read(wire.watch(), 1), ["(connection-lost)"]);
    kubelet.faults.truncate({ atEvent: 2 });
    assert.deepEqual(await read(wire.watch(), 2), [web(0, "ADDED"), "(connection-lost)"]);
    await watching(wire);
  });

  test("GOAWAY: NO_ERROR lets the watch go on, and new requests take another connection", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.goAway();
    assert.equal((await wire.list()).length, 1);
    kubelet.updatePod(restarted(pod("web"), 1));
    assert.deepEqual(await read(watch, 1), [web(1)]);
    kubelet.faults.goAway(11);
    assert.match((await read(watch, 1))[0] ?? "", /^\(connection-lost\)$/);
  });

  test("RST_STREAM ends the streams, and not their connection", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.resetStreams();
    assert.match((await read(watch, 1))[0] ?? "", /^Canceled|\(connection-lost\)/);
    const again = await watching(wire);
    kubelet.faults.resetStreams(2);
    assert.match((await read(again, 1))[0] ?? "", /^Internal|\(connection-lost\)/);
  });
});

describe("pods", () => {
  test("one whose bytes end too early: with its identity, or before it", async (t) => {
    const { kubelet, pods } = await started(t);
    for (const where of ["after-identity", "before-identity"] as const) {
      kubelet.faults.corruptPod("uid-of-web", where);
      assert.equal(await codeOf(pods.listPods()), "corrupt");
      assert.equal(await codeOf(pods.getPod("uid-of-web")), "corrupt");
    }
    await kubelet.faults.clear();
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("a corrupt event names its pod, and the watch goes on with what is known", async (t) => {
    const { kubelet, pods } = await started(t);
    const informer = pods.informer();
    await informer.synced();
    kubelet.faults.corruptEvents();
    kubelet.updatePod(restarted(pod("web"), 1));
    while (informer.state.unreadable.size === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([...informer.state.unreadable], ["uid-of-web"]);
    assert.equal(informer.size, 1);
  });

  test("one that cannot be marshalled ends every call that would contain it", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.failMarshal("uid-of-web");
    assert.deepEqual(await wire.list(), ["Internal: failed to marshal pod: reference kubelet"]);
    assert.deepEqual(await wire.get("uid-of-web"), ["Internal: failed to marshal pod: reference kubelet"]);
    kubelet.updatePod(restarted(pod("web"), 1));
    assert.deepEqual(await read(watch, 1), ["Internal: error marshalling watch event pod: reference kubelet"]);
    const initial = "Internal: error marshalling initial watch event pod: reference kubelet";
    assert.deepEqual(await read(wire.watch(), 1), [initial]);
  });

  test("DELETED and a pod that is mostly metadata keep their identity too", async (t) => {
    const annotations = { long: "x".repeat(2_000) };
    const long = { ...pod("long"), metadata: { ...pod("long").metadata, annotations } };
    const { kubelet, pods } = await started(t, { pods: [pod("web"), long] });
    const informer = pods.informer();
    await informer.synced();
    kubelet.faults.corruptEvents();
    kubelet.evictPod("uid-of-long");
    while (informer.state.unreadable.size === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([...informer.state.unreadable], ["uid-of-long"]);
    kubelet.faults.corruptPod("uid-of-web");
    kubelet.finishPod("uid-of-web");
    while (informer.get({ uid: "uid-of-web" }) !== undefined) await new Promise((resolve) => setImmediate(resolve));
  });

  test("the documented profile has them too", async (t) => {
    const { kubelet, pods } = await started(t, { profile: "documented" });
    kubelet.faults.corruptPod("uid-of-web");
    assert.equal(await codeOf(pods.listPods()), "corrupt");
    kubelet.faults.failMarshal("uid-of-web");
    assert.equal(await codeOf(pods.listPods()), "server-error");
  });

  test("exactly as large as was asked for, and one that is not taken harms no other call", async (t) => {
    const { kubelet, pods } = await started(t, {}, { maxMessageBytes: 1 << 20 });
    await using raw = new RawClient({ socketPath: kubelet.socketPath });
    for (const bytes of [500, 501, 20_000, 20_001, 3_000_000]) {
      kubelet.faults.oversizePods(bytes);
      const answer = await raw.list();
      assert.deepEqual(answer.ok && answer.value.map(({ length }) => length), [bytes]);
    }
    kubelet.faults.oversizePods(30 << 20);
    assert.equal(await codeOf(pods.listPods()), "too-large");
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("oversized: so many, in whatever answer", async (t) => {
    const { kubelet, pods } = await started(t, {}, { maxMessageBytes: 1 << 20 });
    kubelet.faults.oversizePods(2 << 20, 2);
    assert.equal(await codeOf(pods.listPods()), "too-large");
    assert.equal(await codeOf(pods.getPod("uid-of-web")), "too-large");
    assert.equal(await codeOf(pods.getPod("uid-of-web")), "answered");
  });
});

describe("events", () => {
  test("dropped, sent twice, swapped: the given number of events, and no more", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    const change = (restarts: number) => kubelet.updatePod(restarted(pod("web"), restarts));
    kubelet.faults.dropEvents();
    change(1);
    kubelet.faults.duplicateEvents();
    change(2);
    kubelet.faults.swapEvents();
    change(3);
    change(4);
    change(5);
    assert.deepEqual(await read(watch, 5), [web(2), web(2), web(4), web(3), web(5)]);
  });

  test("an event that waits to be overtaken is sent when faults are cleared", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.swapEvents();
    kubelet.updatePod(restarted(pod("web"), 1));
    await kubelet.faults.clear();
    assert.deepEqual(await read(watch, 1), [web(1)]);
  });

  test("late, in their order, and answers too", async (t) => {
    const { kubelet, pods, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.delay(100);
    const { clock } = environmentOf(t);
    const startMs = clock.now();
    kubelet.updatePod(restarted(pod("web"), 1));
    kubelet.updatePod(restarted(pod("web"), 2));
    assert.deepEqual(await read(watch, 2), [web(1), web(2)]);
    assert.ok(clock.now() - startMs >= 100);
    assert.equal(await codeOf(pods.listPods({ timeoutMs: 50 })), "deadline");
  });

  test("late events are sent before later ones, and not by another process", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.delay(60_000);
    kubelet.updatePod(restarted(pod("web"), 1));
    await kubelet.faults.clear();
    kubelet.updatePod(restarted(pod("web"), 2));
    assert.deepEqual(await read(watch, 2), [web(1), web(2)]);
    kubelet.faults.delay(50);
    kubelet.updatePod(restarted(pod("web"), 3));
    kubelet.faults.delay(0);
    kubelet.updatePod(restarted(pod("web"), 4));
    assert.deepEqual(await read(watch, 2), [web(3), web(4)]);
    kubelet.faults.swapEvents();
    kubelet.updatePod(restarted(pod("web"), 5));
    kubelet.faults.delay(20);
    kubelet.updatePod(restarted(pod("web"), 6));
    await kubelet.restart({ kill: true, firstStatusMs: 0 });
    const again = await watching(wire);
    kubelet.faults.delay(0);
    kubelet.updatePod(restarted(pod("web"), 7));
    assert.deepEqual(await read(again, 1), [web(7)]);
  });

  test("watchers that are expelled get what is buffered, and then the text of those that are too slow", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.expelWatchers();
    assert.deepEqual(await read(watch, 1), ["ResourceExhausted: watch client channel closed"]);
  });

  test("by chance: the same for the same seed, another for another", async (t) => {
    const stories = [];
    for (const seed of [1, 1, 2]) {
      const { kubelet, wire } = await started(t);
      const watch = await watching(wire);
      kubelet.faults.randomEvents({ drop: 0.2, duplicate: 0.2, swap: 0.2 }, seed);
      for (let i = 1; i <= 200; i++) kubelet.updatePod(restarted(pod("web"), i));
      await kubelet.faults.clear();
      kubelet.updatePod(restarted(pod("web"), 999));
      const story = [];
      for (let line = ""; line !== web(999); story.push(line)) [line = ""] = await read(watch, 1);
      stories.push(story);
    }
    const [first, same, other] = stories;
    assert.deepEqual(first, same);
    assert.notDeepEqual(first, other);
    const counts = first?.map((line) => Number(/running\/(\d+)/.exec(line)?.[1])) ?? [];
    assert.ok(new Set(counts).size < 190, "some are lost");
    assert.ok(new Set(counts).size < counts.length, "some come twice");
    assert.ok(
      counts.some((count, i) => count < (counts[i - 1] ?? 0)),
      "some come late",
    );
  });
});

test("what cannot be ordered is refused, and orders nothing", async (t) => {
  const { kubelet, wire } = await started(t, { pods: sampleNode() });
  const { faults } = kubelet;
  const refused = { code: "invalid-argument" };
  assert.throws(() => faults.dropEvents(-1), refused);
  assert.throws(() => faults.swapEvents(0.5), refused);
  assert.throws(() => faults.corruptEvents(1, "somewhere" as never), refused);
  assert.throws(() => faults.corruptPod("a", "somewhere" as never), refused);
  assert.throws(() => faults.randomEvents({ drop: 2 }, 1), refused);
  assert.throws(() => faults.randomEvents({ drops: 1 } as never, 1), refused);
  assert.throws(() => faults.oversizePods(-1), refused);
  assert.throws(() => faults.delay(Number.NaN), refused);
  assert.throws(() => faults.closeConnections(Number.NaN), refused);
  assert.throws(() => faults.hang("later" as never), refused);
  assert.throws(() => faults.dropConnection({ afterEvents: -1 }), refused);
  assert.throws(() => faults.truncate({ atEvent: 0 }), refused);
  assert.equal((await wire.list()).length, sampleNode().length);
});
