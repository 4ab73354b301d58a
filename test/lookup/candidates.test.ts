// Which of several pods a key means: each rule beside the next weaker ones, in both orders.

import assert from "node:assert/strict";
import type { PodRecord } from "../../src/known/record.js";
import type { Version } from "../../src/known/version.js";
import { inOrder } from "../../src/lookup/candidates.js";
import type { PodHead } from "../../src/pod/head.js";
import { recordOf } from "../helpers/changes.js";
import { test } from "../helpers/test.js";

interface Candidate extends Partial<PodHead> {
  unconfirmed?: boolean;
  unreadable?: boolean;
}

const cases: [rule: string, better: Candidate, worse: Candidate][] = [
  [
    "one that has not ended is before one that has, though it is unconfirmed, terminates and is older",
    { unconfirmed: true, terminating: true, created: 1 },
    { phase: "Succeeded", created: 9 },
  ],
  [
    "then one whose last message could be read, though it is unconfirmed and older",
    { unconfirmed: true, created: 1 },
    { unreadable: true, created: 9 },
  ],
  [
    "then one whose absence is not in doubt, though it terminates and is older",
    { terminating: true, created: 1 },
    { unconfirmed: true, created: 9 },
  ],
  ["then one of which something runs, though it terminates", { running: true, terminating: true }, { created: 9 }],
  ["then one that does not terminate, though it is older", { created: 1 }, { terminating: true, created: 9 }],
  ["then the one that was created later", { created: 9 }, { created: 1 }],
  ["then by UID", { created: 1, uid: "a" }, { created: 1, uid: "b" }],
  [
    "a static pod counts from when the kubelet saw it first",
    { seen: "2026-11-20T08:00:09Z" },
    { seen: "2026-11-20T08:00:01Z" },
  ],
  ["beside one of the API, too", { created: 1_800_000_000 }, { seen: "2026-11-20T08:00:01Z" }],
  ["and one that says nothing of it is last", { created: 1 }, { seen: "soon" }],
];

for (const [rule, better, worse] of cases) {
  test(`${rule}`, () => {
    const heads = [better, worse].map((candidate, i) => {
      return { phase: "Running", running: false, terminating: false, seen: "", uid: i === 0 ? "b" : "a", ...candidate };
    });
    const records = heads.map(({ unconfirmed, unreadable, ...head }) => {
      const record = recordOf({ head, bytes: new Uint8Array() } as unknown as Version);
      record.unconfirmed = unconfirmed ? "absent" : undefined;
      record.isUnreadable = unreadable === true;
      return record;
    });
    const [first, second] = records as [PodRecord, PodRecord];
    for (const order of [
      [first, second],
      [second, first],
    ]) {
      assert.deepEqual(inOrder(order), [first, second]);
    }
  });
}
