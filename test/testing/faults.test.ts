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
  test("refuse() rejects new connections until cleared, and keeps open ones", async (t) => {
    const { kubelet, pods, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.refuse();
    assert.equal(await codeOf(pods.listPods()), "connection-refused");
    kubelet.updatePod(restarted(pod("web"), 1));
    assert.deepEqual(await read(watch, 1), [web(1)]);
    await kubelet.faults.clear();
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("closeConnections() and garbage() affect the given number of connections", async (t) => {
    const { kubelet, pods } = await started(t);
    kubelet.faults.closeConnections(2);
    kubelet.faults.garbage();
    const codes = [];
    for (let i = 0; i < 4; i++) codes.push(await codeOf(pods.listPods()));
    assert.deepEqual(codes, ["connection-lost", "connection-lost", "wrong-peer", "answered"]);
  });

  test("hang() before the handshake lasts until cleared", async (t) => {
    const { kubelet, pods } = await started(t);
    kubelet.faults.hang("handshake");
    const call = codeOf(pods.listPods());
    assert.equal(await codeOf(pods.listPods({ timeoutMs: 50 })), "deadline");
    await kubelet.faults.clear();
    assert.equal(await call, "answered");
  });

  test("hang() and refuse() last through a pause and a restart", async (t) => {
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
    assert.equal(await codeOf(pods.listPods()), "connection-refused", "a restart does not end the fault");
    await Promise.all([kubelet.faults.clear(), kubelet.faults.clear()]);
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("hang() after the handshake affects the given number of requests", async (t) => {
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

  test("dropConnection() ends the connection after the given number of events", async (t) => {
    const { kubelet, wire } = await started(t);
    kubelet.faults.dropConnection({ afterEvents: 4 });
    const watch = await watching(wire);
    for (let i = 1; i <= 5; i++) kubelet.updatePod(restarted(pod("web"), i));
    assert.deepEqual(await read(watch, 3), [web(1), web(2), "(connection-lost)"]);
    await watching(wire);
  });

  test("dropConnection() without a number ends the connection at once", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.dropConnection();
    assert.deepEqual(await read(watch, 1), ["(connection-lost)"]);
  });

  test("truncate() cuts off the first or a later event in the middle", async (t) => {
    const { kubelet, wire } = await started(t);
    kubelet.faults.truncate();
    assert.deepEqual(await read(wire.watch(), 1), ["(connection-lost)"]);
    kubelet.faults.truncate({ atEvent: 2 });
    assert.deepEqual(await read(wire.watch(), 2), [web(0, "ADDED"), "(connection-lost)"]);
    await watching(wire);
  });

  test("goAway() with NO_ERROR keeps the watch and accepts new requests", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.goAway();
    assert.equal((await wire.list()).length, 1);
    kubelet.updatePod(restarted(pod("web"), 1));
    assert.deepEqual(await read(watch, 1), [web(1)]);
    kubelet.faults.goAway(11);
    assert.match((await read(watch, 1))[0] ?? "", /^\(connection-lost\)$/);
  });

  test("resetStreams() ends the streams of watches", async (t) => {
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
  test("corruptPod() truncates a pod after or before its identity", async (t) => {
    const { kubelet, pods } = await started(t);
    for (const where of ["after-identity", "before-identity"] as const) {
      kubelet.faults.corruptPod("uid-of-web", where);
      assert.equal(await codeOf(pods.listPods()), "corrupt");
      assert.equal(await codeOf(pods.getPod("uid-of-web")), "corrupt");
    }
    await kubelet.faults.clear();
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("corruptEvents() makes a pod unreadable, and the informer keeps its last state", async (t) => {
    const { kubelet, pods } = await started(t);
    const informer = pods.informer();
    await informer.synced();
    kubelet.faults.corruptEvents();
    kubelet.updatePod(restarted(pod("web"), 1));
    while (informer.state.unreadable.size === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([...informer.state.unreadable], ["uid-of-web"]);
    assert.equal(informer.size, 1);
  });

  test("failMarshal() fails every call that would contain the pod", async (t) => {
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

  test("corrupt DELETED events and pods with large metadata keep their identity", async (t) => {
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

  test("corruptPod() and failMarshal() also work in the documented profile", async (t) => {
    const { kubelet, pods } = await started(t, { profile: "documented" });
    kubelet.faults.corruptPod("uid-of-web");
    assert.equal(await codeOf(pods.listPods()), "corrupt");
    kubelet.faults.failMarshal("uid-of-web");
    assert.equal(await codeOf(pods.listPods()), "server-error");
  });

  test("oversizePods() sets the exact size, and a rejected response fails only its call", async (t) => {
    const { kubelet, pods } = await started(t, {}, { maxMessageBytes: 1 << 20 });
    const { clock } = environmentOf(t);
    await using raw = new RawClient({ socketPath: kubelet.socketPath, clock, retries: 1 });
    const answer = await raw.list();
    const [length = 0] = answer.ok ? answer.value.map((pod) => pod.length) : [];
    const smaller = [1, length - 1, length, length + 1, length + 3]; // a field has at least four bytes
    for (const bytes of [500, 501, 20_000, 20_001, 3_000_000, ...smaller]) {
      kubelet.faults.oversizePods(bytes);
      const answer = await raw.list();
      const expected = smaller.includes(bytes) ? length : bytes;
      assert.deepEqual(answer.ok && answer.value.map((pod) => pod.length), [expected]);
    }
    kubelet.faults.oversizePods(30 << 20);
    assert.equal(await codeOf(pods.listPods()), "too-large");
    assert.equal(await codeOf(pods.listPods()), "answered");
  });

  test("oversizePods() affects the given number of responses", async (t) => {
    const { kubelet, pods } = await started(t, {}, { maxMessageBytes: 1 << 20 });
    kubelet.faults.oversizePods(2 << 20, 2);
    assert.equal(await codeOf(pods.listPods()), "too-large");
    assert.equal(await codeOf(pods.getPod("uid-of-web")), "too-large");
    assert.equal(await codeOf(pods.getPod("uid-of-web")), "answered");
  });
});

describe("events", () => {
  test("dropEvents(), duplicateEvents() and swapEvents() affect the given number of events", async (t) => {
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

  test("clear() sends an event that swapEvents() has held back", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.swapEvents();
    kubelet.updatePod(restarted(pod("web"), 1));
    await kubelet.faults.clear();
    assert.deepEqual(await read(watch, 1), [web(1)]);
  });

  test("delay() delays events in their order, and responses", async (t) => {
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

  test("delayed events precede later ones, and are lost in a restart", async (t) => {
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

  test("expelWatchers() ends watches with the error for slow watchers", async (t) => {
    const { kubelet, wire } = await started(t);
    const watch = await watching(wire);
    kubelet.faults.expelWatchers();
    assert.deepEqual(await read(watch, 1), ["ResourceExhausted: watch client channel closed"]);
  });

  test("randomEvents() depends only on its seed", async (t) => {
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

test("rejects invalid arguments of faults, and changes nothing", async (t) => {
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
