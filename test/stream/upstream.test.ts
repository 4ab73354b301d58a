// The stream that all readers of a client share.

import assert from "node:assert/strict";
import type { WatchMessage } from "../../src/diagnostics.js";
import { watchChannel } from "../../src/diagnostics.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { type PodMask, podMask } from "../../src/pod/mask.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { Upstream, type UpstreamListener } from "../../src/stream/upstream.js";
import { seededRandom } from "../../src/testing/index.js";
import { test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { encode } from "../schedules/model-pod.js";
import { Reader } from "../schedules/model-reader.js";
import { ModelServer } from "../schedules/model-server.js";

function make() {
  const server = new ModelServer();
  const clock = new VirtualClock();
  return { server, clock, upstream: new Upstream({ source: server, clock, random: seededRandom(1) }) };
}

test("a reader that joins in an outage receives the known pods and DISCONNECTED; SYNCED follows the next list", async () => {
  const { server, clock, upstream } = make();
  server.add("u00", false);
  const first = new Reader(server);
  upstream.add(first.listener);
  await clock.advance(0);
  server.kill();
  await clock.advance(10);
  const late = new Reader(server);
  upstream.add(late.listener);
  late.drain();
  assert.deepEqual(late.log, ["ADDED u00 1", "DISCONNECTED"]);
  server.start();
  await clock.advance(10_000);
  late.drain();
  assert.deepEqual(late.log.slice(2), ["SYNCED"]);
  for (const reader of [first, late]) upstream.remove(reader.listener);
});

test("each stream waits for a token, and one that the rate limit refuses slows the client down", async () => {
  const server = new ModelServer();
  const clock = new VirtualClock();
  let opened = 0;
  const source = Object.assign(Object.create(server), {
    async *open(signal: AbortSignal) {
      if (++opened === 2) throw new PodsError({ code: "rate-limited", message: "rejected by rate limit" });
      yield* server.open(signal);
    },
  }) as ModelServer;
  const asked: { isWatch?: boolean | undefined; pass: () => void }[] = [];
  const rejected: number[] = [];
  const pacer = {
    take: (_: AbortSignal, { isWatch }: { isWatch?: boolean } = {}) =>
      new Promise<void>((pass) => asked.push({ isWatch, pass })),
    rejected: (sentMs: number) => void rejected.push(sentMs),
  };
  const upstream = new Upstream({ source, clock, random: () => 1, pacer });
  const reader = new Reader(server);
  upstream.add(reader.listener);
  await clock.advance(100);
  assert.deepEqual([asked.length, opened], [1, 0]);
  asked[0]?.pass();
  await clock.advance(1_000);
  assert.equal(upstream.isSynced, true);
  server.cut();
  await clock.advance(200);
  assert.deepEqual([asked.length, opened, rejected.length], [2, 1, 0]);
  asked[1]?.pass();
  await clock.advance(1_000);
  assert.deepEqual([asked.length, opened, rejected.length, upstream.state.error?.code], [2, 2, 1, "rate-limited"]);
  await clock.advance(400); // 1.2 s after the refusal
  asked[2]?.pass();
  await clock.advance(10);
  assert.deepEqual([opened, upstream.isSynced], [3, true]);
  assert.deepEqual([...new Set(asked.map(({ isWatch }) => isWatch))], [true]);
  upstream.remove(reader.listener);
  assert.equal(clock.timers, 0);
});

for (const type of ["opening", "synced", "lost"] as const) {
  test(`a diagnostics subscriber that ends the watch at "${type}" leaves neither stream nor timer`, async () => {
    const { server, clock, upstream } = make();
    server.add("u00", false);
    const reader = new Reader(server);
    let isDue = type === "opening";
    const end = (message: unknown) => {
      if (isDue && (message as WatchMessage).type === type) upstream.remove(reader.listener);
    };
    watchChannel.subscribe(end);
    try {
      if (type === "opening") upstream.add(reader.listener);
      else {
        upstream.add(reader.listener);
        isDue = true;
        await clock.advance(0);
        if (type === "lost") server.cut();
      }
      await clock.advance(0); // no longer: a timer that is left would fire, and be gone
      assert.deepEqual([server.streams, clock.timers], [0, 0]);
    } finally {
      watchChannel.unsubscribe(end);
    }
  });
}

test("a diagnostics subscriber sees the state that the message reports", async () => {
  const { server, clock, upstream } = make();
  server.add("u00", false);
  const reader = new Reader(server);
  upstream.add(reader.listener);
  await clock.advance(0);
  server.cut();
  const found: boolean[] = [];
  const look = (message: unknown) => {
    if ((message as WatchMessage).type === "synced") found.push(upstream.isSynced);
  };
  watchChannel.subscribe(look);
  try {
    await clock.advance(60_000);
  } finally {
    watchChannel.unsubscribe(look);
  }
  assert.deepEqual([found[0], found.includes(false)], [true, false]);
  upstream.remove(reader.listener);
});

test("a source that never connects is an outage and is opened again", async () => {
  const clock = new VirtualClock();
  const signals: AbortSignal[] = [];
  const source = {
    socketPath: "/model",
    server: () => "1",
    changed: () => new Promise<void>(() => {}),
    async *open(signal: AbortSignal): AsyncGenerator<never, void, undefined> {
      signals.push(signal);
      await new Promise(() => {});
      yield* [];
    },
  };
  const upstream = new Upstream({ source, clock, random: seededRandom(1) });
  const reader = new Reader(new ModelServer());
  upstream.add(reader.listener);
  await clock.advance(29_000);
  reader.drain();
  assert.deepEqual(reader.log, []);
  await clock.advance(2_000);
  reader.drain();
  assert.deepEqual(reader.log, ["DISCONNECTED"]);
  assert.ok(signals[0]?.aborted, "it is given up");
  assert.ok(signals.length >= 2, "and tried again");
  upstream.remove(reader.listener);
});

test("readers that each request more fields cost a limited number of lists", async () => {
  const { server, clock, upstream } = make();
  server.add("u00", false);
  const paths = ["spec.nodeName", "spec.hostNetwork", "status.podIP", "status.podIPs", "status.hostIP", "spec.volumes"];
  const readers = paths.map(
    (path) => new Reader(server, podMask("metadata.uid", "metadata.labels").union(podMask(path as never))),
  );
  for (const reader of readers) {
    upstream.add(reader.listener);
    await clock.advance(1);
  }
  assert.ok(server.opened <= 6, `${server.opened}`);
  await clock.advance(10_000);
  for (const reader of readers) {
    reader.drain();
    assert.deepEqual(reader.log, ["ADDED u00 1", "SYNCED"]);
    upstream.remove(reader.listener);
  }
});

test("never applies a list that lacks requested fields, even under the rate limit", async () => {
  const { server, clock, upstream } = make();
  server.add("u00", false);
  const whole = new Reader(server);
  upstream.add(whole.listener);
  await clock.advance(0);
  const narrow = new Reader(server, podMask("metadata.uid", "metadata.labels"));
  upstream.add(narrow.listener);
  upstream.remove(whole.listener);
  await clock.advance(200_000); // the next lists are narrow
  for (const path of ["spec.nodeName", "spec.hostNetwork", "status.podIP", "status.hostIP", "spec.volumes"] as const) {
    upstream.add(new Reader(server, podMask("metadata.uid", "metadata.labels", path)).listener);
    await clock.advance(1);
  }
  const again = new Reader(server);
  upstream.add(again.listener);
  await clock.advance(10_000);
  again.drain();
  assert.deepEqual(again.log, ["ADDED u00 1", "SYNCED"]);
  for (const { version } of upstream.ledger.records()) assert.equal(version.retained, undefined, "whole");
});

test("a thousand listeners of one mask and interval cost one stream and one union", async () => {
  const { server, clock, upstream } = make();
  for (let i = 0; i < 10; i++) server.add(`u0${i}`, false);
  const mask = podMask("metadata.uid", "metadata.labels");
  const readers = Array.from({ length: 1_000 }, () => new Reader(server, mask));
  for (const reader of readers) upstream.add(reader.listener);
  await clock.advance(10);
  assert.equal(server.opened, 1);
  for (const reader of readers) {
    reader.drain();
    assert.equal(reader.view.size, 10);
    upstream.remove(reader.listener);
  }
  assert.deepEqual([upstream.ended, clock.timers], [true, 0]);
});

/** A source whose socket changes when the test says so. */
function makeTouchable() {
  const server = new ModelServer();
  const clock = new VirtualClock();
  let touched: (() => void)[] = [];
  let identity: string | undefined = "1";
  const source = {
    socketPath: "/model",
    server: () => identity,
    changed: () => new Promise<void>((resolve) => touched.push(resolve)),
    open: (signal: AbortSignal) => server.open(signal),
  };
  const upstream = new Upstream({ source, clock, random: seededRandom(1) });
  const touch = async (to: string | undefined) => {
    identity = to;
    const woken = touched;
    touched = [];
    for (const wake of woken) wake();
    await clock.advance(0);
    return woken.length;
  };
  return { server, clock, upstream, touch };
}

test("keeps a live stream until another socket takes the place of its socket", async () => {
  const { server, clock, upstream, touch } = makeTouchable();
  const reader = new Reader(server);
  upstream.add(reader.listener);
  await clock.advance(600);
  for (const to of ["1", undefined, "1"]) {
    assert.equal(await touch(to), 1, "it looks on after each change");
    await clock.advance(1_000);
    assert.equal(server.opened, 1);
  }
  await touch("2");
  assert.equal(server.opened, 2);
  upstream.remove(reader.listener);
});

test("opens the next stream at once when the socket changes", async () => {
  const { server, clock, upstream, touch } = makeTouchable();
  const reader = new Reader(server);
  upstream.add(reader.listener);
  await clock.advance(0);
  server.kill();
  await clock.advance(120_000); // the pauses have become as long as they do
  const { opened } = server;
  await touch("1");
  assert.ok(server.opened > opened, "each change is tried");
  server.start();
  await touch("1");
  reader.drain();
  assert.deepEqual(reader.log, ["DISCONNECTED", "SYNCED"]);
  upstream.remove(reader.listener);
});

test("a reader that leaves while it waits for more fields receives nothing", async () => {
  const { server, clock, upstream } = make();
  server.add("u00", false);
  const [narrow, wide] = [new Reader(server, podMask("metadata.uid", "metadata.labels")), new Reader(server)];
  upstream.add(narrow.listener);
  await clock.advance(0);
  upstream.add(wide.listener);
  upstream.remove(wide.listener);
  await clock.advance(1_000);
  narrow.drain();
  server.modify("u00");
  await clock.advance(0);
  for (const reader of [narrow, wide]) reader.drain();
  assert.deepEqual([narrow.log, wide.log], [["ADDED u00 1", "SYNCED", "MODIFIED u00 2"], []]);
  upstream.remove(narrow.listener);
});

/** A source whose every stream does what the test says, and that resolves its waits when they are aborted. */
function makeScripted(open: (nth: number, signal: AbortSignal) => AsyncIterable<SourceEvent>) {
  const clock = new VirtualClock();
  const waits: AbortSignal[] = [];
  let opened = 0;
  const source = {
    socketPath: "/model",
    server: () => "1",
    changed: (signal: AbortSignal) => {
      waits.push(signal);
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    },
    open: (signal: AbortSignal) => open(++opened, signal),
  };
  const upstream = new Upstream({ source, clock, random: () => 1 });
  const calls: string[] = [];
  const listener = (name: string, mask?: PodMask): UpstreamListener => ({
    mask,
    resyncIntervalMs: 100_000,
    reader: {
      begin: () => calls.push(`${name} begin`),
      accept: (entry) => {
        if (entry.type === "changes") calls.push(`${name} changes ${entry.changes.length}`);
        else if (entry.type === "synced") calls.push(`${name} synced`);
        else if (entry.type === "lost") calls.push(`${name} lost ${entry.error.code}`);
      },
    },
    onFatal: (error) => calls.push(`${name} fatal ${error.code}`),
  });
  return { clock, upstream, waits, calls, listener, opened: () => opened };
}

const CONNECTED: SourceEvent = { type: "CONNECTED", server: "1", connection: "1", lists: "complete" };
const onePod = (uid: string): SourceEvent => ({
  type: "ADDED",
  pod: encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 1),
});

/** Sends these events, and stays open until the signal aborts. */
async function* saying(events: SourceEvent[], signal: AbortSignal): AsyncGenerator<SourceEvent, void, undefined> {
  yield* events;
  await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

test("ignores events, ends and failures of a replaced stream", async () => {
  for (const late of ["event", "end", "failure"]) {
    const goOn: (() => void)[] = [];
    // Its streams ignore their signals.
    const { clock, upstream, listener, calls } = makeScripted(async function* () {
      yield* [CONNECTED, { type: "SYNCED" } as const];
      await new Promise<void>((resolve) => goOn.push(resolve));
      if (late === "event") yield onePod("late");
      if (late === "failure") throw new Error("late");
    });
    const only = listener("a");
    upstream.add(only);
    await clock.advance(200_000);
    assert.equal(goOn.length, 2, "replaced once");
    goOn[0]?.();
    await clock.advance(1_000);
    assert.deepEqual([calls, upstream.state.phase, upstream.state.error], [["a begin", "a synced"], "live", undefined]);
    upstream.remove(only);
  }
});

test("the state has the phase, its start time and the error", async () => {
  let end = () => {};
  const { clock, upstream, listener, calls } = makeScripted(async function* (nth, signal) {
    if (nth === 2) throw new PodsError({ code: "connection-refused", message: "x" });
    yield* [CONNECTED, { type: "SYNCED" } as const];
    if (nth > 1) yield* saying([], signal);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  await clock.advance(1_000);
  const first = listener("a");
  const state = () => {
    const { error, ...rest } = upstream.state;
    const { streams, resyncs } = upstream.counters.counts;
    return { ...rest, streams, resyncs, code: error?.code };
  };
  const idle = { phase: "idle", sinceMs: 0, confirmedMs: undefined, streams: 0, resyncs: 0, code: undefined };
  assert.deepEqual([upstream.ended, state()], [false, idle]);
  upstream.add(first);
  await clock.advance(1_000);
  const live = { ...idle, phase: "live", sinceMs: 1_000, confirmedMs: 1_000, streams: 1 };
  assert.deepEqual(state(), live);
  end();
  await clock.advance(50);
  assert.deepEqual(state(), { ...live, phase: "waiting", sinceMs: 2_000, code: "connection-lost" });
  const lost = upstream.state.error;
  assert.deepEqual([lost?.method, lost?.rawMessage], ["WatchPods", "the source ended the stream"]);
  await clock.advance(60); // the second fails otherwise, which is told, and the outage began no later
  assert.deepEqual(state(), { ...live, phase: "waiting", sinceMs: 2_000, code: "connection-refused", streams: 2 });
  await clock.advance(10_000);
  const { sinceMs } = upstream.state;
  assert.deepEqual(state(), { ...live, sinceMs, confirmedMs: sinceMs, resyncs: 1, streams: 3 });
  assert.ok(upstream.state.sinceMs > 2_000 && upstream.state.sinceMs < 3_000);
  assert.deepEqual(calls, ["a begin", "a synced", "a lost connection-lost", "a lost connection-refused", "a synced"]);
  upstream.remove(first);
  assert.equal(upstream.ended, true);
});

test("retries after an error with an unknown code", async () => {
  const foreign = new PodsError({ code: "unknown", message: "x" });
  Object.defineProperty(foreign, "code", { value: "refused" });
  const { clock, upstream, listener, calls } = makeScripted(async function* (nth, signal) {
    if (nth === 1) throw foreign;
    yield* saying([CONNECTED, { type: "SYNCED" }], signal);
  });
  const only = listener("a");
  upstream.add(only);
  await clock.advance(1_000);
  assert.deepEqual([calls, upstream.state.phase], [["a lost refused", "a begin", "a synced"], "live"]);
  upstream.remove(only);
});

test("an error that no retry can fix ends the upstream for all readers, also later ones", async () => {
  const { clock, upstream, listener, calls } = makeScripted(async function* () {
    yield* [];
    throw new PodsError({ code: "not-permitted", message: "x" });
  });
  for (const name of ["a", "b"]) upstream.add(listener(name));
  await clock.advance(0);
  assert.equal(upstream.ended, true);
  upstream.add(listener("c"));
  assert.deepEqual(calls, ["a fatal not-permitted", "b fatal not-permitted", "c fatal not-permitted"]);
});

test("a source that sends before CONNECTED is an outage", async () => {
  for (const event of [onePod("a"), { type: "SYNCED" } as const]) {
    const { clock, upstream, listener, calls } = makeScripted((_, signal) => saying([event], signal));
    const only = listener("a");
    upstream.add(only);
    await clock.advance(0);
    assert.deepEqual(calls, ["a lost unknown"]);
    assert.match(upstream.state.error?.message ?? "", /before CONNECTED/);
    upstream.remove(only);
  }
});

test("a reader of more fields receives nothing before all of them are known", async () => {
  const narrow = podMask("metadata.uid");
  const { clock, upstream, listener, calls } = makeScripted(async function* (nth, signal) {
    const uids = nth === 1 ? ["a"] : ["a", "b"];
    yield* saying([CONNECTED, ...uids.map(onePod), { type: "SYNCED" }], signal);
  });
  const [first, second] = [listener("narrow", narrow), listener("wide")];
  upstream.add(first);
  await clock.advance(1_000);
  upstream.add(second);
  await clock.advance(1_000);
  assert.deepEqual(calls, ["narrow begin", "narrow synced", "narrow changes 2", "wide begin", "wide synced"]);
  for (const each of [first, second]) upstream.remove(each);
});

test("has one pending wait for socket changes per stream and aborts it afterwards", async () => {
  let say = (_: SourceEvent) => {};
  const { clock, upstream, listener, waits } = makeScripted(async function* (_, signal) {
    yield* [CONNECTED, { type: "SYNCED" } as const];
    for (;;)
      yield await new Promise<SourceEvent>((resolve, reject) => {
        say = resolve;
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
  });
  const only = listener("a");
  upstream.add(only);
  for (const uid of ["a", "b", "c"]) {
    await clock.advance(10);
    say(onePod(uid));
  }
  await clock.advance(10);
  assert.deepEqual(
    waits.map(({ aborted }) => aborted),
    [false],
  );
  await clock.advance(200_000);
  assert.deepEqual(
    waits.map(({ aborted }) => aborted),
    [true, true, false],
    "each next stream has one of its own",
  );
  upstream.remove(only);
  assert.ok(waits.every(({ aborted }) => aborted));
});

test("an aborted wait for socket changes does not open a stream", async () => {
  const { clock, upstream, listener, opened } = makeScripted(async function* () {
    yield* [];
    throw new PodsError({ code: "socket-missing", message: "x" });
  });
  const only = listener("a");
  upstream.add(only);
  await clock.advance(100_000);
  assert.ok(opened() < 120, `${opened()} streams in 100 s, a second apart`);
  upstream.remove(only);
});

test("reads waiting events before a deadline after an event loop stall [#70 #79]", async () => {
  let say = (_: SourceEvent) => {};
  const { clock, upstream, listener, calls } = makeScripted(async function* (_, signal) {
    yield CONNECTED;
    yield await new Promise<SourceEvent>((resolve) => {
      say = resolve;
    });
    yield* saying([], signal);
  });
  const only = listener("a");
  upstream.add(only);
  await clock.advance(0);
  clock.jump(15_000);
  say({ type: "SYNCED" });
  await clock.advance(0);
  assert.deepEqual([calls, upstream.state.phase], [["a begin", "a synced"], "live"]);
  upstream.remove(only);
});

test("diagnostics report the number of unreadable messages", async (t) => {
  const { clock, upstream, listener } = makeScripted((_, signal) =>
    saying([CONNECTED, { type: "SYNCED" }, { type: "UNKNOWN" }, { type: "UNKNOWN" }], signal),
  );
  const told: unknown[] = [];
  const onMessage = (message: unknown) => {
    if ((message as WatchMessage).type === "malformed") told.push(message);
  };
  watchChannel.subscribe(onMessage);
  t.after(() => watchChannel.unsubscribe(onMessage));
  const only = listener("a");
  upstream.add(only);
  await clock.advance(0);
  assert.deepEqual(told, [
    { type: "malformed", count: 1, socketPath: "/model" },
    { type: "malformed", count: 2, socketPath: "/model" },
  ]);
  upstream.remove(only);
});

test("a pod with fewer known fields than wanted is emitted once it can be read", async () => {
  const { server, clock, upstream } = make();
  const labels = podMask("metadata.uid", "metadata.labels");
  for (const uid of ["u00", "u01"]) server.add(uid, false);
  const narrow = new Reader(server, labels);
  upstream.add(narrow.listener);
  await clock.advance(0);
  server.damage("tail"); // in the list that the wider reader asks for
  const wide = new Reader(server, labels.union(podMask("spec.volumes")));
  upstream.add(wide.listener);
  await clock.advance(1_000);
  wide.drain();
  assert.deepEqual([...wide.view.keys()], ["u01"]);
  await clock.advance(400_000);
  for (const reader of [narrow, wide]) {
    reader.drain();
    assert.deepEqual([...reader.view].sort(), [...server.active()].sort());
    upstream.remove(reader.listener);
  }
});
