import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { decodePod } from "../../src/index.js";
import { MAX_KEPT_BYTES, MAX_PODS } from "../../src/pod/limits.js";
import { podMask } from "../../src/pod/mask.js";
import { Ledger } from "../../src/watch/ledger.js";
import type { StreamFacts } from "../../src/watch/staging.js";
import { encode, type ModelPod } from "./model-pod.js";

/** A pod as process 1 sends it, or another. */
function pod(uid: string, { by = 1, ...more }: Partial<ModelPod> & { by?: number } = {}): Uint8Array {
  return encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1, ...more }, by);
}
const identity = (uid: string) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 1, true);

/** The first bytes of a pod: its metadata is whole, what follows is cut off. */
const brokenTail = (uid: string, by = 1) => Uint8Array.from([...pod(uid, { by }), 0x1a, 200]);
const garbage = Uint8Array.of(0x0a, 200, 1);

/** A pod whose metadata and status are whole, and a container of whose spec cannot be read. */
const brokenSpec = (uid: string) => Uint8Array.from([...pod(uid), 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]);

/** A pod by another name. */
function named(uid: string, name: string): Uint8Array {
  const message = decodePod(pod(uid));
  if (message.metadata !== undefined) Object.assign(message.metadata, { uid, name });
  return toBinary(PodSchema, create(PodSchema, message));
}

interface Burst extends Partial<StreamFacts> {
  nowMs?: number;
}

/** A whole list; without more it is of the connection of the last one. */
function burst(ledger: Ledger, pods: Uint8Array[], { nowMs = 0, ...facts }: Burst = {}) {
  ledger.begin({ ...STREAM, ...facts });
  for (const bytes of pods) ledger.stage("ADDED", bytes);
  const { changes, suspect } = ledger.commit(nowMs);
  return { told: changes.map((c) => `${c.active ? "put" : c.gone ? "gone" : "done"} ${c.uid}`), suspect };
}

const STREAM: StreamFacts = {
  server: "socket",
  connection: "1",
  complete: false,
  planned: false,
  tellsDeletions: true,
};

/** A stream over another connection than the last one. */
const ANOTHER = { connection: "2" };

/** The deletions that a list came to. */
const gone = (ledger: Ledger, pods: Uint8Array[], facts: Burst) =>
  burst(ledger, pods, facts).told.filter((each) => !each.startsWith("put"));

const uids = (ledger: Ledger) => [...ledger.entries()].filter((e) => e.active).map((e) => e.entry.head.uid);

test("a finished pod that another kubelet lists illegibly stays finished [#42]", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a")]);
  ledger.apply("DELETED", identity("a"));
  assert.deepEqual(burst(ledger, [brokenTail("a", 2)], ANOTHER).told, []);
  assert.deepEqual(uids(ledger), []);
});

test("a burst: what is new, what went, what has finished meanwhile [#81 #82 #95]", () => {
  const ledger = new Ledger();
  assert.deepEqual(burst(ledger, [pod("a"), pod("b"), pod("c", { finished: true })]).told, [
    "put a",
    "put b",
    "done c",
  ]);
  assert.deepEqual(uids(ledger), ["a", "b"]);
  assert.deepEqual(burst(ledger, [pod("b", { finished: true }), pod("d")]).told, [
    "gone a",
    "gone c",
    "done b",
    "put d",
  ]);
  assert.deepEqual(burst(ledger, [pod("b", { finished: true }), pod("d")]).told, [], "the same again tells nothing");
});

test("a pod of phase Failed whose containers run has not ended, in a list and live [#86]", () => {
  const ledger = new Ledger();
  assert.deepEqual(burst(ledger, [pod("a", { failed: true })]).told, ["put a"]);
  assert.equal(ledger.apply("ADDED", pod("b", { failed: true })).changes[0]?.active, true);
  assert.deepEqual(uids(ledger), ["a", "b"]);
});

test("a stream that dies before its marker changes nothing [#61]", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a")]);
  for (let i = 0; i < 1000; i++) {
    ledger.begin({ ...STREAM, connection: String(i) });
    ledger.stage("ADDED", pod("b"));
  }
  assert.deepEqual(uids(ledger), ["a"]);
});

test("the same UID with another creation time is another pod; without one it has changed [#52]", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
  const again = [pod("a", { created: 2, version: 2 }), pod("s", { isStatic: true, version: 2 })];
  assert.deepEqual(burst(ledger, again).told, ["gone a", "put a", "put s"]);
});

test("two pods of one name are two entries [#50]", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a"), pod("b")]);
  assert.equal(ledger.count(false), 2);
});

describe("live events", () => {
  test("DELETED of the unknown is ignored, a repeated one too; Failed while running is no end [#57 #86 #91]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a")]);
    assert.deepEqual(ledger.apply("DELETED", identity("x")), { changes: [], suspect: false });
    const [evicted] = ledger.apply("MODIFIED", pod("a", { failed: true, version: 2 })).changes;
    assert.equal(evicted?.active, true);
    const [deleted] = ledger.apply("DELETED", identity("a")).changes;
    assert.deepEqual([deleted?.active, deleted?.gone, deleted?.entry.head.phase], [false, false, "Failed"]);
    assert.deepEqual(ledger.apply("DELETED", identity("a")).changes, []);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a")).changes, [], "#56 what comes late is suppressed");
  });

  test("a tombstone lapses two commits after the last burst that had the pod, and at once with another kubelet [#56]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a")]);
    ledger.apply("DELETED", identity("a"));
    for (let i = 0; i < 5; i++) burst(ledger, [pod("a", { finished: true, version: 3 })]);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a")).changes, []);
    burst(ledger, []);
    burst(ledger, []);
    assert.deepEqual(ledger.apply("MODIFIED", pod("a")).changes, []);
    burst(ledger, []);
    assert.equal(ledger.apply("MODIFIED", pod("a")).changes.length, 1);

    const other = new Ledger();
    burst(other, [pod("a")]);
    other.apply("DELETED", identity("a"));
    burst(other, [], ANOTHER);
    assert.equal(other.apply("MODIFIED", pod("a")).changes.length, 1);
  });

  test("DELETED without UID: the only one of that name, else a doubt [#46]", () => {
    const nameless = encode(
      { uid: "", version: 1, failed: false, finished: false, isStatic: false, created: 1 },
      1,
      true,
    );
    const ledger = new Ledger();
    burst(ledger, [pod("a")]);
    assert.deepEqual(ledger.apply("DELETED", nameless), { changes: [], suspect: true });
    assert.equal(ledger.malformed, 1);
  });
});

describe("what cannot be read", () => {
  test("a pod whose UID is legible is kept, listed as degraded, and doubted once [#42]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a")), { changes: [], suspect: true });
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a")), { changes: [], suspect: false });
    assert.deepEqual(ledger.degraded, ["a"]);
    assert.deepEqual(burst(ledger, [brokenTail("a"), pod("b")]), { told: [], suspect: false });
    assert.deepEqual(uids(ledger), ["a", "b"]);
    burst(ledger, [pod("a", { version: 2 }), pod("b")]);
    assert.deepEqual(ledger.degraded, []);
  });

  test("one that has neither a UID nor a name proves nothing absent, and is never keyed as nothing [#43 #44]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    for (const bytes of [garbage, new Uint8Array()]) {
      assert.deepEqual(burst(ledger, [pod("a"), bytes]), { told: [], suspect: true });
      assert.deepEqual(ledger.apply("MODIFIED", bytes).changes, []);
    }
    assert.deepEqual(uids(ledger), ["a", "b"]);
    assert.deepEqual(burst(ledger, [pod("a")]).told, ["gone b"]);
  });
});

describe("the guard, after a kubelet was replaced that has not said that it initializes [#63 #89]", () => {
  const many = Array.from({ length: 100 }, (_, i) => `u${i}`);
  const listed = (uids: string[], by: number, isStatic = false) => uids.map((uid) => pod(uid, { by, isStatic }));

  test("where most pods are missing nothing is deleted for a minute, then the list is believed", () => {
    const ledger = new Ledger();
    burst(ledger, listed(many, 1));
    const rest = listed(many.slice(60), 2);
    assert.deepEqual(gone(ledger, rest, ANOTHER), []);
    assert.deepEqual(ledger.held, { count: 60, why: ["absent"] });
    const due: number[] = [];
    for (let nowMs = 0; ledger.held.count > 0; ) {
      nowMs += ledger.doubtMs(nowMs) ?? Number.NaN;
      due.push(nowMs);
      assert.equal(gone(ledger, rest, { ...ANOTHER, nowMs }).length, nowMs < 60_000 ? 0 : 60);
    }
    assert.deepEqual(due, [2_000, 5_000, 10_000, 20_000, 40_000, 60_000]);
    assert.deepEqual(ledger.held, { count: 0, why: [] });
  });

  test("forty of a hundred missing: two lists five seconds apart must agree", () => {
    const ledger = new Ledger();
    burst(ledger, listed(many, 1));
    const rest = listed(many.slice(40), 2);
    assert.deepEqual(gone(ledger, rest, ANOTHER), []);
    const more = [...rest, pod("u0", { by: 2 })];
    assert.deepEqual(gone(ledger, more, { ...ANOTHER, nowMs: 2_000 }), []);
    assert.equal(ledger.held.count, 39);
    assert.equal(gone(ledger, more, { ...ANOTHER, nowMs: 5_000 }).length, 39);
    assert.equal(ledger.held.count, 0);
  });

  test("pods of a source that is wholly missing are held for six hours, and lists come at the usual interval [K2]", () => {
    for (const empty of [false, true]) {
      const ledger = new Ledger();
      const statics = empty ? [] : ["s1", "s2"];
      const api = many.slice(0, 20);
      burst(ledger, [...listed(api, 1), ...listed(statics, 1, true)]);
      const only = listed(statics, 2, true);
      assert.deepEqual(gone(ledger, only, ANOTHER), []);
      assert.deepEqual(ledger.held, { count: 20, why: ["source"] });
      for (const nowMs of [5_000, 60_000, 3_600_000]) {
        assert.deepEqual(gone(ledger, only, { ...ANOTHER, nowMs }), []);
      }
      assert.equal(ledger.doubtMs(60_000), undefined, "past the first minute nothing is asked for out of turn");
      assert.equal(gone(ledger, only, { ...ANOTHER, nowMs: 6 * 3_600_000 }).length, 20);
    }
  });

  test("a source that comes back begins anew: its first, partial list releases nothing [K2]", () => {
    const ledger = new Ledger();
    const api = many.slice(0, 16);
    const statics = listed(["s1", "s2"], 2, true);
    burst(ledger, [...listed(api, 1), ...listed(["s1", "s2"], 1, true)]);
    burst(ledger, statics, ANOTHER);
    burst(ledger, statics, { ...ANOTHER, nowMs: 300_000 });
    const back = ledger.apply("ADDED", pod("u3", { by: 2 }));
    assert.equal(back.isBack, true, "a list is wanted at once");
    assert.deepEqual(gone(ledger, [...statics, pod("u3", { by: 2 })], { ...ANOTHER, nowMs: 301_000 }), []);
    assert.deepEqual(ledger.held, { count: 15, why: ["absent"] });
    assert.equal(ledger.doubtMs(301_000), 2_000);
    const all = [...statics, ...listed(api.slice(1), 2)];
    assert.deepEqual(gone(ledger, all, { ...ANOTHER, nowMs: 303_000 }), []);
    assert.deepEqual(gone(ledger, all, { ...ANOTHER, nowMs: 306_000 }), ["gone u0"]);
  });

  test("a kubelet that has said on this connection that it initializes is believed at once", () => {
    for (const missing of [["b"], ["a", "b"]]) {
      const ledger = new Ledger();
      burst(ledger, [pod("a"), pod("b")]);
      const there = ["a", "b"].filter((uid) => !missing.includes(uid)).map((uid) => pod(uid, { by: 2 }));
      assert.deepEqual(
        gone(ledger, there, { ...ANOTHER, complete: true }),
        missing.map((uid) => `gone ${uid}`),
      );
      assert.deepEqual(ledger.held, { count: 0, why: [] });
    }
  });
});

describe("which process a list is of is decided by evidence at its commit [K1]", () => {
  const lacksOne = (by: number) => [pod("a", { by }), pod("b", { by })];
  const known = [pod("a"), pod("b"), pod("c")];

  test("one stamp that is the same: the same process, also over another connection", () => {
    const ledger = new Ledger();
    burst(ledger, known);
    const [a, b] = [pod("a", { by: 1 }), pod("b", { by: 2 })]; // b was removed and added again
    assert.deepEqual(burst(ledger, [a, b], ANOTHER).told, ["gone c", "put b"]);
  });

  test("stamps that are all new: another process, whatever connection and socket are said to be", () => {
    const ledger = new Ledger();
    burst(ledger, known);
    assert.deepEqual(gone(ledger, lacksOne(2), {}), []);
    assert.deepEqual(ledger.held, { count: 1, why: ["absent"] });
  });

  test("no stamp that can be compared: the same connection is the same process, another one is not", () => {
    for (const [facts, gone] of [
      [{}, ["gone c"]],
      [ANOTHER, []],
      [{ connection: undefined }, []],
    ] as const) {
      const ledger = new Ledger();
      burst(ledger, [pod("c")]);
      assert.deepEqual(burst(ledger, [pod("d")], facts).told, [...gone, "put d"]);
    }
  });

  test("sources without stamps are guarded where the connection is another", () => {
    for (const [connection, told] of [
      ["1", ["gone c"]],
      ["2", []],
    ] as const) {
      const ledger = new Ledger();
      const bare = (uid: string) =>
        encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, undefined);
      burst(ledger, [bare("a"), bare("b"), bare("c")]);
      assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { connection }).told, told);
    }
  });

  test("of a source that has neither stamps nor connections, two lists agree", () => {
    const bare = (uid: string) =>
      encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, undefined);
    const ledger = new Ledger();
    const facts = { connection: undefined, tellsDeletions: false };
    burst(ledger, [bare("a"), bare("b"), bare("c")], facts);
    assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { ...facts, nowMs: 10_000 }).told, []);
    assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { ...facts, nowMs: 20_000 }).told, ["gone c"]);
  });

  test("a pod that another process tells in the same bytes has been read by it", () => {
    const bare = (uid: string) =>
      encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, undefined);
    const ledger = new Ledger();
    burst(ledger, [bare("a"), bare("b"), bare("c")]);
    burst(ledger, [bare("a"), bare("b")], ANOTHER);
    assert.deepEqual(ledger.held, { count: 1, why: ["absent"] });
    assert.deepEqual(ledger.apply("ADDED", bare("c")).changes, []);
    burst(ledger, [bare("a"), bare("b")], { ...ANOTHER, planned: true, nowMs: 6_000 });
    assert.deepEqual(ledger.held, { count: 1, why: ["ending"] });
  });

  test("two lists of two processes without stamps do not agree [K1]", () => {
    const bare = (uid: string) =>
      encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, undefined);
    const ledger = new Ledger();
    burst(ledger, [bare("a"), bare("b"), bare("c")]);
    assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { connection: "2", nowMs: 10_000 }).told, []);
    assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { connection: "3", nowMs: 20_000 }).told, []);
    assert.deepEqual(burst(ledger, [bare("a"), bare("b")], { connection: "3", nowMs: 25_000 }).told, ["gone c"]);
  });

  test("an entry that cannot be read is no evidence", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b"), pod("c")]);
    burst(ledger, [brokenTail("a"), pod("b", { by: 2 })], ANOTHER);
    assert.deepEqual(ledger.held, { count: 1, why: ["absent"] });
  });
});

describe("what comes live [T8]", () => {
  test("another creation time under a known UID is another pod: the old one is DELETED first", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    const { changes } = ledger.apply("MODIFIED", pod("a", { version: 2, created: 9 }));
    assert.deepEqual(
      changes.map(({ uid, gone, active }) => [uid, gone, active]),
      [
        ["a", true, false],
        ["a", false, true],
      ],
    );
  });

  test("DELETED that has a name alone is of the one pod of that name, and of none where there are two", () => {
    const nameless = (uid: string) =>
      toBinary(PodSchema, create(PodSchema, { metadata: { name: `name-${uid}`, namespace: "ns" } }));
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b"), named("c", "name-b")]);
    assert.deepEqual(
      ledger.apply("DELETED", nameless("a")).changes.map(({ uid, active }) => [uid, active]),
      [["a", false]],
    );
    const { changes, suspect } = ledger.apply("DELETED", nameless("b"));
    assert.deepEqual([changes, suspect, ledger.malformed], [[], true, 1]);
  });

  test("a known pod that cannot be read stays degraded over a reconnect, and is so no more when it can", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    assert.deepEqual(ledger.apply("MODIFIED", brokenTail("a")), { changes: [], suspect: true });
    assert.deepEqual(burst(ledger, [brokenTail("a"), pod("b")], ANOTHER).told, []);
    assert.deepEqual([ledger.degraded, uids(ledger)], [["a"], ["a", "b"]]);
    burst(ledger, [pod("a"), pod("b")], ANOTHER);
    assert.deepEqual(ledger.degraded, []);
  });
});

describe("a pod that leaves the lists before the kubelet says DELETED [K4]", () => {
  const planned = { planned: true };

  test("is held, and told when the kubelet says that it has ended", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 1_000 }).told, []);
    assert.deepEqual([ledger.held, ledger.isHeld("s")], [{ count: 1, why: ["ending"] }, true]);
    const late = ledger.apply("ADDED", pod("s", { isStatic: true, version: 2 }));
    assert.deepEqual(
      late.changes.map(({ active }) => active),
      [true],
      "its last status, which comes as ADDED, is a change",
    );
    const [deleted] = ledger.apply("DELETED", identity("s")).changes;
    assert.deepEqual([deleted?.gone, deleted?.cause], [true, "finished"]);
    assert.deepEqual(ledger.held, { count: 0, why: [] });
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 2_000 }).told, []);
  });

  test("is held also where its container has ended, since DELETED comes a second later", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    ledger.apply("MODIFIED", pod("s", { isStatic: true, version: 2, stopped: true }));
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 0 }).told, []);
    assert.deepEqual(ledger.held, { count: 1, why: ["ending"] });
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 9_000 }).told, []);
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 10_000 }).told, ["gone s"]);
  });

  test("is told at the first list after its grace period and ten seconds", () => {
    for (const [graceSeconds, dueMs] of [
      [undefined, 40_000],
      [0, 10_000],
      [8, 18_000],
      [100_000, 610_000],
    ] as const) {
      const ledger = new Ledger();
      const grace = graceSeconds === undefined ? {} : { graceSeconds };
      burst(ledger, [pod("a"), pod("b", grace)]);
      const { told } = burst(ledger, [pod("a")], { ...planned, nowMs: 0 });
      assert.deepEqual(told, []);
      assert.equal(ledger.doubtMs(0), undefined, "no list out of turn");
      assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: dueMs - 1_000 }).told, []);
      assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: dueMs }).told, ["gone b"]);
    }
  });

  test("is held anew where the kubelet has told of it in between", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    burst(ledger, [pod("a")], { ...planned, nowMs: 0 });
    ledger.apply("MODIFIED", pod("b", { version: 2 }));
    assert.deepEqual(ledger.held, { count: 0, why: [] });
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 121_000 }).told, []);
    assert.deepEqual(burst(ledger, [pod("a")], { ...planned, nowMs: 161_000 }).told, ["gone b"]);
  });

  test("is told at once where no container ran, after an outage, and where no stream tells deletions", () => {
    for (const [facts, more] of [
      [planned, { finished: true, failed: true }],
      [{}, {}],
      [{ planned: true, tellsDeletions: false }, {}],
    ] as const) {
      const ledger = new Ledger();
      burst(ledger, [pod("a"), pod("b", more)]);
      assert.deepEqual(burst(ledger, [pod("a")], facts).told, ["gone b"]);
    }
  });

  test("stays where its manifest is put back", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
    burst(ledger, [pod("a")], planned);
    assert.deepEqual(burst(ledger, [pod("a"), pod("s", { isStatic: true, version: 2 })], planned).told, ["put s"]);
    assert.deepEqual(ledger.held, { count: 0, why: [] });
  });
});

describe("pods that end, and are there again", () => {
  test("a static pod that has run to its end stays listed: nothing comes and goes [K5]", () => {
    const ledger = new Ledger();
    const ended = pod("s", { isStatic: true, finished: true, version: 2 });
    burst(ledger, [pod("s", { isStatic: true })]);
    ledger.apply("MODIFIED", ended);
    const [deleted] = ledger.apply("DELETED", identity("s")).changes;
    assert.deepEqual([deleted?.active, deleted?.gone], [false, false], "listed on");
    assert.deepEqual(burst(ledger, [ended]).told, []);
    const after = pod("s", { isStatic: true, finished: true, version: 2, by: 2 });
    assert.deepEqual(burst(ledger, [after], ANOTHER).told, ["done s"], "its stamp alone has changed");
    assert.equal(ledger.count(true), 1);
  });

  test("a static pod that ran to its end and runs again is another [K5]", () => {
    for (const how of ["live", "list"]) {
      const ledger = new Ledger();
      burst(ledger, [pod("s", { isStatic: true })]);
      ledger.apply("MODIFIED", pod("s", { isStatic: true, finished: true, version: 2 }));
      ledger.apply("DELETED", identity("s"));
      const again = pod("s", { isStatic: true, version: 3 });
      if (how === "list") assert.deepEqual(burst(ledger, [again]).told, ["gone s", "put s"]);
      else assert.equal(ledger.apply("ADDED", again).changes.length, 2);
      assert.deepEqual(uids(ledger), ["s"]);
    }
  });

  test("a deleted pod that two lists of one process show running runs again; a phase alone proves nothing [W5]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a")]);
    ledger.apply("DELETED", identity("a"));
    const waiting = pod("a", { failed: false, finished: true, version: 2 });
    for (let i = 0; i < 4; i++) burst(ledger, [waiting]);
    assert.deepEqual(uids(ledger), []);
    const again = pod("a", { version: 3 });
    assert.deepEqual(burst(ledger, [again]).told, ["done a"]);
    assert.deepEqual(burst(ledger, [again]).told, ["put a"]);
    assert.deepEqual(uids(ledger), ["a"]);
    assert.equal(ledger.apply("MODIFIED", pod("a", { version: 4 })).changes.length, 1, "and it is told again");
  });

  test("so does one that no list had for a while [W5]", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("k"), pod("a")]);
    ledger.apply("DELETED", identity("a"));
    burst(ledger, [pod("k")]);
    for (let i = 0; i < 2; i++) burst(ledger, [pod("k"), pod("a", { version: 2 })]);
    assert.deepEqual(uids(ledger), ["k", "a"]);
    assert.equal(ledger.apply("MODIFIED", pod("a", { version: 3 })).changes.length, 1);
  });
});

describe("an entry without a UID [W4]", () => {
  const nameless = (name: string) => named("", name);

  test("that has a name is the pod of that name that the list lacks, and holds nothing else", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b"), pod("c")]);
    const { told, suspect } = burst(ledger, [pod("a"), nameless("name-b")]);
    assert.deepEqual([told, suspect], [["gone c", "put b"], true]);
    const b = ledger.get("b")?.entry;
    assert.ok(b);
    assert.equal(decodePod(b.bytes).metadata?.uid, "b");
    assert.deepEqual(ledger.held, { count: 0, why: [] });
  });

  test("that has the name of several holds all of these", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), named("b", "twin"), named("c", "twin"), pod("d")]);
    assert.deepEqual(burst(ledger, [pod("a"), nameless("twin")]).told, ["gone d"]);
    assert.deepEqual(ledger.held, { count: 2, why: ["no-uid"] });
  });

  test("that has neither holds every absence, and says so", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    assert.deepEqual(burst(ledger, [pod("a"), garbage]), { told: [], suspect: true });
    assert.deepEqual(ledger.held, { count: 1, why: ["no-uid"] });
    assert.deepEqual(burst(ledger, [pod("a")]).told, ["gone b"]);
  });
});

describe("a pod that cannot be read is noticed when it comes [W3]", () => {
  test("a spec that is broken: nothing of it is known, and one more list is tried", () => {
    const ledger = new Ledger();
    assert.deepEqual(burst(ledger, [pod("a"), brokenSpec("b")]), { told: ["put a"], suspect: true });
    assert.deepEqual([ledger.count(true), ledger.degraded], [1, ["b"]]);
    assert.deepEqual(burst(ledger, [pod("a"), brokenSpec("b")]), { told: [], suspect: false });
    assert.deepEqual(burst(ledger, [pod("a"), pod("b")]).told, ["put b"]);
    assert.deepEqual(ledger.degraded, []);
  });

  test("a pod that was legible keeps its last good state", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a", { version: 7 })]);
    const before = ledger.get("a")?.entry;
    assert.deepEqual(ledger.apply("MODIFIED", brokenSpec("a")), { changes: [], suspect: true });
    assert.equal(ledger.get("a")?.entry, before);
  });

  test("a mask that leaves the broken part out can be kept", () => {
    const ledger = new Ledger();
    ledger.keep(podMask("metadata.uid", "status.phase"));
    assert.deepEqual(burst(ledger, [brokenSpec("b")]).told, ["put b"]);
    ledger.keep(podMask("metadata.uid", "spec.containers.image"));
    burst(ledger, [brokenSpec("b")]);
    assert.deepEqual(ledger.degraded, ["b"]);
  });
});

test("a burst of which more is kept is told again where the bytes that are kept are the same", () => {
  const ledger = new Ledger();
  ledger.keep(podMask("metadata.uid"));
  assert.deepEqual(burst(ledger, [pod("a")]).told, ["put a"]);
  const wider = podMask("metadata.uid", "spec.nodeName"); // which the pod has not: it comes to the same bytes
  ledger.keep(wider);
  assert.deepEqual(burst(ledger, [pod("a")]).told, ["put a"]);
  assert.deepEqual(
    [...ledger.entries()].map(({ entry }) => entry.kept),
    [wider],
  );
  assert.deepEqual(burst(ledger, [pod("a")]).told, [], "and once");
});

describe("more than any node has is not kept", () => {
  test("too many pods, in a list and one by one", () => {
    const ledger = new Ledger();
    ledger.begin(STREAM);
    for (let i = 0; i < MAX_PODS; i++) ledger.stage("ADDED", pod(`p${i}`));
    assert.equal(ledger.isFull, false);
    ledger.stage("ADDED", pod("one-more"));
    assert.equal(ledger.isFull, true);
    assert.equal(burst(ledger, [pod("a")]).told.length, 1);
    assert.equal(ledger.isFull, false, "what was staged is forgotten");
    for (let i = 0; i < MAX_PODS - 1; i++) ledger.apply("ADDED", pod(`p${i}`));
    assert.equal(ledger.isFull, false);
    ledger.apply("ADDED", pod("one-more"));
    assert.equal(ledger.isFull, true);
    burst(ledger, [pod("a")]);
    assert.equal(ledger.isFull, false, "the next list stands for itself");
  });

  test("too many bytes; of a pod that changes, only its last state counts", () => {
    const ledger = new Ledger();
    const large = (uid: string, version: number) => {
      const bytes = new Uint8Array(MAX_KEPT_BYTES / 8);
      const head = encode({ uid, version, failed: false, finished: false, isStatic: false, created: 1 }, 1);
      // What is left is a field that is not known: its tag, and its length in five bytes.
      const rest = bytes.length - head.length - 7;
      bytes.set([...head, 0xfa, 0x7f, ...[0, 7, 14, 21].map((shift) => ((rest >>> shift) & 0x7f) | 0x80), rest >>> 28]);
      return bytes;
    };
    burst(ledger, [pod("a")]);
    for (let version = 0; version < 10; version++) ledger.apply("MODIFIED", large("a", version));
    assert.equal(ledger.isFull, false);
    for (let i = 0; i < 7; i++) ledger.apply("ADDED", large(`p${i}`, 1));
    assert.equal(ledger.isFull, false);
    ledger.apply("ADDED", large("one-more", 1));
    assert.equal(ledger.isFull, true);
  });

  test("a UID that is no UID keys nothing", () => {
    const ledger = new Ledger();
    ledger.begin(STREAM);
    ledger.stage("ADDED", pod("u".repeat(100_000)));
    assert.deepEqual(ledger.commit(0), { changes: [], suspect: true });
    assert.deepEqual([ledger.malformed, ledger.degraded], [1, []]);
  });
});
