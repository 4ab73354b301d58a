// Servers may reset a stream right behind its trailers (RFC 9113, section 8.1): what the trailers say is the answer. The frames come in
// one piece, so that nothing is read between them.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { ServerStream } from "../../src/wire/server-stream.js";
import { UnixSession } from "../../src/wire/session.js";
import { sendUnary } from "../../src/wire/unary-call.js";
import { envelope, frame, serveFrames } from "../helpers/hostile.js";

const REQUEST = { path: "/v1alpha1.Pods/GetPod", message: new Uint8Array(), headers: {}, maxBytes: 1 << 20 };
const END_STREAM = 1;
const END_HEADERS = 4;
const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
/** `:status` 200 and `content-type` of the static table (RFC 7541, Appendix A). */
const HEAD = Buffer.concat([Buffer.of(0x88, 0x5f), text("application/grpc")]);
const status = (code: string) =>
  Buffer.concat([Buffer.of(0), text("grpc-status"), text(code), Buffer.of(0), text("grpc-message"), text("words")]);
const reset = (code: number) => frame(3, 0, 1, Buffer.of(0, 0, 0, code));
const body = frame(0, 0, 1, envelope(Uint8Array.of(7)));
const headers = frame(1, END_HEADERS, 1, HEAD);
const trailers = (code: string) => frame(1, END_HEADERS | END_STREAM, 1, status(code));
const trailersOnly = (code: string) => frame(1, END_HEADERS | END_STREAM, 1, Buffer.concat([HEAD, status(code)]));

async function connectionTo(t: TestContext, frames: readonly Buffer[]) {
  const socketPath = await serveFrames(t, (socket) => socket.write(Buffer.concat(frames)));
  const session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 60_000, onEvent: () => {} });
  t.after(() => session.close());
  return session.connect();
}

/** What a call comes to: its message, or the status it rejects with. */
async function unary(t: TestContext, frames: readonly Buffer[]): Promise<unknown> {
  const connection = await connectionTo(t, frames);
  return sendUnary(connection, REQUEST).then(
    ({ message }) => [...message],
    ({ status, message }) => `${status} ${message}`,
  );
}

/** What a stream comes to: its messages, and how it ends. */
async function stream(t: TestContext, frames: readonly Buffer[]): Promise<unknown> {
  const told: unknown[] = [];
  try {
    for await (const batch of new ServerStream(await connectionTo(t, frames), REQUEST))
      told.push(...batch.map(([b]) => b));
    told.push("done");
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    told.push(`${status} ${message}`);
  }
  return told;
}

for (const [name, code] of Object.entries({ NO_ERROR: 0, INTERNAL_ERROR: 2, REFUSED_STREAM: 7, CANCEL: 8 })) {
  describe(`a reset as ${name} right behind trailers changes nothing of what they say [T3]`, () => {
    test("OK, after a message", async (t) => {
      const frames = [headers, body, trailers("0"), reset(code)];
      assert.deepEqual(await unary(t, frames), [7]);
      assert.deepEqual(await stream(t, frames), [7, "done"]);
    });

    test("another status, after a message", async (t) => {
      const frames = [headers, body, trailers("5"), reset(code)];
      assert.equal(await unary(t, frames), "5 words");
      assert.deepEqual(await stream(t, frames), [7, "5 words"]);
    });

    test("a status that is the head", async (t) => {
      const frames = [trailersOnly("9"), reset(code)];
      assert.equal(await unary(t, frames), "9 words");
      assert.deepEqual(await stream(t, frames), ["9 words"]);
    });
  });
}

test("a reset without trailers is a loss, whatever its code", async (t) => {
  for (const code of [0, 2, 7, 8]) {
    const frames = [headers, body, reset(code)];
    assert.match(String(await unary(t, frames)), /^(?:1|13|14) /);
    assert.match(String(await stream(t, frames)), /^7,(?:1|13|14) /);
  }
});
