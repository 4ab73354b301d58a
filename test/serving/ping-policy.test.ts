// Which pings a grpc-go server accepts, as MinTime and maxPingStrikes define it.

import assert from "node:assert/strict";
import { PingPolicy } from "../../src/serving/ping-policy.js";
import { test } from "../helpers/test.js";

const MINUTE_MS = 60_000;

test("accepts two pings that come too early, and rejects the third", () => {
  const pings = new PingPolicy();
  const times = [0, 1, 5 * MINUTE_MS, 5 * MINUTE_MS + 1];
  assert.deepEqual(
    times.map((nowMs) => pings.count(nowMs)),
    [true, true, true, false],
  );
});

test("accepts any number of pings that are five minutes apart", () => {
  const pings = new PingPolicy();
  for (let i = 0; i < 10; i++) assert.ok(pings.count(i * 5 * MINUTE_MS), `ping ${i}`);
});

test("sent data makes the next ping free and forgives earlier ones", () => {
  const pings = new PingPolicy();
  for (let i = 0; i < 3; i++) assert.ok(pings.count(i));
  pings.sent();
  assert.deepEqual(
    [3, 4, 5, 6].map((nowMs) => pings.count(nowMs)),
    [true, true, true, false],
  );
});
