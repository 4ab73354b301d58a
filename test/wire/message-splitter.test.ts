// Messages out of the bytes of a stream, however they are cut.

import assert from "node:assert/strict";
import fc from "fast-check";
import { GrpcError } from "../../src/errors/grpc-error.js";
import { frame, MessageSplitter } from "../../src/wire/message-splitter.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";

const MAX_BYTES = 1_000;

function split(bytes: Uint8Array, cuts: readonly number[] = []) {
  const splitter = new MessageSplitter(MAX_BYTES);
  const messages: string[] = [];
  let error: unknown;
  try {
    let at = 0;
    for (const cut of [...cuts, bytes.length]) {
      splitter.push(bytes.subarray(at, cut), (message) => messages.push(Buffer.from(message).toString("hex")));
      at = cut;
    }
  } catch (thrown) {
    error = thrown;
  }
  return { messages, error, isWhole: splitter.isWhole };
}

test("yields the same messages however the stream is split", () => {
  const payload = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 8 }), fc.array(fc.nat(2_500)), (payloads, points) => {
      const bytes = Buffer.concat(payloads.map(frame));
      const cuts = [...new Set(points.filter((point) => point < bytes.length))].sort((a, b) => a - b);
      const expected = payloads.map((each) => Buffer.from(each).toString("hex"));
      const everywhere = Array.from({ length: bytes.length }, (_, i) => i);
      for (const at of [[], cuts, everywhere]) {
        assert.deepEqual(split(bytes, at), { messages: expected, error: undefined, isWhole: true });
      }
    }),
    runs(500),
  );
});

describe("rejects an invalid message and yields the messages before it", () => {
  const good = frame(Uint8Array.of(7));
  const flagged = (flags: number) => Buffer.from(frame(Uint8Array.of(1)).fill(flags, 0, 1));
  const announced = (length: number) => {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt32BE(length, 1);
    return bytes;
  };
  const cases: [what: string, bytes: Uint8Array, status: number, code: string, words: RegExp][] = [
    ["compressed message", flagged(1), 13, "wrong-peer", /compressed/],
    ["message with unknown flags", flagged(0x80), 13, "wrong-peer", /unknown flags/],
    ["message over the size limit", announced(MAX_BYTES + 1), 8, "too-large", /1001 bytes, and at most 1000/],
    ["message of 4 GiB", announced(0xffff_ffff), 8, "too-large", /4294967295/],
  ];
  for (const [what, bytes, status, code, words] of cases) {
    test(what, () => {
      const { messages, error } = split(Buffer.concat([good, bytes]));
      assert.deepEqual(messages, ["07"]);
      assert.ok(error instanceof GrpcError);
      assert.deepEqual([error.status, error.code], [status, code]);
      assert.match(error.message, words);
    });
  }

  test("accepts a message of exactly the maximum size", () => {
    assert.equal(split(frame(new Uint8Array(MAX_BYTES))).messages.length, 1);
  });

  test("reports connection-lost when the stream ends within a message or its prefix", () => {
    for (const bytes of [Buffer.from([0, 0]), Buffer.from([0, 0, 0, 0, 5, 1])]) {
      const splitter = new MessageSplitter(MAX_BYTES);
      splitter.push(bytes, () => {});
      assert.equal(splitter.endError()?.code, "connection-lost");
    }
    assert.equal(new MessageSplitter(MAX_BYTES).endError(), undefined);
  });
});

test("allocates memory for received bytes, not for the announced length", () => {
  const splitter = new MessageSplitter(2 ** 31 - 1);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(2 ** 31 - 1, 1);
  const bytes = 1 << 20;
  const piece = Buffer.alloc(1);
  const before = process.memoryUsage();
  splitter.push(head, () => {});
  for (let i = 0; i < bytes; i++) splitter.push(piece.subarray(0), () => {});
  globalThis.gc?.();
  const after = process.memoryUsage();
  assert.ok(after.arrayBuffers - before.arrayBuffers < 8 * bytes);
  // Nothing is held of the pieces themselves: a view of each would take a hundred times as much.
  assert.ok(after.heapUsed - before.heapUsed < 60 * bytes, `${after.heapUsed - before.heapUsed}`);
});
