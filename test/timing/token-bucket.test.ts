import assert from "node:assert/strict";
import { STREAM_RATE } from "../../src/stream/machine.js";
import { TokenBucket } from "../../src/timing/token-bucket.js";
import { test } from "../helpers/test.js";

test("allows five streams at once, then one every 500 ms", () => {
  const budget = new TokenBucket(STREAM_RATE);
  for (let i = 0; i < 5; i++) {
    assert.equal(budget.waitMs(1_000), 0);
    budget.spend(1_000);
  }
  assert.equal(budget.waitMs(1_000), 500);
  assert.equal(budget.waitMs(1_200), 300);
  assert.equal(budget.waitMs(1_500), 0);
  budget.spend(1_500);
  assert.equal(budget.waitMs(1_500), 500);
});

test("saves at most five tokens and never goes below zero", () => {
  const budget = new TokenBucket(STREAM_RATE);
  for (let i = 0; i < 7; i++) budget.spend(100_000);
  assert.equal(budget.waitMs(100_000), 500);
  for (let i = 0; i < 5; i++) budget.spend(900_000);
  assert.equal(budget.waitMs(900_000), 500);
});

test("rounding errors of many small steps do not delay a stream", () => {
  const budget = new TokenBucket(STREAM_RATE);
  for (let i = 0; i < 5; i++) budget.spend(0);
  for (let ms = 0; ms < 500; ms += 0.1) budget.waitMs(ms);
  assert.equal(budget.waitMs(500), 0);
});

test("adds no token when the clock stands still or goes back", () => {
  const budget = new TokenBucket(STREAM_RATE);
  for (let i = 0; i < 5; i++) budget.spend(1_000);
  assert.equal(budget.waitMs(0), 500);
  assert.equal(budget.waitMs(1_000), 500);
});
