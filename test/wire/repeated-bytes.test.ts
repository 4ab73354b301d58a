import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ListPodsResponseSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { MAX_PODS } from "../../src/pod/limits.js";
import { splitRepeated } from "../../src/wire/repeated-bytes.js";
import { answer, envelope, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { clientOf } from "../helpers/kubelet.js";
import { runs } from "../helpers/property.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 });
const listOf = (pods: readonly Uint8Array[]) =>
  toBinary(ListPodsResponseSchema, create(ListPodsResponseSchema, { pods: pods.map((pod) => Uint8Array.from(pod)) }));

test("splits a list into its pods without copying them", () => {
  fc.assert(
    fc.property(parts, (pods) => {
      const message = listOf(pods);
      const split = splitRepeated(message);
      assert.deepEqual(
        split.map((part) => [...part]),
        pods.map((part) => [...part]),
      );
      assert.ok(split.every((part) => part.buffer === message.buffer));
    }),
    runs(300),
  );
  assert.throws(() => splitRepeated(Uint8Array.of(0x0a, 5, 1)), RangeError);
});

test("counts the entries that follow a length of more than 32 bits", () => {
  const empty = Buffer.alloc(200, Uint8Array.of(0x0a, 0));
  const message = Buffer.concat([Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 0x10), empty]);
  assert.equal(splitRepeated(message, 10).length, 11, "stops at one entry more than the limit");
});

describe("rejects a list with more pods than the limit", () => {
  /** A server of one version, whose every answer is half a MiB of empty pods. */
  function serve(t: TestContext, service: string): Promise<string> {
    const body = envelope(Buffer.alloc(2 * 262_144, Uint8Array.of(0x0a, 0)));
    return serveHttp2(t, (stream, headers) => {
      const path = headers[":path"] ?? "";
      if (!path.startsWith(service)) return trailersOnly(stream, { "grpc-status": "12" });
      if (path.endsWith("WatchPods")) return stream.respond({ ":status": 200, "content-type": "application/grpc" });
      return answer(stream, { body });
    });
  }

  for (const service of ["/v1alpha1.Pods/", "/Pods/"]) {
    test(`in responses of ${service}`, async (t) => {
      const pods = clientOf(t, { socketPath: await serve(t, service), retry: false });
      const message = new RegExp(`more than ${MAX_PODS} pods`);
      await assert.rejects(pods.listPods(), { code: "too-large", retryable: false, message });
      await assert.rejects(pods.getPod("a"), { code: "too-large", message });
      if (service !== "/Pods/") return;
      const watch = pods.watchPods();
      const first = await watch.next();
      assert.ok(first.value?.type === "DISCONNECTED" && first.value.error.code === "too-large");
      await watch.return?.();
    });
  }
});
