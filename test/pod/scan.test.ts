// One walk over a pod: its head and what is selected are what two walks give, and what is kept stays as it was.

import assert from "node:assert/strict";
import { toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { decodeBy } from "../../src/pod/decode.js";
import { sameContent } from "../../src/pod/equality.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../../src/pod/lifecycle.js";
import { planOf, podMask } from "../../src/pod/mask.js";
import { project } from "../../src/pod/project.js";
import { PodScanner, scanHead } from "../../src/pod/scan.js";
import { textOf } from "../../src/protobuf/text.js";
import { PodSchema } from "../../src/schema.js";
import { sampleNode } from "../../src/testing/index.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { decodedByProtobufES, randomPaths, randomPod } from "./random-pods.js";

const seed = fc.integer();
/** A mask of random paths, or none. */
const maskFor = (maskSeed: number) => (maskSeed % 5 === 0 ? undefined : podMask.parse(randomPaths(maskSeed).join(",")));
const planFor = (maskSeed: number) => planOf(maskFor(maskSeed));

test("the head has the values of the decoded pod, whatever the mask", () => {
  fc.assert(
    fc.property(seed, seed, (podSeed, maskSeed) => {
      const mask = maskFor(maskSeed);
      const bytes = toBinary(PodSchema, randomPod(podSeed, mask?.paths));
      const { head, isReadable } = new PodScanner(planOf(mask)).scan(bytes);
      assert.ok(isReadable);
      assert.deepEqual(head, scanHead(bytes).head);
      const { metadata, spec, status } = decodedByProtobufES(bytes);
      const { annotations = {}, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
      const containers = [
        ...(status?.initContainerStatuses ?? []),
        ...(status?.containerStatuses ?? []),
        ...(status?.ephemeralContainerStatuses ?? []),
      ];
      const seconds = creationTimestamp?.seconds;
      const grace = deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds;
      assert.deepEqual(head, {
        uid: metadata?.uid ?? "",
        name: metadata?.name ?? "",
        namespace: metadata?.namespace ?? "",
        created: seconds === undefined ? undefined : Number(seconds),
        terminating: deletionTimestamp?.seconds !== undefined,
        source: annotations[SOURCE_ANNOTATION],
        seen: annotations[SEEN_ANNOTATION] ?? "",
        phase: status?.phase ?? "",
        running: containers.some(({ state }) => state?.running !== undefined),
        hasStatuses: containers.some(({ name }) => name !== ""),
        hasFinalizers: (metadata?.finalizers ?? []).length > 0,
        graceSeconds: grace === undefined ? undefined : Number(grace),
      });
    }),
    runs(1_000),
  );
});

test("the head includes a field of which the mask selects a part", () => {
  const json = { metadata: { uid: "a", deletionTimestamp: "2026-01-31T12:00:00Z" } };
  const bytes = toBinary(PodSchema, fromKubernetesJson(json));
  const plan = planOf(podMask.parse("metadata.deletionTimestamp.nanos"));
  assert.equal(new PodScanner(plan).scan(bytes).head.terminating, true);
});

test("a field of a wrong wire type makes a pod unreadable without hiding later fields", () => {
  const bytes = Buffer.from(toBinary(PodSchema, fromKubernetesJson({ metadata: { name: "n", uid: "u" } })));
  bytes[bytes.indexOf(Buffer.from([0x0a, 1, 0x6e]))] = 0x1c; // the name's tag: the end of a group
  const { head, broken } = scanHead(bytes);
  assert.deepEqual([head.uid, broken], ["u", true]);
  assert.equal(new PodScanner(planOf(podMask.parse("spec"))).scan(Uint8Array.of(0x08, 3)).isReadable, false);
});

describe("PodScanner", () => {
  test("keep returns the selected fields, unchanged by later scans", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(seed, seed), { minLength: 2, maxLength: 12 }), (pods) => {
        const kept: { copy: Uint8Array; expected: Uint8Array }[] = [];
        for (const [podSeed, maskSeed] of pods) {
          const mask = maskFor(maskSeed);
          const plan = planOf(mask);
          const bytes = toBinary(PodSchema, randomPod(podSeed, mask?.paths));
          const scanner = new PodScanner(plan);
          scanner.scan(bytes);
          const copy = scanner.keep();
          kept.push({ copy, expected: project(bytes, plan) });
          bytes.fill(0xff); // as the socket's buffer, which others write over
        }
        for (const { copy, expected } of kept) assert.deepEqual([...copy], [...expected]);
      }),
      runs(300),
    );
  });

  test("keep returns the previous buffer if the bytes are equal", () => {
    for (const text of ["x", "x".repeat(1_000), "x".repeat(100_000)]) {
      const pod = (label: string) =>
        toBinary(PodSchema, fromKubernetesJson({ metadata: { uid: "a", labels: { label }, annotations: { text } } }));
      for (const plan of [planOf(undefined), planOf(podMask.parse("metadata.labels,metadata.annotations"))]) {
        const scanner = new PodScanner(plan);
        scanner.scan(pod("1"));
        const first = scanner.keep();
        scanner.scan(pod("1"));
        assert.equal(scanner.keep(first), first);
        scanner.scan(pod("2"));
        const second = scanner.keep(first);
        assert.notEqual(second, first);
        assert.deepEqual([...second], [...project(pod("2"), plan)]);
      }
    }
  });

  test("keep does not retain unselected bytes of a large pod", () => {
    const large = { uid: "a", annotations: { text: "x".repeat(1_000_000) } };
    const scanner = new PodScanner(planOf(podMask.parse("metadata.uid")));
    scanner.scan(toBinary(PodSchema, fromKubernetesJson({ metadata: large })));
    assert.ok(scanner.keep().buffer.byteLength < 100_000);
  });

  test("scan reads the head of an unreadable pod up to the error", () => {
    const [pod = {}] = sampleNode();
    const bytes = toBinary(PodSchema, fromKubernetesJson(pod));
    const { head, isReadable } = new PodScanner(planOf(undefined)).scan(bytes.subarray(0, -1));
    assert.equal(isReadable, false);
    assert.equal(head.uid, pod.metadata?.uid);
  });
});

test("sameContent is true if the selected bytes are equal", () => {
  let same = 0;
  fc.assert(
    fc.property(seed, seed, fc.nat(20), (podSeed, maskSeed, step) => {
      const plan = planFor(maskSeed);
      const [a, b] = [randomPod(podSeed), randomPod(podSeed)];
      // One field differs, or none.
      if (step < 5 && b.metadata !== undefined) b.metadata.resourceVersion += "x";
      else if (step < 10 && b.status !== undefined) b.status.phase += "x";
      else if (step < 15 && b.spec !== undefined) b.spec.nodeName += "x";
      const [before, after] = [toBinary(PodSchema, a), toBinary(PodSchema, b)];
      const expected = Buffer.compare(project(before, plan), project(after, plan)) === 0;
      assert.equal(sameContent(before, after, plan, true), expected);
      assert.equal(sameContent(after, before, plan, true), expected);
      if (expected) {
        same++;
        assert.deepStrictEqual(decodeBy(plan, before), decodeBy(plan, after));
      }
    }),
    runs(600),
  );
  assert.ok(same > 60, `${same} of them`);
});

test("textOf decodes bytes like Buffer.toString, also when cached", () => {
  const byte = fc.constantFrom(0x61, 0x62, 0x7f, 0x80, 0xc3, 0xa9, 0xff, 0x00);
  fc.assert(
    fc.property(fc.array(fc.array(byte, { maxLength: 30 }), { maxLength: 20 }), (texts) => {
      const bytes = Buffer.from(texts.flat());
      for (let round = 0; round < 2; round++) {
        let at = 0;
        for (const { length } of texts) {
          assert.equal(textOf(bytes, at, at + length), bytes.toString("utf8", at, at + length));
          at += length;
        }
      }
    }),
    runs(500),
  );
});
