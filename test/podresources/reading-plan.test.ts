// When the informer of resources reads what.

import assert from "node:assert/strict";
import { PodsError } from "../../src/index.js";
import { ReadingPlan } from "../../src/podresources/reading-plan.js";
import { describe, test } from "../helpers/test.js";

const pod = (n: number) => ({ namespace: "n", name: `p${n}` });
const away = new PodsError({ code: "connection-refused", message: "away" });

/** A plan that has read everything at 0; its next poll is at 10,000. */
function begun(): ReadingPlan {
  const plan = new ReadingPlan(10_000, () => 0.5, 0);
  assert.equal(plan.nextMs, 0);
  assert.equal(plan.take(0), "all");
  plan.succeeded();
  return plan;
}

describe("the plan of readings", () => {
  test("reads everything at once, and then at intervals of 80 to 120 %", () => {
    for (const [random, nextMs] of [
      [0, 8_000],
      [0.5, 10_000],
      [1, 12_000],
    ] as const) {
      const plan = new ReadingPlan(10_000, () => random, 0);
      assert.equal(plan.take(0), "all");
      assert.equal(Math.round(plan.nextMs), nextMs);
      assert.equal(plan.take(plan.nextMs - 1), undefined);
      assert.equal(plan.take(plan.nextMs), "all");
    }
  });

  test("asks for the pods alone that came, 50 ms after the first of them, each once", () => {
    const plan = begun();
    plan.came(pod(1), 2_000);
    plan.came(pod(2), 2_030);
    plan.came(pod(1), 2_040);
    assert.equal(plan.nextMs, 2_050);
    assert.deepEqual(plan.take(2_050), [pod(1), pod(2)]);
    assert.equal(plan.nextMs, 10_000);
  });

  test("asks for all where more than eight came, or the kubelet has no call for one", () => {
    const many = begun();
    for (let n = 0; n < 9; n++) many.came(pod(n), 2_000);
    assert.equal(many.take(2_050), "all");
    assert.equal(many.nextMs, 12_050);

    const old = begun();
    old.lacksGet(3_000);
    assert.equal(old.take(3_050), "all");
    old.came(pod(1), 5_000);
    assert.equal(old.take(5_050), "all");
  });

  test("lists at most once in a second, however many go; those that come are not kept waiting", () => {
    const plan = begun();
    plan.went(100);
    plan.came(pod(1), 200);
    assert.equal(plan.nextMs, 250);
    assert.deepEqual(plan.take(250), [pod(1)]);
    plan.went(900);
    assert.equal(plan.nextMs, 1_000);
    assert.equal(plan.take(1_000), "all");
    plan.went(1_001);
    assert.equal(plan.nextMs, 2_000);
  });

  test("lists at once where the pods are known anew, and asks such a kubelet for single pods again", () => {
    const plan = begun();
    plan.lacksGet(10);
    plan.renewed(20);
    assert.equal(plan.take(20), "all");
    plan.came(pod(1), 2_000);
    assert.deepEqual(plan.take(2_050), [pod(1)]);
  });

  test("ends a pause after failures where the pods are known anew: who failed is another by now", () => {
    const plan = begun();
    plan.failed(new PodsError({ code: "not-permitted", message: "no" }), 100);
    assert.ok(plan.nextMs > 500);
    plan.renewed(200);
    assert.equal(plan.take(200), "all");
  });

  test("pauses after failures, longer and longer, and then reads everything", () => {
    const plan = begun();
    plan.came(pod(1), 2_000);
    assert.deepEqual(plan.take(2_050), [pod(1)]);
    let nowMs = 2_060;
    const pauses: number[] = [];
    for (let i = 0; i < 8; i++) {
      plan.failed(away, nowMs);
      pauses.push(plan.nextMs - nowMs);
      nowMs = plan.nextMs;
      plan.came(pod(2), nowMs); // does not end a pause
      assert.equal(plan.take(nowMs), "all");
    }
    assert.deepEqual(pauses, [25, 50, 100, 200, 400, 500, 500, 500]);
    plan.succeeded();
    assert.equal(plan.nextMs, nowMs + 10_000);
  });
});
