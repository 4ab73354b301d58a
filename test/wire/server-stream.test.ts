// One server stream of gRPC on a real connection: its messages, its end, and what it leaves behind.

import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import type http2 from "node:http2";
import { ServerStream } from "../../src/wire/server-stream.js";
import { UnixSession } from "../../src/wire/session.js";
import { sendUnary } from "../../src/wire/unary-call.js";
import { envelope, type OnStream, serveHttp2 } from "../helpers/hostile.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const HEAD = { ":status": 200, "content-type": "application/grpc" };
const REQUEST = { path: "/v1alpha1.Pods/WatchPods", message: new Uint8Array(), headers: {}, maxBytes: 1 << 20 };

async function connectionTo(t: TestContext, onStream: OnStream) {
  const socketPath = await serveHttp2(t, onStream);
  const session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 5_000, onEvent: () => {} });
  t.after(() => session.close());
  return session.connect();
}

/** Ends a stream with a status. */
function endWith(stream: http2.ServerHttp2Stream, trailers: http2.OutgoingHttpHeaders, body: Uint8Array): void {
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers));
  stream.end(body);
}

function withResolvers<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const message = (byte: number) => envelope(Uint8Array.of(byte));
const flat = (batches: readonly (readonly Uint8Array[])[]) => batches.flat().map((each) => each[0]);

test("yields the messages in order, then is done", async (t) => {
  const connection = await connectionTo(t, (s) =>
    endWith(s, { "grpc-status": "0" }, Buffer.concat([message(1), message(2)])),
  );
  const batches: (readonly Uint8Array[])[] = [];
  for await (const batch of new ServerStream(connection, REQUEST)) batches.push(batch);
  assert.deepEqual(flat(batches), [1, 2]);
});

test("yields the messages before an error status, then always rejects with that status", async (t) => {
  const trailers = { "grpc-status": "8", "grpc-message": "watch client channel closed" };
  const connection = await connectionTo(t, (s) => endWith(s, trailers, message(1)));
  const stream = new ServerStream(connection, REQUEST);
  assert.deepEqual(flat([(await stream.next()).value ?? []]), [1]);
  const failed = { status: 8, code: undefined, message: "watch client channel closed" };
  await assert.rejects(stream.next(), failed);
  await assert.rejects(stream.next(), failed);
});

test("pauses the server at the flow-control window until the consumer reads again", async (t) => {
  const PIECE = 64 * 1024;
  const PIECES = 1_024; // four windows
  let written = 0;
  let server: http2.Http2Session | undefined;
  const connection = await connectionTo(t, async (s) => {
    server = s.session;
    s.respond(HEAD);
    const piece = envelope(new Uint8Array(PIECE));
    for (let i = 0; i < PIECES; i++) {
      written++;
      if (!s.write(piece)) await once(s, "drain");
    }
    s.end();
  });
  const stream = new ServerStream(connection, REQUEST);
  let read = (await stream.next()).value?.length ?? 0;
  let before = -1;
  while (written !== before) {
    before = written;
    await new Promise((resolve) => server?.ping(resolve)); // it comes behind what was sent before
  }
  assert.ok(written < PIECES / 2, `${written} of ${PIECES} were written`);
  await assert.rejects(
    async () => {
      for await (const batch of stream) read += batch.length;
    },
    { code: "connection-lost" },
  );
  assert.equal(read, PIECES);
});

describe("an abort removes its listener, sends CANCEL once and rejects with its reason", () => {
  const calls = {
    stream: (connection: Awaited<ReturnType<typeof connectionTo>>, signal: AbortSignal) =>
      new ServerStream(connection, { ...REQUEST, signal }).next(),
    unary: (connection: Awaited<ReturnType<typeof connectionTo>>, signal: AbortSignal) =>
      sendUnary(connection, { ...REQUEST, signal }),
  };
  for (const [kind, call] of Object.entries(calls)) {
    test(`${kind}: before the request is sent`, async (t) => {
      let requests = 0;
      const connection = await connectionTo(t, () => requests++);
      await assert.rejects(call(connection, AbortSignal.abort("enough")), (error) => error === "enough");
      assert.equal(requests, 0);
    });

    for (const [when, respond] of [
      ["before the headers", () => {}],
      ["between headers and messages", (s) => s.respond(HEAD)],
      [
        "within a message",
        (s) => {
          s.respond(HEAD);
          s.write(message(1).subarray(0, 3));
        },
      ],
    ] as [string, OnStream][]) {
      test(`${kind}: ${when}`, async (t) => {
        const closed: number[] = [];
        const opened = withResolvers<void>();
        const gone = withResolvers<void>();
        const connection = await connectionTo(t, (s, headers, nth) => {
          s.on("close", () => {
            closed.push(s.rstCode ?? -1);
            gone.resolve();
          });
          respond(s, headers, nth);
          opened.resolve();
        });
        const user = new AbortController();
        const failed = assert.rejects(call(connection, user.signal), (error) => error === "enough");
        await opened.promise;
        user.abort("enough");
        user.abort("twice");
        await failed;
        await gone.promise;
        assert.deepEqual([closed, getEventListeners(user.signal, "abort").length], [[8], 0]);
      });
    }
  }
});

test("an abort drops messages that are waiting", async (t) => {
  const connection = await connectionTo(t, (s) => {
    s.respond(HEAD);
    s.write(message(1));
    s.write(message(2));
  });
  const user = new AbortController();
  const stream = new ServerStream(connection, { ...REQUEST, signal: user.signal });
  await stream.next(); // the second may have come with it, or waits
  user.abort("enough");
  await assert.rejects(stream.next(), (error) => error === "enough");
});

test("cancels the stream when the consumer stops iterating", async (t) => {
  const gone = withResolvers<number | undefined>();
  const connection = await connectionTo(t, (s) => {
    s.respond(HEAD);
    s.write(message(1));
    s.on("close", () => gone.resolve(s.rstCode));
  });
  for await (const _ of new ServerStream(connection, REQUEST)) break;
  assert.equal(await gone.promise, 8);
});
