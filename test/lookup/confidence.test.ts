// How sure answers are: each grade, each doubt, and what a message that was lost, or a clock that was set, does to them.

import assert from "node:assert/strict";
import { Anchors } from "../../src/lookup/anchors.js";
import { atLeast, type Confidence } from "../../src/lookup/answer.js";
import { Spans } from "../../src/lookup/spans.js";
import { describe, test } from "../helpers/test.js";
import { Node, told, WALL_MS } from "./node.js";

const IP = "10.0.0.1";
const NAME = { namespace: "ns", name: "web-0" };

/** A node whose kubelet has been up for long, with a pod that has had the address for a minute. Lists come each two minutes. */
function lived(): Node {
  const node = new Node();
  node.put({ uid: "a", name: "web-0", ip: IP, created: Math.floor((WALL_MS + node.nowMs) / 1_000) });
  node.nowMs += 60_000;
  return node;
}

function at(node: Node, ms: number, key: Parameters<Node["find"]>[0] = { ip: IP }): string | undefined {
  return told(node.find(key, ms));
}

function created(node: Node): number {
  return Math.floor((WALL_MS + node.nowMs) / 1_000);
}

describe("reported and confirmed answers", () => {
  test("an answer is likely for ten seconds, then reported, and confirmed by a later list", () => {
    const node = lived();
    const { nowMs } = node;
    assert.equal(told(node.find({ ip: IP })), "a likely");
    assert.deepEqual(
      [at(node, nowMs), at(node, nowMs - 9_999), at(node, nowMs - 10_001)],
      ["a likely", "a likely", "a reported"],
    );
    node.nowMs += 4_999;
    node.list();
    node.nowMs += 60_000;
    assert.deepEqual([at(node, nowMs), at(node, nowMs - 1)], ["a reported", "a confirmed"]);
  });

  test("an end that a list reveals may date from any time since the previous list", () => {
    const node = lived();
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 120_000;
    node.drop("a", "missing", true);
    node.list();
    node.nowMs += 60_000;
    assert.equal(at(node, listedMs - 5_000), "a confirmed gone");
    for (const ms of [listedMs - 4_999, listedMs + 60_000])
      assert.equal(at(node, ms), "a outage gone", "it went at some time between the two lists");
    assert.equal(at(node, node.nowMs - 30_000), "nobody reported");
  });

  test("a new owner is uncertain until a list reveals the end of the previous owner", () => {
    const node = lived();
    node.list();
    node.nowMs += 60_000;
    const takenMs = node.nowMs;
    node.put({ uid: "b", ip: IP, created: created(node) });
    node.nowMs += 60_000;
    const found = node.find({ ip: IP }, takenMs + 30_000);
    assert.deepEqual([told(found), found.others], ["b reused", 1]);
    node.drop("a", "missing", true);
    node.list();
    assert.equal(at(node, takenMs + 30_000), "b reused", "the time at which the first owner lost it is unknown");
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "b reported");
  });

  test("a pod that shows its address only after its end had it for a few seconds", () => {
    const node = lived();
    const { nowMs } = node;
    const job = { uid: "j", created: created(node), phase: "Pending" };
    node.put(job);
    node.nowMs += 2_000;
    node.put({ ...job, ip: "10.0.0.7", phase: "Succeeded" }, false);
    node.nowMs += 60_000;
    const key = { ip: "10.0.0.7" };
    assert.deepEqual([at(node, nowMs + 1_000, key), at(node, nowMs + 2_001, key)], ["j likely gone", "j idle gone"]);
    assert.equal(at(node, nowMs + 12_001, key), "nobody reported", "its sandbox has been removed by then");
    node.put({ uid: "k", ip: "10.0.0.7", created: created(node) });
    assert.equal(node.present(key), "k");
  });

  test("an address that a list shows first may date from any time since the previous list", () => {
    const node = lived();
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 120_000;
    node.put({ uid: "b", ip: "10.0.0.2", created: created(node) - 110 }, true, true);
    node.list();
    assert.equal(at(node, listedMs + 60_000, { ip: "10.0.0.2" }), "b outage");
    assert.equal(at(node, node.nowMs - 5_000, { ip: "10.0.0.2" }), "b likely");
  });

  test("a name passes to the next pod of that name, and a list confirms its owner", () => {
    const node = lived();
    node.list();
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000, NAME), "a likely");
    assert.equal(at(node, node.nowMs - 30_000), "a reported");
    const nextMs = node.nowMs;
    node.put({ uid: "b", name: "web-0", created: created(node) });
    node.nowMs += 60_000;
    assert.deepEqual([at(node, nextMs + 1_000, NAME), at(node, nextMs - 40_000, NAME)], ["b likely", "a likely"]);
    node.list();
    node.nowMs += 1_000;
    assert.equal(at(node, nextMs + 20_000, NAME), "b confirmed");
  });
});

describe("likely and uncertain answers", () => {
  test("answers are at most likely for fifteen seconds after a kubelet start", () => {
    const node = lived();
    const lostMs = node.nowMs;
    node.lives.lost(lostMs);
    node.nowMs += 500;
    node.pods.processSinceMs = node.nowMs;
    node.list();
    const startMs = node.nowMs;
    node.nowMs += 120_000;
    assert.equal(at(node, lostMs - 1_000), "a outage");
    assert.deepEqual([at(node, startMs + 14_999), at(node, startMs + 15_001)], ["a likely", "a reported"]);
    node.list();
    node.nowMs += 60_000;
    assert.deepEqual([at(node, startMs + 14_999), at(node, startMs + 15_001)], ["a likely", "a confirmed"]);
    assert.equal(at(node, lostMs - 30_000), "a reported", "no list of that process came after it");
  });

  test("answers from lists without events are at most likely", () => {
    const node = lived();
    node.pods.isPolled = true;
    node.list();
    node.nowMs += 60_000;
    node.list();
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "a likely");
    assert.equal(at(node, node.nowMs - 30_000, { ip: "10.0.0.9" }), "nobody likely");
    node.pods.isPolled = false;
    node.list();
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "a reported");
  });

  test("an absence is uncertain before the start, in outages, and while pods are unconfirmed or unreadable", () => {
    const node = lived();
    const nobody = (ms?: number) => told(node.find({ ip: "10.0.0.9" }, ms));
    const { nowMs } = node;
    assert.deepEqual(
      [nobody(), nobody(nowMs - 30_000), nobody(nowMs - 90_000)],
      ["nobody likely", "nobody reported", "nobody before-start"],
    );
    node.isSynced = false;
    assert.equal(nobody(), "nobody outage");
    node.isSynced = true;
    node.pods.isUncertain = true;
    node.list();
    assert.equal(nobody(), "nobody unconfirmed");
    node.nowMs += 60_000;
    assert.equal(nobody(node.nowMs - 30_000), "nobody unconfirmed");
    Object.assign(node.pods, { isUncertain: false, hasUnreadable: true });
    node.list();
    assert.equal(nobody(), "nobody unreadable");
    assert.equal(told(node.find({ ip: IP })), "a likely", "an unreadable pod does not affect a known owner");
    node.pods.hasUnreadable = false;
    node.list();
    node.nowMs += 60_000;
    assert.equal(nobody(node.nowMs - 30_000), "nobody reported");
    node.nowMs += 600_000;
    assert.equal(nobody(node.nowMs - 600_001), "nobody before-start");
  });

  test("a pod that the kubelet reads late is an uncertain owner for earlier times", () => {
    const node = lived();
    node.pods.isUncertain = true;
    node.list();
    const sinceMs = node.nowMs;
    node.nowMs += 60_000;
    node.put({ uid: "b", ip: "10.0.0.2", created: created(node) - 3_600 });
    node.nowMs += 60_000;
    assert.equal(at(node, sinceMs + 10_000, { ip: "10.0.0.2" }), "b outage");
  });

  test("an event after the list does not show that a name still exists", () => {
    const node = lived();
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 30_000;
    node.record("a").unconfirmed = "absent";
    node.list();
    node.nowMs += 30_000;
    node.record("a").unconfirmed = undefined;
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1_767_225_600, phase: "Succeeded" });
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1_767_225_600, phase: "Succeeded" }, false);
    node.nowMs += 60_000;
    node.drop("a", "missing", true);
    node.list();
    node.nowMs += 30_000;
    for (const ms of [listedMs + 15_000, listedMs + 70_000])
      assert.equal(at(node, ms, NAME), "a likely gone", "it was the pod's, or nobody's");
  });

  test("a status without containers confirms no earlier address", () => {
    const node = lived();
    const { nowMs } = node;
    node.nowMs += 20_000;
    node.empty("a");
    node.list();
    node.nowMs += 10_000;
    assert.equal(at(node, nowMs), "a reported");
  });

  test("an address is uncertain while no container of its pod runs, but the name is not", () => {
    const node = lived();
    node.list();
    node.nowMs += 60_000;
    const idleMs = node.nowMs;
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1, running: false });
    assert.deepEqual([told(node.find({ ip: IP })), told(node.find(NAME))], ["a idle", "a likely"]);
    assert.equal(node.awaited({ ip: IP }), undefined, "a wait for the address needs a certain owner");
    assert.equal(node.awaited({ ip: IP }, idleMs), undefined);
    assert.equal(node.awaited(NAME)?.pod.metadata.uid, "a");
    node.nowMs += 60_000;
    node.list();
    const ranMs = node.nowMs;
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1 });
    node.nowMs += 60_000;
    const asked = [idleMs - 10_001, idleMs - 10_000, idleMs, ranMs, ranMs + 1];
    assert.deepEqual(
      asked.map((ms) => at(node, ms)),
      ["a reported", "a likely", "a idle", "a idle", "a reported"],
    );
    assert.equal(at(node, idleMs - 65_000), "a confirmed", "by a list from before");
    assert.equal(at(node, idleMs + 30_000, NAME), "a confirmed");
    node.put({ uid: "b", ip: IP, created: created(node), running: true });
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1, running: false });
    const now = node.find({ ip: IP });
    assert.deepEqual([told(now), now.others], ["b likely", 0], "of two the one is meant of which something runs");
  });

  test("the first event with an address makes it likely even if no container runs", () => {
    const node = lived();
    node.put({ uid: "c", ip: "10.0.0.3", created: created(node), running: false }, true, true);
    node.list();
    assert.equal(told(node.find({ ip: "10.0.0.3" })), "c idle", "a list may show it long after the sandbox has ended");
    node.list();
    node.nowMs += 60_000;
    const web = { uid: "b", created: created(node), running: false };
    node.put({ ...web, phase: "Pending" });
    node.nowMs += 1_000;
    node.put({ ...web, ip: "10.0.0.2" });
    assert.deepEqual(
      [told(node.find({ ip: "10.0.0.2" })), told(node.awaited({ ip: "10.0.0.2" }))],
      ["b likely", "b likely"],
    );
    node.nowMs += 1_000;
    node.put({ ...web, ip: "10.0.0.2", labels: { a: "b" } });
    assert.deepEqual([told(node.find({ ip: "10.0.0.2" })), node.awaited({ ip: "10.0.0.2" })], ["b idle", undefined]);
  });

  test("a pod that a list shows without running containers may be idle since the previous list", () => {
    const node = lived();
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 120_000;
    node.put({ uid: "a", name: "web-0", ip: IP, created: 1, running: false }, true, true);
    node.list();
    node.nowMs += 60_000;
    assert.deepEqual([at(node, listedMs - 10_001), at(node, listedMs + 1)], ["a confirmed", "a idle"]);
  });

  test("a list confirms no address across a restart of all containers", () => {
    const node = new Node();
    const web = { uid: "a", ip: IP, created: created(node) };
    node.put({ ...web, id: "1".repeat(64) });
    node.nowMs += 60_000;
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 60_000;
    node.put({ ...web, id: "2".repeat(64), lastID: "1".repeat(64), restartCount: 1 }, true, true);
    const againMs = node.nowMs;
    node.list();
    node.nowMs += 60_000;
    node.put({ ...web, id: "2".repeat(64), lastID: "1".repeat(64), restartCount: 1, labels: { a: "b" } });
    node.list();
    const asked = [listedMs - 5_000, listedMs, againMs - 5_000, againMs + 1];
    assert.deepEqual(
      asked.map((ms) => at(node, ms)),
      ["a confirmed", "a reported", "a reported", "a confirmed"],
    );
  });

  test("an address is at most likely before any container of its pod has run", () => {
    const node = new Node();
    node.put({ uid: "a", ip: IP, created: created(node), phase: "Pending", running: false });
    node.nowMs += 60_000;
    node.list();
    assert.equal(at(node, node.nowMs - 30_000), "a likely");
    node.put({ uid: "a", ip: IP, created: 1 });
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "a reported");
  });

  test("an address is uncertain after the init container of its pod has ended", () => {
    const node = new Node();
    const pod = { uid: "a", ip: IP, created: created(node), phase: "Pending" };
    node.put({ ...pod, running: true });
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "a reported");
    node.put({ ...pod, running: false });
    node.nowMs += 60_000;
    node.list();
    node.nowMs += 30_000;
    assert.deepEqual([at(node, node.nowMs - 60_000), told(node.find({ ip: IP }))], ["a idle", "a idle"]);
  });

  test("an address belongs to the pod that shows it, not to one with an empty status", () => {
    const node = lived();
    node.record("a").hasEmptyStatus = true;
    node.put({ uid: "b", ip: IP, created: 1_767_225_600 });
    node.record("b").unconfirmed = "absent";
    assert.equal(node.present({ ip: IP }), "b");
  });

  test("an address is uncertain while the status of its pod is empty", () => {
    const node = lived();
    node.empty("a");
    node.list();
    assert.deepEqual([told(node.find({ ip: IP })), told(node.find(NAME))], ["a unconfirmed", "a likely"]);
    assert.equal(
      node.awaited({ ip: IP }),
      undefined,
      "its manifest may have been put back, and its address is another's by now",
    );
    assert.equal(node.awaited(NAME)?.pod.metadata.uid, "a");
    node.nowMs += 60_000;
    assert.equal(at(node, node.nowMs - 30_000), "a unconfirmed");
  });
});

describe("conversion of the time of day to the monotonic clock", () => {
  const START = { nowMs: 1_000, wallMs: WALL_MS };

  /** Anchors at seconds after the start, with what the clock was set by. */
  function anchored(...anchors: (readonly [second: number, setMs: number])[]): Anchors {
    const made = new Anchors();
    for (const [second, setMs] of anchors)
      made.note({ nowMs: START.nowMs + second * 1_000, wallMs: START.wallMs + second * 1_000 + setMs });
    return made;
  }
  const timeOf = (anchors: Anchors, second: number, setMs = 0) => {
    const { ms, isClear } = anchors.timeOf(WALL_MS + second * 1_000 + setMs);
    return `${(ms - START.nowMs) / 1_000}${isClear ? "" : "?"}`;
  };

  test("uses the difference of the clocks, and converts future times to the present", () => {
    const anchors = anchored([0, 0], [100, 1], [200, 0]);
    assert.deepEqual([timeOf(anchors, 150), timeOf(anchors, -60), timeOf(anchors, 260)], ["150", "-60", "200"]);
  });

  test("after a forward step, times that never occurred are uncertain", () => {
    const anchors = anchored([0, 0], [100, 0], [101, 60_000], [200, 60_000]);
    assert.deepEqual([timeOf(anchors, 50), timeOf(anchors, 150, 60_000)], ["50", "150"]);
    assert.deepEqual([timeOf(anchors, 130), timeOf(anchors, 100.5)], ["70?", "100.5?"]);
  });

  test("after a backward step, times that occurred twice are uncertain", () => {
    const anchors = anchored([0, 0], [100, 0], [101, -10_000], [200, -10_000]);
    assert.deepEqual([timeOf(anchors, 50), timeOf(anchors, 95), timeOf(anchors, 180)], ["50", "105?", "190"]);
    const justNow = anchored([0, 0], [100, 0], [100, -10_000]);
    assert.deepEqual([timeOf(justNow, 90), timeOf(justNow, 90.001), timeOf(justNow, 89)], ["100?", "100.001?", "89"]);
  });

  test("clock drift is not a step", () => {
    const anchors = new Anchors();
    for (let second = 0; second <= 10_000; second++)
      anchors.note({ nowMs: second * 1_000, wallMs: WALL_MS + second * 1_000.5 });
    const { ms, isClear } = anchors.timeOf(WALL_MS + 9_999 * 1_000.5);
    assert.ok(isClear && Math.abs(ms - 9_999_000) < 10, `${ms}`);
    assert.equal(new Anchors().timeOf(5).isClear, false);
  });
});

test("touch() finds past, open and expiring spans, and any time before the spans kept", () => {
  const spans = new Spans();
  spans.add(10, 20);
  assert.deepEqual(
    [spans.touch(0, 9), spans.touch(0, 10), spans.touch(20, 30), spans.touch(21, 30)],
    [false, true, true, false],
  );
  spans.set(30, 40);
  assert.deepEqual([spans.touch(35, 35), spans.touch(41, 50), spans.touch(0, 50)], [true, false, true]);
  spans.set(35, Number.POSITIVE_INFINITY);
  assert.deepEqual([spans.touch(30, 30), spans.touch(1_000, 1_000)], [true, true]);
  spans.set(50, undefined);
  assert.deepEqual([spans.touch(45, 45), spans.touch(50, 50), spans.touch(51, 60)], [true, true, false]);
  for (let i = 0; i < 100; i++) spans.add(1_000 + i, 1_000 + i);
  assert.deepEqual(
    [spans.touch(25, 25), spans.touch(60, 60)],
    [true, false],
    "before what is remembered anything may have been",
  );
});

test("atLeast() accepts the confidence of the answer and lower ones", () => {
  const grades: Confidence[] = ["uncertain", "likely", "reported", "confirmed"];
  for (const [i, confidence] of grades.entries())
    for (const [j, least] of grades.entries()) assert.equal(atLeast({ confidence }, least), i >= j);
  assert.throws(() => atLeast({ confidence: "reported" }, "sure" as never), { code: "invalid-argument" });
});
