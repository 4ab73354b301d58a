import assert from "node:assert/strict";
import { CoalescingQueue } from "../../src/readers/queue.js";
import { test } from "../helpers/test.js";

type Queue = CoalescingQueue<string, { type: string; n?: number }>;
const make = (): Queue => new CoalescingQueue();

function drain(queue: Queue): string[] {
  const out: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    if (next.type === "CONTROL") out.push(`${next.control.type}${next.control.n ?? ""}`);
    else out.push(`${next.type[0]}(${next.pod})`);
  }
  return out;
}

/** What brings a slot into being; `told` is whether the consumer knew the pod before. */
const slots: Record<string, { told: boolean; make: (queue: Queue) => void }> = {
  "none, not told": { told: false, make: () => {} },
  "none, told": { told: true, make: () => {} },
  A: { told: false, make: (queue) => queue.put("u", "q", false) },
  M: { told: true, make: (queue) => queue.put("u", "q", true) },
  D: { told: true, make: (queue) => queue.delete("u", "l", "finished", true) },
  DA: {
    told: true,
    make: (queue) => {
      queue.delete("u", "l", "finished", true);
      queue.put("u", "q", true);
    },
  },
};

/** Slot, what comes of an addition or a change, what comes of a deletion. */
const table: [slot: string, put: string[], del: string[]][] = [
  ["none, not told", ["A(p)"], []],
  ["none, told", ["M(p)"], ["D(x)"]],
  ["A", ["A(p)"], []],
  ["M", ["M(p)"], ["D(x)"]],
  ["D", ["D(l)", "A(p)"], ["D(l)"]],
  ["DA", ["D(l)", "A(p)"], ["D(l)"]],
];

for (const [name, afterPut, afterDelete] of table) {
  test(`slot ${name}`, () => {
    const slot = slots[name];
    assert.ok(slot);
    const put = make();
    slot.make(put);
    put.put("u", "p", slot.told);
    assert.ok(put.size <= 1);
    assert.deepEqual(drain(put), afterPut);
    const del = make();
    slot.make(del);
    del.delete("u", "x", "missing", slot.told);
    assert.ok(del.size <= 1);
    assert.deepEqual(drain(del), afterDelete);
  });
}

test("slots keep their first place; of control events the newest is kept, in its newest place", () => {
  const queue = make();
  queue.put("a", "a1", false);
  queue.control({ type: "SYNCED", n: 1 });
  queue.put("b", "b1", false);
  queue.put("a", "a2", false);
  queue.control({ type: "DISCONNECTED" });
  queue.control({ type: "SYNCED", n: 2 });
  assert.deepEqual(drain(queue), ["A(a2)", "A(b1)", "DISCONNECTED", "SYNCED2"]);
});

test("both halves of a deletion and an addition stay before what came after them", () => {
  const queue = make();
  queue.delete("a", "old", "missing", true);
  queue.put("a", "new", true);
  queue.control({ type: "SYNCED" });
  queue.put("b", "b1", false);
  assert.deepEqual(drain(queue), ["D(old)", "A(new)", "SYNCED", "A(b1)"]);
});

test("between the halves the second one follows what happens to the pod", () => {
  for (const [change, expected] of [
    [(queue: Queue) => queue.put("a", "newer", false), ["A(newer)", "SYNCED"]],
    [(queue: Queue) => queue.delete("a", "new", "finished", false), ["SYNCED"]],
  ] as const) {
    const queue = make();
    queue.delete("a", "old", "missing", true);
    queue.put("a", "new", true);
    queue.control({ type: "SYNCED" });
    assert.equal(queue.next()?.type, "DELETED");
    change(queue);
    assert.deepEqual(drain(queue), expected);
  }
});

test("a UID may be any text", () => {
  const queue = make();
  const uids = ["__proto__", "SYNCED", "cSYNCED", "pSYNCED", "", "constructor"];
  queue.control({ type: "SYNCED" });
  for (const uid of uids) queue.put(uid, uid, false);
  const told: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    told.push(next.type === "CONTROL" ? "control" : next.uid);
  }
  assert.deepEqual(told, ["control", ...uids]);
});
