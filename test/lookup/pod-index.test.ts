// Whose key it is and was: each order in which an address is taken over, ends of keys in living pods, windows, and times.

import assert from "node:assert/strict";
import { lookupKeyOf } from "../../src/lookup/pod-key.js";
import { Retention } from "../../src/lookup/retention.js";
import { PodSelector } from "../../src/pod/selector.js";
import { describe, test } from "../helpers/test.js";
import { Node, type NodePod, told, WALL_MS } from "./node.js";

const ID = (digit: string) => digit.repeat(64);
const secondOf = (node: Node) => Math.floor((WALL_MS + node.nowMs) / 1_000);
const at = (node: Node, ip: string, ms: number) => told(node.find({ ip }, ms));

/** A node on which `a` has had the address for a minute. */
function lived(): { node: Node; a: NodePod } {
  const node = new Node();
  const a = { uid: "a", ip: "10.0.0.1", created: secondOf(node), id: ID("a") };
  node.put(a);
  node.nowMs += 60_000;
  return { node, a };
}

test("an address passes to a new owner after the end of the old owner", () => {
  const { node, a } = lived();
  const endMs = node.nowMs;
  node.put({ ...a, phase: "Succeeded" }, false);
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a reused gone");
  node.nowMs += 500;
  const b = { uid: "b", ip: "10.0.0.1", created: secondOf(node) };
  node.put({ uid: "b", created: secondOf(node) });
  node.nowMs += 500;
  node.put(b);
  node.nowMs += 60_000;
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "b likely");
  assert.equal(at(node, "10.0.0.1", endMs - 30_000), "a reported gone");
  assert.equal(at(node, "10.0.0.1", endMs - 1_000), "a likely gone", "it may have lost it before the report");
  assert.equal(at(node, "10.0.0.1", endMs + 600), "b reused", "either may have had it before the report");
  assert.equal(
    at(node, "10.0.0.1", endMs + 1_000),
    "b reported",
    "from its report on, the sandbox of the other is gone",
  );
  assert.equal(at(node, "10.0.0.1", endMs + 30_000), "b reported");
  assert.equal(at(node, "10.0.0.1", node.nowMs), "b likely", "its loss may not have been reported yet");
  assert.equal(at(node, "10.0.0.1", endMs - 3_600_000), "nobody before-start", "before anybody had it");
});

test("the sandbox of an ended pod may have an address until another pod is reported with it", () => {
  const { node, a } = lived();
  const endMs = node.nowMs;
  node.put({ ...a, phase: "Succeeded" }, false);
  node.nowMs += 3_000;
  assert.equal(at(node, "10.0.0.1", endMs + 500), "a idle gone");
  assert.equal(node.awaited({ ip: "10.0.0.1" }, endMs + 500), undefined, "the next one may still be reported");
  node.nowMs += 3_000;
  node.put({ uid: "b", ip: "10.0.0.1" }); // a static pod may have had it ten seconds before
  node.nowMs += 60_000;
  for (const ms of [500, 4_000, 5_500]) {
    const answer = node.find({ ip: "10.0.0.1" }, endMs + ms);
    assert.deepEqual([told(answer), answer.others], ["b reused", 1]);
    assert.equal(node.awaited({ ip: "10.0.0.1" }, endMs + ms)?.pod.metadata.uid, "b");
  }
  const { others } = node.find({ ip: "10.0.0.1" }, endMs + 6_000);
  assert.deepEqual([at(node, "10.0.0.1", endMs + 6_000), others], ["b reported", 0]);
});

test("an ended pod has no claim to an address that another pod has had since", () => {
  for (const [reportedMs, created] of [
    [1_000, true],
    [3_000, false],
    [-1_000, true],
  ] as const) {
    const { node, a } = lived();
    const endMs = node.nowMs;
    const b = () => ({ uid: "b", ip: "10.0.0.1", ...(created && { created: secondOf(node) }) });
    node.nowMs = endMs + Math.min(reportedMs, 0);
    const early = reportedMs < 0 ? b() : undefined;
    if (early !== undefined) node.put(early);
    node.nowMs = endMs;
    node.put({ ...a, phase: "Succeeded" }, false);
    node.nowMs = endMs + Math.max(reportedMs, 0);
    const pod = early ?? b();
    if (early === undefined) node.put(pod);
    node.nowMs = endMs + 4_000;
    node.put({ ...pod, phase: "Succeeded" }, false);
    node.nowMs += 60_000;
    const answer = node.find({ ip: "10.0.0.1" }, endMs + 6_000);
    assert.deepEqual([told(answer), answer.others], ["b idle gone", 0], `reported at ${reportedMs}`);
  }
});

test("a pod that loses its address and has it again is the only possible owner in between", () => {
  const { node, a } = lived();
  const lostMs = node.nowMs;
  node.put({ ...a, ip: "10.0.0.9" });
  node.nowMs += 4_000;
  node.put(a);
  node.nowMs += 60_000;
  const answers = [-500, 3_500].map((ms) => node.find({ ip: "10.0.0.1" }, lostMs + ms));
  assert.deepEqual(
    answers.map((answer) => [told(answer), answer.others]),
    [
      ["a likely", 0],
      ["a likely", 0],
    ],
  );
});

test("an address passes to a new owner before the end of the old owner is reported", () => {
  const { node } = lived();
  const b = { uid: "b", ip: "10.0.0.1", created: secondOf(node) };
  node.put(b);
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "b reused", "the later one, and there is another");
  node.put({ ...b, terminating: true });
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a likely", "the other is about to go");
  node.put(b);
  node.drop("a");
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "b likely", "the late end of the old one takes nothing away");
});

test("a finished pod that stays listed loses its address", () => {
  const { node, a } = lived();
  node.put({ ...a, phase: "Failed" }, false);
  const finished = { includeFinished: true };
  assert.equal(told(node.find({ ip: "10.0.0.1" }, undefined, finished)), "a reused");
  assert.equal(told(node.find({ uid: "a" }, undefined, finished)), "a confirmed");
  node.nowMs += 700_000;
  node.put({ uid: "z" });
  assert.equal(told(node.find({ ip: "10.0.0.1" }, undefined, finished)), "nobody likely");
  assert.equal(told(node.find({ uid: "a" }, undefined, finished)), "a confirmed", "the pod is there all the same");
  assert.equal(
    told(node.find({ uid: "a" })),
    "nobody before-start",
    "without finished pods, its retention has expired",
  );
});

test("a deleted pod loses its address even if its status shows it running", () => {
  const { node, a } = lived();
  node.put(a, false);
  const finished = { includeFinished: true };
  assert.equal(node.present({ ip: "10.0.0.1" }, finished), undefined);
  assert.equal(node.present({ uid: "a" }, finished), "a");
});

test("an address with two owners is uncertain until one of them ends", () => {
  const { node } = lived();
  node.put({ uid: "b", ip: "10.0.0.1", created: secondOf(node) });
  node.nowMs += 60_000;
  assert.equal(at(node, "10.0.0.1", node.nowMs - 30_000), "b reused");
  node.drop("b");
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a likely");
});

test("an evicted pod keeps its address while its containers run", () => {
  const { node, a } = lived();
  node.put({ ...a, phase: "Failed", running: true });
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a likely");
});

test("a pod with a new address has lost its former one, possibly before the report", () => {
  const { node, a } = lived();
  const movedMs = node.nowMs;
  node.put({ ...a, ip: "10.0.0.2" });
  node.nowMs += 60_000;
  assert.equal(told(node.find({ ip: "10.0.0.2" })), "a likely");
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a reused", "the pod is there, and was the last to have it");
  assert.deepEqual([node.present({ ip: "10.0.0.1" }), node.present({ ip: "10.0.0.2" })], [undefined, "a"]);
  assert.equal(at(node, "10.0.0.2", movedMs - 2_000), "a likely");
  assert.equal(at(node, "10.0.0.2", movedMs - 30_000), "nobody reported", "it had another one then");
  node.put({ uid: "b", ip: "10.0.0.1", created: secondOf(node) });
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "b likely");
});

test("a list confirms the owner of an earlier time only if a container kept running since", () => {
  const confidenceAfter = (change: Partial<NodePod>) => {
    const node = new Node();
    const a = { uid: "a", ip: "10.0.0.1", created: secondOf(node), id: ID("a"), startedS: secondOf(node) };
    node.put(a);
    node.nowMs += 60_000;
    const atMs = node.nowMs - 30_000;
    node.put({ ...a, ...change });
    node.nowMs += 60_000;
    node.list();
    return at(node, "10.0.0.1", atMs);
  };
  assert.equal(confidenceAfter({ lastID: ID("b") }), "a confirmed");
  assert.equal(confidenceAfter({ id: ID("c"), restartCount: 1, lastID: ID("a") }), "a reported");
});

describe("an address that passes from a deleted pod to the next pod", () => {
  /** `b` gets the address of `a` six seconds before the kubelet has told the end of `a`, and is told two seconds after that. */
  function handover({ seenMs }: { seenMs?: number } = {}) {
    const { node } = lived();
    const handoverMs = node.nowMs;
    const seen = seenMs === undefined ? {} : { seen: new Date(WALL_MS + handoverMs + seenMs).toISOString() };
    const b = { uid: "b", ip: "10.0.0.1", created: secondOf(node), ...seen };
    node.nowMs += 4_000;
    node.put(b);
    node.nowMs += 2_000;
    node.drop("a", "finished");
    node.nowMs += 60_000;
    return { node, handoverMs };
  }

  test("belongs to the pod that was reported with it at that time", () => {
    const { node, handoverMs } = handover();
    assert.equal(at(node, "10.0.0.1", handoverMs + 2_500), "a reused gone");
    assert.equal(at(node, "10.0.0.1", handoverMs + 3_500), "b reused", "a gain is reported within a second");
    assert.equal(at(node, "10.0.0.1", handoverMs + 4_500), "b reused");
  });

  test("belongs to the deleted pod during an outage if the next list shows no other owner", () => {
    const { node } = lived();
    const created = secondOf(node);
    node.lives.lost(node.nowMs);
    node.nowMs += 5_000;
    node.list();
    const listedMs = node.nowMs;
    node.nowMs += 6_000;
    node.put({ uid: "b", ip: "10.0.0.1", created });
    node.drop("a", "finished");
    node.nowMs += 60_000;
    assert.equal(at(node, "10.0.0.1", listedMs - 200), "a reused gone");
  });

  test("belongs to the deleted pod until a second before the stream was lost", () => {
    const { node } = lived();
    const created = secondOf(node);
    const lostMs = node.nowMs;
    node.lives.lost(lostMs);
    node.nowMs += 2_000;
    node.list();
    node.nowMs += 300;
    node.put({ uid: "b", ip: "10.0.0.1", created: created - 20 });
    node.drop("a", "finished");
    node.nowMs += 60_000;
    assert.equal(at(node, "10.0.0.1", lostMs - 5_000), "a reused gone", "a live stream reported no other owner");
    assert.equal(
      at(node, "10.0.0.1", lostMs - 500),
      "b reused",
      "its gain may not have been reported before the stream was lost",
    );
  });

  test("does not belong to the next pod before the kubelet has seen it", () => {
    const { node, handoverMs } = handover({ seenMs: 3_700 });
    assert.equal(at(node, "10.0.0.1", handoverMs + 3_600), "a likely gone");
    assert.equal(at(node, "10.0.0.1", handoverMs + 3_800), "b reused");
  });

  test("may belong to a pod before the kubelet started", () => {
    const node = new Node();
    node.nowMs += 30_000;
    node.pods.processSinceMs = node.nowMs;
    node.list();
    const seen = new Date(WALL_MS + node.nowMs - 500).toISOString();
    node.nowMs += 1_000;
    node.put({ uid: "b", ip: "10.0.0.1", created: secondOf(node) - 60, seen });
    node.nowMs += 60_000;
    assert.match(String(at(node, "10.0.0.1", node.nowMs - 63_000)), /^b /);
  });
});

test("an end during an outage may lie anywhere in it", () => {
  const { node } = lived();
  const lostMs = node.nowMs;
  node.lives.lost(lostMs);
  node.nowMs += 120_000;
  assert.equal(at(node, "10.0.0.1", lostMs + 60_000), "a outage");
  node.drop("a");
  node.put({ uid: "b", ip: "10.0.0.1", created: secondOf(node) - 60 });
  node.list();
  node.nowMs += 60_000;
  assert.equal(at(node, "10.0.0.1", lostMs - 30_000), "a reported gone");
  assert.equal(at(node, "10.0.0.1", lostMs + 30_000), "a outage gone");
  assert.equal(at(node, "10.0.0.1", lostMs + 90_000), "b reused");
  const { gone } = node.find({ uid: "a" });
  assert.deepEqual(
    [gone?.after.getTime(), gone?.at.getTime(), gone?.cause],
    [WALL_MS + lostMs - 10_000, WALL_MS + lostMs + 120_000, "missing"],
  );
});

test("a list confirms no address of a pod with an event since its request", () => {
  const { node } = lived();
  const sinceMs = node.nowMs;
  node.nowMs += 30_000;
  node.list(new Set(["a"]));
  assert.equal(at(node, "10.0.0.1", sinceMs + 1_000), "a reported");
  node.nowMs += 1_000;
  node.list();
  assert.equal(at(node, "10.0.0.1", sinceMs + 1_000), "a confirmed");
});

test("an unconfirmed pod is an uncertain owner from the list that lacks it", () => {
  const { node } = lived();
  node.record("a").unconfirmed = "absent";
  node.list();
  const sinceMs = node.nowMs;
  node.nowMs += 60_000;
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a unconfirmed");
  assert.equal(at(node, "10.0.0.1", sinceMs + 30_000), "a unconfirmed");
  assert.equal(at(node, "10.0.0.1", sinceMs - 30_000), "a reported");
  assert.equal(told(node.awaited({ ip: "10.0.0.1" })), undefined);
  node.record("a").unconfirmed = undefined;
  node.list();
  const untilMs = node.nowMs;
  node.nowMs += 60_000;
  assert.equal(at(node, "10.0.0.1", sinceMs + 30_000), "a unconfirmed", "it may have been away then");
  assert.equal(at(node, "10.0.0.1", untilMs + 30_000), "a reported");
});

test("an unreadable pod is an uncertain owner", () => {
  const { node } = lived();
  const toldMs = node.nowMs - 60_000;
  node.record("a").isUnreadable = true;
  assert.equal(told(node.find({ ip: "10.0.0.1" })), "a unreadable");
  assert.equal(at(node, "10.0.0.1", toldMs + 30_000), "a unreadable");
  assert.equal(at(node, "10.0.0.1", toldMs), "a unreadable");
});

test("a pod that could not be read twice keeps what it had in between", () => {
  const { node } = lived();
  node.empty("a");
  node.nowMs += 60_000;
  node.put({ uid: "a", ip: "10.0.0.1", id: ID("a") });
  const betweenMs = node.nowMs + 60_000;
  node.nowMs += 120_000;
  node.empty("a");
  node.nowMs += 60_000;
  node.put({ uid: "a", ip: "10.0.0.1", id: ID("a") });
  node.nowMs += 60_000;
  assert.equal(at(node, "10.0.0.1", betweenMs), "a reported");
  assert.equal(at(node, "10.0.0.1", betweenMs + 90_000), "a unconfirmed");
});

test("a deleted pod that is still listed does not hide an active pod of its name", () => {
  const node = new Node();
  node.put({ uid: "a", name: "web-0", created: secondOf(node) });
  node.put({ uid: "a", name: "web-0", created: secondOf(node) }, false);
  node.put({ uid: "b", name: "web-0", created: secondOf(node) - 10, terminating: true });
  assert.equal(node.present({ namespace: "ns", name: "web-0" }), "b");
});

test("a name resolves to a finished pod that is listed rather than to a deleted pod", () => {
  const node = new Node();
  for (const uid of ["a", "b", "c"]) node.put({ uid, name: "job", created: secondOf(node) });
  node.drop("a", "finished");
  node.put({ uid: "b", name: "job", created: secondOf(node), phase: "Succeeded" }, false);
  const name = { namespace: "ns", name: "job" };
  assert.equal(told(node.find(name)), "c likely");
  node.drop("c", "missing");
  assert.equal(told(node.find(name)), "b reused gone", "finished pods are gone to one that leaves them out");
  assert.equal(told(node.find(name, undefined, { includeFinished: true })), "b reused");
  assert.equal(node.present(name), undefined);
  assert.equal(node.present(name, { includeFinished: true }), "b");
  assert.equal(node.awaited(name), undefined, "it is not there to stay");
  node.drop("b", "missing");
  assert.equal(told(node.find(name)), "b reused gone", "the one that was gone last");
});

test("a container of a former static pod resolves to that pod after its UID returns", () => {
  const node = new Node();
  node.put({ uid: "s", id: ID("1"), seen: "2026-01-01T00:00:00Z" });
  node.drop("s", "finished");
  node.put({ uid: "s", id: ID("2"), seen: "2026-01-01T00:10:00Z" });
  const found = node.find({ uid: "s", containerID: ID("1") });
  assert.deepEqual([told(found), found.container?.ended], ["s confirmed gone", true]);
  assert.equal(told(node.find({ uid: "s", containerID: ID("2") })), "s confirmed");
});

test("a renamed pod is found by its new name only", () => {
  const { node, a } = lived();
  node.put({ ...a, name: "new" });
  assert.equal(node.present({ namespace: "ns", name: "new" }), "a");
  assert.equal(node.present({ namespace: "ns", name: "a" }), undefined);
  node.drop("a");
  node.nowMs += 700_000;
  node.put({ uid: "z" });
  assert.deepEqual([node.lives.intervals("name", "ns/a"), node.lives.intervals("name", "ns/new")], [[], []]);
});

test("a pod is the likely owner between its creation and its first report", () => {
  const node = new Node();
  const created = secondOf(node);
  node.nowMs += 3_400;
  node.put({ uid: "a", ip: "10.0.0.1", created });
  node.nowMs += 60_000;
  const from = created * 1_000 - WALL_MS;
  assert.equal(at(node, "10.0.0.1", from + 1_000), "a likely");
  assert.equal(at(node, "10.0.0.1", from - 1), "nobody before-start");
  assert.equal(at(node, "10.0.0.1", from + 3_400), "a reported");
  assert.equal(at(node, "10.0.0.1", node.nowMs + 3_600_000), "a likely", "a time to come is the present");
});

test("ignores a creation time in the future, and uses the first-seen time of a static pod", () => {
  const node = new Node();
  node.put({ uid: "a", ip: "10.0.0.1", created: secondOf(node) + 3_600 });
  node.put({ uid: "s", ip: "10.0.0.2", seen: new Date(WALL_MS + node.nowMs - 2_000).toISOString() });
  const { nowMs } = node;
  node.nowMs += 60_000;
  assert.equal(at(node, "10.0.0.1", nowMs), "a reported");
  assert.equal(at(node, "10.0.0.1", nowMs - 3_000), "a before-start");
  assert.equal(at(node, "10.0.0.2", nowMs - 1_000), "s before-start");
  assert.equal(at(node, "10.0.0.2", nowMs - 3_000), "nobody before-start");
});

test("the end of a short-lived pod lies after its first report", () => {
  const node = new Node();
  const toldMs = node.nowMs;
  node.put({ uid: "a" });
  node.nowMs += 1_000;
  node.drop("a");
  const { gone } = node.find({ uid: "a" });
  assert.deepEqual([gone?.after.getTime(), gone?.at.getTime()], [WALL_MS + toldMs, WALL_MS + toldMs + 1_000]);
});

test("a name passes to the next pod of that name", () => {
  const { node } = lived();
  const key = { namespace: "ns", name: "web-0" };
  node.put({ uid: "x", name: "web-0", created: secondOf(node) });
  node.nowMs += 60_000;
  const endMs = node.nowMs;
  node.drop("x");
  assert.equal(told(node.find(key)), "x reused gone");
  node.put({ uid: "y", name: "web-0", created: secondOf(node) });
  node.nowMs += 60_000;
  assert.equal(told(node.find(key)), "y likely");
  assert.equal(told(node.find(key, endMs - 30_000)), "x likely gone");
});

test("a late older status ends no container and no address unless a list has it", () => {
  const { node, a } = lived();
  const first = { ...a, id: ID("a"), startedS: 10, ip: "10.0.0.1" };
  const second = { ...a, id: ID("b"), restartCount: 1, startedS: 20, ip: "10.0.0.2" };
  const isEnded = (key: Parameters<Node["find"]>[0]) => node.find(key)?.container?.ended;
  node.put(first);
  node.put(second);
  for (const late of [first, { ...first, labels: { again: "" } }]) {
    node.put(late);
    assert.deepEqual([isEnded({ containerID: ID("b") }), isEnded({ uid: "a", containerName: "main" })], [false, false]);
    assert.equal(node.find({ uid: "a", containerName: "main" })?.container?.restartCount, 1);
    assert.equal(told(node.find({ ip: "10.0.0.2" })), "a likely");
  }
  node.put(second);
  assert.equal(isEnded({ containerID: ID("b") }), false);
  node.put(first);
  node.put(first, true, true);
  assert.equal(isEnded({ containerID: ID("b") }), true, "a list shows how it is");
  node.put({ ...second, restartCount: 0, startedS: 30 });
  assert.equal(isEnded({ containerID: ID("a") }), true, "counts begin again with another sandbox");
  node.put(second);
  node.put({ ...a, id: ID("c"), running: false });
  assert.equal(isEnded({ containerID: ID("b") }), false, "without a start, the restart count decides");
  node.put({ ...a, id: ID("c"), running: false }, true, true);
  assert.equal(isEnded({ containerID: ID("b") }), true);
  node.put(second);
  node.put(first);
  node.drop("a");
  assert.equal(isEnded({ containerID: ID("b") }), true);
});

test("finds current, previous and retained containers, also of a deleted pod", () => {
  const { node, a } = lived();
  const container = (key: Parameters<Node["find"]>[0]) => {
    const found = node.find(key)?.container;
    return found && `${found.name} ${found.restartCount}${found.ended ? " ended" : ""}`;
  };
  node.put({ ...a, id: ID("b"), lastID: ID("a"), restartCount: 1 });
  assert.equal(container({ containerID: ID("b") }), "main 1");
  assert.equal(container({ containerID: `containerd://${ID("a")}` }), "main 0 ended");
  node.put({ ...a, id: ID("c"), lastID: ID("b"), restartCount: 2 });
  assert.equal(container({ containerID: ID("a") }), "main 0 ended", "it is retained, in a living pod");
  assert.equal(told(node.find({ containerID: ID("a") })), "a confirmed");
  assert.deepEqual([node.present({ containerID: ID("a") }), node.present({ containerID: ID("b") })], [undefined, "a"]);
  assert.equal(container({ uid: "a", containerName: "main" }), "main 2");
  assert.equal(container({ uid: "a", containerName: "main", restartCount: 0 }), "main 0 ended");
  assert.equal(
    told(node.find({ uid: "a", containerID: ID("f") })),
    "a confirmed",
    "a sandbox has no container, and a pod",
  );
  assert.equal(container({ uid: "a", containerID: ID("f") }), undefined);
  node.drop("a");
  assert.equal(container({ containerID: ID("c") }), "main 2 ended");
  assert.equal(told(node.find({ containerID: ID("a") })), "a confirmed gone");
  node.nowMs += 700_000;
  node.put({ uid: "z" });
  for (const digit of ["a", "b", "c"]) assert.equal(told(node.find({ containerID: ID(digit) })), "nobody likely");
  assert.equal(node.lives.retention.size, 0);
});

test("an active owner hides retained pods, even if it is not selected", () => {
  const { node } = lived();
  const web = { selector: new PodSelector({ labelSelector: "app=web" }) };
  node.put({ uid: "w", ip: "10.0.0.9", labels: { app: "web" }, created: secondOf(node) });
  node.nowMs += 1_000;
  node.drop("w");
  const find = () => told(node.find({ ip: "10.0.0.9" }, undefined, web));
  assert.equal(find(), "w reused gone");
  node.put({ uid: "d", ip: "10.0.0.9", labels: { app: "db" }, created: secondOf(node) });
  assert.equal(find(), "nobody likely");
  assert.equal(told(node.find({ uid: "d" }, undefined, web)), "nobody reported");
  node.drop("d");
  assert.equal(find(), "nobody reused", "nor what an unselected one has left behind");
});

test("each informer sees retained pods within its own limits", () => {
  const { node } = lived();
  node.drop("a");
  const find = (retainMs: number, maxRetained: number) =>
    told(node.find({ uid: "a" }, undefined, {}, { retainMs, maxRetained }));
  node.nowMs += 10_000;
  assert.deepEqual(
    [find(10_000, 9), find(10_001, 9), find(10_001, 0), find(0, 9)],
    ["nobody before-start", "a confirmed gone", "nobody before-start", "nobody before-start"],
  );
  node.put({ uid: "b" });
  node.drop("b");
  assert.deepEqual([find(60_000, 1), find(60_000, 2)], ["nobody evicted", "a confirmed gone"]);
});

test("finds no deleted pods and no ended containers without retention", () => {
  const node = new Node({ retainMs: 0, maxRetained: 1_000 });
  const a = { uid: "a", ip: "10.0.0.1", created: secondOf(node), id: ID("a") };
  node.put(a);
  node.put({ ...a, id: ID("c"), lastID: ID("b") });
  assert.equal(told(node.find({ containerID: ID("a") })), "nobody likely");
  node.drop("a");
  for (const key of [{ uid: "a" }, { ip: "10.0.0.1" }, { namespace: "ns", name: "a" }, { containerID: ID("c") }]) {
    assert.equal(told(node.find(key)), "nobody likely");
  }
  assert.equal(node.lives.retention.size, 0);
});

test("evicts the oldest retained pods first", () => {
  const { node } = lived();
  for (let i = 0; i < 10; i++) {
    node.put({ uid: `p${i}` });
    node.drop(`p${i}`);
  }
  const { length } = node.find({ uid: "p9" }).pod?.metadata.uid ?? "";
  assert.equal(length, 2);
  node.lives.retention.evict(node.nowMs, 500);
  assert.ok(node.lives.retention.size >= 1 && node.lives.retention.size < 10, `${node.lives.retention.size}`);
  assert.equal(told(node.find({ uid: "p9" })), "p9 confirmed gone");
  assert.equal(told(node.find({ uid: "p0" })), "nobody likely");
});

test("ignores host-network addresses and rejects invalid keys", () => {
  const { node } = lived();
  node.put({ uid: "h", ip: "10.0.0.254", hostNetwork: true });
  node.put({ uid: "w" });
  assert.equal(told(node.find({ ip: "10.0.0.254" })), "nobody likely");
  const nothing = [{ ip: "" }, { ip: "010.0.0.1" }, { ip: "x" }, { uid: "" }, { containerID: "" }];
  for (const key of [...nothing, { containerID: "containerd://" }, { namespace: "ns", name: "" }, {}, null, 5]) {
    assert.throws(
      () => lookupKeyOf(key as never, "find"),
      /find: .*; pass uid, containerID, namespace and name, or ip$/,
      JSON.stringify(key),
    );
  }
  for (const ip of ["::ffff:10.0.0.1", "::FFFF:a00:1", "0:0:0:0:0:ffff:10.0.0.1"])
    assert.equal(told(node.find({ ip })), "a likely");
});

test("waits resolve addresses and names of active pods only, but any known UID or container ID", () => {
  const { node, a } = lived();
  const keys = [{ ip: "10.0.0.1" }, { namespace: "ns", name: "a" }];
  const waits = () => keys.map((key) => told(node.awaited(key)));
  assert.deepEqual(waits(), ["a likely", "a likely"]);
  node.isSynced = false;
  assert.deepEqual(waits(), [undefined, undefined]);
  assert.deepEqual(
    [told(node.awaited({ uid: "a" })), told(node.awaited({ containerID: ID("a") }))],
    ["a confirmed", "a confirmed"],
  );
  node.isSynced = true;
  node.put({ ...a, terminating: true });
  assert.deepEqual(waits(), [undefined, undefined]);
  assert.equal(told(node.awaited({ ip: "10.0.0.1" }, node.nowMs - 1_000)), "a likely");
  node.drop("a");
  assert.deepEqual(waits(), [undefined, undefined]);
  assert.deepEqual(
    [told(node.awaited({ uid: "a" })), told(node.awaited({ containerID: ID("a") }))],
    ["a confirmed gone", "a confirmed gone"],
  );
  assert.equal(told(node.awaited({ ip: "10.0.0.1" }, node.nowMs + 1)), "a likely gone");
});

test("the cost of retention options is linear in the number of informers", () => {
  const readsOf = (informers: number) => {
    let reads = 0;
    const retention = new Retention();
    const want = () => ({
      get retainMs() {
        reads++;
        return 60_000;
      },
      maxRetained: 1_000,
    });
    const wants = Array.from({ length: informers }, want);
    for (const each of wants) retention.add(each);
    for (const each of wants) retention.delete(each);
    assert.equal(retention.isOn, false);
    return reads;
  };
  assert.ok(readsOf(4_000) < 11 * readsOf(400));
});
