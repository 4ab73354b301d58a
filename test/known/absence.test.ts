// Which pods that a list lacks are kept, and for how long.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { Ledger } from "../../src/known/ledger.js";
import { describe, test } from "../helpers/test.js";
import { encode, type ModelPod } from "../schedules/model-pod.js";
import { ANOTHER, brokenTail, burst, garbage, gone, identity, leaving, named, pod, tiny } from "./lists.js";

/** A pod that has run to its end, as a kubelet that stamps no pods sends it. */
const stampless = (uid: string, more: Partial<ModelPod> = {}) =>
  encode({ uid, version: 1, failed: false, finished: true, isStatic: false, created: 1, ...more }, undefined);

describe("missing pods after a kubelet restart, without an `initializing` error [#63 #89]", () => {
  const many = Array.from({ length: 100 }, (_, i) => `u${i}`);
  const listed = (uids: string[], by: number, isStatic = false) => uids.map((uid) => leaving(uid, { by, isStatic }));

  test("if most pods are missing, none is deleted for a minute", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, listed(many, 1));
    const rest = listed(many.slice(60), 2);
    assert.deepEqual(gone(ledger, rest, ANOTHER), []);
    assert.deepEqual(ledger.unconfirmed(true), { count: 60, reasons: ["absent"] });
    const due: number[] = [];
    for (let nowMs = 0; ledger.unconfirmed(true).count > 0; ) {
      nowMs += ledger.nextListMs(nowMs) ?? Number.NaN;
      due.push(nowMs);
      assert.equal(gone(ledger, rest, { ...ANOTHER, nowMs }).length, nowMs < 60_000 ? 0 : 60);
    }
    assert.deepEqual(due, [2_000, 5_000, 10_000, 20_000, 40_000, 60_000]);
    assert.deepEqual(ledger.unconfirmed(true), { count: 0, reasons: [] });
  });

  test("if half of the pods are missing, they are deleted after five seconds", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, listed(many, 1));
    const rest = listed(many.slice(50), 2);
    assert.deepEqual(gone(ledger, rest, ANOTHER), []);
    assert.equal(gone(ledger, rest, { ...ANOTHER, nowMs: 5_000 }).length, 50);
  });

  test("if no pod is missing, no additional list is requested", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, listed(many, 1));
    burst(ledger, listed(many, 2), ANOTHER);
    assert.equal(ledger.nextListMs(0), undefined);
  });

  test("while a source is missing, other pods are deleted after two lists five seconds apart", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    // A source without connections and stamps: each list may be of another process.
    const statics = ["s1", "s2", "s3"].map((uid) => stampless(uid, { isStatic: true }));
    const facts = { connection: undefined, reportsDeletions: false } as const;
    burst(ledger, [...statics, stampless("a")], facts);
    burst(ledger, statics, facts);
    assert.deepEqual(
      [ledger.unconfirmed(true), ledger.nextListMs(600_000)],
      [{ count: 1, reasons: ["source"] }, undefined],
    );
    assert.deepEqual(gone(ledger, statics.slice(1), { ...facts, nowMs: 600_000 }), []);
    assert.deepEqual([ledger.unconfirmed(true).count, ledger.nextListMs(600_000)], [2, 5_000]);
    assert.deepEqual(gone(ledger, statics.slice(1), { ...facts, nowMs: 605_000 }), ["gone s1"]);
  });

  test("if 40 of 100 pods are missing, two lists five seconds apart must agree", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, listed(many, 1));
    const rest = listed(many.slice(40), 2);
    assert.deepEqual(gone(ledger, rest, ANOTHER), []);
    const more = [...rest, leaving("u0", { by: 2 })];
    assert.deepEqual(gone(ledger, more, { ...ANOTHER, nowMs: 2_000 }), []);
    assert.equal(ledger.unconfirmed(true).count, 39);
    assert.equal(gone(ledger, more, { ...ANOTHER, nowMs: 5_000 }).length, 39);
    assert.equal(ledger.unconfirmed(true).count, 0);
  });

  test("pods of a missing source stay for six hours without additional lists", () => {
    for (const empty of [false, true]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      const statics = empty ? [] : ["s1", "s2"];
      const api = many.slice(0, 20);
      burst(ledger, [...listed(api, 1), ...listed(statics, 1, true)]);
      const only = listed(statics, 2, true);
      assert.deepEqual(gone(ledger, only, ANOTHER), []);
      assert.deepEqual(ledger.unconfirmed(true), { count: 20, reasons: ["source"] });
      for (const nowMs of [5_000, 60_000, 3_600_000]) {
        assert.deepEqual(gone(ledger, only, { ...ANOTHER, nowMs }), []);
      }
      assert.equal(ledger.nextListMs(60_000), undefined, "past the first minute nothing is asked for out of turn");
      assert.equal(gone(ledger, only, { ...ANOTHER, nowMs: 6 * 3_600_000 }).length, 20);
    }
  });

  test("when a source returns, its first list deletes none of its pods", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const api = many.slice(0, 16);
    const statics = listed(["s1", "s2"], 2, true);
    burst(ledger, [...listed(api, 1), ...listed(["s1", "s2"], 1, true)]);
    burst(ledger, statics, ANOTHER);
    burst(ledger, statics, { ...ANOTHER, nowMs: 300_000 });
    const back = ledger.apply("ADDED", leaving("u3", { by: 2 }), 0);
    assert.equal(back.listInMs, 0, "a list is wanted at once");
    assert.deepEqual(gone(ledger, [...statics, leaving("u3", { by: 2 })], { ...ANOTHER, nowMs: 301_000 }), []);
    assert.deepEqual(ledger.unconfirmed(true), { count: 15, reasons: ["absent"] });
    assert.equal(ledger.nextListMs(301_000), 2_000);
    const all = [...statics, ...listed(api.slice(1), 2)];
    assert.deepEqual(gone(ledger, all, { ...ANOTHER, nowMs: 303_000 }), []);
    assert.deepEqual(gone(ledger, all, { ...ANOTHER, nowMs: 306_000 }), ["gone u0"]);
  });

  test("missing pods are deleted at once if the list is complete", () => {
    for (const missing of [["b"], ["a", "b"]]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [leaving("a"), leaving("b")]);
      const there = ["a", "b"].filter((uid) => !missing.includes(uid)).map((uid) => leaving(uid, { by: 2 }));
      assert.deepEqual(
        gone(ledger, there, { ...ANOTHER, trust: "complete" as const }),
        missing.map((uid) => `gone ${uid}`),
      );
      assert.deepEqual(ledger.unconfirmed(true), { count: 0, reasons: [] });
    }
  });
});

/** A list of a source that tells no deletions: what has ended goes with the list that lacks it. */
const listing: typeof burst = (ledger, pods, facts = {}) => burst(ledger, pods, { reportsDeletions: false, ...facts });
const goneIn: typeof gone = (ledger, pods, facts) => gone(ledger, pods, { reportsDeletions: false, ...facts });

describe("the kubelet process of a list", () => {
  const lacksOne = (by: number) => [leaving("a", { by }), leaving("b", { by })];
  const known = [leaving("a"), leaving("b"), leaving("c")];

  test("is the same if one stamp is equal, even over another connection", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, known);
    const [a, b] = [leaving("a", { by: 1 }), leaving("b", { by: 2 })]; // b was removed and added again
    assert.deepEqual(listing(ledger, [a, b], ANOTHER).told, ["gone c", "done b"]);
  });

  test("is another one if all stamps are new, even over the same connection", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, known);
    assert.deepEqual(goneIn(ledger, lacksOne(2), {}), []);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["absent"] });
  });

  test("is not another one because a pod has a newer stamp than in an earlier process", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, known);
    listing(ledger, [leaving("c", { by: 2 })], ANOTHER);
    assert.deepEqual(listing(ledger, lacksOne(2), ANOTHER).told, ["gone c", "done a", "done b"]);
  });

  test("is decided by the connection if no stamps can be compared", () => {
    for (const [facts, gone] of [
      [{}, ["gone c"]],
      [ANOTHER, []],
      [{ connection: undefined }, []],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      listing(ledger, [leaving("c")]);
      assert.deepEqual(listing(ledger, [leaving("d")], facts).told, [...gone, "done d"]);
    }
  });

  test("is decided by the connection if the pods have no stamps", () => {
    for (const [connection, told] of [
      ["1", ["gone c"]],
      ["2", []],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      listing(ledger, [stampless("a"), stampless("b"), stampless("c")]);
      assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { connection }).told, told);
    }
  });

  test("is unknown without stamps and connections, so two lists must agree", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const facts = { connection: undefined, reportsDeletions: false } as const;
    listing(ledger, [stampless("a"), stampless("b"), stampless("c")], facts);
    assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { ...facts, nowMs: 10_000 }).told, []);
    assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { ...facts, nowMs: 20_000 }).told, ["gone c"]);
  });

  test("has read a pod that it sends with equal bytes in an event", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [stampless("a"), stampless("b"), stampless("c")]);
    burst(ledger, [stampless("a"), stampless("b")], ANOTHER);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["absent"] });
    assert.deepEqual(ledger.apply("ADDED", stampless("c"), 0).changes, []);
    burst(ledger, [stampless("a"), stampless("b")], { ...ANOTHER, nowMs: 6_000 });
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
  });

  test("has read a pod that it lists with equal bytes", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const running = (uid: string) => stampless(uid, { finished: false });
    burst(ledger, [running("a"), running("b")]);
    burst(ledger, [running("a"), running("b")], ANOTHER);
    burst(ledger, [running("a")], ANOTHER);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
  });

  test("does not depend on a stamp that only one list has", () => {
    for (const [before, after] of [
      [stampless, leaving],
      [leaving, stampless],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      listing(ledger, [before("a"), before("b"), before("c")]);
      assert.deepEqual(goneIn(ledger, [after("a"), after("b")], {}), ["gone c"], "the same connection");
    }
  });

  test("must be the same for two lists to agree, without connections", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    const facts = { connection: undefined };
    listing(ledger, known, facts);
    assert.deepEqual(goneIn(ledger, lacksOne(2), { ...facts, nowMs: 10_000 }), []);
    assert.deepEqual(goneIn(ledger, lacksOne(3), { ...facts, nowMs: 20_000 }), []);
    assert.deepEqual(goneIn(ledger, lacksOne(3), { ...facts, nowMs: 25_000 }), ["gone c"]);
  });

  test("must be the same for two lists to agree, without stamps", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [stampless("a"), stampless("b"), stampless("c")]);
    assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { connection: "2", nowMs: 10_000 }).told, []);
    assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { connection: "3", nowMs: 20_000 }).told, []);
    assert.deepEqual(listing(ledger, [stampless("a"), stampless("b")], { connection: "3", nowMs: 25_000 }).told, [
      "gone c",
    ]);
  });

  test("does not depend on an unreadable entry", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), leaving("b"), leaving("c")]);
    listing(ledger, [brokenTail("a"), leaving("b", { by: 2 })], ANOTHER);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["absent"] });
  });
});

describe("a pod that leaves the lists before the kubelet sends DELETED", () => {
  test("stays until the kubelet reports its end", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 1_000 }).told, []);
    assert.deepEqual(
      [ledger.unconfirmed(true), ledger.get("s")?.unconfirmed],
      [{ count: 1, reasons: ["ending"] }, "ending"],
    );
    const late = ledger.apply("ADDED", pod("s", { isStatic: true, version: 2 }), 0);
    assert.deepEqual(
      late.changes.map(({ isActive }) => isActive),
      [true],
      "its last status, which comes as ADDED, is a change",
    );
    const [deleted] = ledger.apply("DELETED", identity("s"), 0).changes;
    assert.deepEqual([deleted?.isGone, deleted?.cause], [true, "finished"]);
    assert.deepEqual(ledger.unconfirmed(true), { count: 0, reasons: [] });
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 2_000 }).told, []);
  });

  test("stays for its grace period if its phase is Failed but containers may run", () => {
    const metadata = { uid: "r", name: "r", namespace: "ns", creationTimestamp: { seconds: 1n } };
    const spec = { terminationGracePeriodSeconds: 60n };
    const rejected = create(PodSchema, { metadata, spec, status: { phase: "Failed" } });
    const failed = {
      uid: "r",
      version: 1,
      failed: true,
      finished: false,
      isStatic: false,
      created: 1,
      graceSeconds: 60,
    };
    for (const may of [toBinary(PodSchema, rejected), encode(failed, 1)]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), may]);
      for (const nowMs of [1_000, 60_000, 70_000])
        assert.deepEqual(burst(ledger, [pod("a")], { nowMs }).told, [], `${nowMs} ms`);
      assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 71_000 }).told, ["gone r"]);
    }
  });

  test("stays for ten seconds if its containers have ended", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    ledger.apply("MODIFIED", leaving("s", { isStatic: true, version: 2 }), 0);
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 0 }).told, []);
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 9_000 }).told, []);
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 10_000 }).told, ["gone s"]);
  });

  test("is deleted at the first list after its grace period and ten seconds", () => {
    for (const [graceSeconds, dueMs] of [
      [undefined, 40_000],
      [0, 10_000],
      [8, 18_000],
      [100_000, 610_000],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      const grace = graceSeconds === undefined ? {} : { graceSeconds };
      const trust = "complete"; // no other list is due
      burst(ledger, [pod("a"), pod("b", grace)], { trust });
      const { told } = burst(ledger, [pod("a")], { nowMs: 0, trust });
      assert.deepEqual(told, []);
      assert.equal(ledger.nextListMs(0), dueMs, "a list is asked for then");
      assert.deepEqual(burst(ledger, [pod("a")], { nowMs: dueMs - 1_000, trust }).told, []);
      assert.deepEqual(burst(ledger, [pod("a")], { nowMs: dueMs, trust }).told, ["gone b"]);
    }
  });

  test("stays for another grace period if an event reports it in between", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    burst(ledger, [pod("a")], { nowMs: 0 });
    ledger.apply("MODIFIED", pod("b", { version: 2 }), 0);
    assert.deepEqual(ledger.unconfirmed(true), { count: 0, reasons: [] });
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 121_000 }).told, []);
    assert.deepEqual(burst(ledger, [pod("a")], { nowMs: 161_000 }).told, ["gone b"]);
  });

  test("is deleted at once if a list showed it finished, or if it has ended and the source sends no deletions", () => {
    for (const [facts, before] of [
      [{}, pod("b", { finished: true, failed: true })],
      [{ reportsDeletions: false }, leaving("b")],
    ] as const) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), before]);
      assert.deepEqual(burst(ledger, [pod("a")], facts).told, ["gone b"]);
    }
  });

  test("stays for its grace period if it was terminating with stopped containers", () => {
    for (const facts of [{}, { connection: "2", trust: "complete" as const }]) {
      const by = "trust" in facts ? 2 : 1;
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), pod("b", { stopped: true, terminating: true })]);
      const toldAt = (nowMs: number) => gone(ledger, [pod("a", { by })], { ...facts, nowMs });
      assert.deepEqual([toldAt(0), toldAt(39_000), toldAt(40_000)], [[], [], ["gone b"]]);
    }
  });

  test("stays for another grace period when a list of a new process lacks it", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("b")]);
    burst(ledger, [pod("a")]);
    const toldAt = (nowMs: number) =>
      gone(ledger, [pod("a", { by: 2 })], { connection: "2", trust: "complete", nowMs });
    assert.deepEqual([toldAt(50_000), toldAt(89_000), toldAt(90_000)], [[], [], ["gone b"]]);
  });

  test("stays for its grace period over an outage and a kubelet restart", () => {
    for (const facts of [{}, { connection: "2" }, { connection: "2", trust: "complete" as const }]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), pod("b")]);
      const by = "trust" in facts ? 2 : 1;
      assert.deepEqual(gone(ledger, [pod("a", { by })], facts), []);
      assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
      assert.deepEqual(gone(ledger, [pod("a", { by })], { ...facts, nowMs: 40_000 }), ["gone b"]);
    }
  });

  test("stays if its status is empty, or if its ended containers will be restarted", () => {
    for (const before of [tiny("b"), pod("b", { stopped: true })]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      burst(ledger, [pod("a"), before]);
      for (const nowMs of [0, 39_000]) assert.deepEqual(burst(ledger, [pod("a")], { nowMs }).told, []);
      assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["ending"] });
    }
  });

  test("is confirmed when a list has it again", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    burst(ledger, [pod("a")]);
    assert.deepEqual(burst(ledger, [pod("a"), pod("s", { isStatic: true, version: 2 })]).told, ["put s"]);
    assert.deepEqual(ledger.unconfirmed(true), { count: 0, reasons: [] });
  });
});

describe("an entry without a UID", () => {
  const nameless = (name: string) => named("", name);

  test("with a name keeps only the missing pod of that name unconfirmed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), leaving("b"), leaving("c")]);
    const { told, hasGap } = listing(ledger, [leaving("a"), nameless("name-b")]);
    assert.deepEqual([told, hasGap], [["gone c"], true], "the entry changes no pod, because names are reused");
    assert.deepEqual(
      [ledger.unconfirmed(true), ledger.proof.provesAbsence && ledger.hasUIDs],
      [{ count: 1, reasons: ["no-uid"] }, false],
    );
    assert.deepEqual([ledger.hasUnreadable, ledger.unreadable.size], [true, 0]);
    listing(ledger, [leaving("a"), leaving("b")], { nowMs: 5_000 });
    listing(ledger, [leaving("a"), leaving("b")], { nowMs: 44_000 });
    assert.equal(ledger.proof.provesAbsence && ledger.hasUIDs, false, "what has left the lists may run on");
    listing(ledger, [leaving("a"), leaving("b")], { nowMs: 45_000 });
    assert.equal(ledger.proof.provesAbsence && ledger.hasUIDs, true);
  });

  test("keeps all missing pods of its name unconfirmed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), named("b", "twin"), named("c", "twin"), leaving("d")]);
    assert.deepEqual(listing(ledger, [leaving("a"), nameless("twin")]).told, ["gone d"]);
    assert.deepEqual(ledger.unconfirmed(true), { count: 2, reasons: ["no-uid"] });
  });

  test("keeps a missing pod unconfirmed even if another pod of that name is listed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), named("b", "twin"), named("c", "twin")]);
    assert.deepEqual(goneIn(ledger, [leaving("a"), named("b", "twin"), nameless("twin")], {}), []);
    assert.deepEqual([ledger.unconfirmed(true).count, ledger.count(true)], [1, 3]);
  });

  test("with an unknown name adds no pod and keeps none", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), leaving("b")]);
    assert.deepEqual(listing(ledger, [leaving("a"), nameless("nobody")]).told, ["gone b"]);
    assert.equal(ledger.count(true), 1);
  });

  test("without namespace or name, or cut off, keeps all missing pods unconfirmed", () => {
    const meta = (metadata: { name?: string; namespace?: string }) =>
      toBinary(PodSchema, create(PodSchema, { metadata }));
    const ended = Uint8Array.from([...meta({ name: "name-b", namespace: "ns" }), 0x1a, 200]);
    for (const bytes of [meta({ name: "name-x" }), meta({ namespace: "ns" }), ended]) {
      const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
      listing(ledger, [leaving("a"), leaving("b"), leaving("c")]);
      assert.deepEqual(listing(ledger, [leaving("a"), bytes]).told, []);
      assert.deepEqual(ledger.unconfirmed(true), { count: 2, reasons: ["no-uid"] });
    }
  });

  test("that is unreadable keeps all missing pods unconfirmed", () => {
    const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
    listing(ledger, [leaving("a"), leaving("b")]);
    assert.deepEqual(listing(ledger, [leaving("a"), garbage]), { told: [], hasGap: true });
    assert.deepEqual(ledger.unconfirmed(true), { count: 1, reasons: ["no-uid"] });
    assert.deepEqual(listing(ledger, [leaving("a")]).told, ["gone b"]);
  });
});

test("the unconfirmed count excludes deleted pods for readers without finished pods", () => {
  const ledger = new Ledger(() => Number.POSITIVE_INFINITY);
  burst(ledger, [pod("a"), pod("b"), leaving("c")]);
  ledger.apply("DELETED", identity("c"), 0);
  burst(ledger, [pod("a", { by: 2 })], ANOTHER);
  assert.deepEqual([ledger.unconfirmed(false).count, ledger.unconfirmed(true).count], [1, 2]);
});
