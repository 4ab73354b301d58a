import assert from "node:assert/strict";
import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { decodePod } from "../../src/pod/decode.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { sampleNode } from "../../src/testing/index.js";
import { runs } from "../helpers/property.js";
import { test } from "../helpers/test.js";
import { decodedByProtobufES } from "./random-pods.js";

/** A value, or the kind of error. */
function outcome(decode: () => unknown): unknown {
  try {
    return { value: decode() };
  } catch (error) {
    return { error: (error as Error).constructor.name };
  }
}

test("decodes mutated pods as protobuf-es does, and throws where it throws", () => {
  const pods = sampleNode().map((json) => toBinary(PodSchema, fromKubernetesJson(json)));
  const mutation = fc.record({
    pod: fc.nat({ max: pods.length - 1 }),
    cut: fc.option(fc.nat({ max: 3_000 }), { freq: 4 }),
    changes: fc.array(fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 255 })), { maxLength: 4 }),
  });
  let errors = 0;
  let values = 0;
  fc.assert(
    fc.property(mutation, ({ pod, cut, changes }) => {
      const bytes = Uint8Array.from(pods[pod] ?? []).subarray(0, cut ?? undefined);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      const theirs = outcome(() => decodedByProtobufES(bytes));
      const ours = outcome(() => decodePod(bytes));
      // Text that is not UTF-8 is the one difference that is meant: protobuf-es throws a TypeError of the decoder's.
      if ((theirs as { error?: string }).error === "TypeError") return;
      assert.deepEqual(structuredClone(ours), theirs);
      if ("error" in (ours as object)) errors++;
      else values++;
    }),
    runs(1_000),
  );
  const tried = errors + values;
  assert.ok(errors > tried / 4 && values > tried / 4, `${errors} errors, ${values} values`);
});

test("decodes packed repeated numbers", () => {
  const packed = Uint8Array.of(0x12, 6, 0x72, 4, 0x22, 2, 1, 2); // spec.securityContext.supplementalGroups
  assert.deepEqual(decodePod(packed).spec?.securityContext?.supplementalGroups, [1n, 2n]);
  assert.deepEqual(structuredClone(decodePod(packed)), decodedByProtobufES(packed));
});

test("decodes short and long text and replaces invalid UTF-8 [#92]", () => {
  const named = (...name: number[]) => decodePod(Uint8Array.of(0x0a, name.length + 2, 0x0a, name.length, ...name));
  for (const [bytes, text] of [
    [[0x61, 0x7f], "a\x7f"],
    [[0x61, 0x80], "a\ufffd"],
    [[...Buffer.from("é")], "é"],
    [[...Buffer.from("é".repeat(40))], "é".repeat(40)],
    [[...Buffer.from("a".repeat(100))], "a".repeat(100)],
  ] as const) {
    assert.equal(named(...bytes).metadata?.name, text);
  }
});

test("limits nesting to the depth of protobuf-es", () => {
  // Groups of an unknown field, one in the other.
  for (const depth of [98, 99, 100, 101]) {
    const bytes = Uint8Array.from([...Array(depth).fill(0x7b), ...Array(depth).fill(0x7c)]);
    assert.deepEqual(
      outcome(() => structuredClone(decodePod(bytes))),
      outcome(() => decodedByProtobufES(bytes)),
      String(depth),
    );
  }
  assert.throws(() => decodePod(new Uint8Array(10_000).fill(0x7b)));
});

test("a decoded pod does not retain the buffer of the response", () => {
  const managed = { metadata: { uid: "a", managedFields: [{ fieldsV1: { "f:metadata": {} } }] } };
  const pod = toBinary(PodSchema, fromKubernetesJson(managed));
  const answer = new Uint8Array(1_000_000);
  answer.set(pod, 500_000);
  answer.set([0xfa, 0x01, 2, 1, 2], 500_000 + pod.length); // an unknown field 31
  const decoded = decodePod(answer.subarray(500_000, 500_000 + pod.length + 5));
  assert.ok((decoded.metadata?.managedFields[0]?.fieldsV1?.Raw.buffer.byteLength ?? Number.NaN) < 1_000);
  assert.ok((decoded.$unknown?.[0]?.data.buffer.byteLength ?? Number.NaN) < 1_000);
});
