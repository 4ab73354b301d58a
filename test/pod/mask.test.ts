import assert from "node:assert/strict";
import fc from "fast-check";
import { podMask, resolveMask, unionOf } from "../../src/pod/mask.js";
import { podMasks } from "../../src/pod-masks.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { randomPaths } from "./random-pods.js";

test("sorts paths and removes duplicate and covered ones", () => {
  const mask = podMask("status.phase", "metadata.name", "status", "metadata.name", "spec.containers.name");
  assert.deepEqual(mask.paths, ["metadata.name", "spec.containers.name", "status"]);
  assert.equal(String(mask), "metadata.name,spec.containers.name,status");
  assert.deepEqual(mask.toFieldMask().paths, mask.paths);
});

test("the paths of a mask are immutable", () => {
  const { paths } = podMask("metadata.uid", "metadata.name");
  assert.throws(() => (paths as string[]).push("spec"), TypeError);
});

test("a union selects the fields of both masks in any order", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      const [x, y] = [podMask.parse(randomPaths(a).join(",")), podMask.parse(randomPaths(b).join(","))];
      const union = x.union(y);
      assert.deepEqual(y.union(x).paths, union.paths);
      assert.ok(union.covers(x) && union.covers(y) && union.covers(union));
      assert.equal(x.covers(y), String(union) === String(x));
    }),
    runs(500),
  );
  assert.deepEqual(podMasks.identity.union(podMask("status.phase")).paths, [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "status.phase",
  ]);
  const many = Array.from({ length: 500 }, () => podMasks.identity);
  assert.deepEqual(unionOf(many)?.paths, podMasks.identity.paths, "for any number of masks");
  assert.equal(unionOf([podMasks.identity, undefined]), undefined, "a union with no mask selects everything");
});

test("accepts Kubernetes' JSON names of fields of inlined messages", () => {
  const cases: [json: string, path: string][] = [
    ["spec.volumes.configMap", "spec.volumes.volumeSource.configMap"],
    ["spec.volumes.configMap.name", "spec.volumes.volumeSource.configMap.localObjectReference.name"],
    ["spec.containers.livenessProbe.httpGet", "spec.containers.livenessProbe.handler.httpGet"],
    ["spec.ephemeralContainers.image", "spec.ephemeralContainers.ephemeralContainerCommon.image"],
    [" metadata.name , status.phase ", "metadata.name,status.phase"],
  ];
  for (const [json, path] of cases) assert.equal(String(podMask.parse(json)), path);
});

test("converts from and to a FieldMask message", () => {
  const mask = podMask("metadata.name", "status.podIPs");
  assert.equal(String(podMask.parse(mask.toFieldMask())), String(mask));
  assert.equal(String(podMask.parse({ paths: ["spec.nodeName"] })), "spec.nodeName");
  for (const given of [{ paths: "status" }, null, {}, 1]) {
    assert.throws(() => podMask.parse(given as never), {
      code: "invalid-argument",
      message: /must be a string or a FieldMask/,
    });
  }
});

describe("rejects an invalid path with its message type and a suggestion", () => {
  const cases: [text: string, message: RegExp][] = [
    ["metadata.nmae", /"metadata\.nmae": ObjectMeta has no field "nmae"; did you mean name\?/],
    ["spec.contianers.name", /PodSpec has no field "contianers"; did you mean containers/],
    ["spec.volumes.configmap", /Volume has no field "configmap"; did you mean configMap/],
    [
      "spec.terminationGracePeriod.x",
      /PodSpec has no field "terminationGracePeriod"; did you mean terminationGracePeriodSeconds/,
    ],
    ["metadata.naxx", /ObjectMeta has no field "naxx"; did you mean name/],
    ["status.zzz", /PodStatus has no field "zzz"; fields: .*phase/],
    [
      "metadata.labels.app",
      /labels has no field "app"; labels is a map, and masks select whole maps: end the path there/,
    ],
    ["status.phase.x", /phase has no field "x"; phase has no fields: end the path there/],
    ["", /mask must have at least one path; omit the mask for whole pods/],
    [" ", /mask must have at least one path; omit the mask for whole pods/],
    [",", /Pod has no field ""; fields: metadata, spec, status/],
    ["metadata.", /ObjectMeta has no field ""/],
    ["__proto__", /Pod has no field "__proto__"/],
    ["metadata.constructor", /ObjectMeta has no field "constructor"/],
    ["metadata.$typeName", /ObjectMeta has no field "\$typeName"/],
    ["metadata.\u001b[31m", /ObjectMeta has no field "\\u001b\[31m"/],
    [`metadata.${"x".repeat(1_000)}`, /has more than 300 characters; pass each path/],
    ["x,".repeat(100_000), /is too long/],
  ];
  for (const [text, message] of cases) {
    test(text.slice(0, 30), () => assert.throws(() => podMask.parse(text), { code: "invalid-argument", message }));
  }

  test("rejects invalid paths and lists at run time", () => {
    const paths = (mask: unknown) => () => resolveMask(mask as string[], "listPods");
    assert.throws(paths(["metadata.nmae"]), { code: "invalid-argument", message: /did you mean name/ });
    assert.throws(paths([]), { code: "invalid-argument", message: /at least one path; omit the mask/ });
    assert.throws(paths("metadata.name"), { message: /listPods: mask must be a list of paths/ });
    assert.ok(resolveMask(["metadata.name", "status"], "listPods"));
    assert.throws(paths(["metadata.name,status"]), { code: "invalid-argument" });
    assert.throws(paths([1]), { message: /must be a string/ });
    assert.throws(paths(Array(2_000).fill("metadata.name")), { message: /at most 1000 paths/ });
    assert.throws(() => podMask(), { message: /at least one path/ });
    const list = ["metadata.name"] as never;
    assert.throws(() => podMask(list), { code: "invalid-argument", hint: /podMask\(\.\.\.paths\)/ });
    assert.throws(paths({ paths: list }), { code: "invalid-argument", hint: /podMask\.parse\(\)/ });
  });
});
