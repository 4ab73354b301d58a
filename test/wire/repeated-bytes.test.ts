import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ListPodsResponseSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { MAX_PODS } from "../../src/pod/limits.js";
import { FieldCounter, splitRepeated } from "../../src/wire/repeated-bytes.js";
import { answer, envelope, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { clientOf } from "../helpers/kubelet.js";
import { runs } from "../helpers/property.js";

const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 });
const listOf = (pods: readonly Uint8Array[]) =>
  toBinary(ListPodsResponseSchema, create(ListPodsResponseSchema, { pods: pods.map((pod) => Uint8Array.from(pod)) }));

test("a list is split into what it was made of, without copies", () => {
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

test("fields are counted however the bytes are cut into pieces, unknown ones too", () => {
  const unknown = Uint8Array.of(0xf8, 0x7f, 0x80, 0x01, 0xf9, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8, 0xfd, 0x7f, 1, 2, 3, 4);
  fc.assert(
    fc.property(parts, fc.array(fc.nat(2_000)), (pods, cuts) => {
      const message = Buffer.concat([listOf(pods), unknown]);
      const counter = new FieldCounter();
      let at = 0;
      for (const cut of [...cuts.filter((each) => each < message.length).sort((a, b) => a - b), message.length]) {
        counter.push(message.subarray(at, cut));
        at = cut;
      }
      assert.equal(counter.count, pods.length + 3);
    }),
    runs(300),
  );
});

test("a length of more than 32 bits is counted as it is read: it hides nothing", () => {
  const message = Buffer.concat([
    Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 0x10),
    Buffer.alloc(200, Uint8Array.of(0x0a, 0)),
  ]);
  const counter = new FieldCounter();
  counter.push(message);
  assert.equal(counter.count, splitRepeated(message).length);
  assert.equal(splitRepeated(message, 10).length, 11, "no more than it takes to know that there are too many");
});

describe("more pods than any node has are refused while they come", () => {
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
    test(`calls of ${service}, and a watch that lists`, async (t) => {
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
