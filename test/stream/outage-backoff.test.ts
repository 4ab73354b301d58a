import assert from "node:assert/strict";
import type { PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { OutageBackoff } from "../../src/stream/outage-backoff.js";
import { test } from "../helpers/test.js";

/** Gives the longest delay after each failure in a row: at the times that are given, of streams that were never live. */
function longest(code: PodsErrorCode, ...timesMs: number[]) {
  const backoff = new OutageBackoff(() => 1);
  return timesMs.map((nowMs) => backoff.failed(new PodsError({ code, message: "" }), 0, nowMs).delayMs);
}

const MANY = Array.from({ length: 12 }, (_, i) => i * 10);

test("delays double from the base of a class to its cap [docs/watch.md]", () => {
  const cases: [PodsErrorCode, first: number, last: number][] = [
    ["connection-refused", 50, 1_000],
    ["connection-lost", 100, 5_000],
    ["initializing", 250, 1_000],
    ["not-a-socket", 1_000, 30_000],
  ];
  for (const [code, first, last] of cases) {
    const delays = longest(code, ...MANY);
    assert.deepEqual([delays[0], delays[1], delays.at(-1)], [first, 2 * first, last], code);
  }
});

test("a watch that the rate limit refuses is retried within 1.2 s, however often, and without a longer delay", () => {
  assert.deepEqual(new Set(longest("rate-limited", ...MANY)), new Set([1_200]));
});

test("delays grow to 5 s if the kubelet is initializing for a minute", () => {
  assert.equal(longest("initializing", ...MANY, 59_999).at(-1), 1_000);
  assert.equal(longest("initializing", ...MANY, 60_000).at(-1), 5_000);
});

test("a second `dropped` or `too-large` error within a minute has a longer delay", () => {
  assert.deepEqual(longest("dropped", 0, 59_999), [100, 2_000]);
  assert.deepEqual(longest("dropped", 0, 60_000), [100, 200]);
  assert.deepEqual(longest("dropped", ...MANY).at(-1), 30_000);
  assert.deepEqual(longest("too-large", 0, 59_999, 200_000), [100, 30_000, 400]);
});
