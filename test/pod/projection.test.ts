// What a mask makes of a pod's bytes, beside protobuf-es and a plain selection.

import assert from "node:assert/strict";
import { clone, type DescMessage, type Message, type MessageShape, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ContainerSchema, PodSchema, PodSpecSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../../src/gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { Pod } from "../../src/index.js";
import { decodeBy, decodePod } from "../../src/pod/decode.js";
import { sameContent } from "../../src/pod/equality.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { planOf, podMask } from "../../src/pod/mask.js";
import { project } from "../../src/pod/project.js";
import { scanHead } from "../../src/pod/scan.js";
import { podMasks } from "../../src/pod-masks.js";
import { sampleNode, seededRandom } from "../../src/testing/index.js";
import { realPods, roundTrips, servedPods } from "../helpers/fixtures.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { BODY_LENGTHS, bodyLengths, decodedByProtobufES, fillerFor, randomPaths, randomPod } from "./random-pods.js";

const seed = fc.integer();
const maskOf = (paths: readonly string[]) => podMask.parse(paths.join(","));

/** A value, or that there is none. */
function outcome(decode: () => unknown): unknown {
  try {
    return { value: decode() };
  } catch (error) {
    assert.ok(error instanceof Error, String(error));
    return { error: error.constructor.name };
  }
}

test("decodeBy and project select the same fields as a selection with protobuf-es", () => {
  fc.assert(
    fc.property(seed, seed, (podSeed, maskSeed) => {
      const mask = maskOf(randomPaths(maskSeed));
      const bytes = toBinary(PodSchema, randomPod(podSeed, mask.paths));
      const expected = decodedByProtobufES(bytes, mask.paths);
      assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, bytes)), expected);
      const projected = project(bytes, mask.plan);
      assert.ok(projected.length <= bytes.length);
      assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, projected)), expected);
      assert.deepStrictEqual(decodedByProtobufES(projected), structuredClone(decodePod(projected)));
    }),
    runs(1_000),
  );
});

describe("projects parts whose length prefix grows by a byte", () => {
  const mask = podMask.parse(
    "metadata.name,metadata.namespace,spec.nodeName,spec.containers.image,spec.containers.name",
  );
  const cases: [
    where: string,
    make: (text: string) => MessageShape<typeof PodSchema>,
    part: DescMessage,
    at: (pod: MessageShape<typeof PodSchema>) => Message | undefined,
  ][] = [
    [
      "metadata",
      (name) => fromKubernetesJson({ metadata: { name, namespace: "n", labels: { not: "selected" } } }),
      ObjectMetaSchema,
      ({ metadata }) => metadata,
    ],
    [
      "a container",
      (image) => fromKubernetesJson({ spec: { containers: [{ name: "c", image, workingDir: "/" }] } }),
      ContainerSchema,
      ({ spec }) => spec?.containers[0],
    ],
    [
      "spec, with a container in it",
      (image) => fromKubernetesJson({ spec: { nodeName: "n", containers: [{ name: "c", image, workingDir: "/" }] } }),
      PodSpecSchema,
      ({ spec }) => spec,
    ],
  ];
  for (const [where, make, part, at] of cases) {
    for (const length of BODY_LENGTHS) {
      test(`${length} bytes of ${where}`, () => {
        const selected = (text: string) => decodedByProtobufES(toBinary(PodSchema, make(text)), mask.paths);
        const text = fillerFor(length, (text) => toBinary(part, at(selected(text)) as Message).length);
        assert.ok(text !== undefined);
        const bytes = toBinary(PodSchema, make(text));
        const projected = project(bytes, mask.plan);
        assert.ok(bodyLengths(PodSchema, projected).includes(length));
        assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, projected)), selected(text));
        assert.deepStrictEqual(decodedByProtobufES(projected), structuredClone(decodePod(projected)));
        assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, bytes)), selected(text));
        assert.deepStrictEqual(structuredClone(decodePod(bytes)), decodedByProtobufES(bytes));
      });
    }
  }
});

test("random pods have messages of all these lengths, complete and selected", () => {
  const mask = podMask.parse("metadata.name,metadata.labels,spec.containers.image,status.phase,status.podIPs");
  for (const plan of [undefined, mask.plan]) {
    const seen = new Set<number>();
    for (let podSeed = 0; podSeed < 2_000 && !BODY_LENGTHS.every((length) => seen.has(length)); podSeed++) {
      const bytes = toBinary(PodSchema, randomPod(podSeed, plan && mask.paths));
      for (const length of bodyLengths(PodSchema, plan ? project(bytes, plan) : bytes)) seen.add(length);
    }
    assert.deepEqual(
      BODY_LENGTHS.filter((length) => !seen.has(length)),
      [],
    );
  }
});

test("decodePod decodes a complete pod as protobuf-es does", () => {
  fc.assert(
    fc.property(seed, (podSeed) => {
      const bytes = toBinary(PodSchema, randomPod(podSeed));
      assert.deepStrictEqual(structuredClone(decodePod(bytes)), decodedByProtobufES(bytes));
    }),
    runs(700),
  );
});

describe("bytes that are not a valid pod", () => {
  const seeds = Array.from({ length: 60 }, (_, i) => toBinary(PodSchema, randomPod(i)));
  const pods = seeds.filter(({ length }) => length < 5_000);
  const plans = Array.from({ length: 20 }, (_, i) => maskOf(randomPaths(i)).plan);

  /** Bytes with a few of them changed, put in, left out, or cut off. */
  function mutated(random: () => number): Uint8Array {
    const at = (length: number) => Math.floor(random() * length);
    if (random() < 0.2) return Uint8Array.from({ length: at(40) }, () => at(256));
    let bytes = [...(pods[at(pods.length)] ?? [])];
    for (let n = at(4); n >= 0; n--) {
      const draw = random();
      const position = at(bytes.length);
      if (draw < 0.4) bytes[position] = random() < 0.5 ? at(256) : ([0, 0x7f, 0x80, 0xff, 0x0b, 0x0c][at(6)] ?? 0);
      else if (draw < 0.6)
        bytes.splice(position, 0, ...Array.from({ length: at(12) }, () => (random() < 0.5 ? 0xff : at(256))));
      else if (draw < 0.8) bytes.splice(position, at(8));
      else bytes = bytes.slice(0, position);
    }
    return Uint8Array.from(bytes);
  }

  test("decode as with protobuf-es or throw an Error, with and without a mask", () => {
    let values = 0;
    let errors = 0;
    fc.assert(
      fc.property(seed, (s) => {
        const random = seededRandom(s);
        for (let i = 0; i < 10; i++) {
          const bytes = mutated(random);
          const theirs = outcome(() => decodedByProtobufES(bytes));
          const ours = outcome(() => decodePod(bytes));
          // Text that is not UTF-8 is the one difference that is meant: protobuf-es throws a TypeError of the decoder's.
          if ((theirs as { error?: string }).error !== "TypeError")
            assert.deepStrictEqual(structuredClone(ours), theirs);
          if ("error" in (ours as object)) errors++;
          else values++;
          const plan = plans[Math.floor(random() * plans.length)];
          assert.ok(plan);
          outcome(() => decodeBy(plan, bytes));
          outcome(() => project(bytes, plan));
          outcome(() => sameContent(bytes, bytes.slice(1), plan, false));
          scanHead(bytes);
        }
      }),
      runs(700),
    );
    assert.ok(errors > values / 20 && values > errors / 20, `${errors} errors, ${values} values`);
    assert.equal(Object.keys(Object.prototype).length, 0);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  test("merge repeated fields as protobuf specifies", () => {
    const parts = [
      {
        metadata: { name: "a", uid: "u", labels: { __proto__x: "1", same: "old" } },
        status: { podIPs: [{ ip: "1" }] },
      },
      { metadata: { name: "b", labels: { same: "new" } }, status: { phase: "Running", podIPs: [{ ip: "2" }] } },
    ].map((json) => toBinary(PodSchema, fromKubernetesJson(json)));
    const bytes = Buffer.concat(parts);
    assert.deepStrictEqual(structuredClone(decodePod(bytes)), decodedByProtobufES(bytes));
    const mask = podMask.parse("metadata.name,metadata.uid,metadata.labels,status.podIPs.ip");
    const expected = decodedByProtobufES(bytes, mask.paths);
    assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, bytes)), expected);
    assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, project(bytes, mask.plan))), expected);
  });

  test("keep a map key named __proto__, with and without a mask", () => {
    const pod = randomPod(1);
    pod.metadata = clone(PodSchema, fromKubernetesJson({ metadata: { uid: "u" } })).metadata;
    const labels = pod.metadata?.labels ?? {};
    Object.defineProperty(labels, "__proto__", { value: "x", enumerable: true, configurable: true, writable: true });
    const bytes = toBinary(PodSchema, pod);
    for (const decoded of [decodePod(bytes), decodeBy(podMask.parse("metadata.labels").plan, bytes) as Pod]) {
      assert.deepEqual(Object.keys(decoded.metadata?.labels ?? {}), ["__proto__"]);
    }
  });
});

describe("sameContent", () => {
  const pods = sampleNode().map((json) => toBinary(PodSchema, fromKubernetesJson(json)));
  const changed = (bytes: Uint8Array, change: (pod: Pod) => void) => {
    const pod = decodePod(bytes);
    change(pod);
    return toBinary(PodSchema, pod);
  };

  test("ignores map order and config.seen and detects other changes", () => {
    for (const bytes of pods) {
      for (const mask of [undefined, podMasks.identity, podMask.parse("metadata.annotations")]) {
        const plan = planOf(mask);
        const seen = changed(bytes, ({ metadata }) => {
          if (metadata) metadata.annotations["kubernetes.io/config.seen"] = "2027-01-01T00:00:00Z";
        });
        const reordered = changed(bytes, ({ metadata }) => {
          if (metadata) metadata.annotations = Object.fromEntries(Object.entries(metadata.annotations).reverse());
        });
        const other = changed(bytes, ({ metadata }) => {
          if (metadata) metadata.annotations["mine"] = "changed";
        });
        assert.ok(sameContent(bytes, seen, plan, true));
        assert.ok(sameContent(bytes, reordered, plan, false));
        assert.equal(sameContent(bytes, other, plan, false), mask === podMasks.identity);
      }
    }
  });

  test("agrees with a comparison of pods decoded by protobuf-es", () => {
    fc.assert(
      fc.property(seed, seed, seed, fc.boolean(), (a, b, maskSeed, same) => {
        const bytes = [a, same ? a : b].map((s) => toBinary(PodSchema, randomPod(s)));
        const mask = maskOf(randomPaths(maskSeed));
        const [x, y] = bytes.map((one) => {
          const pod = decodedByProtobufES(one, mask.paths);
          if (pod.metadata) delete pod.metadata.annotations["kubernetes.io/config.seen"];
          return pod;
        });
        let equal = true;
        try {
          assert.deepStrictEqual(x, y);
        } catch {
          equal = false;
        }
        assert.equal(sameContent(bytes[0] as Uint8Array, bytes[1] as Uint8Array, mask.plan, false), equal);
      }),
      runs(400),
    );
  });
});

test("decodes and projects real pods and Kubernetes' fixtures as protobuf-es does", () => {
  const all = [
    ...realPods().map(({ json }) => toBinary(PodSchema, fromKubernetesJson(json, { allowUnknownKeys: true }))),
    ...[...servedPods(), ...roundTrips()].map(({ protobuf }) => protobuf),
  ];
  for (const [i, bytes] of all.entries()) {
    assert.deepStrictEqual(structuredClone(decodePod(bytes)), decodedByProtobufES(bytes));
    for (let n = 0; n < 20; n++) {
      const mask = maskOf(randomPaths(i * 20 + n));
      const expected = decodedByProtobufES(bytes, mask.paths);
      assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, bytes)), expected);
      assert.deepStrictEqual(structuredClone(decodeBy(mask.plan, project(bytes, mask.plan))), expected);
    }
  }
});
