// A pod as an object: what JSON and the console make of it, and what it knows of its mask.

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { clone, create, equals, fromBinary, isMessage, toBinary, toJson } from "@bufbuild/protobuf";
import { ContainerSchema, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import {
  containersOf,
  fromKubernetesJson,
  isReady,
  type Pod,
  type PodJson,
  type PodsError,
  podMask,
  podMasks,
  resourcesOf,
  toKubernetesJson,
  workloadOf,
} from "../../src/index.js";
import { decodeBy, decodePod } from "../../src/pod/decode.js";
import { sampleNode } from "../../src/testing/index.js";
import { realPods } from "../helpers/fixtures.js";
import { test } from "../helpers/test.js";

const jsons: PodJson[] = [...sampleNode(), ...realPods().map(({ json }) => json)];
const bytesOf = (json: PodJson) => toBinary(PodSchema, fromKubernetesJson(json, { allowUnknownKeys: true }));
const [first] = sampleNode();
assert.ok(first);

test("JSON.stringify writes pods, their parts and copies as kubectl does", () => {
  for (const json of jsons) {
    const pod = decodePod(bytesOf(json));
    const expected = JSON.parse(JSON.stringify(toKubernetesJson(pod)));
    assert.deepEqual(JSON.parse(JSON.stringify(pod)), expected);
    assert.deepEqual(JSON.parse(JSON.stringify(pod.metadata)), expected.metadata);
    assert.deepEqual(JSON.parse(JSON.stringify({ at: [pod.status, pod.spec.containers] })), {
      at: [expected.status, expected.spec.containers],
    });
    const { metadata, spec, status } = expected;
    const $typeName = "k8s.io.api.core.v1.Pod";
    assert.deepEqual(JSON.parse(JSON.stringify({ ...pod })), { $typeName, metadata, spec, status });
  }
});

test("JSON.stringify writes times and quantities as Kubernetes does", () => {
  const { metadata, spec } = decodePod(
    bytesOf({
      metadata: { creationTimestamp: "2026-11-20T08:00:00Z" },
      spec: { containers: [{ name: "c", resources: { limits: { cpu: "250m" } } }] },
    }),
  );
  assert.equal(JSON.stringify(metadata.creationTimestamp), '"2026-11-20T08:00:00Z"');
  assert.equal(JSON.stringify(spec.containers[0]?.resources?.limits), '{"cpu":"250m"}');
});

test("JSON.stringify writes only the masked fields of a masked pod", () => {
  const mask = podMask("metadata.name", "status.phase", "status.containerStatuses.name");
  for (const json of jsons) {
    const pod = decodeBy(mask.plan, bytesOf(json)) as Pod;
    const expected = JSON.parse(JSON.stringify(toKubernetesJson({ ...pod }, { mask })));
    assert.deepEqual(JSON.parse(JSON.stringify(pod)), expected);
    assert.deepEqual(toKubernetesJson(pod), expected);
    assert.deepEqual(JSON.parse(JSON.stringify(pod.metadata)), expected.metadata);
    assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(pod.metadata))), ["name"]);
    for (const each of pod.status.containerStatuses)
      assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(each))), ["name"]);
  }
});

test("util.inspect shows times as text and escapes control characters", () => {
  const pod = decodePod(bytesOf({ metadata: { name: "a\u001b[31m", creationTimestamp: "2026-11-20T08:00:00Z" } }));
  const text = inspect(pod.metadata);
  assert.match(text, /^ObjectMeta \{.*creationTimestamp: '2026-11-20T08:00:00Z'/s);
  assert.ok(!text.includes("\u001b"), "control characters are escaped");
  assert.match(inspect({ pods: [[pod]] }, { depth: 1 }), /\[Array\]/);
  assert.match(inspect({ pods: [pod] }, { depth: 1 }), /\[Pod\]/);
});

test("JSON.stringify and util.inspect do not throw for a pod with invalid values", () => {
  const whole = fromKubernetesJson({ metadata: { name: "n", managedFields: [{ manager: "m", fieldsV1: {} }] } });
  const [entry] = whole.metadata.managedFields;
  assert.ok(entry?.fieldsV1);
  entry.fieldsV1.Raw = Buffer.from("{");
  whole.metadata.deletionTimestamp = create(TimeSchema, { seconds: 10n ** 15n });
  const pod = decodePod(toBinary(PodSchema, whole));
  const { metadata } = JSON.parse(JSON.stringify(pod));
  assert.deepEqual(
    [metadata.deletionTimestamp, metadata.managedFields[0].fieldsV1],
    ["<a time outside the years 1 to 9999>", "<not JSON>"],
  );
  assert.match(inspect(pod.metadata), /<not JSON>/);
  assert.throws(() => toKubernetesJson(pod), /corrupt/);
  assert.equal(inspect(Object.getPrototypeOf(pod)).trim(), "{}");
});

test("a pod created from JSON equals a decoded one", () => {
  for (const json of jsons) {
    const pod = fromKubernetesJson(json, { allowUnknownKeys: true });
    assert.deepEqual(decodePod(toBinary(PodSchema, pod)), pod);
    const { creationTimestamp } = pod.metadata;
    assert.equal(JSON.stringify(creationTimestamp ?? null), JSON.stringify(json.metadata?.creationTimestamp ?? null));
  }
});

test("toJSON is not enumerable and not added to messages of protobuf-es", () => {
  const pod = decodePod(bytesOf(first));
  assert.deepEqual(Object.keys(pod), ["$typeName", "metadata", "spec", "status"]);
  assert.equal("toJSON" in create(PodSchema), false);
  assert.equal("toJSON" in structuredClone(pod), false);
  assert.deepEqual(structuredClone(pod), fromBinary(PodSchema, bytesOf(first)));
});

test("protobuf-es accepts decoded pods like its own messages", () => {
  for (const json of jsons) {
    const bytes = bytesOf(json);
    const [ours, theirs] = [decodePod(bytes), fromBinary(PodSchema, bytes)];
    assert.ok(isMessage(ours, PodSchema) && isMessage(ours.spec.containers[0], ContainerSchema));
    assert.ok(equals(PodSchema, ours, theirs) && equals(PodSchema, theirs, ours));
    assert.deepEqual(toBinary(PodSchema, ours), toBinary(PodSchema, theirs));
    assert.deepEqual(toJson(PodSchema, ours), toJson(PodSchema, theirs));
    assert.deepEqual(clone(PodSchema, ours), theirs);
  }
});

test("a helper rejects a pod whose mask lacks required fields", () => {
  const pod = decodeBy(podMasks.identity.union(podMask("status.conditions.type")).plan, bytesOf(first));
  const refuses = (helper: (pod: never) => unknown, lacks: RegExp) =>
    assert.throws(
      () => helper(pod as never),
      (error: PodsError) => error.code === "invalid-argument" && lacks.test(error.message),
    );
  refuses(
    isReady,
    /^invalid-argument: isReady: the mask of the pod lacks metadata\.deletionTimestamp, status\.phase, status\.conditions; use podMasks\.isReady/,
  );
  refuses(containersOf, /containersOf: .* lacks spec\.initContainers\.name/);
  refuses(workloadOf, /workloadOf: .* lacks metadata\.labels/);
  refuses(resourcesOf, /resourcesOf: /);
  assert.throws(() => isReady(undefined as never), /isReady: the argument must be a pod/);
  for (const json of jsons) {
    const [masked, whole] = [decodeBy(podMasks.isReady.plan, bytesOf(json)), decodePod(bytesOf(json))];
    assert.equal(isReady(masked as Pod), isReady(whole));
  }
});

test("a helper accepts a mask with its fields or their parents", () => {
  const bytes = bytesOf(first);
  const deletion = "metadata.deletionTimestamp";
  const single = podMask(deletion, "status.conditions", "status.phase");
  for (const mask of [podMask(deletion, "status"), single, podMasks.isReady]) {
    assert.equal(typeof isReady(decodeBy(mask.plan, bytes) as Pod), "boolean");
  }
  for (const mask of [podMask("status.phase"), podMask("spec"), podMask("status.conditions.type", "status.phase")]) {
    assert.throws(() => isReady(decodeBy(mask.plan, bytes) as Pod), { code: "invalid-argument" });
  }
});
