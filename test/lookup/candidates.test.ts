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
    "prefers a pod that has not ended, even if it is unconfirmed, terminating and older",
    { unconfirmed: true, terminating: true, created: 1 },
    { phase: "Succeeded", created: 9 },
  ],
  [
    "prefers a readable pod, even if it is unconfirmed and older",
    { unconfirmed: true, created: 1 },
    { unreadable: true, created: 9 },
  ],
  [
    "prefers a confirmed pod, even if it is terminating and older",
    { terminating: true, created: 1 },
    { unconfirmed: true, created: 9 },
  ],
  ["prefers a running pod, even if it is terminating", { running: true, terminating: true }, { created: 9 }],
  ["prefers a pod that is not terminating, even if it is older", { created: 1 }, { terminating: true, created: 9 }],
  ["prefers the pod that was created later", { created: 9 }, { created: 1 }],
  ["orders pods with equal creation times by UID", { created: 1, uid: "a" }, { created: 1, uid: "b" }],
  [
    "orders static pods by the time when the kubelet first saw them",
    { seen: "2026-11-20T08:00:09Z" },
    { seen: "2026-11-20T08:00:01Z" },
  ],
  [
    "compares the first-seen time of a static pod with the creation time of an API pod",
    { created: 1_800_000_000 },
    { seen: "2026-11-20T08:00:01Z" },
  ],
  ["puts a pod without a valid creation or first-seen time last", { created: 1 }, { seen: "soon" }],
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
