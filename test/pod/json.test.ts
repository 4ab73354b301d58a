import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { decodePod } from "../../src/pod/decode.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import type { PodJson } from "../../src/pod/json-types.js";
import { podMask } from "../../src/pod/mask.js";
import { toKubernetesJson } from "../../src/pod/to-json.js";
import { maskedPod } from "../../src/testing/pod-input.js";
import { sampleNode } from "../../src/testing/sample-node.js";
import { hasOthers, realPods, roundTrips, servedPods } from "../helpers/fixtures.js";
import { describe, test } from "../helpers/test.js";
import { decodedByProtobufES } from "./random-pods.js";

const there = (json: unknown) => decodePod(toBinary(PodSchema, fromKubernetesJson(json)));

describe("JSON encoded to bytes and decoded again is unchanged", () => {
  for (const json of sampleNode()) {
    test(`${json.metadata?.name} of the sample node`, () => {
      assert.deepEqual(toKubernetesJson(there(json)), json);
    });
  }

  const real = realPods();
  for (const { name, json } of real) {
    test(`real pod ${name}`, () => {
      const expected: PodJson = { apiVersion: "v1", kind: "Pod", ...structuredClone(json) };
      // Releases before 1.34 wrote this on static pods.
      if (expected.metadata?.creationTimestamp === null) delete expected.metadata.creationTimestamp;
      assert.deepEqual(toKubernetesJson(there(json)), expected);
    });
  }

  test("fixtures exist, and only static pods of 1.29 have creationTimestamp: null", () => {
    assert.ok(real.length >= (hasOthers ? 60 : 5), String(real.length));
    const nulls = real.filter(({ json }) => json.metadata?.creationTimestamp === null);
    assert.equal(nulls.length, hasOthers ? 4 : 0);
  });
});

/** What Kubernetes removed since: the pods of these releases come out as a later release writes them. */
const removed: Record<string, string> = { "v1.35.0__core.v1.Pod": "spec.workloadRef" };

describe("pods encoded by Kubernetes", () => {
  for (const { name, protobuf, json } of servedPods()) {
    test(`${name}: decodes as protobuf-es does and survives conversion to JSON and back`, () => {
      const pod = decodePod(protobuf);
      assert.deepEqual(structuredClone(pod), decodedByProtobufES(protobuf));
      assert.deepEqual(there(toKubernetesJson(pod)), pod);
      if (json !== undefined) assert.deepEqual(toKubernetesJson(pod), json);
    });
  }

  test("fixtures exist, and one has more than 10,000 characters of JSON", () => {
    const sizes = servedPods().map(({ protobuf }) => JSON.stringify(toKubernetesJson(decodePod(protobuf))).length);
    assert.ok(sizes.length >= 5 && Math.max(...sizes) > 10_000, String(sizes));
  });
});

describe("Kubernetes' own fixtures with every field set", () => {
  const fixtures = new Map(roundTrips().map((fixture) => [fixture.name, fixture]));
  test("six fixtures exist if they are installed", () => assert.equal(fixtures.size, hasOthers ? 6 : 0));

  for (const { name, protobuf, json } of fixtures.values()) {
    const gone = removed[name];
    const expected = gone === undefined ? { protobuf, json } : fixtures.get(`${name}.after_roundtrip`);

    test(`${name}: bytes to JSON`, () => {
      assert.deepEqual(toKubernetesJson(decodePod(protobuf)), expected?.json);
    });
    test(`${name}: JSON to bytes`, () => {
      assert.ok(expected);
      if (gone !== undefined)
        assert.throws(() => fromKubernetesJson(json), { message: new RegExp(`: ${gone}: unknown`) });
      const pod = fromKubernetesJson(json, { allowUnknownKeys: gone !== undefined });
      assert.deepEqual(decodePod(toBinary(PodSchema, pod)), decodePod(expected.protobuf));
    });
    test(`${name}: decodes as protobuf-es does`, () => {
      assert.deepEqual(structuredClone(decodePod(protobuf)), decodedByProtobufES(protobuf));
    });
  }
});

describe("rejects invalid JSON with its path and without its value", () => {
  const cases: [what: string, json: unknown, message: string][] = [
    ["not an object", "secret", "the pod: expected an object, found text"],
    ["a list of pods", { kind: "PodList", items: [] }, "expected a Pod, found a PodList; pass each of its items"],
    ["another kind", { kind: "Secret" }, 'kind: not "Pod"'],
    ["another version", { apiVersion: "v2" }, 'apiVersion: not "v1"'],
    [
      "an unknown key",
      { spec: { containers: [{ name: "a", comand: ["secret"] }] } },
      "spec.containers[0].comand: unknown key; check its spelling, or set allowUnknownKeys",
    ],
    [
      "an inlined message's own name",
      { spec: { volumes: [{ volumeSource: {} }] } },
      "spec.volumes[0].volumeSource: unknown key; check its spelling, or set allowUnknownKeys",
    ],
    [
      "text for a number",
      { spec: { priority: "secret" } },
      "spec.priority: expected a whole number of 32 bits, found text",
    ],
    ["a fraction", { spec: { priority: 1.5 } }, "spec.priority: not a whole number of 32 bits"],
    ["33 bits", { spec: { priority: 2 ** 31 } }, "spec.priority: not a whole number of 32 bits"],
    ["65 bits", { metadata: { generation: 2 ** 64 } }, "metadata.generation: not a whole number of 64 bits"],
    ["a fraction of 64 bits", { metadata: { generation: 1.5 } }, "metadata.generation: not a whole number of 64 bits"],
    [
      "a number for a boolean",
      { spec: { hostNetwork: 1 } },
      "spec.hostNetwork: expected true or false, found a number",
    ],
    ["a list for an object", { metadata: [] }, "metadata: expected an object, found a list"],
    ["an object for a list", { spec: { containers: {} } }, "spec.containers: expected a list, found an object"],
    ["null in a map", { metadata: { labels: { a: null } } }, 'metadata.labels["a"]: expected text, found null'],
    [
      "a terminal's escape in a key",
      { metadata: { labels: { "\u001b[2J": 1 } } },
      'metadata.labels["\\u001b[2J"]: expected text, found a number',
    ],
    [
      "a bad quantity",
      { spec: { overhead: { cpu: "secret" } } },
      'spec.overhead["cpu"]: not a quantity such as "500m" or "1Gi"',
    ],
    [
      "a bad time",
      { metadata: { creationTimestamp: "secret" } },
      "metadata.creationTimestamp: not a time such as 2026-01-31T12:00:00Z",
    ],
    [
      "30 February",
      { metadata: { creationTimestamp: "2026-02-30T00:00:00Z" } },
      "metadata.creationTimestamp: not a time such as 2026-01-31T12:00:00Z",
    ],
  ];
  for (const [what, json, message] of cases) {
    test(what, () => {
      assert.throws(() => fromKubernetesJson(json), {
        name: "PodsError",
        code: "invalid-argument",
        message: `invalid-argument: ${message}`,
      });
    });
  }

  test("unknown keys can be allowed", () => {
    const pod = fromKubernetesJson({ metadata: { name: "a", new: 1 }, other: {} }, { allowUnknownKeys: true });
    assert.equal(pod.metadata?.name, "a");
  });
});

describe("absent, null, empty and zero", () => {
  test("keeps absent pointers absent and zeros zero", () => {
    const json = { spec: { containers: [{ name: "a", resources: {}, securityContext: { runAsUser: 0 } }] } };
    const container = there(json).spec?.containers[0];
    assert.equal(container?.securityContext?.runAsUser, 0n);
    assert.equal(container?.securityContext?.runAsGroup, undefined);
    assert.deepEqual(toKubernetesJson(there(json)).spec, json.spec);
  });

  test("writes empty objects that Go stores by value", () => {
    assert.deepEqual(toKubernetesJson(create(PodSchema)), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {},
      spec: { containers: null },
      status: {},
    });
  });

  test("reports times after the year 9999 and invalid managed fields as corrupt", () => {
    const late = create(PodSchema, { metadata: { deletionTimestamp: { seconds: 253_402_300_800n } } });
    assert.throws(() => toKubernetesJson(late), { code: "corrupt", message: /metadata\.deletionTimestamp/ });
    const broken = create(PodSchema, { metadata: { managedFields: [{ fieldsV1: { Raw: Buffer.from("{secret") } }] } });
    assert.throws(() => toKubernetesJson(broken), { message: "corrupt: metadata.managedFields[0].fieldsV1: not JSON" });
  });

  test("treats 1970-01-01T00:00:00Z as a time and Go's zero time as null", () => {
    const json = (startedAt: string | null) => ({
      status: { containerStatuses: [{ name: "a", state: { terminated: { exitCode: 128, startedAt } } }] },
    });
    const startedAt = (given: string | null) =>
      toKubernetesJson(there(json(given))).status?.containerStatuses?.[0]?.state?.terminated?.startedAt;
    assert.equal(startedAt("1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z");
    assert.equal(startedAt("0001-01-01T00:00:00Z"), null);
    assert.equal(startedAt(null), null);
    // metadata { deletionTimestamp { seconds: 0, nanos: 0 } }, as Go writes it
    const pod = decodePod(Uint8Array.of(10, 6, 0x4a, 4, 8, 0, 16, 0));
    assert.equal(toKubernetesJson(pod).metadata?.deletionTimestamp, "1970-01-01T00:00:00Z");
  });

  test("writes an empty quantity as 0, as Go does", () => {
    const pod = create(PodSchema, { spec: { overhead: { cpu: {} } } });
    assert.deepEqual(toKubernetesJson(pod).spec?.overhead, { cpu: "0" });
  });

  test("a seccomp profile in an OCI registry, which Kubernetes has since 1.38, is kept by JSON, bytes and masks", () => {
    const baseProfile = { localhostProfile: "profiles/base.json", type: "Localhost" };
    const oci = { baseProfile, ref: "registry.example/seccomp@sha256:1" };
    const withOci = (seccompProfile: object) => ({ spec: { securityContext: { seccompProfile } } });
    const json = { metadata: { uid: "u" }, ...withOci({ oci, type: "OCI" }) };
    assert.deepEqual(toKubernetesJson(there(json)).spec?.securityContext, json.spec.securityContext);
    const pod = maskedPod(podMask("spec.securityContext.seccompProfile.oci.baseProfile.type"), json);
    assert.equal(pod.spec.securityContext?.seccompProfile?.oci?.baseProfile?.type, "Localhost");
    // As Go writes them: ref and type are no pointers.
    const empty = withOci({ oci: { baseProfile: { type: "" }, ref: "" }, type: "" });
    assert.deepEqual(toKubernetesJson(there(empty)).spec?.securityContext, empty.spec.securityContext);
  });

  test("a mask selects fields of inlined messages", () => {
    const json = { spec: { volumes: [{ name: "v", configMap: { name: "c", optional: true } }] } };
    const volumes = (...paths: string[]) =>
      toKubernetesJson(there(json), { mask: podMask.parse(paths.join(",")) }).spec?.volumes;
    assert.deepEqual(volumes("spec.volumes.name"), [{ name: "v" }]);
    assert.deepEqual(volumes("spec.volumes.configMap.name"), [{ configMap: { name: "c" } }]);
    assert.deepEqual(volumes("spec.volumes"), json.spec.volumes);
  });

  test("rejects managed fields that cannot be written as JSON", () => {
    const circle: Record<string, unknown> = {};
    circle["again"] = circle;
    const deep = { "f:a": {} };
    let inner: Record<string, unknown> = deep["f:a"];
    for (let i = 0; i < 20_000; i++) {
      const next = {};
      inner["f:a"] = next;
      inner = next;
    }
    for (const fieldsV1 of [circle, deep, { a: 1n }]) {
      assert.throws(() => fromKubernetesJson({ metadata: { managedFields: [{ fieldsV1 }] } }), {
        code: "invalid-argument",
        message: "invalid-argument: metadata.managedFields[0].fieldsV1 cannot be written as JSON",
      });
    }
  });

  test("preserves the largest 64-bit number", () => {
    const json = { metadata: { generation: Number(2n ** 63n - 1n) } };
    assert.equal(there(json).metadata?.generation, 2n ** 63n - 1n);
    assert.deepEqual(toKubernetesJson(there(json)).metadata, json.metadata);
    assert.equal(there({ metadata: { generation: 2n ** 63n - 1n } }).metadata?.generation, 2n ** 63n - 1n);
  });

  test("treats __proto__ as an ordinary map key", () => {
    const json = JSON.parse('{"metadata":{"labels":{"__proto__":"a"}}}');
    const labels = toKubernetesJson(there(json)).metadata?.labels;
    assert.deepEqual(Object.entries(labels ?? {}), [["__proto__", "a"]]);
    assert.equal(Object.getPrototypeOf(labels), Object.prototype);
  });

  test("writes keys in kubectl's order", () => {
    const json = toKubernetesJson(fromKubernetesJson({ status: {}, metadata: { uid: "1", name: "a" } }));
    assert.equal(JSON.stringify(json).slice(0, 61), '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","uid":');
  });
});
