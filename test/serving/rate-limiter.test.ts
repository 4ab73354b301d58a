// The kubelet's limit of 100 unary calls per second, in bursts of ten.

import assert from "node:assert/strict";
import { RateLimiter, rejectedByLimit } from "../../src/serving/rate-limiter.js";
import { test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

test("allows ten calls at once, and then one every ten milliseconds", async () => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  const allowed = () => Array.from({ length: 12 }, () => limiter.allow()).filter((is) => is).length;
  assert.equal(allowed(), 10);
  for (const [afterMs, count] of [
    [9, 0],
    [1, 1],
    [50, 5],
    [10_000, 10],
  ] as const) {
    await clock.advance(afterMs);
    assert.equal(allowed(), count, `after ${afterMs} ms`);
  }
});

test("a call above the limit gets the kubelet's own status and message", () => {
  const { status, message } = rejectedByLimit();
  assert.deepEqual([status, message], [8, "rejected by rate limit"]);
});
