import { once } from "node:events";
import http2 from "node:http2";
import type net from "node:net";
import type { Clock } from "../timing/clock.js";
import { closeAfterRead, destroyAfterRead } from "../wire/after-read.js";
import { answer } from "./grpc-answer.js";
import { GrpcRouter } from "./grpc-router.js";
import { PingPolicy } from "./ping-policy.js";

export interface GrpcServerBounds {
  /** Maximum amount of data that waits for the client on one connection, in megabytes. */
  readonly maxSessionMegabytes: number;
  /** Maximum number of headers of a request. */
  readonly maxHeaders: number;
  /** Maximum total size of these headers. */
  readonly maxHeaderBytes: number;
  readonly maxRequestBytes: number;
  /** Maximum number of concurrent requests on one connection; undefined means Node.js' limit of 2^32-1. */
  readonly maxStreams?: number | undefined;
  /** Time after which a stream is reset if its client does not read sent data, in milliseconds; undefined for no limit. */
  readonly stallMs?: number | undefined;
}

/** Time that a client has to answer a ping after its stream was reset. */
const LAST_MS = 5_000;

/** Size of a PING frame. The server answers each ping with one. */
const PING_BYTES = 17;

/** Serves gRPC on connections that the caller accepts. */
export class GrpcServer {
  readonly #clock: Clock;
  readonly #http2: http2.Http2Server;
  readonly #sessions = new Map<http2.ServerHttp2Session, { socket: net.Socket | undefined; pings: PingPolicy }>();
  #serving: net.Socket | undefined;

  constructor(routes: (router: GrpcRouter) => void, clock: Clock, bounds: GrpcServerBounds) {
    this.#clock = clock;
    const stalls =
      bounds.stallMs === undefined
        ? undefined
        : { afterMs: bounds.stallMs, cut: (stream: http2.ServerHttp2Stream) => this.#cut(stream) };
    const { maxSessionMegabytes, maxHeaders, maxHeaderBytes, maxRequestBytes, maxStreams } = bounds;
    const router = new GrpcRouter();
    routes(router);
    const server = http2.createServer({
      maxSessionMemory: maxSessionMegabytes,
      maxHeaderListPairs: maxHeaders,
      settings: {
        maxHeaderListSize: maxHeaderBytes,
        ...(maxStreams !== undefined && { maxConcurrentStreams: maxStreams }),
      },
    });
    server.on("sessionError", () => {});
    server.on("session", (session) => this.#welcome(session));
    server.on("stream", (stream, headers, flags) => {
      closeAfterRead(stream);
      stream.on("error", () => {}); // a client may disconnect at any time
      const onSent = () => this.#sessionOf(stream)?.pings.sent();
      onSent();
      const isOver = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      answer(stream, headers, { isOver, router, clock, maxRequestBytes, onSent, stalls }).catch(() => {
        stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR); // a request must never end the process
      });
    });
    this.#http2 = server;
  }

  serve(socket: net.Socket): void {
    if (socket.destroyed) return;
    this.#serving = socket; // Node.js creates the session before `emit` returns
    this.#http2.emit("connection", socket);
    this.#serving = undefined;
  }

  socketOf(stream: http2.ServerHttp2Stream): net.Socket | undefined {
    return this.#sessionOf(stream)?.socket;
  }

  /** Sends GOAWAY to all clients, so that they make no more requests on their connections. */
  goAway(code: number): void {
    for (const session of this.#sessions.keys()) if (!session.destroyed) session.goaway(code);
  }

  /** Closes each connection once its open streams have ended. Resolves when all are closed. */
  async close(): Promise<void> {
    const closing = [...this.#sessions.keys()].map((session) => session.closed || once(session, "close"));
    const ended = Promise.all(closing);
    for (const session of this.#sessions.keys()) session.close();
    await ended;
  }

  #sessionOf(stream: http2.ServerHttp2Stream | undefined) {
    return stream?.session === undefined ? undefined : this.#sessions.get(stream.session as http2.ServerHttp2Session);
  }

  /** Resets a stream whose client reads nothing. Closes the connection if the client does not answer a ping either. */
  #cut(stream: http2.ServerHttp2Stream): void {
    const { session } = stream;
    const socket = this.socketOf(stream);
    stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
    if (session === undefined || session.destroyed) return;
    let isThere = false;
    (session as http2.ServerHttp2Session).ping(() => {
      isThere = true;
    });
    this.#clock.after(LAST_MS, () => void (isThere || socket?.destroy()));
  }

  #welcome(session: http2.ServerHttp2Session): void {
    destroyAfterRead(session);
    const pings = new PingPolicy();
    const socket = this.#serving;
    this.#sessions.set(session, { socket, pings });
    session.once("close", () => this.#sessions.delete(session));
    session.on("error", () => {});
    let answered = 0;
    let sentBytes = 0;
    session.on("ping", () => {
      // grpc-go resets the count of pings with each DATA frame, and a large message has many.
      const bytes = (socket?.bytesWritten ?? 0) - PING_BYTES * answered++;
      if (bytes > sentBytes) pings.sent();
      sentBytes = Math.max(sentBytes, bytes);
      if (pings.count(this.#clock.now())) return;
      session.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from("too_many_pings"));
      session.destroy();
    });
  }
}
