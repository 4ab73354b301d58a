import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { sameContent } from "../../src/pod/equality.js";
import { SEEN_ANNOTATION } from "../../src/pod/lifecycle.js";
import { planOf, podMask } from "../../src/pod/mask.js";
import { describe, test } from "../helpers/test.js";

/** A pod of about so many bytes: its annotations are long, and what differs may lie at either end. */
function podOf(bytes: number, { seen = "1", node = "a", name = "web" } = {}): Uint8Array {
  const annotations: Record<string, string> = { [SEEN_ANNOTATION]: seen };
  for (let i = 0; i * 1_000 < bytes; i++) annotations[`filler-${String(i).padStart(6, "0")}`] = "x".repeat(980);
  const pod: Pod = create(PodSchema, { metadata: { name, annotations }, spec: { nodeName: node } });
  return toBinary(PodSchema, pod);
}

const plans = { "the whole pod": planOf(undefined), "a mask": planOf(podMask.parse("metadata,spec.nodeName")) };

test("compares unknown fields, also between two kubelet processes [#47]", () => {
  const newer = (value: number) => Uint8Array.from([...podOf(100), 0xfa, 0x7f, 1, value]); // field 2047, bytes
  for (const oneProcess of [true, false]) {
    assert.equal(sameContent(newer(1), newer(2), planOf(undefined), oneProcess), false);
    assert.equal(sameContent(newer(1), newer(1), planOf(undefined), oneProcess), true);
  }
  assert.equal(sameContent(newer(1), newer(2), planOf(podMask.parse("metadata")), false), true, "no mask selects it");
});

describe("compares every byte of pods of any size", () => {
  // The place where two of them are put side by side begins with 16 KiB: together more than that, each alone too, and a lot.
  for (const bytes of [1_000, 9 * 1024, 20 * 1024, 2 * 1024 * 1024]) {
    for (const [what, plan] of Object.entries(plans)) {
      test(`${bytes} bytes, by ${what}`, () => {
        const pod = podOf(bytes);
        assert.equal(sameContent(pod, podOf(bytes, { seen: "2" }), plan, true), true, "config.seen is ignored");
        assert.equal(sameContent(pod, podOf(bytes, { node: "b" }), plan, true), false, "its end differs");
        assert.equal(sameContent(pod, podOf(bytes, { name: "wed" }), plan, true), false, "its beginning differs");
        assert.equal(sameContent(pod, podOf(bytes + 1_000), plan, true), false, "it is longer");
      });
    }
  }
});
