// Pods for code that is written against @kubernetes/client-node, judged by its own reader of JSON.

import assert from "node:assert/strict";
import type { V1Pod } from "@kubernetes/client-node";
import { ObjectSerializer } from "@kubernetes/client-node/dist/gen/models/ObjectSerializer.js";
import { fromKubernetesJson, type PodJson, toKubernetesJson, toV1Pod } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { sampleNode } from "../../src/testing/index.js";
import { POD_STATES } from "../cli/pod-states.js";
import { realPods, roundTrips, servedPods } from "../helpers/fixtures.js";
import { describe, test } from "../helpers/test.js";

/** What their reader makes of JSON, as plain objects without keys that are null or unknown to us. */
function theirs(json: object): unknown {
  return plain(ObjectSerializer.deserialize(structuredClone(json), "V1Pod", ""));
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item)]));
}

/** Of ours, what theirs has: their schema is older, and has fewer fields. */
function known(ours: unknown, theirs: unknown): unknown {
  if (theirs instanceof Date || typeof theirs !== "object" || theirs === null) return ours;
  if (Array.isArray(theirs)) return theirs.map((item, i) => known((ours as unknown[])[i], item));
  const keys = Object.keys(theirs);
  return Object.fromEntries(keys.map((k) => [k, known((ours as Fields)[k], (theirs as Fields)[k])]));
}

type Fields = Record<string, unknown>;

describe("toV1Pod returns what client-node deserializes from the same JSON", () => {
  const cases: { name: string; json: PodJson }[] = [
    ...sampleNode().map((json) => ({ name: json.metadata?.name ?? "", json })),
    ...POD_STATES.map(([name, json]) => ({ name, json })),
    ...realPods(),
  ];
  for (const { name, json } of cases) {
    test(name, () => {
      const pod = fromKubernetesJson(json, { allowUnknownKeys: true });
      const expected = theirs(toKubernetesJson(pod));
      assert.deepEqual(known(plain(toV1Pod(pod)), expected), expected);
    });
  }

  test("pods with every field set and pods encoded by kubelets", () => {
    for (const { protobuf } of [...servedPods(), ...roundTrips()]) {
      const pod = decodePod(protobuf);
      const ours = toV1Pod(pod);
      assert.deepEqual(known(plain(ours), theirs(toKubernetesJson(pod))), theirs(toKubernetesJson(pod)));
    }
  });
});

test("toV1Pod of an empty pod has metadata, spec and status and no null", () => {
  assert.deepEqual(toV1Pod(fromKubernetesJson({})), {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {},
    spec: { containers: [] },
    status: {},
  });
});

test("the result of toV1Pod is assignable to V1Pod", () => {
  const nameOf = (pod: V1Pod) =>
    `${pod.metadata?.name} ${pod.spec?.containers[0]?.image} ${pod.status?.startTime?.getTime()}`;
  const v1: V1Pod = toV1Pod(fromKubernetesJson(sampleNode()[0] ?? {}));
  assert.equal(nameOf(v1).split(" ").length, 3);
});
