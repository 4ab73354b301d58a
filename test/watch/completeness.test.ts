// When a list proves that it has everything there is, what it proves of pods that it lacks, and what a status without containers says.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { Completeness, type ListFacts, mayBeGiven } from "../../src/known/completeness.js";
import { Ledger } from "../../src/known/ledger.js";
import type { PodHead } from "../../src/pod/head.js";
import { scanHead } from "../../src/pod/scan.js";
import { describe, test } from "../helpers/test.js";
import { ANOTHER, brokenTail, burst, garbage, gone, pod, tiny } from "./lists.js";

const WALL_MS = Date.UTC(2026, 0);
const at = (ms: number): string => new Date(WALL_MS + ms).toISOString();

/** The head of a pod that a kubelet has first seen at a time. */
function head(uid: string, seenMs: number, { source = "api", createdMs = -3_600_000 } = {}): PodHead {
  const annotations = { "kubernetes.io/config.source": source, "kubernetes.io/config.seen": at(seenMs) };
  const creationTimestamp = { seconds: BigInt((WALL_MS + createdMs) / 1_000) };
  return scanHead(toBinary(PodSchema, create(PodSchema, { metadata: { uid, annotations, creationTimestamp } }))).head;
}

function asked(ms: number, more: Partial<ListFacts> = {}): ListFacts {
  return { askedMs: ms, askedWallMs: WALL_MS + ms, refuses: false, ...more };
}

describe("a list proves that it is complete where [A1]", () => {
  test("its server refuses while it initializes, also with nothing on it", () => {
    const completeness = new Completeness(false);
    completeness.judge(asked(0, { refuses: true }), [], "unknown");
    assert.equal(completeness.isProved, true);
  });

  test("a pod of the API server was seen thirty seconds before it was asked for: one of a file proves nothing", () => {
    const proves = (pods: PodHead[], ms = 0) => {
      const completeness = new Completeness(false);
      completeness.judge(asked(ms), pods, "unknown");
      return completeness.isProved;
    };
    assert.deepEqual([proves([head("a", -30_000)]), proves([head("a", -29_999)])], [true, false]);
    assert.deepEqual([proves([]), proves([head("s", -86_400_000, { source: "file" })])], [false, false]);
    assert.equal(proves([head("a", 60_000)]), false, "a stamp that is yet to come");
  });

  test("two lists of one process, ten seconds apart, have pods of the API server, and the later one adds no older pod", () => {
    const young = (uid: string, createdMs?: number) => head(uid, -1_000, createdMs === undefined ? {} : { createdMs });
    const completeness = new Completeness(false);
    completeness.judge(asked(0), [young("a")], "unknown");
    completeness.judge(asked(9_999), [young("a")], "same");
    assert.equal(completeness.isProved, false);
    completeness.judge(asked(10_000), [young("a"), young("b", -5_000)], "same");
    assert.equal(completeness.isProved, false, "one that was there before comes only now");
    completeness.judge(asked(20_000), [young("a"), young("b", -5_000), young("c", 15_000)], "same");
    assert.equal(completeness.isProved, true, "one that is new says nothing");
    completeness.judge(asked(0), [], "another");
    assert.equal(completeness.isProved, true, "what later lists lack is judged beside what was there");
  });

  test("another process begins anew, and after the clock was set stamps prove nothing", () => {
    const completeness = new Completeness(false);
    completeness.judge(asked(0), [head("a", -1_000)], "unknown");
    completeness.judge(asked(15_000), [head("a", 14_000)], "another");
    assert.equal(completeness.isProved, false);
    completeness.judge(asked(16_000, { askedWallMs: WALL_MS + 3_616_000 }), [head("a", 14_000)], "same");
    assert.equal(completeness.isProved, false);
  });

  test("of a process that comes after one that had proved it, the next list is asked for as early", () => {
    const completeness = new Completeness(false);
    completeness.judge(asked(0, { refuses: true }), [], "unknown");
    assert.equal(completeness.nextListMs(0), undefined);
    completeness.judge(asked(60_000), [head("a", 59_000)], "another");
    assert.equal(
      completeness.nextListMs(60_000),
      2_000,
      "what it lacks is told as gone only when it has read everything",
    );
    completeness.judge(asked(80_000), [head("a", 59_000)], "same");
    assert.equal(completeness.nextListMs(80_000), undefined);
  });

  test("it was proved of an earlier process: of this one it is proved anew, with the clock as it was then", () => {
    const completeness = new Completeness(false);
    completeness.judge(asked(0, { refuses: true }), [], "unknown");
    completeness.judge(asked(60_000), [head("a", 59_000)], "another");
    assert.deepEqual([completeness.isProved, completeness.isProvedHere], [true, false]);
    completeness.judge(asked(89_000), [head("a", 59_000)], "same");
    assert.equal(completeness.isProvedHere, true);
    completeness.judge(asked(90_000, { askedWallMs: WALL_MS + 190_000 }), [head("a", 90_000)], "another");
    assert.equal(completeness.isProvedHere, false, "the clock was set between the two");
  });

  test("there is no API server, and the kubelet has been there for ten seconds", () => {
    const proves = (pods: PodHead[], sinceMs?: number) => {
      const completeness = new Completeness(true);
      completeness.judge(asked(0, sinceMs === undefined ? {} : { sinceMs: WALL_MS + sinceMs }), pods, "unknown");
      return completeness.isProved;
    };
    assert.deepEqual([proves([], -10_000), proves([], -9_999), proves([])], [true, false, false]);
    assert.equal(proves([head("s", -10_000, { source: "file" })], -1_000), true);
    const completeness = new Completeness(true);
    completeness.judge(asked(0), [], "unknown");
    completeness.judge(asked(10_000), [], "same");
    assert.equal(completeness.isProved, true);
  });

  test("until then lists come at the guard's times, and when a stamp is thirty seconds old", () => {
    const completeness = new Completeness(false);
    completeness.judge(asked(0), [], "unknown");
    assert.equal(completeness.nextListMs(0), 2_000);
    completeness.judge(asked(60_000), [], "same");
    assert.equal(completeness.nextListMs(60_000), undefined, "then at the resync interval");
    const stamped = new Completeness(false);
    stamped.judge(asked(0), [head("a", -29_000)], "unknown");
    assert.equal(stamped.nextListMs(0), 1_250);
  });
});

test("the list of a call is given where nothing says that the kubelet is young [A2]", () => {
  const given = (pods: PodHead[], sinceMs: number | undefined, standalone = false) =>
    mayBeGiven(pods, WALL_MS, sinceMs === undefined ? undefined : WALL_MS + sinceMs, standalone);
  assert.deepEqual([given([], -29_999), given([], -30_000), given([], 5_000)], [false, true, true]);
  assert.deepEqual([given([head("a", -1_000)], -60_000), given([head("a", -31_000)], -1_000)], [false, true]);
  assert.deepEqual(
    [given([], undefined), given([head("a", -31_000)], undefined)],
    [false, true],
    "a host says nothing",
  );
  assert.deepEqual([given([], -9_999, true), given([], -10_000, true)], [false, true]);
});

test("what has left the lists runs on until the kubelet has read all that there is", () => {
  const ledger = new Ledger();
  const young = { connection: "2", refuses: false, askedMs: 0, askedWallMs: WALL_MS };
  burst(ledger, [pod("s", { isStatic: true }), pod("t", { isStatic: true })]);
  const goneAt = (nowMs: number, facts = {}) =>
    gone(ledger, [pod("t", { isStatic: true, by: 2 })], { ...young, nowMs, ...facts });
  assert.deepEqual([goneAt(0), goneAt(60_000), goneAt(600_000)], [[], [], []], "it ends nothing before that");
  assert.deepEqual(goneAt(601_000, { refuses: true }), []);
  assert.deepEqual(goneAt(641_000, { refuses: true }), ["gone s"]);
  assert.equal(ledger.provesAbsence, true);
});

describe("what cannot be read is there [A3]", () => {
  test("more than are named leave nothing proved absent", () => {
    const ledger = new Ledger();
    burst(
      ledger,
      Array.from({ length: 1_001 }, (_, i) => brokenTail(`u${i}`)),
    );
    assert.deepEqual([ledger.unreadable.size, ledger.provesAbsence], [1_000, false]);
    for (const nowMs of [1_000, 41_000]) burst(ledger, [pod("a")], { nowMs });
    assert.deepEqual([ledger.unreadable.size, ledger.provesAbsence], [0, true]);
  });

  test("one that another process has not read yet is there still, with a UID and without", () => {
    for (const [bytes, isNamed] of [
      [brokenTail("b"), true],
      [garbage, false],
    ] as const) {
      const ledger = new Ledger();
      burst(ledger, [pod("a"), pod("c"), bytes]);
      const lacks = () => ledger.unreadable.has("b") === false && ledger.provesAbsence;
      assert.equal(lacks(), false);
      burst(ledger, [pod("a", { by: 2 })], ANOTHER);
      assert.deepEqual([lacks(), ledger.unreadable.has("b")], [false, isNamed]);
      for (const nowMs of [2_000, 5_000, 40_000, 60_000]) {
        assert.equal(lacks(), false, `${nowMs}`);
        burst(ledger, [pod("a", { by: 2 }), pod("c", { by: 2 })], { ...ANOTHER, nowMs });
      }
      assert.equal(lacks(), true, "after a minute a process has read what there is");
    }
  });
});

describe("a status without containers says nothing [A4 V2]", () => {
  const bare = (uid: string, phase: string, seen = "2", source = "file") => {
    const annotations = { "kubernetes.io/config.source": source, "kubernetes.io/config.seen": seen };
    return toBinary(PodSchema, create(PodSchema, { metadata: { uid, annotations }, status: { phase } }));
  };

  test("of a pod that was told with some: it is neither finished nor without addresses for its grace period and ten seconds", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a", { isStatic: true })]);
    burst(ledger, [bare("a", "Failed")], ANOTHER);
    const known = () => ledger.get("a");
    assert.deepEqual([known()?.active, known()?.entry.isBare], [true, true]);
    assert.equal(ledger.nextListMs(0), 40_000);
    burst(ledger, [bare("a", "Failed")], { ...ANOTHER, nowMs: 40_000 });
    assert.deepEqual([known()?.active, known()?.entry.isBare], [false, undefined]);
  });

  test("of a pod that another process lists so, too: it has its time anew", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a", { isStatic: true })]);
    burst(ledger, [bare("a", "Failed")], ANOTHER);
    const isThere = (nowMs: number) => {
      burst(ledger, [bare("a", "Failed", "3")], { connection: "3", nowMs });
      return ledger.get("a")?.active;
    };
    assert.deepEqual([isThere(39_000), isThere(78_000), isThere(79_000)], [true, true, false]);
  });

  test("of one that has run to its end, and that another process lists as pending: it may have been put back", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a", { isStatic: true, finished: true })]);
    burst(ledger, [bare("a", "Pending")], ANOTHER);
    assert.equal(ledger.get("a")?.active, true);
    burst(ledger, [bare("a", "Failed", "3")], { connection: "3" });
    assert.equal(ledger.get("a")?.active, true, "it says no more than that");
  });

  test("of one that was pending: a process that was killed soon after may have started it", () => {
    const ledger = new Ledger();
    burst(ledger, [bare("a", "Pending", "2", "api")]);
    const isThere = (nowMs: number) => {
      burst(ledger, [bare("a", "Failed", "2", "api")], { nowMs });
      return ledger.get("a")?.active;
    };
    assert.deepEqual([isThere(0), isThere(39_000), isThere(40_000)], [true, true, false]);
  });

  test("of one that was never told with any it is all there is, but for its absence", () => {
    const ledger = new Ledger();
    burst(ledger, [bare("a", "Failed", "2", "api")]);
    assert.equal(ledger.get("a")?.active, false);
    burst(ledger, []);
    assert.deepEqual(ledger.unconfirmed, { count: 1, why: ["ending"] }, "it may run for its grace period");
    burst(ledger, [], { nowMs: 40_000 });
    burst(ledger, [tiny("b")]);
    assert.equal(ledger.get("b")?.entry.isBare, undefined);
  });
});
