// Lines of a journal: what they keep, how long they are, and what damage does to them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type EndRecord, keyOf, lineOf, MAX_LINE_BYTES, storedIn, textOf } from "../../src/journal/end-record.js";
import { JournalFiles } from "../../src/journal/journal-files.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { runs } from "../helpers/property.js";
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

test("texts that identify an end are shortened last, and no more than they must", () => {
  const long = "\u0001".repeat(253);
  const containerID = "c".repeat(128);
  const container = { name: long, kind: "regular" as const, containerID, restartCount: 0 };
  const { end } = endWith("\u0001".repeat(1_024));
  const names = { ...END, namespace: long, name: long, container, end };
  const stored = storedIn(inner(lineOf(1, textOf(names))))?.record;
  assert.deepEqual([stored?.namespace, stored?.name, stored && keyOf(stored)], [long, long, keyOf(names)]);
  const uid = "\u0001".repeat(36);
  const all = { ...names, uid, container: { ...container, containerID: "\u0001".repeat(128) } };
  const shortened = storedIn(inner(lineOf(1, textOf(all))))?.record;
  assert.deepEqual([shortened?.uid, shortened?.name.length, shortened?.namespace.length], [uid, 126, 126]);
  assert.equal(shortened?.container?.containerID.length, 126);
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

/** The end of a container with a termination message, in a pod whose owner has a name. */
function endWith(message: string, owner = "web"): EndRecord {
  return {
    ...END,
    workload: { kind: "Deployment", name: owner, derived: true, owner: undefined },
    end: { ...END.end, reported: { exitCode: 137, reason: "OOMKilled", message } },
  };
}

test("a record with any code point is read as it was written", () => {
  const SIZE = 128;
  for (let first = 0; first <= 0x10ffff; first += SIZE) {
    if (first >= 0xd800 && first <= 0xdfff) continue; // surrogates: no UTF-8 text has them
    const text = String.fromCodePoint(...Array.from({ length: SIZE }, (_, i) => first + i));
    for (const record of [endWith(text), endWith("", text.slice(0, SIZE))]) {
      const line = lineOf(7, textOf(record));
      assert.equal(line.indexOf("\n", 1), line.length - 1, `U+${first.toString(16)}`);
      assert.deepEqual(storedIn(inner(line)), { order: 7, record }, `U+${first.toString(16)}`);
    }
  }
});

test("whatever is written is read, beside lines that are cut anywhere", async (t) => {
  const directory = temporaryDirectory(t);
  const file = "0000000000000001.0badcafe.shop.ends";
  const text = fc.oneof(fc.string({ unit: "binary", maxLength: 1_500 }), fc.string({ maxLength: 6_000 }));
  const record = fc.record({ message: text, owner: text, uid: text, name: text, containerID: text });
  const written = fc.array(fc.tuple(record, fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(written, async (each) => {
      const parts = each.flatMap(([{ message, owner, uid, name, containerID }, cut], i) => {
        const container = { name: "main", kind: "regular" as const, containerID, restartCount: 0 };
        const line = Buffer.from(lineOf(i + 1, textOf({ ...endWith(message, owner), uid, name, container })));
        assert.ok(line.length <= MAX_LINE_BYTES, `${line.length} bytes`);
        return [line, line.subarray(0, Math.floor(cut * line.length))];
      });
      writeFileSync(join(directory, file), Buffer.concat(parts));
      const orders = new Set<number>();
      for await (const { order, record } of new JournalFiles(directory, 1e9, () => 0).records()) {
        const [given] = each[order - 1] ?? assert.fail();
        orders.add(order);
        const { message = "" } = record.end.reported ?? {};
        assert.ok(
          given.message.startsWith(message) && (message !== "" || given.message === "" || given.uid.length > 9),
        );
        assert.ok(given.uid.startsWith(record.uid) && given.name.startsWith(record.name));
        assert.ok(given.containerID.startsWith(record.container?.containerID ?? "?"));
      }
      assert.equal(orders.size, each.length);
    }),
    runs(100),
  );
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
