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

test("messages are the same however the stream is cut, byte by byte too", () => {
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

describe("what is no message is refused by name, and those before it are given", () => {
  const good = frame(Uint8Array.of(7));
  const flagged = (flags: number) => Buffer.from(frame(Uint8Array.of(1)).fill(flags, 0, 1));
  const announced = (length: number) => {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt32BE(length, 1);
    return bytes;
  };
  const cases: [what: string, bytes: Uint8Array, status: number, code: string, words: RegExp][] = [
    ["a compressed one", flagged(1), 13, "wrong-peer", /compressed/],
    ["one with other flags", flagged(0x80), 13, "wrong-peer", /unknown flags/],
    ["one that is too large", announced(MAX_BYTES + 1), 8, "too-large", /1001 bytes is larger than the 1000/],
    ["one of 4 GiB", announced(0xffff_ffff), 8, "too-large", /4294967295/],
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

  test("one of just so many bytes is taken", () => {
    assert.equal(split(frame(new Uint8Array(MAX_BYTES))).messages.length, 1);
  });

  test("a stream that ends within a message, or within its prefix, ends too early", () => {
    for (const bytes of [Buffer.from([0, 0]), Buffer.from([0, 0, 0, 0, 5, 1])]) {
      const splitter = new MessageSplitter(MAX_BYTES);
      splitter.push(bytes, () => {});
      assert.equal(splitter.endError()?.code, "connection-lost");
    }
    assert.equal(new MessageSplitter(MAX_BYTES).endError(), undefined);
  });
});

test("memory grows with the bytes that are there, and not with those that are announced", () => {
  const splitter = new MessageSplitter(2 ** 31 - 1);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(2 ** 31 - 1, 1);
  const before = process.memoryUsage().arrayBuffers;
  splitter.push(head, () => {});
  for (let i = 0; i < 1_000; i++) splitter.push(Uint8Array.of(i), () => {});
  assert.ok(process.memoryUsage().arrayBuffers - before < 10 * 1024 * 1024);
});

test("a sink takes each byte of a message once, nothing is put together, and it ends it by throwing", () => {
  const seen: number[] = [];
  let announced = 0;
  const splitter = new MessageSplitter(MAX_BYTES, {
    begin(length) {
      announced = length;
    },
    push(piece) {
      seen.push(...piece);
      if (seen.length > 4) throw new Error("enough");
    },
  });
  const taken: number[] = [];
  const take = (message: Uint8Array) => taken.push(message.length);
  const bytes = frame(Uint8Array.of(1, 2, 3, 4));
  splitter.push(bytes.subarray(0, 7), take);
  splitter.push(bytes.subarray(7), take);
  assert.deepEqual({ seen, announced, taken }, { seen: [1, 2, 3, 4], announced: 4, taken: [0] });
  assert.throws(() => splitter.push(bytes, take), /enough/);
});
