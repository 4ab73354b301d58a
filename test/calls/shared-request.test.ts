import assert from "node:assert/strict";
import { SharedRequest } from "../../src/calls/shared-request.js";
import { test } from "../helpers/test.js";
import { settle } from "../helpers/virtual-clock.js";

/** Requests whose turn and answer come when the test says so. */
function setUp() {
  const turns: { go: () => void; signal: AbortSignal }[] = [];
  const sent: {
    answer: (value: string) => void;
    fail: (error: Error) => void;
    timeoutMs?: number;
    signal: AbortSignal;
  }[] = [];
  const shared = new SharedRequest<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        turns.push({ go: resolve, signal });
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    ({ signal, timeoutMs }) =>
      new Promise((answer, fail) => {
        sent.push({ answer, fail, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
      }),
  );
  const join = (timeoutMs?: number, signal = new AbortController().signal) =>
    shared.attempt({ signal, timeoutMs, progress: { sent: 0, isQueued: false }, mask: undefined });
  return { turns, sent, join };
}

test("waiting calls share one request with the longest timeout", async () => {
  const { turns, sent, join } = setUp();
  const all = [join(100), join(300), join(200)];
  assert.equal(turns.length, 1);
  turns[0]?.go();
  await settle();
  assert.deepEqual([sent.length, sent[0]?.timeoutMs], [1, 300]);
  sent[0]?.answer("pods");
  assert.deepEqual(await Promise.all(all), ["pods", "pods", "pods"]);
});

test("the request has no timeout if one of its calls has none", async () => {
  const { turns, sent, join } = setUp();
  const all = [join(100), join()];
  turns[0]?.go();
  await settle();
  assert.equal(sent[0]?.timeoutMs, undefined);
  sent[0]?.answer("");
  await Promise.all(all);
});

test("a call does not join a request that was already sent", async () => {
  const { turns, sent, join } = setUp();
  const early = join();
  turns[0]?.go();
  await settle();
  const late = join();
  assert.equal(turns.length, 2);
  sent[0]?.answer("before");
  turns[1]?.go();
  await settle();
  sent[1]?.answer("after");
  assert.deepEqual(await Promise.all([early, late]), ["before", "after"]);
});

test("the request is cancelled only when the last caller aborts", async () => {
  const { turns, sent, join } = setUp();
  const [a, b] = [new AbortController(), new AbortController()];
  const [first, second] = [join(undefined, a.signal), join(undefined, b.signal)];
  a.abort("first");
  assert.equal(await first.catch((reason) => reason), "first");
  turns[0]?.go();
  await settle();
  assert.equal(sent[0]?.signal.aborted, false);
  b.abort("second");
  assert.equal(await second.catch((reason) => reason), "second");
  assert.equal(sent[0]?.signal.aborted, true);
  sent[0]?.fail(new Error("ignored without an unhandled rejection"));
  await settle();
});

test("starts a new request after all callers of a waiting one have aborted", async () => {
  const { turns, sent, join } = setUp();
  const controller = new AbortController();
  const left = join(undefined, controller.signal).catch((reason) => reason);
  controller.abort("left");
  await left;
  assert.equal(turns[0]?.signal.aborted, true);
  const next = join();
  assert.equal(turns.length, 2);
  turns[1]?.go();
  await settle();
  sent[0]?.answer("pods");
  assert.equal(await next, "pods");
});

test("all callers receive the error of a failed request", async () => {
  const { turns, sent, join } = setUp();
  const all = [join(), join()].map((call) => call.catch((error: Error) => error.message));
  turns[0]?.go();
  await settle();
  sent[0]?.fail(new Error("x"));
  assert.deepEqual(await Promise.all(all), ["x", "x"]);
});
