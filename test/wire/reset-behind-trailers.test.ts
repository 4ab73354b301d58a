// Servers may reset a stream right behind its trailers (RFC 9113, section 8.1): what the trailers say is the answer. The frames come in
// one piece, so that nothing is read between them. Of a request that is sent whole nghttp2 hides the reset; of one that is not the
// stream is destroyed before its end is told.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Connection } from "../../src/wire/connection.js";
import { ServerStream } from "../../src/wire/server-stream.js";
import { UnixSession } from "../../src/wire/session.js";
import { sendUnary } from "../../src/wire/unary-call.js";
import { envelope, frame, SETTINGS, serveFrames } from "../helpers/hostile.js";
import { describe, type TestContext, test } from "../helpers/test.js";

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

/** SETTINGS_INITIAL_WINDOW_SIZE 0: then no request is ever sent whole. */
const NO_WINDOW = frame(4, 0, 0, Buffer.of(0, 4, 0, 0, 0, 0));

async function connectionTo(t: TestContext, frames: readonly Buffer[], settings: Buffer) {
  const socketPath = await serveFrames(t, (socket) => socket.write(Buffer.concat(frames)), settings);
  const session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 60_000, onEvent: () => {} });
  t.after(() => session.close());
  return session.connect();
}

/** What a call comes to: its message, or the status it rejects with. */
async function unary(t: TestContext, frames: readonly Buffer[], settings = SETTINGS): Promise<unknown> {
  const connection = await connectionTo(t, frames, settings);
  return sendUnary(connection, REQUEST).then(
    (message) => [...message],
    ({ status, message }) => `${status} ${message}`,
  );
}

/** What a stream comes to: its messages, and how it ends. */
async function stream(t: TestContext, frames: readonly Buffer[], settings = SETTINGS): Promise<unknown> {
  const told: unknown[] = [];
  const connection = await connectionTo(t, frames, settings);
  try {
    for await (const batch of new ServerStream(connection, REQUEST)) told.push(...batch.map(([byte]) => byte));
    told.push("done");
  } catch (error) {
    const { status, message } = error as { status: number; message: string };
    told.push(`${status} ${message}`);
  }
  return told;
}

for (const [name, code] of Object.entries({ NO_ERROR: 0, INTERNAL_ERROR: 2, REFUSED_STREAM: 7, CANCEL: 8 })) {
  for (const [request, settings] of [
    ["whole", SETTINGS],
    ["in part", NO_WINDOW],
  ] as const) {
    describe(`reset with ${name} right after the trailers, request sent ${request}`, () => {
      test("returns the message when the trailers have status OK", async (t) => {
        const frames = [headers, body, trailers("0"), reset(code)];
        assert.deepEqual(await unary(t, frames, settings), [7]);
        assert.deepEqual(await stream(t, frames, settings), [7, "done"]);
      });

      test("reports the trailers' error status after a message", async (t) => {
        const frames = [headers, body, trailers("5"), reset(code)];
        assert.equal(await unary(t, frames, settings), "5 words");
        assert.deepEqual(await stream(t, frames, settings), [7, "5 words"]);
      });

      test("reports the status of a trailers-only response", async (t) => {
        const frames = [trailersOnly("9"), reset(code)];
        assert.equal(await unary(t, frames, settings), "9 words");
        assert.deepEqual(await stream(t, frames, settings), ["9 words"]);
      });
    });
  }
}

test("rejects a call that is reset without trailers, whatever the reset code", async (t) => {
  for (const code of [0, 2, 7, 8]) {
    const frames = [headers, body, reset(code)];
    assert.match(String(await unary(t, frames)), /^(?:1|13|14) /);
    assert.match(String(await stream(t, frames)), /^7,(?:1|13|14) /);
  }
});

test("yields all waiting messages or connection-lost when a reset follows status OK", async (t) => {
  const bodies = Array.from({ length: 600 }, () => body);
  for (const code of [0, 2, 8]) {
    const connection = await connectionTo(t, [headers, ...bodies, trailers("0"), reset(code)], NO_WINDOW);
    const stream = new ServerStream(connection, REQUEST);
    const first = await stream.next();
    // The stream is read no further while more than that waits. Node.js drops what is unread of one that is reset.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    let count = first.value?.length ?? 0;
    const end = await (async () => {
      for await (const batch of stream) count += batch.length;
      return "done";
    })().catch(({ code: why }) => why);
    assert.deepEqual([code, end], [code, count === bodies.length ? "done" : "connection-lost"]);
  }
});

test("returns the unary response even if the stream closes without an end event", async () => {
  for (const [status, rstCode] of [
    ["0", 8],
    ["5", 0],
  ] as const) {
    const stream = Object.assign(new EventEmitter(), { rstCode, closed: true, end: () => {}, close: () => {} });
    const connection = { request: () => stream } as unknown as Connection;
    const call = sendUnary(connection, REQUEST);
    stream.emit("response", { ":status": 200, "content-type": "application/grpc" }, 0);
    stream.emit("data", envelope(Uint8Array.of(7)));
    stream.emit("trailers", { "grpc-status": status });
    stream.emit("close");
    if (status === "0") assert.deepEqual([...(await call)], [7]);
    else await assert.rejects(call, { status: 5 });
  }
});
