// Everything that is passed in, or comes from a pod, has a bound, and what is beyond it is refused or read in linear time.

import assert from "node:assert/strict";
import {
  fromKubernetesJson,
  PodsClient,
  PodsError,
  type PodsErrorCode,
  parseCgroupPath,
  podMask,
  quantityToNumber,
  toKubernetesJson,
} from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { PodResourcesClient } from "../../src/podresources/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { parsePods } from "../../src/testing/index.js";
import { clientOf } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const NOWHERE = "/nowhere/pods-api.sock";
const LONG = "x".repeat(1_000_000);
const many = <T>(item: T, times: number): T[] => Array.from({ length: times }, () => item);

/** An object in an object, and so on. */
function nested(depth: number): object {
  let inner = {};
  for (let i = 0; i < depth; i++) inner = { inner };
  return inner;
}

describe("rejects oversized input without quoting it", () => {
  const cases: [what: string, run: (pods: PodsClient) => unknown, code: PodsErrorCode, message: RegExp][] = [
    ["a UID", (pods) => pods.getPod(LONG), "invalid-argument", /1 to 1000 characters/],
    ["a path of a mask", () => podMask(LONG as "spec"), "invalid-argument", /has more than 300 characters/],
    ["a mask", () => podMask(...many("spec" as const, 1_001)), "invalid-argument", /at most 1000 paths/],
    ["the text of a mask", () => podMask.parse(`spec,${LONG}`), "invalid-argument", /is too long/],
    ["a label selector", (pods) => pods.listPods({ labelSelector: LONG }), "invalid-argument", /10000 characters/],
    ["a namespace", (pods) => pods.listPods({ namespace: LONG }), "invalid-argument", /namespace/],
    ["a socket's path", () => new PodsClient({ socketPath: LONG }), "invalid-path", /1000000 bytes/],
    ["a root directory", () => new PodsClient({ rootDir: LONG }), "invalid-path", /bytes/],
    ["a limit", () => new PodsClient({ maxMessageBytes: 1e12 }), "invalid-argument", /maxMessageBytes/],
    ["a URL", () => kubeletHttp({ url: LONG }), "invalid-argument", /url/],
    ["a pod's name", () => new PodResourcesClient({ socketPath: NOWHERE }).get("a", LONG), "invalid-argument", /name/],
    ["nested JSON", () => parsePods("[".repeat(1_000_000)), "invalid-argument", /not valid JSON/],
    [
      "nested managed fields, as JSON",
      () => fromKubernetesJson({ metadata: { managedFields: [{ fieldsV1: nested(100_000) } as never] } }),
      "invalid-argument",
      /cannot be written as JSON/,
    ],
    [
      "nested managed fields of a pod",
      () => {
        const pod = fromKubernetesJson({ metadata: { managedFields: [{ fieldsV1: {} } as never] } });
        const fields = pod.metadata?.managedFields[0]?.fieldsV1;
        if (fields !== undefined) fields.Raw = Buffer.from(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
        return toKubernetesJson(pod);
      },
      "corrupt",
      /nested too deep/,
    ],
  ];
  for (const [what, run, code, message] of cases) {
    test(what, async (t) => {
      const pods = clientOf(t, { socketPath: NOWHERE });
      await assert.rejects(
        async () => run(pods),
        (error) => {
          assert.ok(PodsError.is(error), String(error));
          assert.equal(error.code, code);
          assert.match(error.message, message);
          assert.ok(error.message.length < 1_000, "the message does not quote the whole input");
          return true;
        },
      );
    });
  }
});

describe("reads long input in linear time", () => {
  // A thousand times the length of what is usual; what was quadratic took minutes.
  test("quantities", () => {
    assert.equal(quantityToNumber(`${"1".repeat(1_000_000)}x`), undefined);
    assert.equal(quantityToNumber("1".repeat(1_000_000)), undefined, "larger than any number");
    assert.equal(quantityToNumber(`1e${"9".repeat(1_000_000)}`), undefined);
    assert.equal(quantityToNumber(`${"9".repeat(309)}Ei`), undefined);
  });

  test("cgroup paths", () => {
    for (const part of ["/kubepods/", "pod-", "a-", "cri-containerd-", "0::"]) {
      assert.equal(parseCgroupPath(part.repeat(200_000)), undefined);
    }
  });

  test("nested protobuf groups", () => {
    // Field 1,999 as a group that begins, again and again.
    assert.throws(() => decodePod(Buffer.from(many([0xfb, 0x7c], 100_000).flat())), /nested too deep/);
  });
});
