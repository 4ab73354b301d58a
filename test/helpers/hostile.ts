// Peers that misbehave: raw HTTP/2 servers, and raw sockets with hand-made frames.

import { once } from "node:events";
import http2 from "node:http2";
import type net from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { serveRaw, temporaryDirectory } from "./kubelet.js";

export type OnStream = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, nth: number) => unknown;

/** An HTTP/2 server on a Unix socket that does with each request what the test says. */
export async function serveHttp2(
  t: TestContext,
  onStream: OnStream,
  socketPath?: string,
  settings: http2.Settings = {},
): Promise<string> {
  const path = socketPath ?? join(temporaryDirectory(t), "s.sock");
  const server = http2.createServer({ settings });
  const sessions = new Set<http2.ServerHttp2Session>();
  let requests = 0;
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    onStream(stream, headers, ++requests);
  });
  server.listen(path);
  await once(server, "listening");
  t.after(() => {
    for (const session of sessions) endSession(session);
    server.close();
  });
  return path;
}

/**
 * Destroys a session in the next turn: a test may be within a read of the session, which would go on in memory that is freed
 * (https://github.com/nodejs/node/issues/64113).
 */
export function endSession(session: http2.Http2Session | undefined): void {
  setImmediate(() => session?.destroy());
}

/** Resets a stream in the next turn, for the same reason. */
export function resetStream(stream: http2.ServerHttp2Stream, code: number): void {
  setImmediate(() => stream.close(code));
}

/** A gRPC message's five bytes of envelope and its payload. */
export function envelope(payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

export interface GrpcAnswer {
  body?: Uint8Array;
  headers?: http2.OutgoingHttpHeaders;
  trailers?: http2.OutgoingHttpHeaders;
}

/** Answers as a gRPC server does: headers, messages, trailers. An empty message and OK unless told otherwise. */
export function answer(stream: http2.ServerHttp2Stream, { body, headers, trailers }: GrpcAnswer = {}): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...headers }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers(trailers ?? { "grpc-status": "0" }));
  stream.end(body ?? envelope(new Uint8Array()));
}

/** Answers with headers alone, as grpc-go does for most errors. */
export function trailersOnly(stream: http2.ServerHttp2Stream, headers: http2.OutgoingHttpHeaders): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...headers }, { endStream: true });
}

/** One HTTP/2 frame. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array()): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const SETTINGS: Buffer = frame(4, 0, 0);

/**
 * A peer that speaks as much HTTP/2 as a handshake takes, and then does what the test says with what it reads from the
 * first request on.
 */
export function serveFrames(
  t: TestContext,
  onRequest: (socket: net.Socket) => void,
  settings: Buffer = SETTINGS,
): Promise<string> {
  return serveRaw(t, (socket) => {
    socket.write(settings);
    let asked = false;
    socket.on("data", (chunk) => {
      if (asked || !hasHeaders(chunk)) return;
      asked = true;
      onRequest(socket);
    });
  });
}

/** Whether a chunk holds a HEADERS frame; the client's preface has 24 bytes. */
function hasHeaders(chunk: Buffer): boolean {
  let at = chunk.toString("latin1", 0, 3) === "PRI" ? 24 : 0;
  while (at + 9 <= chunk.length) {
    if (chunk[at + 3] === 1) return true;
    at += 9 + chunk.readUIntBE(at, 3);
  }
  return false;
}
