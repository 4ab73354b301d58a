import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ListPodsResponseSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { MAX_PODS } from "../../src/pod/limits.js";
import { RepeatedSplitter, splitRepeated } from "../../src/wire/repeated-bytes.js";
import { answer, envelope, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { clientOf } from "../helpers/kubelet.js";
import { runs } from "../helpers/property.js";
import { describe, type TestContext, test } from "../helpers/test.js";

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

describe("a list that is split while it comes", () => {
  const tooMany = () => new Error("too many");
  /** What comes of a message in pieces: the parts, or the kind of error. */
  function splitInPieces(message: Uint8Array, cuts: readonly number[], most = 100): unknown {
    const splitter = new RepeatedSplitter(most, tooMany);
    splitter.begin(message.length);
    let at = 0;
    for (const cut of [...cuts.filter((each) => each < message.length).sort((a, b) => a - b), message.length]) {
      if (cut > at) splitter.push(message.subarray(at, cut));
      at = cut;
    }
    try {
      return splitter.finish().map((part) => Buffer.from(part).toString("hex"));
    } catch (error) {
      return (error as Error).constructor.name;
    }
  }
  const splitWhole = (message: Uint8Array): unknown => {
    try {
      return splitRepeated(message).map((part) => Buffer.from(part).toString("hex"));
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };
  const cuts = fc.array(fc.nat(1_000));

  test("that ends within a part, or within its length, is none", () => {
    const whole = listOf([new Uint8Array(300)]);
    for (const length of [1, 2, 100, whole.length - 1]) {
      for (const cut of [[], [1], [2], [length - 1]])
        assert.equal(splitInPieces(whole.subarray(0, length), cut), "RangeError");
    }
  });

  test("gives what the whole gives, however it is cut, with fields of other kinds anywhere", () => {
    const other = fc.constantFrom(
      [0x10, 5],
      [0x1a, 2, 1, 2],
      [0xf9, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8],
      [0x0a, 0x80, 0x80, 0x80, 0x80, 0x00],
      [0x13, 0x08, 1, 0x14],
      [0x0a],
      [0x0a, 0xff],
      [0x07],
    );
    const field = fc.oneof({ weight: 5, arbitrary: parts.map((pods) => [...listOf(pods)]) }, other);
    fc.assert(
      fc.property(fc.array(field, { maxLength: 4 }), cuts, (fields, at) => {
        const message = Uint8Array.from(fields.flat());
        assert.deepEqual(splitInPieces(message, at, 1_000), splitWhole(message));
      }),
      runs(1_000),
    );
  });

  test("gives what the whole gives of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), cuts, (message, at) => {
        assert.deepEqual(splitInPieces(message, at), splitWhole(message));
      }),
      runs(1_000),
    );
  });

  test("copies nothing that lies in one piece", () => {
    const message = listOf([Uint8Array.of(1, 2), new Uint8Array(200), Uint8Array.of(3)]);
    const splitter = new RepeatedSplitter(10, tooMany);
    splitter.begin(message.length);
    splitter.push(message.subarray(0, 100));
    splitter.push(message.subarray(100));
    assert.deepEqual(
      splitter.finish().map((part) => part.buffer === message.buffer),
      [true, false, true],
    );
  });

  test("ends as soon as there are too many; behind a field that is none, when all of the bounded message is there", () => {
    const parts = (splitter: RepeatedSplitter, most: number): number => {
      let pieces = 0;
      for (; pieces < most; pieces++) splitter.push(Uint8Array.of(0x0a, 1, 7));
      return pieces;
    };
    const plain = new RepeatedSplitter(10, tooMany);
    plain.begin(1_000_000);
    assert.equal(parts(plain, 10), 10);
    assert.throws(() => parts(plain, 1), /too many/);
    const behind = new RepeatedSplitter(10, tooMany);
    behind.begin(1_000_000);
    behind.push(Uint8Array.of(0x10, 1));
    parts(behind, 100);
    assert.throws(() => behind.finish(), /too many/);
  });

  test("memory grows with the bytes that came, in the smallest pieces too, in a part and behind one", () => {
    for (const tag of [0x0a, 0x12]) {
      const bytes = 1 << 20;
      const splitter = new RepeatedSplitter(10, tooMany);
      splitter.begin(bytes + 4);
      splitter.push(Uint8Array.of(tag, 0x80, 0x80, 0x40));
      const piece = Buffer.alloc(1);
      const before = process.memoryUsage();
      for (let i = 0; i < bytes; i++) splitter.push(piece.subarray(0));
      globalThis.gc?.();
      const after = process.memoryUsage();
      assert.ok(after.arrayBuffers - before.arrayBuffers < 8 * bytes);
      // Nothing is held of the pieces themselves: a view of each would take a hundred times as much.
      assert.ok(after.heapUsed - before.heapUsed < 60 * bytes, `${after.heapUsed - before.heapUsed}`);
      assert.equal(splitter.finish().length, tag === 0x0a ? 1 : 0);
    }
  });

  test("a length beyond the message makes no room for it", () => {
    const splitter = new RepeatedSplitter(10, tooMany);
    splitter.begin(8);
    splitter.push(Uint8Array.of(0x0a, 0xff, 0xff, 0x7f, 1, 2, 3, 4));
    assert.throws(() => splitter.finish(), RangeError);
  });
});

test("a length of more than 32 bits hides nothing behind it", () => {
  const empty = Buffer.alloc(200, Uint8Array.of(0x0a, 0));
  const message = Buffer.concat([Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 0x10), empty]);
  assert.equal(splitRepeated(message, 10).length, 11, "no more than it takes to know that there are too many");
  const splitter = new RepeatedSplitter(10, () => new Error("too many"));
  splitter.begin(message.length);
  splitter.push(message);
  assert.throws(() => splitter.finish(), /too many/);
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
