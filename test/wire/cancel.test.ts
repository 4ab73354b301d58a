// Which calls are cancelled, as the frames show that reach a server: those that end before it has answered, and no others. Servers
// count resets, since floods of them are an attack.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type http2 from "node:http2";
import net from "node:net";
import { systemClock } from "../../src/timing/clock.js";
import { Deadline } from "../../src/timing/deadline.js";
import { ServerStream } from "../../src/wire/server-stream.js";
import { UnixSession } from "../../src/wire/session.js";
import { sendUnary } from "../../src/wire/unary-call.js";
import { answer, envelope, type OnStream, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { serveRaw } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const REQUEST = { path: "/v1alpha1.Pods/GetPod", message: new Uint8Array(), headers: {}, maxBytes: 1 << 20 };
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const HEADERS = 1;
const RST_STREAM = 3;

/** Gives each whole frame of a byte stream that begins with a preface of so many bytes. */
function frames(preface: number, take: (frame: Buffer, type: number) => void): (chunk: Buffer) => void {
  let unread = Buffer.alloc(0);
  let toSkip = preface;
  return (chunk) => {
    unread = Buffer.concat([unread, chunk]);
    if (unread.length < toSkip) return;
    unread = unread.subarray(toSkip);
    toSkip = 0;
    while (unread.length >= HEAD_BYTES && unread.length >= HEAD_BYTES + unread.readUIntBE(0, 3)) {
      const end = HEAD_BYTES + unread.readUIntBE(0, 3);
      take(unread.subarray(0, end), unread[3] as number);
      unread = unread.subarray(end);
    }
  };
}

/**
 * Connects by way of a proxy that notes the type of each frame that the client sends. It keeps back the server's resets: Node.js
 * sends one after an answer to half a request, other servers do not.
 */
async function connect(t: TestContext, onStream: OnStream, settings: http2.Settings = {}) {
  const inner = await serveHttp2(t, onStream, undefined, settings);
  const types: number[] = [];
  const socketPath = await serveRaw(t, (socket) => {
    const upstream = net.connect(inner);
    for (const each of [socket, upstream]) each.on("error", () => {});
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
    const onAnswer = frames(0, (frame, type) => {
      if (type !== RST_STREAM) socket.write(frame);
    });
    upstream.on("data", onAnswer);
    const onRequest = frames(PREFACE_BYTES, (_, type) => types.push(type));
    socket.on("data", (chunk: Buffer) => {
      upstream.write(chunk);
      onRequest(chunk);
    });
  });
  const session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 5_000, onEvent: () => {} });
  t.after(() => session.close());
  const connection = await session.connect();
  const count = (type: number) => types.filter((each) => each === type).length;
  return { connection, requests: () => count(HEADERS), resets: () => count(RST_STREAM) };
}

test("sends no RST_STREAM for calls that the server has answered, whatever the status", async (t) => {
  let nth = 0;
  const { connection, requests, resets } = await connect(t, (stream) => {
    nth++;
    if (nth === 2) return trailersOnly(stream, { "grpc-status": "5" });
    if (nth === 3) return answer(stream, { body: envelope(Uint8Array.of(1)), trailers: { "grpc-status": "9" } });
    if (nth === 4) {
      stream.respond({ ":status": 503 }, { endStream: true });
      return undefined;
    }
    return answer(stream, { body: envelope(Uint8Array.of(1)) });
  });
  await sendUnary(connection, REQUEST);
  await assert.rejects(sendUnary(connection, REQUEST), { status: 5 });
  await assert.rejects(sendUnary(connection, REQUEST), { status: 9 });
  await assert.rejects(sendUnary(connection, REQUEST), { status: 14 });
  for await (const _ of new ServerStream(connection, REQUEST));
  await sendUnary(connection, REQUEST); // frames come in their order: what was sent before it is there
  assert.deepEqual({ requests: requests(), resets: resets() }, { requests: 6, resets: 0 });
});

test("a unary call without an answer ends with its signal and is cancelled", async (t) => {
  const { connection, requests, resets } = await connect(t, () => {});
  const { signal } = new Deadline({ clock: systemClock, timeoutMs: 20 });
  await assert.rejects(sendUnary(connection, { ...REQUEST, signal }), { code: "deadline" });
  await until(t, () => resets() === 1);
  assert.equal(requests(), 1);
});

test("closes the stream of a call that is answered before its request is sent", async (t) => {
  // With a window of 0 no request is ever sent whole.
  const answered = (stream: http2.ServerHttp2Stream) => trailersOnly(stream, { "grpc-status": "5" });
  const { connection, resets } = await connect(t, answered, { initialWindowSize: 0, maxConcurrentStreams: 2 });
  for (let i = 0; i < 5; i++) {
    await assert.rejects(sendUnary(connection, { ...REQUEST, timeoutMs: 30_000 }), { status: 5 });
    await assert.rejects(new ServerStream(connection, REQUEST).next(), { status: 5 });
  }
  assert.ok(resets() >= 8, `${resets()}`); // of the last ones it may be under way
});

test("resets the stream of an aborted call once, before and during the response", async (t) => {
  const streams: (() => void)[] = [];
  const { connection, requests, resets } = await connect(t, (stream, headers) => {
    if (headers["x-kind"] === "last") return answer(stream, { body: envelope(Uint8Array.of(1)) });
    stream.on("error", () => {});
    if (headers["x-kind"] === "within") {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(envelope(Uint8Array.of(1, 2)).subarray(0, 6));
    }
    streams.shift()?.();
    return undefined;
  });
  for (const kind of ["before", "within"]) {
    const controller = new AbortController();
    const seen = new Promise<void>((resolve) => streams.push(resolve));
    const call = sendUnary(connection, { ...REQUEST, headers: { "x-kind": kind }, signal: controller.signal });
    await seen;
    controller.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
  }
  await sendUnary(connection, { ...REQUEST, headers: { "x-kind": "last" } });
  assert.deepEqual({ requests: requests(), resets: resets() }, { requests: 3, resets: 2 });
});

for (const kind of ["unary", "stream"] as const) {
  test(`${kind}: an abort after the call has ended sends nothing and does not change the outcome`, async (t) => {
    let nth = 0;
    const { connection, requests, resets } = await connect(t, (stream) => {
      const trailers = { "grpc-status": ++nth === 2 ? "5" : "0" };
      answer(stream, { body: envelope(Uint8Array.of(nth)), trailers });
    });
    for (const status of [0, 5]) {
      const user = new AbortController();
      const { signal } = user;
      if (kind === "unary") {
        const call = sendUnary(connection, { ...REQUEST, signal });
        const [outcome] = await Promise.allSettled([call]);
        assert.equal(outcome.status === "fulfilled" ? 0 : outcome.reason.status, status);
        assert.equal(getEventListeners(signal, "abort").length, 0);
        user.abort();
      } else {
        const stream = new ServerStream(connection, { ...REQUEST, signal });
        assert.equal((await stream.next()).done, false);
        const [end] = await Promise.allSettled([stream.next()]);
        assert.equal(getEventListeners(signal, "abort").length, 0);
        user.abort(new Error("too late to be heard"));
        const [again] = await Promise.allSettled([stream.next()]);
        assert.deepEqual(again, end);
        assert.equal(end.status === "fulfilled" ? 0 : end.reason.status, status);
        await stream.return();
      }
    }
    await sendUnary(connection, REQUEST); // frames come in their order: what was sent before it is there
    assert.deepEqual({ requests: requests(), resets: resets() }, { requests: 3, resets: 0 });
  });
}
