import assert from "node:assert/strict";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { RetryPlan } from "../../src/calls/retry.js";
import { CODES, type PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { systemClock } from "../../src/timing/clock.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";

const error = (code: PodsErrorCode) => new PodsError({ code, message: "x" });
const grpc = (code: Code, metadata: Record<string, string>) =>
  PodsError.from(new ConnectError("x", code, { "grpc-status": String(code), ...metadata }), { method: "GetPod" });

/** Base and cap by code, as README and watch semantics have them. */
const classes: [PodsErrorCode, baseMs: number, capMs: number][] = [
  ["socket-missing", 50, 1_000],
  ["connection-refused", 50, 1_000],
  ["connection-timeout", 100, 5_000],
  ["connection-lost", 100, 5_000],
  ["server-error", 100, 5_000],
  ["initializing", 250, 1_000],
  ["rate-limited", 50, 1_000],
];

for (const [code, baseMs, capMs] of classes) {
  test(`${code}: full jitter from 10 ms to ${baseMs} ms, doubling up to ${capMs} ms`, () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (draws) => {
        let drawn = 0;
        const plan = new RetryPlan(() => draws[drawn++] ?? 0);
        draws.forEach((draw, n) => {
          const expected = Math.max(10, draw * Math.min(capMs, baseMs * 2 ** n));
          assert.equal(plan.delayMs(error(code), n), expected);
        });
      }),
      runs(100),
    );
  });
}

test("delays keep growing when the error code changes [#12]", () => {
  const plan = new RetryPlan(() => 1);
  const seen = ["connection-lost", "connection-refused", "connection-lost", "socket-missing", "connection-lost"].map(
    (code) => plan.delayMs(error(code as PodsErrorCode), 0),
  );
  assert.deepEqual(seen, [100, 100, 400, 400, 1600]);
});

test("retries an initializing kubelet after up to five seconds once a minute has passed [#88]", () => {
  const plan = new RetryPlan(() => 1);
  for (let i = 0; i < 10; i++) plan.delayMs(error("initializing"), i * 1000);
  assert.equal(plan.delayMs(error("initializing"), 59_999), 1_000);
  assert.equal(plan.delayMs(error("initializing"), 60_000), 5_000);
});

test("does not retry other errors", () => {
  const retried = new Set<string>(classes.map(([code]) => code));
  for (const code of Object.keys(CODES) as PodsErrorCode[]) {
    const delay = new RetryPlan(() => 0.5).delayMs(error(code), 0);
    assert.equal(delay !== undefined, retried.has(code), code);
  }
  assert.equal(new RetryPlan(() => 0.5).delayMs(grpc(Code.InvalidArgument, {}), 0), undefined);
});

describe("grpc-retry-pushback-ms [#37]", () => {
  const cases: [value: string, delay: number | undefined][] = [
    ["0", 0],
    ["1234", 1234],
    ["-1", undefined],
    ["soon", undefined],
    ["", undefined],
    ["1.5", undefined],
    ["99999999999", undefined],
  ];
  for (const [value, delay] of cases) {
    test(`"${value}": ${delay ?? "no retry"}`, () => {
      const failure = grpc(Code.Unavailable, { "grpc-retry-pushback-ms": value });
      assert.equal(new RetryPlan(() => 1).delayMs(failure, 0), delay);
    });
  }
});

test("retries a refused stream once without delay [#24]", () => {
  const refused = PodsError.from(
    new ConnectError("Stream closed with error code NGHTTP2_REFUSED_STREAM", Code.Internal),
  );
  const plan = new RetryPlan(() => 1);
  assert.deepEqual([plan.delayMs(refused, 0), plan.delayMs(refused, 0)], [0, 200]);
});

test("the system clock ignores jumps of the wall clock [#69]", (t) => {
  const before = systemClock.now();
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 10 * 365 * 86_400_000 });
  const elapsed = systemClock.now() - before;
  assert.ok(elapsed >= 0 && elapsed < 60_000);
});
