// What each fault of a peer becomes, over a real socket. Run with the oldest connect that is supported and the newest.

import assert from "node:assert/strict";
import type { ServerHttp2Stream } from "node:http2";
import { PodsClient, PodsError } from "../../src/index.js";
import {
  answer,
  endSession,
  envelope,
  frame,
  type OnStream,
  resetStream,
  SETTINGS,
  serveFrames,
  serveHttp2,
  trailersOnly,
} from "../helpers/hostile.js";
import { serveRaw } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

/** The error of one attempt. */
async function failure(t: TestContext, socketPath: string, timeoutMs = 5_000): Promise<PodsError> {
  const pods = new PodsClient({ socketPath, retry: false, timeoutMs, maxMessageBytes: 1 << 20 });
  t.after(() => pods.close());
  const error = await pods.listPods().then(
    () => assert.fail("the call succeeded"),
    (e: unknown) => e,
  );
  assert.ok(PodsError.is(error), String(error));
  assert.equal(error.method, "ListPods");
  assert.equal(error.socketPath, socketPath);
  return error;
}

const oldNode = Number(process.versions.node.split(".")[0]) < 22;
const tooLong = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);

describe("raw sockets", () => {
  const cases: [fault: string, serve: (t: TestContext) => Promise<string>, code: string, timeoutMs?: number][] = [
    ["closes before it speaks", (t) => serveRaw(t, (s) => s.end()), "connection-lost"],
    ["closes after the request", (t) => serveFrames(t, (s) => s.end()), "connection-lost"],
    [
      "closes with unread data [#13]",
      (t) => serveRaw(t, (s) => s.write(SETTINGS, () => s.destroy())),
      "connection-lost",
    ],
    ["never answers", (t) => serveFrames(t, () => {}), "deadline", 50],
    ["HTTP/1.1", (t) => serveRaw(t, (s) => s.write("HTTP/1.1 200 OK\r\n\r\n")), "wrong-peer"],
    ["TLS [#21]", (t) => serveRaw(t, (s) => s.write(Buffer.from([21, 3, 3, 0, 2, 2, 70, 0, 0]))), "wrong-peer"],
    ["less than a frame of garbage", (t) => serveRaw(t, (s) => s.write("garbage")), "deadline", 50],
    [
      "a frame larger than allowed, mid-call", // Node.js 20 swallows the protocol error
      (t) => serveFrames(t, (s) => s.write(frame(0, 0, 1, new Uint8Array(20_000)))),
      oldNode ? "deadline" : "connection-lost",
      200,
    ],
    [
      "GOAWAY before the request was processed",
      (t) => serveFrames(t, (s) => s.end(frame(7, 0, 0, new Uint8Array(8)))),
      "connection-lost",
    ],
    [
      "GOAWAY ENHANCE_YOUR_CALM [#23]",
      (t) => serveFrames(t, (s) => s.end(frame(7, 0, 0, Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 11)))),
      "connection-lost",
    ],
    [
      "RST_STREAM REFUSED_STREAM [#24]",
      (t) => serveFrames(t, (s) => s.write(frame(3, 0, 1, Uint8Array.of(0, 0, 0, 7)))),
      "connection-lost",
    ],
    [
      "RST_STREAM CANCEL [#25]",
      (t) => serveFrames(t, (s) => s.write(frame(3, 0, 1, Uint8Array.of(0, 0, 0, 8)))),
      "connection-lost",
    ],
    [
      "RST_STREAM INTERNAL_ERROR [#25]",
      (t) => serveFrames(t, (s) => s.write(frame(3, 0, 1, Uint8Array.of(0, 0, 0, 2)))),
      "connection-lost",
    ],
    [
      "RST_STREAM NO_ERROR before headers [#25]",
      (t) => serveFrames(t, (s) => s.write(frame(3, 0, 1, Uint8Array.of(0, 0, 0, 0)))),
      "connection-lost",
    ],
  ];
  for (const [fault, serve, code, timeoutMs] of cases) {
    test(`${fault}: ${code}`, async (t) => {
      assert.equal((await failure(t, await serve(t), timeoutMs)).code, code);
    });
  }
});

function grpcHeaders(stream: ServerHttp2Stream, contentType = "application/grpc"): ServerHttp2Stream {
  stream.respond({ ":status": 200, "content-type": contentType });
  return stream;
}

describe("HTTP/2 and gRPC", () => {
  const grpc = (code: number, message = "") => ({ "grpc-status": String(code), "grpc-message": message });
  const cases: [fault: string, onStream: OnStream, code: string, grpcCode?: number][] = [
    ["RST_STREAM after headers [#25]", (s) => resetStream(grpcHeaders(s), 0), "connection-lost"],
    ["the session closes", (s) => endSession(s.session), "connection-lost"],
    ["no trailers", (s) => grpcHeaders(s).end(envelope(new Uint8Array())), "connection-lost"],
    ["trailers without grpc-status [#38]", (s) => answer(s, { trailers: { other: "1" } }), "connection-lost"],
    ["trailers-only OK, no message", (s) => trailersOnly(s, grpc(0)), "unknown"],
    ["trailers-only error", (s) => trailersOnly(s, grpc(8, "rejected by rate limit")), "rate-limited", 8],
    ["an error after a message", (s) => answer(s, { trailers: grpc(13, "late") }), "server-error", 13],
    ["UNAVAILABLE [#28]", (s) => trailersOnly(s, grpc(14, "shutting down")), "connection-lost", 14],
    ["UNIMPLEMENTED [#34]", (s) => trailersOnly(s, grpc(12, "unknown service")), "not-served", 12],
    ["PERMISSION_DENIED [#35]", (s) => trailersOnly(s, grpc(7)), "not-permitted", 7],
    ["UNAUTHENTICATED [#35]", (s) => trailersOnly(s, grpc(16)), "not-permitted", 16],
    ["ABORTED [#36]", (s) => trailersOnly(s, grpc(10)), "server-error", 10],
    ["UNKNOWN [#36]", (s) => trailersOnly(s, grpc(2)), "server-error", 2],
    ["DATA_LOSS [#36]", (s) => trailersOnly(s, grpc(15)), "server-error", 15],
    ["CANCELLED by the server [#36]", (s) => trailersOnly(s, grpc(1)), "server-error", 1],
    ["DEADLINE_EXCEEDED from the server [#36]", (s) => trailersOnly(s, grpc(4)), "deadline", 4],
    ["INVALID_ARGUMENT [#36]", (s) => trailersOnly(s, grpc(3)), "server-error", 3],
    ["grpc-status 99 [#38]", (s) => trailersOnly(s, grpc(99)), "server-error"],
    ["grpc-status that is not a number [#38]", (s) => trailersOnly(s, { "grpc-status": "x" }), "server-error"],
    ["a message that cannot be unescaped [#38]", (s) => trailersOnly(s, grpc(9, "%zz")), "initializing", 9],
    ["an envelope that ends too early", (s) => answer(s, { body: Buffer.from([0, 0, 0, 0, 9, 1]) }), "connection-lost"],
    [
      "status details that are not protobuf [#41]",
      (s) => answer(s, { trailers: { "grpc-status": "13", "grpc-status-details-bin": "////" } }),
      "server-error",
      13,
    ],
    ["a message that is not protobuf [#41]", (s) => answer(s, { body: envelope(Uint8Array.of(10, 200)) }), "corrupt"],
    [
      "a message over the limit [#32]",
      (s) => answer(s, { body: envelope(new Uint8Array((1 << 20) + 1)) }),
      "too-large",
    ],
    ["a length of 4 GiB", (s) => answer(s, { body: tooLong }), "too-large"],
    ["a compressed message", (s) => answer(s, { body: envelope(new Uint8Array(1), 1) }), "wrong-peer"],
    [
      "an encoding that the client did not accept",
      (s) => answer(s, { headers: { "grpc-encoding": "x" } }),
      "wrong-peer",
    ],
    ["HTTP 404", (s) => s.respond({ ":status": 404 }, { endStream: true }), "not-served"],
    ["HTTP 503", (s) => s.respond({ ":status": 503 }, { endStream: true }), "server-error"],
    ["HTTP 400", (s) => s.respond({ ":status": 400 }, { endStream: true }), "wrong-peer"],
    ["HTTP 401", (s) => s.respond({ ":status": 401 }, { endStream: true }), "wrong-peer"],
    ["a web page", (s) => grpcHeaders(s, "text/html").end("<html>"), "wrong-peer"],
  ];
  for (const [fault, onStream, code, grpcCode] of cases) {
    test(`${fault}: ${code}`, async (t) => {
      const error = await failure(t, await serveHttp2(t, onStream));
      assert.equal(error.code, code, error.message);
      if (grpcCode !== undefined) assert.equal(error.grpcCode, grpcCode);
    });
  }

  test("decodes the server's message and escapes its control characters", async (t) => {
    const socketPath = await serveHttp2(t, (s) => trailersOnly(s, grpc(13, encodeURIComponent("é\u001b[2J"))));
    assert.equal((await failure(t, socketPath)).message, "server-error: é\\u001b[2J (Internal)");
  });
});
