// What an iterator of an informer with a journal tells, and when: what is written, by a disk that takes its time.

import assert from "node:assert/strict";
import type { Lookups } from "../../src/lookup/lookups.js";
import { type EventQueue, EventStream, type WatchHost } from "../../src/readers/event-stream.js";
import type { Upstream } from "../../src/stream/upstream.js";
import { environmentOf } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

const NEVER = { resyncIntervalMs: Number.POSITIVE_INFINITY, includeFinished: false, signal: undefined };

test("an iterator tells what is written, and no later than that, however fast ends come", async (t) => {
  const { clock } = environmentOf(t);
  const queued: number[] = [];
  let [learned, written] = [0, 0];
  let onReady = () => {};
  const writes: (() => void)[] = [];
  const upstream = { add: () => {}, remove: () => {} } as unknown as Upstream<Lookups>;
  const host: WatchHost = {
    clock,
    upstream: () => upstream,
    enter: () => () => {},
    written: () => (written === learned ? undefined : new Promise((resolve) => writes.push(resolve))),
  };
  const queue = { neededMask: undefined, take: () => queued.shift() } as unknown as EventQueue<number>;
  const stream = new EventStream<number>(host, NEVER, (ready) => {
    onReady = ready;
    return queue;
  });
  const learn = () => {
    queued.push(++learned);
    onReady();
  };
  const told: number[] = [];
  const reading = (async () => {
    for await (const n of stream) {
      told.push(n);
      assert.ok(n <= written, `${n} is told, and up to ${written} is written`);
    }
  })();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  for (let write = 0; write < 50; write++) {
    // Each write is one behind: there is never a moment at which everything is written.
    for (let n = 0; n < 3; n++) learn();
    const upTo = learned - 1;
    const waiting = writes.splice(0);
    await turn();
    assert.ok(waiting.length + writes.length <= 2, "one wait at most is asked for by one who waits");
    written = upTo;
    for (const resolve of waiting) resolve();
    await turn();
  }
  assert.ok(told.length > 100, `${told.length} of ${learned} were told while ends came`);
  assert.deepEqual(
    told,
    Array.from({ length: told.length }, (_, n) => n + 1),
  );
  await stream.return();
  await reading;
});
