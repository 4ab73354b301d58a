import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { podMask } from "../../src/pod/mask.js";
import { Ledger, MAX_KEPT_BYTES, MAX_PODS } from "../../src/watch/ledger.js";
import { encode, type ModelPod } from "./model-pod.js";

const pod = (uid: string, more: Partial<ModelPod> = {}) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1, ...more }, 1);
const identity = (uid: string) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 1, true);

/** The first bytes of a pod: its metadata is whole, what follows is cut off. */
const brokenTail = (uid: string) => Uint8Array.from([...pod(uid), 0x1a, 200]);
const garbage = Uint8Array.of(0x0a, 200, 1);

function burst(ledger: Ledger, pods: Uint8Array[], { replaced = false, complete = false, nowMs = 0 } = {}) {
  ledger.begin({ replaced, complete, nowMs });
  for (const bytes of pods) ledger.stage("ADDED", bytes);
  const { changes, suspect } = ledger.commit(nowMs);
  return { told: changes.map((c) => `${c.active ? "put" : c.gone ? "gone" : "done"} ${c.uid}`), suspect };
}

const uids = (ledger: Ledger) => [...ledger.entries()].filter((e) => e.active).map((e) => e.entry.head.uid);

test("#42 a finished pod that another kubelet lists illegibly stays finished", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a")]);
  ledger.apply("DELETED", identity("a"));
  assert.deepEqual(burst(ledger, [brokenTail("a")], { replaced: true }).told, []);
  assert.deepEqual(uids(ledger), []);
});

test("#81 #82 #95 a burst: what is new, what went, what has finished meanwhile", () => {
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

test("#61 a stream that dies before its marker changes nothing", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a")]);
  for (let i = 0; i < 1000; i++) {
    ledger.begin({ replaced: false, complete: false, nowMs: i });
    ledger.stage("ADDED", pod("b"));
  }
  assert.deepEqual(uids(ledger), ["a"]);
});

test("#52 the same UID with another creation time is another pod; without one it has changed", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a"), pod("s", { isStatic: true })]);
  const again = [pod("a", { created: 2, version: 2 }), pod("s", { isStatic: true, version: 2 })];
  assert.deepEqual(burst(ledger, again).told, ["gone a", "put a", "put s"]);
});

test("#50 two pods of one name are two entries", () => {
  const ledger = new Ledger();
  burst(ledger, [pod("a"), pod("b")]);
  assert.equal(ledger.count(false), 2);
});

describe("live events", () => {
  test("#57 #86 #91 DELETED of the unknown is ignored, a repeated one too; Failed while running is no end", () => {
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

  test("#56 a tombstone lapses two commits after the last burst that had the pod, and at once with another kubelet", () => {
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
    burst(other, [], { replaced: true });
    assert.equal(other.apply("MODIFIED", pod("a")).changes.length, 1);
  });

  test("#46 DELETED without UID: the only one of that name, else a doubt", () => {
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
  test("#42 a pod whose UID is legible is kept, listed as degraded, and doubted once", () => {
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

  test("#43 #44 one that has no UID proves nothing absent, and is never keyed as nothing", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    for (const bytes of [garbage, new Uint8Array(), pod("")]) {
      assert.deepEqual(burst(ledger, [pod("a"), bytes]), { told: [], suspect: true });
      assert.deepEqual(ledger.apply("MODIFIED", bytes).changes, []);
    }
    assert.deepEqual(uids(ledger), ["a", "b"]);
    assert.deepEqual(burst(ledger, [pod("a")]).told, ["gone b"]);
  });
});

describe("#63 #89 the guard, after a kubelet was replaced that has not said that it initializes", () => {
  const many = Array.from({ length: 100 }, (_, i) => `u${i}`);

  test("an empty list deletes nothing for a minute, then it is believed", () => {
    for (const count of [100, 3]) {
      const ledger = new Ledger();
      burst(
        ledger,
        many.slice(0, count).map((uid) => pod(uid)),
      );
      assert.deepEqual(burst(ledger, [], { replaced: true }).told, []);
      assert.equal(ledger.held, count);
      const due: number[] = [];
      for (let nowMs = 0; ledger.held > 0; ) {
        nowMs += ledger.doubtMs(nowMs) ?? Number.NaN;
        due.push(nowMs);
        const { told } = burst(ledger, [], { nowMs });
        assert.equal(told.length, nowMs < 60_000 ? 0 : count);
      }
      assert.deepEqual(due, [2_000, 5_000, 10_000, 20_000, 40_000, 60_000]);
    }
  });

  test("forty of a hundred missing: two lists five seconds apart must agree", () => {
    const ledger = new Ledger();
    burst(
      ledger,
      many.map((uid) => pod(uid)),
    );
    const rest = many.slice(40).map((uid) => pod(uid));
    assert.deepEqual(burst(ledger, rest, { replaced: true }).told, []);
    assert.deepEqual(burst(ledger, [...rest, pod("u0")], { nowMs: 2_000 }).told, []);
    assert.equal(ledger.held, 39);
    assert.equal(burst(ledger, [...rest, pod("u0")], { nowMs: 5_000 }).told.length, 39);
    assert.equal(ledger.held, 0);
  });

  test("a whole source missing is doubted for a minute, however few pods it has", () => {
    const ledger = new Ledger();
    const api = many.slice(0, 20).map((uid) => pod(uid));
    burst(ledger, [...api, pod("s", { isStatic: true })]);
    burst(ledger, api, { replaced: true });
    assert.deepEqual(burst(ledger, api, { nowMs: 10_000 }).told, []);
    assert.deepEqual(burst(ledger, api, { nowMs: 60_000 }).told, ["gone s"]);
  });

  test("a kubelet that has said that it initializes is believed at once, also on its second stream", () => {
    const ledger = new Ledger();
    burst(ledger, [pod("a"), pod("b")]);
    ledger.begin({ replaced: true, complete: false, nowMs: 0 });
    assert.deepEqual(burst(ledger, [pod("a")], { complete: true }).told, ["gone b"]);
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
    ledger.begin({ replaced: false, complete: false, nowMs: 0 });
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
    ledger.begin({ replaced: false, complete: false, nowMs: 0 });
    ledger.stage("ADDED", pod("u".repeat(100_000)));
    assert.deepEqual(ledger.commit(0), { changes: [], suspect: true });
    assert.deepEqual([ledger.malformed, ledger.degraded], [1, []]);
  });
});
