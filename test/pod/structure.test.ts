// What the walk over a pod's bytes lets through can be decoded, by the whole schema and by every mask.

import assert from "node:assert/strict";
import { clone, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../src/index.js";
import { decodeBy, decodePod } from "../../src/pod/decode.js";
import { HEAD_MASK } from "../../src/pod/head.js";
import { type PodMask, planOf, podMask } from "../../src/pod/mask.js";
import { POD } from "../../src/pod/message-type.js";
import { project } from "../../src/pod/project.js";
import { scanHead } from "../../src/pod/scan.js";
import { checkStructure, structureOf } from "../../src/pod/structure.js";
import { sampleNode } from "../../src/testing/index.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { randomPaths, randomPod } from "./random-pods.js";

const structure = structureOf(POD);
const check = (bytes: Uint8Array) => checkStructure(bytes, structure);
const passes = (bytes: Uint8Array) => {
  try {
    check(bytes);
    return true;
  } catch {
    return false;
  }
};

test("accepts every encoded pod", () => {
  for (const json of sampleNode()) check(toBinary(PodSchema, fromKubernetesJson(json)));
  fc.assert(
    fc.property(fc.nat(), (seed) => check(toBinary(PodSchema, randomPod(seed)))),
    runs(500),
  );
});

test("accepted bytes can be decoded completely, by a mask and after a projection", () => {
  let passed = 0;
  const bent = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.nat(500), fc.nat(500), bent, (seed, paths, changes) => {
      const bytes = toBinary(PodSchema, randomPod(seed));
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      const mask = podMask.parse(randomPaths(paths).join(","));
      if (passes(bytes)) {
        passed++;
        decodePod(bytes);
        decodeBy(mask.plan, bytes);
      }
      let kept: Uint8Array;
      try {
        kept = project(bytes, mask.plan);
      } catch {
        return;
      }
      decodeBy(mask.plan, kept);
      if (!passes(bytes)) return;
      assert.deepEqual(decodeBy(mask.plan, kept), decodeBy(mask.plan, bytes));
      assert.deepEqual(project(bytes, planOf(undefined)), bytes);
    }),
    runs(3_000),
  );
  assert.ok(passed > 100, `${passed} of those that were bent can be read`);
});

test("rejects truncated, overlong, mistyped and unterminated fields", () => {
  const cases: [what: string, ...bytes: number[]][] = [
    ["cut off in a length", 0x0a],
    ["a length past the end", 0x0a, 5, 0x0a, 1, 0x61],
    ["a nested length past its message", 0x12, 2, 0x0a, 0x7f],
    ["deeper: a container's name past the container", 0x12, 4, 0x12, 2, 0x0a, 0x7f],
    ["a text as a number", 0x0a, 2, 0x0a, 0x01],
    ["a number as a text: terminationGracePeriodSeconds", 0x12, 3, 0x22, 1, 0x61],
    ["a number without an end", 0x12, 12, 0x20, ...Array.from({ length: 11 }, () => 0xff)],
    ["the field 0", 0x00, 0x00],
    ["a message in a field whose tag takes two bytes: affinity", 0x12, 5, 0x92, 0x01, 2, 0x0a, 0x7f],
    ["the same, the tag in three bytes", 0x12, 6, 0x92, 0x81, 0, 2, 0x0a, 0x7f],
    ["a group that does not end", 0xfb, 0x7f],
    ["a group that ends and did not begin", 0xfc, 0x7f],
  ];
  for (const [what, ...bytes] of cases) assert.equal(passes(Uint8Array.from(bytes)), false, what);
  for (const bytes of [
    [],
    [0x0a, 0],
    [0xfa, 0x7f, 1, 0],
    [0xfb, 0x7f, 0xfc, 0x7f],
    [0x12, 3, 0x20, 0x80, 0x01],
    [0x12, 5, 0x92, 0x01, 2, 0x0a, 0],
    [0x12, 6, 0x92, 0x81, 0, 2, 0x0a, 0],
  ]) {
    assert.equal(passes(Uint8Array.from(bytes)), true, String(bytes));
  }
});

test("accepts the same depth of nested groups as the decoder", () => {
  const nested = (depth: number) =>
    Uint8Array.from(
      [
        ...Array.from({ length: depth }, () => [0xfb, 0x7f]),
        ...Array.from({ length: depth }, () => [0xfc, 0x7f]),
      ].flat(),
    );
  for (const depth of [98, 99, 100, 101]) {
    const decodes = (() => {
      try {
        decodePod(nested(depth));
        return true;
      } catch {
        return false;
      }
    })();
    assert.equal(passes(nested(depth)), decodes, String(depth));
  }
});

test("head and decoder both take the second of two times", () => {
  const twice = Uint8Array.from([0x0a, 12, 0x42, 4, 0x08, 5, 0x10, 0, 0x42, 4, 0x08, 9, 0x10, 0]);
  assert.equal(decodePod(twice).metadata?.creationTimestamp?.seconds, 9n);
  assert.equal(scanHead(twice).head.created, 9);
  const emptied = Uint8Array.from([0x0a, 8, 0x42, 4, 0x08, 5, 0x10, 0, 0x42, 0]);
  assert.equal(decodePod(emptied).metadata?.creationTimestamp?.seconds, undefined);
  assert.equal(scanHead(emptied).head.created, undefined);
});

test("the head has source, seen and grace period", () => {
  const pod = fromKubernetesJson({
    metadata: {
      uid: "u",
      name: "n",
      namespace: "d",
      annotations: { "kubernetes.io/config.source": "", "kubernetes.io/config.seen": "t", z: "x" },
      deletionGracePeriodSeconds: 7,
    },
    spec: { containers: [], terminationGracePeriodSeconds: 40 },
    status: { phase: "Running", containerStatuses: [] },
  });
  const { head } = scanHead(toBinary(PodSchema, pod));
  assert.deepEqual([head.source, head.seen, head.graceSeconds], ["", "t", 7], " an empty source is a source");
  if (pod.metadata) delete pod.metadata.deletionGracePeriodSeconds;
  assert.equal(scanHead(toBinary(PodSchema, pod)).head.graceSeconds, 40);
});

describe("HEAD_MASK has exactly the fields that the head reads", () => {
  const state = { running: {} };
  const full = fromKubernetesJson({
    metadata: {
      uid: "u",
      name: "n",
      namespace: "d",
      annotations: { "kubernetes.io/config.source": "file", "kubernetes.io/config.seen": "t" },
      creationTimestamp: "2026-01-01T00:00:00Z",
      deletionTimestamp: "2026-01-02T00:00:00Z",
      deletionGracePeriodSeconds: 7,
      finalizers: ["batch.kubernetes.io/job-tracking"],
    },
    spec: { containers: [{ name: "c" }], terminationGracePeriodSeconds: 40 },
    status: { phase: "Failed" },
  });
  const statusOf = (list: string) => fromKubernetesJson({ status: { [list]: [{ name: "c", state }] } });
  const lists = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"].map(statusOf);
  const withoutDeletion = clone(PodSchema, full);
  delete withoutDeletion.metadata?.deletionGracePeriodSeconds;
  const all = [full, withoutDeletion, ...lists, ...sampleNode().map((json) => fromKubernetesJson(json))];
  const pods = all.map((pod) => toBinary(PodSchema, pod));
  const headsBy = (mask: PodMask) => pods.map((bytes) => scanHead(project(bytes, mask.plan)).head);
  const heads = pods.map((bytes) => scanHead(bytes).head);

  test("a masked pod has the head of the complete pod", () => {
    assert.deepEqual(headsBy(HEAD_MASK), heads);
  });

  for (const path of HEAD_MASK.paths) {
    test(`the head changes without ${path}`, () => {
      assert.notDeepEqual(headsBy(podMask.parse(HEAD_MASK.paths.filter((other) => other !== path).join())), heads);
    });
  }
});
