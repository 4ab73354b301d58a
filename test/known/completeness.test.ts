// When a list proves that it has everything there is, what it proves of pods that it lacks, and what a status without containers says.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { Completeness, type ListAnswer, seemsRead } from "../../src/known/completeness.js";
import { Ledger } from "../../src/known/ledger.js";
import type { ListProcess } from "../../src/known/version.js";
import type { PodHead } from "../../src/pod/head.js";
import { scanHead } from "../../src/pod/scan.js";
import type { ListTrust } from "../../src/sources/pod-source.js";
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

/** A list that is requested at a time, and answered some time later. */
function asked(ms: number, trust: ListTrust = "contract", tookMs = 0): ListAnswer {
  return { askedMs: ms, askedWallMs: WALL_MS + ms, trust, answeredMs: ms + tookMs };
}

/** What lists prove that are requested one after the other. */
function judged(...lists: [ms: number, trust: ListTrust, pods: PodHead[], process?: ListProcess][]) {
  const completeness = new Completeness();
  return lists.map(([ms, trust, pods, process = "same"]) => {
    completeness.judge(asked(ms, trust), pods, process);
    const { isAccepted, isRead, provesAbsence } = completeness.proof;
    return [isAccepted && "taken", isRead && "read", provesAbsence && "absent"].filter(Boolean).join(" ");
  });
}

const young = (uid: string, createdMs?: number) => head(uid, -1_000, createdMs === undefined ? {} : { createdMs });
const fixed = (uid: string, seenMs = -1_000) => head(uid, seenMs, { source: "file" });

describe("absences proved by lists of the Pods API", () => {
  test("the first list proves absences if the kubelet refuses calls while it is initializing", () => {
    assert.deepEqual(judged([0, "complete", []]), ["taken read absent"]);
  });

  test("later lists of a complete process prove absences; lists of another process do not", () => {
    assert.deepEqual(
      judged([0, "complete", [fixed("s")]], [1, "contract", [fixed("s")]], [2, "contract", [fixed("s")], "another"]),
      ["taken read absent", "taken read absent", "taken"],
    );
  });

  test("a second list with API pods, two seconds later, proves absences", () => {
    assert.deepEqual(
      judged([0, "contract", [young("a")]], [1_999, "contract", [young("a")]], [2_000, "contract", [young("a")]]),
      ["taken", "taken", "taken read absent"],
    );
  });

  test("lists with only static pods never prove absences", () => {
    assert.deepEqual(judged([0, "contract", [fixed("s")]], [3_600_000, "contract", [fixed("s")]]), ["taken", "taken"]);
    assert.deepEqual(
      judged([0, "contract", [fixed("s")]], [60_000, "contract", [young("a")]], [62_000, "contract", [young("a")]]),
      ["taken", "taken", "taken read absent"],
    );
  });

  test("a list that adds older pods proves no absences; a list that adds new pods does", () => {
    assert.deepEqual(
      judged(
        [0, "contract", [young("a")]],
        [2_000, "contract", [young("a"), young("b", -5_000)]],
        [4_000, "contract", [young("a"), young("b", -5_000), young("c", 3_000)]],
      ),
      ["taken", "taken", "taken read absent"],
    );
  });

  test("two lists of pods without stamps prove absences even if the process is unknown", () => {
    const pods = [pod("a"), pod("b")].map((bytes) => scanHead(bytes).head);
    const bare = pods.map((head) => ({ ...head, seen: "" }));
    const lists = (heads: PodHead[]) =>
      judged([0, "contract", heads, "unknown"], [2_000, "contract", heads, "unknown"]);
    assert.deepEqual(lists(bare), ["taken", "taken read absent"]);
    assert.deepEqual(lists(pods), ["taken", "taken"], "stamps that no later list has");
    assert.deepEqual(lists([]), ["taken", "taken"]);
  });

  test("old stamps in the first list prove no absences", () => {
    assert.deepEqual(judged([0, "contract", [head("a", -3_600_000)]]), ["taken"]);
  });

  test("a new process needs two lists again, and a list without API pods proves no absences", () => {
    const pods = [young("a")];
    assert.deepEqual(
      judged(
        [0, "contract", pods],
        [2_000, "contract", pods],
        [3_000, "contract", [fixed("s")]],
        [4_000, "contract", pods, "another"],
        [5_000, "contract", pods, "unknown"],
        [7_000, "contract", pods],
      ),
      ["taken", "taken read absent", "taken read", "taken", "taken", "taken read absent"],
    );
  });
});

describe("acceptance of lists that may be partial", () => {
  test("accepts partial lists once two lists with API pods agree, also from later processes", () => {
    const pods = [young("a")];
    assert.deepEqual(judged([0, "partial", pods], [2_000, "partial", pods], [3_000, "partial", [], "another"]), [
      "",
      "taken read absent",
      "taken",
    ]);
    assert.deepEqual(judged([0, "partial", [head("a", -3_600_000)]]), [""], "a stamp shows nothing of other pods");
    assert.deepEqual(judged([0, "partial", []], [3_600_000, "partial", []]), ["", ""]);
  });

  test("accepts lists of a node with only static pods after ten seconds", () => {
    const pods = [fixed("s", 0)];
    assert.deepEqual(judged([0, "static", pods], [9_999, "static", pods], [10_000, "static", pods]), [
      "",
      "",
      "taken read absent",
    ]);
  });

  test("accepts the first list of static pods if it has pods, and no stamp is less than ten seconds old", () => {
    const given = (trust: ListTrust, ...pods: PodHead[]) => seemsRead(pods, asked(0, trust));
    assert.deepEqual([given("static", fixed("s", -10_000)), given("static", fixed("s", -9_999))], [true, false]);
    assert.deepEqual([given("static"), given("static", fixed("s", 5_000))], [false, true]);
    assert.deepEqual([given("partial"), given("partial", fixed("s", -86_400_000))], [false, false]);
  });
});

describe("a slow answer proves no more than what the kubelet may have known at its request", () => {
  const proof = (...lists: [facts: ListAnswer, pods: PodHead[]][]) => {
    const completeness = new Completeness();
    for (const [facts, pods] of lists) completeness.judge(facts, pods, "same");
    return completeness.proof.isRead;
  };

  test("two lists with API pods are apart from the answer of the first to the request of the second", () => {
    for (const trust of ["contract", "partial"] as const) {
      const pods = [young("a")];
      assert.equal(proof([asked(0, trust, 2_100), pods], [asked(2_300, trust), pods]), false);
      assert.equal(proof([asked(0, trust, 2_100), pods], [asked(4_099, trust), pods]), false);
      assert.equal(proof([asked(0, trust, 2_100), pods], [asked(4_100, trust), pods]), true);
      assert.equal(proof([asked(0, trust), pods], [asked(500, trust, 1_700), pods]), false);
    }
  });

  test("a pod that was created before the first answer is no later one", () => {
    const later = (createdMs: number) => [young("a"), young("b", createdMs)];
    assert.equal(proof([asked(0, "partial", 3_000), [young("a")]], [asked(5_000, "partial"), later(2_000)]), false);
    assert.equal(proof([asked(0, "partial", 3_000), [young("a")]], [asked(5_000, "partial"), later(3_000)]), true);
  });

  test("ten seconds of a node without API pods are between an answer and a request", () => {
    const pods = [fixed("s")];
    assert.equal(proof([asked(0, "static"), pods], [asked(2_000, "static", 8_300), pods]), false);
    assert.equal(proof([asked(0, "static", 5_000), pods], [asked(14_999, "static"), pods]), false);
    assert.equal(proof([asked(0, "static", 5_000), pods], [asked(15_000, "static"), pods]), true);
    const seen = (ms: number) => seemsRead([fixed("s", ms)], asked(0, "static", 8_000));
    assert.deepEqual([seen(-10_000), seen(-9_999), seen(3_000), seen(8_001)], [true, false, false, true]);
  });
});

test("the next list can prove absences two seconds after the first list with API pods", () => {
  const nextMs = (ms: number, trust: ListTrust, pods: PodHead[]) => {
    const completeness = new Completeness();
    completeness.judge(asked(0, trust), pods, "unknown");
    completeness.judge(asked(ms, trust), pods, "same");
    return completeness.proofInMs(ms);
  };
  assert.deepEqual([nextMs(500, "contract", [young("a")]), nextMs(500, "partial", [young("a")])], [1_500, 1_500]);
  assert.equal(nextMs(2_000, "contract", [young("a")]), undefined);
  const completeness = new Completeness();
  completeness.judge(asked(0), [young("a")], "unknown");
  completeness.judge(asked(5_000), [], "same");
  assert.equal(completeness.proofInMs(5_000), undefined, "the API pods have gone");
  completeness.note(fixed("s"), 6_000);
  assert.equal(completeness.proofInMs(6_000), undefined);
  for (const ms of [6_000, 7_000]) completeness.note(young("b"), ms);
  assert.deepEqual([completeness.proofInMs(7_500), completeness.proofInMs(9_000)], [500, 0], "they come as one set");
  assert.equal(nextMs(0, "contract", [fixed("s")]), undefined, "no event of an API pod has come");
  assert.deepEqual(
    [nextMs(0, "partial", []), nextMs(2_000, "static", []), nextMs(60_000, "partial", [])],
    [2_000, 3_000, undefined],
  );
});

describe("requests for a list that can prove absences", () => {
  const fixedPod = (uid: string) => pod(uid, { isStatic: true });

  test("requests a list while none was accepted, and two seconds after the first API pod", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [fixedPod("s")], { trust: "partial" });
    ledger.apply("ADDED", fixedPod("t"), 1_000);
    assert.equal(ledger.nextListMs(1_000), 1_000);
    burst(ledger, [fixedPod("s")], { trust: "partial", askedMs: 60_000 });
    assert.equal(ledger.apply("ADDED", fixedPod("t"), 61_000).listInMs, undefined);
    assert.equal(ledger.apply("ADDED", pod("a"), 62_000).listInMs, 2_000);
  });

  test("requests a list while pods are unconfirmed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    for (const [askedMs, pods] of [
      [0, [pod("a"), pod("b")]],
      [500, [pod("b")]],
    ] as const)
      burst(ledger, [...pods], { trust: "contract", askedMs, nowMs: askedMs });
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
    assert.equal(ledger.nextListMs(500), 1_500);
  });

  test("requests no second list after a list that was accepted by contract", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")], { trust: "contract", askedMs: 0 });
    assert.deepEqual([ledger.nextListMs(0), ledger.proofInMs(500)], [undefined, 1_500]);
    assert.equal(ledger.apply("ADDED", pod("b"), 500).listInMs, undefined);
  });
});

test("keeps a missing pod until the kubelet has read all pods and the grace period is over", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  const facts = { connection: "2", trust: "contract", askedMs: 0, askedWallMs: WALL_MS } as const;
  burst(ledger, [pod("s", { isStatic: true }), pod("t", { isStatic: true })]);
  const goneAt = (nowMs: number, trust: ListTrust = "contract") =>
    gone(ledger, [pod("t", { isStatic: true, by: 2 })], { ...facts, nowMs, trust });
  assert.deepEqual([goneAt(0), goneAt(60_000), goneAt(600_000)], [[], [], []], "it ends nothing before that");
  assert.deepEqual(goneAt(601_000, "complete"), []);
  assert.deepEqual(goneAt(641_000, "complete"), ["gone s"]);
  assert.equal(ledger.proof.provesAbsence && ledger.hasUIDs, true);
});

describe("unreadable pods", () => {
  test("proves no absences while more than 1000 pods are unreadable", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(
      ledger,
      Array.from({ length: 1_001 }, (_, i) => brokenTail(`u${i}`)),
    );
    assert.deepEqual([ledger.unreadable.size, ledger.proof.provesAbsence && ledger.hasUIDs], [1_000, false]);
    for (const nowMs of [1_000, 41_000]) burst(ledger, [pod("a")], { nowMs });
    assert.deepEqual([ledger.unreadable.size, ledger.proof.provesAbsence && ledger.hasUIDs], [0, true]);
  });

  test("keeps an unreadable pod, with or without UID, until the next process has read all pods", () => {
    for (const [bytes, isNamed] of [
      [brokenTail("b"), true],
      [garbage, false],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), pod("c"), bytes]);
      const lacks = () => ledger.unreadable.has("b") === false && ledger.proof.provesAbsence && ledger.hasUIDs;
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

  test("keeps an unreadable pod for its grace period if another process's complete list lacks it", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), brokenTail("b")]);
    const isThere = (nowMs: number) => {
      burst(ledger, [pod("a", { by: 2 })], { ...ANOTHER, nowMs, trust: "complete" });
      return ledger.unreadable.has("b");
    };
    assert.deepEqual([isThere(0), isThere(39_000), isThere(40_000)], [true, true, false]);
  });
});

describe("empty statuses", () => {
  const bare = (uid: string, phase: string, seen = "2", source = "file") => {
    const annotations = { "kubernetes.io/config.source": source, "kubernetes.io/config.seen": seen };
    return toBinary(PodSchema, create(PodSchema, { metadata: { uid, annotations }, status: { phase } }));
  };

  test("a pod that had containers stays active for its grace period and ten seconds", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a", { isStatic: true })]);
    burst(ledger, [bare("a", "Failed")], ANOTHER);
    const known = () => ledger.get("a");
    assert.deepEqual([known()?.standing.is, known()?.hasEmptyStatus], ["active", true]);
    assert.equal(ledger.nextListMs(0), 40_000);
    burst(ledger, [bare("a", "Failed")], { ...ANOTHER, nowMs: 40_000 });
    assert.deepEqual([known()?.standing.is, known()?.hasEmptyStatus], ["finished", false]);
  });

  test("the grace period starts again when another process lists the empty status", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a", { isStatic: true })]);
    burst(ledger, [bare("a", "Failed")], ANOTHER);
    const isThere = (nowMs: number) => {
      burst(ledger, [bare("a", "Failed", "3")], { connection: "3", nowMs });
      return ledger.get("a")?.standing.is === "active";
    };
    assert.deepEqual([isThere(39_000), isThere(78_000), isThere(79_000)], [true, true, false]);
  });

  test("a finished static pod is active again if another process lists it as Pending", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a", { isStatic: true, finished: true })]);
    burst(ledger, [bare("a", "Pending")], ANOTHER);
    assert.equal(ledger.get("a")?.standing.is, "active");
    burst(ledger, [bare("a", "Failed", "3")], { connection: "3" });
    assert.equal(ledger.get("a")?.standing.is, "active", "it says no more than that");
  });

  test("a Pending pod that fails stays active for its grace period, because it may have started", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [bare("a", "Pending", "2", "api")]);
    const isThere = (nowMs: number) => {
      burst(ledger, [bare("a", "Failed", "2", "api")], { nowMs });
      return ledger.get("a")?.standing.is === "active";
    };
    assert.deepEqual([isThere(0), isThere(39_000), isThere(40_000)], [true, true, false]);
  });

  test("a pod that never had containers finishes at once, but its absence is confirmed later", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [bare("a", "Failed", "2", "api")]);
    assert.equal(ledger.get("a")?.standing.is, "finished");
    burst(ledger, []);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] }, "it may run for its grace period");
    burst(ledger, [], { nowMs: 40_000 });
    burst(ledger, [tiny("b")]);
    assert.equal(ledger.get("b")?.hasEmptyStatus, false);
  });
});
