// The known pods after lists and events, and the changes that they make.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { Ledger } from "../../src/known/ledger.js";
import type { Change } from "../../src/known/log.js";
import { Tombstones } from "../../src/known/tombstones.js";
import { MAX_PODS, MAX_RETAINED_BYTES } from "../../src/pod/limits.js";
import { podMask } from "../../src/pod/mask.js";
import { describe, test } from "../helpers/test.js";
import { encode } from "../schedules/model-pod.js";
import {
  ANOTHER,
  brokenSpec,
  brokenTail,
  burst,
  garbage,
  identity,
  leaving,
  named,
  pod,
  STREAM,
  tiny,
  uids,
} from "./lists.js";

const kindsOf = (changes: readonly Change[]) => changes.map((c) => `${c.isGone ? "gone" : "put"} ${c.record.uid}`);

test("a finished pod stays finished if another kubelet lists it as unreadable [#42]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a")]);
  ledger.apply("DELETED", identity("a"), 0);
  assert.deepEqual(burst(ledger, [brokenTail("a", 2)], ANOTHER).told, []);
  assert.deepEqual(uids(ledger), []);
});

test("a list yields the new, deleted and finished pods since the previous list [#81 #82 #95]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  assert.deepEqual(burst(ledger, [pod("a"), pod("b"), pod("c", { finished: true })]).told, [
    "put a",
    "put b",
    "done c",
  ]);
  assert.deepEqual(uids(ledger), ["a", "b"]);
  assert.deepEqual([ledger.count(true), ledger.count(false)], [3, 2]);
  const next = [pod("d"), pod("b", { finished: true })];
  assert.deepEqual(burst(ledger, next).told, ["gone c", "done b", "put d"]);
  assert.deepEqual(burst(ledger, next).told, [], "an equal list changes nothing");
  assert.deepEqual(burst(ledger, next, { nowMs: 40_000 }).told, ["gone a"], "it ran");
});

test("a Failed pod with running containers is active, in a list and in an event [#86]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  assert.deepEqual(burst(ledger, [pod("a", { failed: true })]).told, ["put a"]);
  assert.equal(ledger.apply("ADDED", pod("b", { failed: true }), 0).changes[0]?.isActive, true);
  assert.deepEqual(uids(ledger), ["a", "b"]);
});

test("a stream that ends before its list is complete changes nothing [#61]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a")]);
  for (let i = 0; i < 1000; i++) {
    ledger.begin({ ...STREAM, connection: String(i) });
    ledger.stage("ADDED", pod("b"));
  }
  assert.deepEqual(uids(ledger), ["a"]);
});

test("another creation time makes a new pod of the same UID; without one it is a change [#52]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
  const again = [pod("a", { created: 2, version: 2 }), pod("s", { isStatic: true, version: 2 })];
  assert.deepEqual(burst(ledger, again).told, ["gone a", "put a", "put s"]);
});

describe("a static pod whose manifest was put back before its end", () => {
  const again = pod("s", { isStatic: true, by: 2 });
  const listed = (...pods: Uint8Array[]) => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    burst(ledger, [pod("a"), ...pods]);
    return ledger;
  };

  test("stays until its DELETED, then the next pod counts", () => {
    const ledger = listed(again);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
    assert.deepEqual(ledger.apply("MODIFIED", again, 0).changes, [], "with the status of the first one");
    const last = ledger.apply("MODIFIED", pod("s", { isStatic: true, version: 2 }), 0);
    assert.deepEqual(kindsOf(last.changes), ["put s"]);
    const ended = ledger.apply("DELETED", identity("s"), 0);
    assert.deepEqual([kindsOf(ended.changes), ended.hasGap], [["gone s"], true], "a list has the next one");
    assert.deepEqual(ledger.apply("MODIFIED", pod("s", { isStatic: true, version: 2 }), 0).changes, [], "late");
    assert.deepEqual(kindsOf(ledger.apply("ADDED", again, 0).changes), ["put s"]);
  });

  test("is gone at the latest ten seconds after its grace period", () => {
    const ledger = listed(again);
    assert.deepEqual(burst(ledger, [pod("a"), again], { nowMs: 39_000 }).told, []);
    assert.deepEqual(burst(ledger, [pod("a"), again], { nowMs: 40_000 }).told, ["gone s", "put s"]);
  });

  test("requests one list if an event shows the next pod", () => {
    const ledger = listed(pod("s", { isStatic: true }));
    for (const hasGap of [true, false]) assert.deepEqual(ledger.apply("ADDED", again, 0), { changes: [], hasGap });
    assert.deepEqual(uids(ledger), ["a", "s"]);
  });

  /** The pod of a manifest, by the time in seconds at which the kubelet read it, if any, and the start of a running container. */
  const readAt = (seconds?: number, { started, phase = "Running" }: { started?: number; phase?: string } = {}) =>
    toBinary(
      PodSchema,
      create(PodSchema, {
        metadata: {
          uid: "s",
          name: "s",
          namespace: "ns",
          annotations: {
            "kubernetes.io/config.source": "file",
            ...(seconds !== undefined && { "kubernetes.io/config.seen": new Date(seconds * 1_000).toISOString() }),
          },
        },
        status: {
          phase,
          containerStatuses:
            started === undefined
              ? []
              : [
                  {
                    name: "c",
                    containerID: `containerd://${started}`,
                    state: { running: { startedAt: { seconds: BigInt(started), nanos: 0 } } },
                  },
                ],
        },
      }),
    );

  test("has ended once a container of the next pod has started", () => {
    const ledger = listed(readAt(5, { started: 10 }));
    for (const started of [10, 50, 60])
      assert.deepEqual(
        ledger.apply("MODIFIED", readAt(60, { started }), 0).changes,
        [],
        "the status of the first one, maybe restarted",
      );
    const ahead = listed(readAt(5, { started: 70 }));
    assert.deepEqual(ahead.apply("MODIFIED", readAt(60, { started: 70 }), 0).changes, [], "the same start");
    assert.deepEqual(kindsOf(ledger.apply("MODIFIED", readAt(60, { started: 70 }), 0).changes), ["gone s", "put s"]);
    const again = listed(readAt(5, { started: 10 }));
    assert.deepEqual(burst(again, [pod("a"), readAt(60, { started: 70 })]).told, ["gone s", "put s"]);
  });

  test("runs on if it was rejected without statuses", () => {
    const ledger = listed(readAt(5, { started: 10 }));
    burst(ledger, [pod("a", { by: 2 }), readAt(50, { phase: "Failed" })], ANOTHER);
    const next = ledger.apply("MODIFIED", readAt(60, { phase: "Failed" }), 0);
    assert.deepEqual([next.changes, next.hasGap, uids(ledger)], [[], true, ["a", "s"]]);
  });

  test("has ended if it has finished, or was rejected and DELETED", () => {
    const finished = listed(pod("s", { isStatic: true, finished: true }));
    const kinds = (ledger: Ledger, next: Uint8Array) => kindsOf(ledger.apply("ADDED", next, 0).changes);
    assert.deepEqual(kinds(finished, again), ["gone s", "put s"]);
    const rejected = listed(readAt(5, { started: 10 }));
    burst(rejected, [pod("a", { by: 2 }), readAt(50, { phase: "Failed" })], ANOTHER);
    rejected.apply("DELETED", identity("s"), 0);
    assert.deepEqual(kinds(rejected, readAt(60)), ["gone s", "put s"]);
  });

  test("is not proved absent after its DELETED while the next pod is awaited", () => {
    const ledger = listed(pod("s", { isStatic: true }));
    const facts = { trust: "complete" } as const;
    burst(ledger, [pod("a"), again], facts);
    assert.ok(!ledger.awaitsNext("s"), "it still runs");
    ledger.apply("DELETED", identity("s"), 0);
    assert.deepEqual([ledger.awaitsNext("s"), ledger.isUncertain], [true, true]);
    ledger.apply("ADDED", again, 0);
    assert.deepEqual([ledger.awaitsNext("s"), ledger.isUncertain], [false, false]);
  });

  test("comes back with a list that shows it again, and without a stamp with any event", () => {
    const ledger = listed(pod("s", { isStatic: true }));
    ledger.apply("DELETED", identity("s"), 0);
    assert.deepEqual(burst(ledger, [pod("a"), pod("s", { isStatic: true })]).told, ["put s"]);
    const unstamped = readAt();
    const other = listed(unstamped);
    other.apply("DELETED", identity("s"), 0);
    assert.deepEqual(kindsOf(other.apply("ADDED", unstamped, 0).changes), ["put s"]);
  });

  test("is not revived by a late event after two DELETED", () => {
    const ledger = listed(pod("s", { isStatic: true }));
    for (const _ of [1, 2]) ledger.apply("DELETED", identity("s"), 0);
    assert.deepEqual(ledger.apply("MODIFIED", pod("s", { isStatic: true, version: 2 }), 0).changes, []);
  });

  test("is the same pod for another kubelet process", () => {
    const ledger = listed(pod("s", { isStatic: true }));
    const { told } = burst(ledger, [pod("a", { by: 4 }), pod("s", { isStatic: true, by: 4 })], ANOTHER);
    assert.deepEqual(told, ["put a", "put s"]);
  });
});

test("a finished static pod with a new stamp is a new pod, even if it is finished again", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  const finished = { isStatic: true, finished: true };
  burst(ledger, [pod("s", finished)]);
  ledger.apply("DELETED", identity("s"), 0);
  assert.deepEqual(ledger.apply("MODIFIED", pod("s", finished), 0).changes, [], "a late event of the same pod");
  const { changes } = ledger.apply("ADDED", pod("s", { ...finished, by: 2 }), 0);
  assert.deepEqual(
    changes.map(({ isGone }) => isGone),
    [true, false],
  );
});

test("a pod stays the same if only one of two states has a creation time", () => {
  for (const [before, after] of [
    [true, false],
    [false, true],
  ] as const) {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a", { isStatic: before })]);
    assert.equal(ledger.apply("MODIFIED", pod("a", { isStatic: after, version: 2 }), 0).changes.length, 1);
  }
});

test("DELETED within a list removes the pod, and is a possible gap [#58]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  ledger.begin(STREAM);
  ledger.stage("ADDED", pod("a"));
  ledger.stage("ADDED", pod("b"));
  ledger.stage("DELETED", identity("a"));
  const { changes, hasGap } = ledger.commit(0);
  assert.deepEqual([changes.map(({ record }) => record.uid), hasGap], [["b"], true]);
  ledger.begin(STREAM);
  ledger.stage("DELETED", identity("c"));
  ledger.stage("ADDED", pod("c"));
  ledger.stage("ADDED", pod("b"));
  assert.deepEqual(
    ledger.commit(0).changes.map(({ record }) => record.uid),
    ["c"],
    "in their order",
  );
});

test("ignores events of a pod after its DELETED, even if the pod was unknown", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a")]);
  ledger.apply("DELETED", identity("b"), 0);
  assert.deepEqual(ledger.apply("MODIFIED", pod("b"), 0).changes, []);
  ledger.apply("DELETED", identity("s"), 0);
  const back = ledger.apply("ADDED", pod("s", { isStatic: true }), 0);
  ledger.apply("DELETED", identity("t"), 0);
  assert.deepEqual([back.changes.length, uids(ledger)], [1, ["a", "s"]], "a static pod can come back");
  const lists = [1, 2].map(() => burst(ledger, [pod("a"), pod("b"), pod("t", { isStatic: true })]).told);
  assert.deepEqual(lists[1], ["put b"], "two lists that show it running decide");
  assert.deepEqual(lists[0]?.toSorted(), ["done b", "put t"], "and one for a static pod");
});

test("DELETED events of unknown pods do not fill the ledger, up to one list", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a")]);
  for (let i = 0; i <= MAX_PODS; i++) ledger.apply("DELETED", identity(`u${i}`), 0);
  assert.ok(!ledger.isFull, `${ledger.size} entries`);
});

test("repeated DELETED events of an unknown pod make no room for others", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a")]);
  for (const _ of [1, 2, 3]) ledger.apply("DELETED", identity("x"), 0);
  for (let i = 1; i < MAX_PODS; i++) ledger.apply("ADDED", pod(`p${i}`), 0);
  assert.ok(!ledger.isFull);
  ledger.apply("ADDED", pod("one more"), 0);
  assert.ok(ledger.isFull);
});

test("remembers at most 10,000 deleted pods, those that were deleted last", () => {
  const tombstones = new Tombstones();
  for (let i = 0; i < 10_000; i++) tombstones.add(`p${i}`);
  assert.equal(tombstones.size, 10_000);
  tombstones.add("p0"); // again
  tombstones.add("another");
  assert.deepEqual(
    [tombstones.size, ...["p0", "p1", "p2", "another"].map((uid) => tombstones.has(uid))],
    [10_000, true, false, true, true],
  );
});

test("throws if a source sends events before CONNECTED", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  assert.throws(() => ledger.stage("ADDED", pod("a")), /before CONNECTED/);
  assert.throws(() => ledger.commit(0), /before CONNECTED/);
});

test("the cause of a deletion is `finished`, or `missing` if a list lacks the pod", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  const causes = (changes: readonly Change[]) => changes.map(({ record, cause }) => `${cause} ${record.uid}`);
  burst(ledger, [pod("a"), pod("b"), leaving("c"), pod("s", { isStatic: true })]);
  assert.deepEqual(causes(ledger.apply("DELETED", identity("a"), 0).changes), ["finished a"]);
  assert.deepEqual(causes(ledger.apply("DELETED", identity("s"), 0).changes), ["finished s"]);
  ledger.begin({ ...STREAM, reportsDeletions: false });
  ledger.stage("ADDED", pod("b", { finished: true, version: 2 }));
  assert.deepEqual(causes(ledger.commit(0).changes), ["missing a", "missing c", "finished b"]);
});

test("a finished pod that changes stays finished", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("s", { isStatic: true, finished: true })]);
  const [change] = ledger.apply("MODIFIED", pod("s", { isStatic: true, finished: true, version: 2 }), 0).changes;
  assert.equal(change?.isActive, false);
});

test("records of two servers have different process numbers", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  const numberOf = (uid: string) => ledger.get(uid)?.version.process.number;
  burst(ledger, [pod("a"), pod("b")]);
  const first = numberOf("a");
  burst(ledger, [pod("a", { version: 2 }), pod("b")]);
  assert.deepEqual([numberOf("a"), numberOf("b")], [first, first]);
  burst(ledger, [pod("a", { version: 3 }), pod("b")], { server: "another" });
  assert.notEqual(numberOf("a"), first);
  assert.equal(numberOf("b"), numberOf("a"), "also a pod with equal bytes");
});

test("two pods of one name are two entries [#50]", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [named("a", "twin"), named("b", "twin")]);
  assert.equal(ledger.count(false), 2);
});

describe("events", () => {
  test("ignores unknown and repeated DELETED events; a Failed pod that runs stays active [#57 #86 #91]", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")]);
    assert.deepEqual(ledger.apply("DELETED", identity("x"), 0), { changes: [], hasGap: false });
    const [evicted] = ledger.apply("MODIFIED", pod("a", { failed: true, version: 2 }), 0).changes;
    assert.equal(evicted?.isActive, true);
    const [deleted] = ledger.apply("DELETED", identity("a"), 0).changes;
    assert.deepEqual([deleted?.isActive, deleted?.isGone, deleted?.version.head.phase], [false, false, "Failed"]);
    assert.deepEqual(ledger.apply("DELETED", identity("a"), 0).changes, []);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a"), 0).changes, [], "#56 what comes late is suppressed");
    const late = ledger.apply("MODIFIED", pod("a", { finished: true, version: 3 }), 0);
    assert.deepEqual(late.changes, [], "also a status that ends it, because either may be the older one");
  });

  test("a tombstone expires with the third list without the pod, or with another kubelet [#56]", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")]);
    ledger.apply("DELETED", identity("a"), 0);
    for (let i = 0; i < 5; i++) burst(ledger, [pod("a", { finished: true, version: 3 })]);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a"), 0).changes, []);
    burst(ledger, []);
    burst(ledger, []);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a"), 0).changes, []);
    burst(ledger, []);
    assert.equal(ledger.apply("MODIFIED", pod("a"), 0).changes.length, 1);

    const other = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(other, [pod("a")]);
    other.apply("DELETED", identity("a"), 0);
    other.apply("DELETED", identity("b"), 0);
    burst(other, [], ANOTHER);
    for (const uid of ["a", "b"]) assert.equal(other.apply("MODIFIED", pod(uid), 0).changes.length, 1, uid);
  });

  test("DELETED without a UID deletes no pod and is a possible gap [#46]", () => {
    const nameless = encode(
      { uid: "", version: 1, failed: false, finished: false, isStatic: false, created: 1 },
      1,
      true,
    );
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")]);
    assert.deepEqual(ledger.apply("DELETED", nameless, 0), { changes: [], hasGap: true });
    assert.equal(ledger.malformed, 1);
  });
});

describe("unreadable pods", () => {
  test("an unreadable pod with a UID is kept, and is a possible gap once [#42]", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a"), 0), { changes: [], hasGap: true });
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a"), 0), { changes: [], hasGap: false });
    assert.deepEqual([...ledger.unreadable], ["a"]);
    assert.deepEqual(burst(ledger, [brokenTail("a"), pod("b")]), { told: [], hasGap: false });
    assert.deepEqual(uids(ledger), ["a", "b"]);
    burst(ledger, [pod("a", { version: 2 }), pod("b")]);
    assert.deepEqual([...ledger.unreadable], []);
  });

  test("keeps the readable state of a pod if a later message of the list is unreadable", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const told = burst(ledger, [pod("a"), brokenTail("a")]).told;
    assert.deepEqual([told, [...ledger.unreadable]], [["put a"], ["a"]], "a pod that was not known");
    burst(ledger, [pod("a", { version: 2 }), brokenTail("a")]);
    assert.deepEqual(Uint8Array.from(ledger.get("a")?.version.bytes ?? []), pod("a", { version: 2 }));
  });

  test("an entry without UID and name prevents deletions and gets no key [#43 #44]", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    for (const bytes of [garbage, new Uint8Array()]) {
      assert.deepEqual(burst(ledger, [pod("a"), bytes]), { told: [], hasGap: true });
      assert.deepEqual(ledger.apply("MODIFIED", bytes, 0).changes, []);
      assert.deepEqual([...ledger.unreadable], []);
    }
    assert.deepEqual(uids(ledger), ["a", "b"]);
    burst(ledger, [pod("a")]);
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 40_000 }).told, ["gone b"]);
    assert.deepEqual([...ledger.unreadable], []);
  });

  test("forgets an unknown unreadable pod forty seconds after the first list without it", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), brokenTail("z")]);
    burst(ledger, [pod("a"), brokenTail("z")]);
    burst(ledger, [pod("a")], { nowMs: 60_000 });
    burst(ledger, [pod("a")], { nowMs: 99_000 });
    assert.deepEqual([...ledger.unreadable], ["z"]);
    burst(ledger, [pod("a")], { nowMs: 100_000 });
    assert.deepEqual([...ledger.unreadable], []);
  });

  test("lists at most 1000 unreadable pods", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(
      ledger,
      Array.from({ length: 1_001 }, (_, i) => brokenTail(`z${i}`)),
    );
    assert.equal(ledger.unreadable.size, 1_000);
  });

  test("DELETED without UID and name matches no pod, even if one has no name", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [toBinary(PodSchema, create(PodSchema, { metadata: { uid: "a" } }))]);
    assert.deepEqual(ledger.apply("DELETED", new Uint8Array(), 0), { changes: [], hasGap: true });
  });
});

describe("events of known pods", () => {
  test("an event with another creation time deletes the old pod, then adds the new one", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    const { changes } = ledger.apply("MODIFIED", pod("a", { version: 2, created: 9 }), 0);
    assert.deepEqual(
      changes.map(({ record, isGone, isActive }) => [record.uid, isGone, isActive]),
      [
        ["a", true, false],
        ["a", false, true],
      ],
    );
  });

  test("DELETED with only a name deletes no pod and is a possible gap", () => {
    const nameless = (uid: string) =>
      toBinary(PodSchema, create(PodSchema, { metadata: { name: `name-${uid}`, namespace: "ns" } }));
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    const { changes, hasGap } = ledger.apply("DELETED", nameless("b"), 0);
    assert.deepEqual([changes, hasGap, ledger.malformed], [[], true, 1]);
  });

  test("a known pod stays unreadable over a reconnect until a list has it readable", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a"), 0), { changes: [], hasGap: true });
    assert.deepEqual(burst(ledger, [brokenTail("a"), pod("b")], ANOTHER).told, []);
    assert.deepEqual([[...ledger.unreadable], uids(ledger)], [["a"], ["a", "b"]]);
    burst(ledger, [pod("a"), pod("b")], ANOTHER);
    assert.deepEqual([...ledger.unreadable], []);
  });
});

describe("pods that end and return", () => {
  test("a finished static pod stays listed without further additions or deletions", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const ended = pod("s", { isStatic: true, finished: true, version: 2 });
    burst(ledger, [pod("s", { isStatic: true })]);
    ledger.apply("MODIFIED", ended, 0);
    const [deleted] = ledger.apply("DELETED", identity("s"), 0).changes;
    assert.deepEqual([deleted?.isActive, deleted?.isGone], [false, false], "listed on");
    assert.deepEqual(burst(ledger, [ended]).told, []);
    const after = pod("s", { isStatic: true, finished: true, version: 2, by: 2 });
    assert.deepEqual(burst(ledger, [after], ANOTHER).told, ["done s"], "its stamp alone has changed");
    assert.equal(ledger.count(true), 1);
  });

  test("a finished static pod that runs again is a new pod", () => {
    for (const how of ["live", "list"]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("s", { isStatic: true })]);
      ledger.apply("MODIFIED", pod("s", { isStatic: true, finished: true, version: 2 }), 0);
      ledger.apply("DELETED", identity("s"), 0);
      const again = pod("s", { isStatic: true, version: 3 });
      if (how === "list") assert.deepEqual(burst(ledger, [again]).told, ["gone s", "put s"]);
      else {
        assert.deepEqual(ledger.apply("ADDED", again, 0).changes, [], "an event with its stamp is late");
        assert.equal(ledger.apply("ADDED", pod("s", { isStatic: true, by: 2 }), 0).changes.length, 2);
      }
      assert.deepEqual(uids(ledger), ["s"]);
    }
  });

  test("a deleted pod is active again after two lists of one process show it running", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")]);
    ledger.apply("DELETED", identity("a"), 0);
    const waiting = pod("a", { failed: false, finished: true, version: 2 });
    for (let i = 0; i < 4; i++) burst(ledger, [waiting]);
    assert.deepEqual(uids(ledger), []);
    const again = pod("a", { version: 3 });
    assert.deepEqual(burst(ledger, [again]).told, ["done a"]);
    assert.deepEqual(burst(ledger, [again]).told, ["put a"]);
    assert.deepEqual(uids(ledger), ["a"]);
    assert.equal(ledger.apply("MODIFIED", pod("a", { version: 4 }), 0).changes.length, 1, "later events are applied");
  });

  test("a deleted pod that was missing from a list is active after two later lists", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("k"), pod("a")]);
    ledger.apply("DELETED", identity("a"), 0);
    burst(ledger, [pod("k")]);
    const again = [pod("k"), pod("a", { version: 2 })];
    assert.deepEqual(burst(ledger, again).told, ["done a"], "one list is not enough");
    assert.deepEqual(burst(ledger, again).told, ["put a"]);
    assert.deepEqual(uids(ledger), ["k", "a"]);
    assert.equal(ledger.apply("MODIFIED", pod("a", { version: 3 }), 0).changes.length, 1);
  });
});

describe("pods with an unreadable part", () => {
  test("a pod with a broken spec is unreadable, and is a possible gap once", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    assert.deepEqual(burst(ledger, [pod("a"), brokenSpec("b")]), { told: ["put a"], hasGap: true });
    assert.deepEqual([ledger.count(true), [...ledger.unreadable]], [1, ["b"]]);
    assert.deepEqual(burst(ledger, [pod("a"), brokenSpec("b")]), { told: [], hasGap: false });
    assert.deepEqual(burst(ledger, [pod("a"), pod("b")]).told, ["put b"]);
    assert.deepEqual([...ledger.unreadable], []);
  });

  test("a known pod keeps its last readable state", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a", { version: 7 })]);
    const before = ledger.get("a")?.version;
    assert.deepEqual(ledger.apply("MODIFIED", brokenSpec("a"), 0), { changes: [], hasGap: true });
    assert.equal(ledger.get("a")?.version, before);
  });

  test("a pod is readable if the mask leaves out its broken part", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    ledger.retain(podMask("metadata.uid", "status.phase"));
    assert.deepEqual(burst(ledger, [brokenSpec("b")]).told, ["put b"]);
    ledger.retain(podMask("metadata.uid", "spec.containers.image"));
    burst(ledger, [brokenSpec("b")]);
    assert.deepEqual([...ledger.unreadable], ["b"]);
  });
});

test("a list with more retained fields makes changes, even if the retained bytes are equal", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  ledger.retain(podMask("metadata.uid"));
  assert.deepEqual(burst(ledger, [pod("a")]).told, ["put a"]);
  const wider = podMask("metadata.uid", "spec.nodeName"); // which the pod has not: it comes to the same bytes
  ledger.retain(wider);
  assert.deepEqual(burst(ledger, [pod("a")]).told, ["put a"]);
  assert.deepEqual(
    [...ledger.records()].map(({ version }) => version.retained),
    [wider],
  );
  assert.deepEqual(burst(ledger, [pod("a")]).told, [], "and once");
});

describe("limits", () => {
  test("remembered deleted pods count toward the limit", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const half = Array.from({ length: MAX_PODS / 2 }, (_, i) => `p${i}`);
    burst(
      ledger,
      half.map((uid) => tiny(uid)),
    );
    for (const uid of half) ledger.apply("DELETED", tiny(uid), 0);
    burst(ledger, []);
    for (const uid of half) ledger.apply("ADDED", tiny(`q${uid}`), 0);
    assert.equal(ledger.isFull, false);
    ledger.apply("ADDED", tiny("one-more"), 0);
    assert.equal(ledger.isFull, true);
  });

  test("pods that are added and deleted between two lists do not fill the ledger", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a")]);
    for (let i = 0; i < MAX_PODS + 5_000; i++) {
      ledger.apply("ADDED", tiny(`p${i}`), 0);
      ledger.apply("DELETED", tiny(`p${i}`), 0);
    }
    assert.equal(ledger.isFull, false);
    for (let i = 0; i < MAX_PODS; i++) ledger.apply("ADDED", tiny(`q${i}`), 0);
    assert.equal(ledger.isFull, true, "those that are there are bounded as ever");
  });

  test("too many pods fill the ledger, in a list and in events", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    ledger.begin(STREAM);
    for (let i = 0; i < MAX_PODS; i++) ledger.stage("ADDED", tiny(`p${i}`));
    assert.equal(ledger.isFull, false);
    ledger.stage("ADDED", pod("one-more"));
    assert.equal(ledger.isFull, true);
    assert.equal(burst(ledger, [pod("a")]).told.length, 1);
    assert.equal(ledger.isFull, false, "what was staged is forgotten");
    for (let i = 0; i < MAX_PODS - 1; i++) ledger.apply("ADDED", tiny(`p${i}`), 0);
    assert.equal(ledger.isFull, false);
    ledger.apply("ADDED", pod("one-more"), 0);
    assert.equal(ledger.isFull, true);
    burst(ledger, [pod("a")], { nowMs: 40_000 });
    burst(ledger, [pod("a")], { nowMs: 80_000 });
    assert.equal(ledger.isFull, false, "later lists stand for themselves, when what they lack may have ended");
  });

  test("too many bytes fill the ledger, and only the last state of a pod counts", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const large = (uid: string, version: number) => {
      const bytes = new Uint8Array(MAX_RETAINED_BYTES / 8);
      const head = encode({ uid, version, failed: false, finished: false, isStatic: false, created: 1 }, 1);
      // What is left is a field that is not known: its tag, and its length in five bytes.
      const rest = bytes.length - head.length - 7;
      bytes.set([...head, 0xfa, 0x7f, ...[0, 7, 14, 21].map((shift) => ((rest >>> shift) & 0x7f) | 0x80), rest >>> 28]);
      return bytes;
    };
    burst(ledger, [pod("a")]);
    for (let version = 0; version < 10; version++) ledger.apply("MODIFIED", large("a", version), 0);
    assert.equal(ledger.isFull, false);
    for (let i = 0; i < 7; i++) ledger.apply("ADDED", large(`p${i}`, 1), 0);
    assert.equal(ledger.isFull, false);
    ledger.apply("ADDED", large("one-more", 1), 0);
    assert.equal(ledger.isFull, true);

    const staging = new Ledger(() => Number.POSITIVE_INFINITY);
    staging.begin(STREAM);
    for (let version = 0; version < 10; version++) staging.stage("ADDED", large("a", version));
    assert.equal(staging.isFull, false);
    for (let i = 0; i < 7; i++) staging.stage("ADDED", large(`p${i}`, 1));
    assert.equal(staging.isFull, false);
    staging.stage("ADDED", large("one-more", 1));
    assert.equal(staging.isFull, true, "before it is taken over");
  });

  test("small pods do not retain buffers that they shared with replaced states", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const podBytes = (uid: string, { version, filler = "" }: { version: number; filler?: string }) => {
      const metadata = { uid, name: uid, namespace: "n", resourceVersion: String(version), labels: { filler } };
      return toBinary(PodSchema, create(PodSchema, { metadata }));
    };
    const hot = (version: number) => podBytes("hot", { version, filler: "x".repeat(3_000) });
    const small = Array.from({ length: 500 }, (_, i) => `p${i}`);
    burst(ledger, [...small.map((uid) => podBytes(uid, { version: 0 })), hot(0)]);
    for (const [i, uid] of small.entries()) {
      ledger.apply("MODIFIED", podBytes(uid, { version: 1 }), 0);
      for (let n = 1; n <= 5; n++) ledger.apply("MODIFIED", hot(5 * i + n), 0);
    }
    const entries = [...ledger.records()].map(({ version }) => version.bytes);
    const live = entries.reduce((sum, { length }) => sum + length, 0);
    const held = [...new Set(entries.map(({ buffer }) => buffer))].reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.ok(held < 6 * live + 2 * 1024 * 1024, `${held} for ${live}`);
  });

  test("rejects an overlong UID as malformed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    ledger.begin(STREAM);
    ledger.stage("ADDED", pod("u".repeat(100_000)));
    assert.deepEqual(ledger.commit(0), { changes: [], hasGap: true, hasDifference: false });
    assert.deepEqual([ledger.malformed, [...ledger.unreadable]], [1, []]);
  });
});
