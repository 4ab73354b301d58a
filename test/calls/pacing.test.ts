import assert from "node:assert/strict";
import fc from "fast-check";
import { Pacer } from "../../src/calls/pacer.js";
import { PACING, Pacing } from "../../src/calls/pacing.js";
import { RateLimiter } from "../../src/serving/rate-limiter.js";
import { seededRandom } from "../../src/testing/random.js";
import type { Clock } from "../../src/timing/clock.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";

describe("Pacing", () => {
  test("allows a burst of eight calls, then eighty per second", () => {
    const pacing = new Pacing(0);
    let taken = 0;
    for (let nowMs = 0; nowMs <= 1000; nowMs++) {
      while (pacing.take(nowMs) === 0) taken++;
    }
    assert.equal(taken, PACING.burst + PACING.ratePerSecond);
  });

  test("halves the rate once per group of concurrent rejections, down to one per second", () => {
    const pacing = new Pacing(0);
    for (let i = 0; i < 8; i++) pacing.reject(0, 10);
    assert.equal(pacing.ratePerSecond, 40);
    assert.equal(pacing.take(10), 25, "no token is left");
    for (let nowMs = 20; nowMs < 400; nowMs += 10) pacing.reject(nowMs - 5, nowMs);
    assert.equal(pacing.ratePerSecond, PACING.floorPerSecond);
  });

  test("raises the rate by a tenth per second, up to the full rate", () => {
    const pacing = new Pacing(0);
    pacing.reject(0, 0);
    const at = (nowMs: number) => {
      pacing.take(nowMs);
      return pacing.ratePerSecond;
    };
    assert.ok(Math.abs(at(1_000) - 44) < 1e-9);
    assert.ok(Math.abs(at(2_000) - 48.4) < 1e-9);
    assert.equal(at(10_000), PACING.ratePerSecond);
  });

  test("never exceeds burst and rate, and grants each token at the promised time", () => {
    const step = fc.record({ afterMs: fc.integer({ min: -5, max: 500 }), what: fc.constantFrom("take", "reject") });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const pacing = new Pacing(0);
        let nowMs = 0;
        let latestMs = 0;
        let taken = 0;
        for (const { afterMs, what } of steps) {
          nowMs += afterMs;
          latestMs = Math.max(latestMs, nowMs);
          if (what === "reject") pacing.reject(nowMs - 1, nowMs);
          else {
            const waitMs = pacing.take(nowMs);
            taken++;
            if (waitMs > 0) {
              nowMs = latestMs + waitMs;
              latestMs = nowMs;
              assert.equal(pacing.take(nowMs), 0);
            }
          }
          assert.ok(pacing.ratePerSecond >= PACING.floorPerSecond && pacing.ratePerSecond <= PACING.ratePerSecond);
          assert.ok(taken <= PACING.burst + (PACING.ratePerSecond * latestMs) / 1000 + 1e-6);
        }
      }),
      runs(1_000),
    );
  });
});

/** A pacer whose turns are promises, also those that it gives at once. */
function pacerOf(clock: Clock) {
  const pacer = new Pacer(clock);
  return {
    take: async (signal: AbortSignal, options?: { isWatch?: boolean }) => pacer.take(signal, options),
    rejected: (sentMs: number) => pacer.rejected(sentMs),
  };
}

describe("Pacer", () => {
  const { signal } = new AbortController();

  test("serves calls in order and leaves no timer", async () => {
    const clock = new VirtualClock();
    const pacer = pacerOf(clock);
    const served: number[] = [];
    for (let i = 0; i < 100; i++) void pacer.take(new AbortController().signal).then(() => served.push(i));
    await settle();
    assert.equal(served.length, PACING.burst);
    await clock.advance(100);
    assert.equal(served.length, PACING.burst + 8);
    await clock.advance(2_000);
    assert.deepEqual(served, [...Array(100).keys()]);
    assert.equal(clock.timers, 0);
  });

  test("an aborted wait uses no token", async () => {
    const clock = new VirtualClock();
    const pacer = pacerOf(clock);
    for (let i = 0; i < PACING.burst; i++) await pacer.take(signal);
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const left = controllers.map((controller) => pacer.take(controller.signal).catch((reason) => reason));
    const stays = pacer.take(signal);
    for (const controller of controllers) controller.abort("mine");
    assert.deepEqual([...new Set(await Promise.all(left))], ["mine"]);
    await clock.advance(Math.ceil(1000 / PACING.ratePerSecond));
    await stays;
    await assert.rejects(pacer.take(AbortSignal.abort(new Error("already"))), { message: "already" });
    assert.equal(clock.timers, 0);
  });

  test("serves watches before calls that were waiting, and an aborted watch uses no token", async () => {
    const clock = new VirtualClock();
    const pacer = pacerOf(clock);
    for (let i = 0; i < PACING.burst; i++) await pacer.take(signal);
    const served: string[] = [];
    const take = (name: string, isWatch: boolean) => void pacer.take(signal, { isWatch }).then(() => served.push(name));
    take("call 1", false);
    take("call 2", false);
    take("watch 1", true);
    take("watch 2", true);
    const aborted = new AbortController();
    const gone = pacer.take(aborted.signal, { isWatch: true });
    aborted.abort("gone");
    await assert.rejects(gone, (reason) => reason === "gone");
    await clock.advance(Math.ceil(4_000 / PACING.ratePerSecond));
    assert.deepEqual(served, ["watch 1", "watch 2", "call 1", "call 2"]);
    assert.equal(clock.timers, 0);
  });

  test("a rejection delays calls that are already waiting", async () => {
    const clock = new VirtualClock();
    const pacer = pacerOf(clock);
    for (let i = 0; i < PACING.burst; i++) await pacer.take(signal);
    let served = false;
    void pacer.take(signal).then(() => {
      served = true;
    });
    await clock.advance(10);
    pacer.rejected(5);
    await clock.advance(20);
    assert.equal(served, false);
    await clock.advance(10);
    assert.equal(served, true);
  });
});

test("pacing halves the rejected calls of fifty clients, and every client is served [#71]", (t) => {
  const paced = simulate({ paced: true });
  const unpaced = simulate({ paced: false });
  t.diagnostic(`paced: ${paced.rejected} of ${paced.sent} rejected; unpaced: ${unpaced.rejected} of ${unpaced.sent}`);
  assert.ok(paced.rejected < unpaced.rejected / 2, `${paced.rejected} against ${unpaced.rejected}`);
  assert.ok(Math.min(...paced.served) > 0, "every client is served");
});

/** Fifty clients that call as soon as they may, for a minute, at the kubelet's limiter; a call takes 5 ms. */
function simulate({ paced }: { paced: boolean }): { sent: number; rejected: number; served: number[] } {
  const random = seededRandom(1);
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  const clients = Array.from({ length: 50 }, () => ({ pacing: new Pacing(0), nextMs: random() * 10, failures: 0 }));
  const served = clients.map(() => 0);
  let sent = 0;
  let rejected = 0;
  for (let nowMs = 0; nowMs < 60_000; nowMs++, clock.jump(1)) {
    clients.forEach((client, i) => {
      if (nowMs < client.nextMs) return;
      if (paced) {
        const waitMs = client.pacing.take(nowMs);
        if (waitMs > 0) {
          client.nextMs = nowMs + waitMs;
          return;
        }
      }
      sent++;
      if (limiter.allow()) {
        served[i] = (served[i] ?? 0) + 1;
        client.failures = 0;
        client.nextMs = nowMs + 5;
      } else {
        rejected++;
        if (paced) client.pacing.reject(nowMs, nowMs + 5);
        client.nextMs = nowMs + 5 + Math.max(10, random() * Math.min(1_000, 50 * 2 ** client.failures++));
      }
    });
  }
  return { sent, rejected, served };
}
