// How long something may take: what ends it, what is left of it, and that nothing stays behind.

import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { PodsError } from "../../src/errors/pods-error.js";
import type { PodsClient } from "../../src/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { systemClock, systemEnvironment } from "../../src/timing/clock.js";
import { Deadline, orBusy } from "../../src/timing/deadline.js";
import { HttpKubelet } from "../helpers/http-kubelet.js";
import { clientOf, serveRaw, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

test("aborts when the time is up, with a PodsError or the given reason", async () => {
  const clock = new VirtualClock();
  const plain = new Deadline({ clock, timeoutMs: 1_000 });
  const named = new Deadline({ clock, timeoutMs: 1_000, reason: () => "late" });
  await clock.advance(999);
  assert.deepEqual([plain.signal.aborted, plain.isUp, plain.leftMs], [false, false, 1]);
  await clock.advance(1);
  assert.deepEqual([plain.isUp, named.isUp, named.signal.reason], [true, true, "late"]);
  assert.ok(PodsError.is(plain.signal.reason) && plain.signal.reason.code === "deadline");
  assert.match(plain.signal.reason.rawMessage, /^no answer within \d+ ms$/);
  assert.equal(plain.leftMs, 1, "leftMs is at least 1, the smallest gRPC timeout used");
});

test("a signal aborts the deadline early with the signal's reason", async () => {
  const clock = new VirtualClock();
  const user = new AbortController();
  const deadline = new Deadline({ clock, signal: user.signal, timeoutMs: 1_000 });
  user.abort("enough");
  await clock.advance(2_000);
  assert.deepEqual([deadline.signal.reason, deadline.isUp, deadline.elapsedMs], ["enough", false, 2_000]);
});

test("an already aborted signal aborts the deadline at once and sets no timer", () => {
  const clock = new VirtualClock();
  const deadline = new Deadline({ clock, signal: AbortSignal.abort("before"), timeoutMs: 1_000 });
  assert.deepEqual([deadline.signal.reason, clock.timers], ["before", 0]);
});

test("without a timeout, or after lift(), only the signal aborts the deadline", async () => {
  const clock = new VirtualClock();
  const user = new AbortController();
  const endless = new Deadline({ clock, signal: user.signal, timeoutMs: undefined });
  const lifted = new Deadline({ clock, signal: user.signal, timeoutMs: 1_000 });
  lifted.lift();
  await clock.advance(100_000);
  assert.deepEqual([endless.signal.aborted, lifted.signal.aborted, endless.leftMs], [false, false, undefined]);
  user.abort("enough");
  assert.deepEqual([endless.signal.reason, lifted.signal.reason], ["enough", "enough"]);
});

test("release() removes the timer and the listener", async () => {
  const clock = new VirtualClock();
  const user = new AbortController();
  const deadline = new Deadline({ clock, signal: user.signal, timeoutMs: 1_000 });
  assert.deepEqual([clock.timers, getEventListeners(user.signal, "abort").length], [1, 1]);
  deadline.release();
  assert.deepEqual([clock.timers, getEventListeners(user.signal, "abort").length], [0, 0]);
  user.abort();
  await clock.advance(2_000);
  assert.equal(deadline.signal.aborted, false);
});

test("a timer that fires too early starts again with the rest of its time", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let nowMs = performance.now();
  t.mock.method(performance, "now", () => nowMs);
  let fired = 0;
  const count = () => fired++;
  systemClock.after(30, count);
  const cancel = systemClock.after(2 ** 31 + 30, count);
  t.mock.timers.tick(2 ** 31 - 1);
  assert.equal(fired, 0, "no time has passed");
  nowMs += 30;
  t.mock.timers.tick(30);
  assert.equal(fired, 1);
  cancel();
  t.mock.timers.tick(2 ** 31 - 1);
  assert.equal(fired, 1);
});

test("an idle timer that starts again is still idle, and an infinite one never fires", (t) => {
  const started: { fire: () => void; isIdle: boolean }[] = [];
  t.mock.method(globalThis, "setTimeout", (fire: () => void) => {
    const timer = { fire, isIdle: false };
    started.push(timer);
    return { unref: () => Object.assign(timer, { isIdle: true }) };
  });
  const fired = t.mock.fn();
  for (const isIdle of [true, false]) {
    systemClock.after(Number.POSITIVE_INFINITY, fired, isIdle ? { isIdle } : {});
    started.at(-1)?.fire();
    const last = started.splice(0).map((timer) => timer.isIdle);
    assert.deepEqual(last, [isIdle, isIdle]);
  }
  assert.equal(fired.mock.callCount(), 0);
});

test("data that arrives while the event loop is blocked is read before the deadline", async (t) => {
  const path = join(temporaryDirectory(t), "s.sock");
  const server = createServer().listen(path);
  t.after(() => server.close());
  const [[peer], socket] = await Promise.all([once(server, "connection"), Promise.resolve(connect(path))]);
  t.after(() => [peer, socket].map((each) => each.destroy()));
  const order: string[] = [];
  socket.on("data", () => order.push("answer"));
  await turn();
  // No turn of the event loop from here on, so that the data has arrived before the deadline.
  const deadline = new Deadline({ clock: systemClock, timeoutMs: 1 });
  deadline.signal.addEventListener("abort", () => order.push("deadline"));
  peer.write("answer");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); // the event loop stands still
  while (order.length < 2) await turn();
  assert.deepEqual(order, ["answer", "deadline"]);
});

/** Real time between a request of this test and its answer. */
const SLOW_MS = 300;

/** A server whose handshake takes {@link SLOW_MS}, and each of its answers as long again. */
async function slowKubelet(t: TestContext): Promise<string> {
  const later = setTimeout;
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  t.after(() => kubelet.close());
  kubelet.faults.delay(SLOW_MS);
  return serveRaw(t, (socket) => {
    later(() => {
      const upstream = connect(kubelet.socketPath);
      upstream.on("error", () => {});
      socket.pipe(upstream).pipe(socket);
    }, SLOW_MS);
  });
}

/** A client in real time, with the limits that users have. */
const realClient = (t: TestContext, options: ConstructorParameters<typeof PodsClient>[0] = {}) =>
  clientOf(t, { retry: false, ...options }, systemEnvironment);

test("timers of Node.js that fire early end no handshake, call, watch or request", async (t) => {
  const socketPath = await slowKubelet(t);
  const http = await HttpKubelet.start(t, sampleNode);
  const later = setTimeout;
  http.answer = (_, response) => {
    response.writeHead(500, { "content-type": "application/json" });
    later(() => response.end(JSON.stringify({ kind: "Status", message: "the reason" })), SLOW_MS);
  };
  const early = (fn: () => void, delayMs: number) => later(fn, delayMs < 1_000 ? delayMs : delayMs / 100);
  t.mock.method(globalThis, "setTimeout", early);
  assert.equal((await realClient(t, { socketPath }).listPods()).length, 16);
  const events = realClient(t, { socketPath }).watchPods();
  for await (const { type } of events) {
    assert.notEqual(type, "DISCONNECTED");
    if (type === "SYNCED") break;
  }
  await assert.rejects(realClient(t, { sources: [kubeletHttp({ url: http.url })] }).listPods(), /the reason/);
});

/** Lets nothing else run in this process. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test("the error of a call reports how long this process was busy, and does not blame the server", async (t) => {
  const kubelet = await ReferenceKubelet.start();
  t.after(() => kubelet.close());
  const pods = realClient(t, { socketPath: kubelet.socketPath });
  await pods.listPods();
  kubelet.faults.hang("request");
  const call = pods.listPods({ timeoutMs: 100 });
  block(250);
  await assert.rejects(call, {
    code: "deadline",
    rawMessage: /^no answer within 100 ms; this process was busy for \d+\.\d s$/,
    hint: "long tasks of this process delay what it reads: split them, or raise the limit",
  });
});

test("an error reports that this process was busy for at least half of the limit", () => {
  const error = new PodsError({ code: "stalled", message: "no first message", method: "WatchPods", socketPath: "/s" });
  assert.equal(orBusy(error, 4_999, 10_000), error);
  assert.equal(orBusy(error, 99, 50), error);
  const busy = orBusy(error, 5_000, 10_000);
  assert.equal(busy.rawMessage, "no first message; this process was busy for 5.0 s");
  assert.deepEqual([busy.code, busy.method, busy.socketPath], ["stalled", "WatchPods", "/s"]);
  assert.doesNotMatch(busy.message, /kubelet/);
});

test("time for which this process was busy before a limit does not count", async () => {
  let busyMs = 60_000;
  const clock = Object.assign(new VirtualClock(), { busyMs: () => busyMs });
  const [idle, busy] = [new Deadline({ clock, timeoutMs: 1_000 }), new Deadline({ clock, timeoutMs: 2_000 })];
  await clock.advance(1_000);
  busyMs += 1_500;
  await clock.advance(1_000);
  const texts = [idle, busy].map(({ signal }) => (signal.reason as PodsError).rawMessage);
  assert.deepEqual(texts, ["no answer within 1000 ms", "no answer within 2000 ms; this process was busy for 1.5 s"]);
});
