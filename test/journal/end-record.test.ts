// Lines of a journal: what they keep, how long they are, and what damage does to them.

import assert from "node:assert/strict";
import { type EndRecord, keyOf, lineOf, MAX_LINE_BYTES, storedIn, textOf } from "../../src/journal/end-record.js";
import { test } from "../helpers/test.js";

const END: EndRecord = {
  uid: "9f0a6c1e-0f63-4dcb-93a4-6f3ad4cbd0f6",
  namespace: "shop",
  name: "web-1",
  podIPs: ["10.0.0.1", "fd00::1"],
  workload: { kind: "Deployment", name: "web", derived: true, owner: undefined },
  container: { name: "main", kind: "regular", containerID: "a".repeat(64), restartCount: 2 },
  end: {
    reason: "OOMKilled",
    exitCode: 137,
    signal: 9,
    oom: "container",
    resource: undefined,
    startedAt: new Date(1_000),
    finishedAt: new Date(2_000),
    reported: { exitCode: 137, reason: "OOMKilled", message: "line one\nline two \u0000" },
  },
  bootID: "6a0f",
  recordedAt: new Date(3_000),
};

const inner = (line: string) => line.slice(1, -1);

test("a line contains the whole record between two line breaks", () => {
  const line = lineOf(7, textOf(END));
  assert.match(line, /^\n[0-9a-f]{8} [^\n]+\n$/);
  assert.deepEqual(storedIn(inner(line)), { order: 7, record: END });
  const bare: EndRecord = {
    ...END,
    container: undefined,
    workload: undefined,
    end: { ...END.end, exitCode: undefined },
  };
  const { record } = storedIn(inner(lineOf(8, textOf(bare)))) ?? {};
  assert.deepEqual([record?.container, record?.workload, record?.end.exitCode], [undefined, undefined, undefined]);
});

test("no other text shortens the UID, the namespace and the name of the pod", () => {
  const name = "n".repeat(253);
  const long = "\u0001".repeat(253);
  const workload = {
    kind: long,
    name: long,
    derived: false,
    owner: { apiVersion: long, kind: long, name: long, uid: long },
  };
  const text = textOf({ ...END, name, workload });
  const { record } = storedIn(inner(lineOf(1, text))) ?? {};
  assert.deepEqual([record?.uid, record?.namespace, record?.name], [END.uid, END.namespace, name]);
  assert.deepEqual(record?.recordedAt, END.recordedAt);
  assert.ok((record?.workload?.name.length ?? 253) < 253);
});

test("truncates texts to their valid lengths, so that a line has at most 4 KiB", () => {
  for (const each of ["x", "\u0001", "\ud83d\ude00", "\u00e9", '"']) {
    const long = each.repeat(900_000);
    const record: EndRecord = {
      ...END,
      uid: long,
      namespace: long,
      name: long,
      podIPs: Array.from({ length: 1_000 }, () => long),
      workload: {
        kind: long,
        name: long,
        derived: false,
        owner: { apiVersion: long, kind: long, name: long, uid: long },
      },
      container: { name: long, kind: "regular", containerID: long, restartCount: 0 },
      end: { ...END.end, resource: long, reported: { exitCode: 1, reason: long, message: long } },
    };
    const line = lineOf(9_000_000_000_000_000, textOf(record));
    assert.ok(Buffer.byteLength(line) <= MAX_LINE_BYTES, `${Buffer.byteLength(line)} bytes`);
    const stored = storedIn(inner(line));
    assert.ok(
      stored !== undefined && stored.record.end.exitCode === 137 && !/[\ud800-\udbff]$/.test(stored.record.name),
    );
  }
  const { uid, name, end } =
    storedIn(inner(lineOf(1, textOf({ ...END, uid: "u".repeat(99), name: "n".repeat(300) }))))?.record ?? END;
  assert.deepEqual([uid.length, name.length, end.reported?.message.length], [36, 253, 19]);
});

test("rejects a line that is truncated or changed at any byte", () => {
  const line = Buffer.from(inner(lineOf(7, textOf(END))));
  for (let i = 0; i < line.length; i++) {
    assert.equal(storedIn(line.toString("utf8", 0, i)), undefined, `cut at ${i}`);
    const changed = Buffer.from(line);
    changed[i] = (changed[i] as number) ^ 1;
    assert.equal(storedIn(changed.toString()), undefined, `changed at ${i}`);
  }
});

test("a container run has one key, and two ends of a pod have two", () => {
  const pod = { ...END, container: undefined };
  assert.equal(keyOf(END), keyOf({ ...END, uid: "another", end: { ...END.end, finishedAt: undefined } }));
  assert.notEqual(keyOf(pod), keyOf({ ...pod, end: { ...END.end, finishedAt: new Date(9_000) } }));
  assert.notEqual(keyOf(pod), keyOf({ ...pod, uid: "another" }));
});
