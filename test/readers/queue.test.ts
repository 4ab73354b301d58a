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
  "no event of an unknown pod": { told: false, make: () => {} },
  "no event of a known pod": { told: true, make: () => {} },
  "a pending ADDED": { told: false, make: (queue) => queue.put("u", "q", false) },
  "a pending MODIFIED": { told: true, make: (queue) => queue.put("u", "q", true) },
  "a pending DELETED": { told: true, make: (queue) => queue.delete("u", "l", "finished", true) },
  "a pending DELETED and ADDED": {
    told: true,
    make: (queue) => {
      queue.delete("u", "l", "finished", true);
      queue.put("u", "q", true);
    },
  },
};

/** Slot, what comes of an addition or a change, what comes of a deletion. */
const table: [slot: string, put: string[], del: string[]][] = [
  ["no event of an unknown pod", ["A(p)"], []],
  ["no event of a known pod", ["M(p)"], ["D(x)"]],
  ["a pending ADDED", ["A(p)"], []],
  ["a pending MODIFIED", ["M(p)"], ["D(x)"]],
  ["a pending DELETED", ["D(l)", "A(p)"], ["D(l)"]],
  ["a pending DELETED and ADDED", ["D(l)", "A(p)"], ["D(l)"]],
];

for (const [name, afterPut, afterDelete] of table) {
  test(`merges a change or a deletion into ${name}`, () => {
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

test("pods keep their first position; only the newest control event of a type is kept", () => {
  const queue = make();
  queue.put("a", "a1", false);
  queue.control({ type: "SYNCED", n: 1 });
  queue.put("b", "b1", false);
  queue.put("a", "a2", false);
  queue.control({ type: "DISCONNECTED" });
  queue.control({ type: "SYNCED", n: 2 });
  assert.deepEqual(drain(queue), ["A(a2)", "A(b1)", "DISCONNECTED", "SYNCED2"]);
});

test("a deletion and its addition both come before later events", () => {
  const queue = make();
  queue.delete("a", "old", "missing", true);
  queue.put("a", "new", true);
  queue.control({ type: "SYNCED" });
  queue.put("b", "b1", false);
  assert.deepEqual(drain(queue), ["D(old)", "A(new)", "SYNCED", "A(b1)"]);
});

test("an addition that waits behind its delivered deletion follows later changes", () => {
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

test("accepts any text as a UID", () => {
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
