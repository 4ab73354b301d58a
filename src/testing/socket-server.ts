import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import http2 from "node:http2";
import net from "node:net";
import { dirname, join } from "node:path";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { closeAfterRead, destroyAfterRead } from "../wire/after-read.js";
import { otherFile, socketCandidates, socketIdentity } from "../wire/socket-path.js";
import { answer } from "./grpc-answer.js";
import { GrpcRouter } from "./grpc-router.js";
import { PingPolicy } from "./ping-policy.js";

/** No limit, as in grpc-go: with the 10 of Node.js a client that does not take a large answer is never answered again. */
const MAX_SESSION_MEGABYTES = 100_000;

/** The number of headers that are taken, and their size: grpc-go bounds the size alone (defaultServerMaxHeaderListSize). */
const MAX_HEADERS = 100_000;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;

/**
 * A gRPC server on a Unix socket that comes and goes as a kubelet's does: it listens under a temporary name and renames
 * it into place, and leaves the file behind when it goes.
 */
export class SocketServer {
  readonly #path: string;
  readonly #routes: (router: GrpcRouter) => void;
  readonly #clock: Clock;
  /** Told of each connection before it is spoken on; true where it has been dealt with. */
  readonly #takes: (socket: net.Socket) => boolean;
  readonly #connections = new Set<net.Socket>();
  readonly #sessions = new Map<http2.ServerHttp2Session, { socket: net.Socket | undefined; pings: PingPolicy }>();
  #serving: net.Socket | undefined;
  #listener: net.Server | undefined;
  #http2: http2.Http2Server | undefined;
  #identity: string | undefined;

  constructor(
    path: string,
    routes: (router: GrpcRouter) => void,
    clock: Clock,
    takes: (socket: net.Socket) => boolean = () => false,
  ) {
    this.#path = path;
    this.#routes = routes;
    this.#clock = clock;
    this.#takes = takes;
  }

  /**
   * @param since since when the socket's file says that it has been there; by default from now on.
   * @throws PodsError where something else than a socket lies at the path, or, without `force`, one that somebody listens
   *   to.
   */
  async listen({ force = false, since }: { force?: boolean | undefined; since?: Date } = {}): Promise<void> {
    try {
      await this.#checkFree(force);
      await this.#listenIn(dirname(this.#path));
      if (since !== undefined) utimesSync(this.#path, since, since);
    } catch (error) {
      if (PodsError.is(error)) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw invalidArgument(`cannot listen on ${this.#path}: its directory cannot be used (${code})`);
    }
  }

  async #listenIn(directory: string): Promise<void> {
    const temporary = join(directory, `.${randomBytes(3).toString("hex")}`);
    socketCandidates({ socketPath: temporary }); // a long path may leave no room for it
    makeDirectory(directory);
    rmSync(this.#path, { force: true }); // before the new one is there, so that each start has a moment without a file
    this.#http2 ??= this.#speak();
    const listener = net.createServer((socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
      socket.on("error", () => {}); // it is told by the session, where there is one
      if (!this.#takes(socket)) this.serve(socket);
    });
    listener.listen(temporary);
    await once(listener, "listening");
    this.#identity = socketIdentity(temporary);
    renameSync(temporary, this.#path);
    this.#listener = listener;
  }

  get isListening(): boolean {
    return this.#listener !== undefined;
  }

  /** Speaks HTTP/2 on a connection. */
  serve(socket: net.Socket): void {
    if (socket.destroyed) return;
    this.#serving = socket; // the session that it gets is told of before emit returns
    this.#http2?.emit("connection", socket);
    this.#serving = undefined;
  }

  /** Notes that something was sent on a stream: a client may ping again. */
  sent(stream: http2.ServerHttp2Stream | undefined): void {
    this.#sessionOf(stream)?.pings.sent();
  }

  /** Ends a stream's connection as soon as the client has what was sent on it. */
  async dropConnection(stream: http2.ServerHttp2Stream): Promise<void> {
    const { session } = stream;
    const socket = this.#sessionOf(stream)?.socket;
    await new Promise<void>((resolve) => {
      session?.once("close", resolve);
      if (session?.ping(() => resolve()) !== true) resolve();
    });
    socket?.destroy();
  }

  /** Tells all clients to make no more requests on their connections. */
  goAway(code: number): void {
    for (const session of this.#sessions.keys()) if (!session.destroyed) session.goaway(code);
  }

  /** Ends all connections at once. */
  destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Listens no more. The file stays, and so do the connections. */
  stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Ends the server and its connections at once, as when the process is killed. The file stays. */
  async kill(): Promise<void> {
    this.stopListening();
    this.#http2 = undefined;
    const closed = [...this.#connections].map((socket) => once(socket, "close"));
    this.destroyConnections();
    await Promise.all(closed);
  }

  /** Ends the server as grpc-go does gracefully: open streams may end first, for so long. The file stays. */
  async stop(graceMs: number): Promise<void> {
    this.stopListening();
    const closing = [...this.#sessions.keys()].map((session) => session.closed || once(session, "close"));
    const ended = Promise.all(closing).then(() => {});
    for (const session of this.#sessions.keys()) session.close();
    await pause(this.#clock, graceMs, undefined, () => ended);
    await this.kill();
  }

  /** Removes the file, unless another server has put its own in the place. */
  removeFile(): void {
    if (this.#identity !== undefined && socketIdentity(this.#path) === this.#identity) rmSync(this.#path);
  }

  #sessionOf(stream: http2.ServerHttp2Stream | undefined) {
    return stream?.session === undefined ? undefined : this.#sessions.get(stream.session as http2.ServerHttp2Session);
  }

  #speak(): http2.Http2Server {
    const router = new GrpcRouter();
    this.#routes(router);
    const server = http2.createServer({
      maxSessionMemory: MAX_SESSION_MEGABYTES,
      maxHeaderListPairs: MAX_HEADERS,
      settings: { maxHeaderListSize: MAX_HEADER_BYTES },
    });
    server.on("sessionError", () => {});
    server.on("session", (session) => {
      destroyAfterRead(session);
      const pings = new PingPolicy();
      this.#sessions.set(session, { socket: this.#serving, pings });
      session.once("close", () => this.#sessions.delete(session));
      session.on("error", () => {});
      session.on("ping", () => {
        if (pings.count(this.#clock.now())) return;
        session.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from("too_many_pings"));
        session.destroy();
      });
    });
    server.on("stream", (stream, headers, flags) => {
      closeAfterRead(stream);
      stream.on("error", () => {}); // a client may leave at any time
      this.sent(stream);
      const isOver = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      answer(stream, headers, isOver, router, this.#clock).catch(() => {
        stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR); // no request may end the process that a test runs in
      });
    });
    return server;
  }

  async #checkFree(force: boolean): Promise<void> {
    const isLink = !force && lstatSync(this.#path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const other = isLink ? "a symbolic link" : otherFile(this.#path);
    const context = { socketPath: this.#path, hint: "choose another path" };
    if (other !== undefined) {
      throw new PodsError({
        ...context,
        code: "not-a-socket",
        message: `cannot listen on ${this.#path}: it is ${other}`,
      });
    }
    if (force || socketIdentity(this.#path) === undefined) return;
    const socket = net.connect(this.#path);
    const taken = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (taken) throw invalidArgument(`cannot listen on ${this.#path}: somebody does already`, context.hint);
  }
}

/** Makes a directory and those above it, one after the other: in /proc, mkdir with `recursive` tries for ever. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
