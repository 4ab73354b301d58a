import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import type http2 from "node:http2";
import net from "node:net";
import { dirname, join } from "node:path";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import type { GrpcRouter } from "../serving/grpc-router.js";
import { GrpcServer, type GrpcServerBounds } from "../serving/grpc-server.js";
import type { Clock } from "../timing/clock.js";
import { pause } from "../timing/pause.js";
import { otherFile, socketCandidates, socketIdentity } from "../wire/socket-path.js";

/** The default bounds of grpc-go. */
const SERVER_BOUNDS: GrpcServerBounds = {
  // Unlimited in practice. With the 10 MB of Node.js, a client that does not read a large response never gets another one.
  maxSessionMegabytes: 100_000,
  // grpc-go limits only the size of the headers (defaultServerMaxHeaderListSize).
  maxHeaders: 100_000,
  maxHeaderBytes: 16 * 1024 * 1024,
  // defaultServerMaxReceiveMessageSize
  maxRequestBytes: 4 * 1024 * 1024,
};

/**
 * A gRPC server on a Unix socket, with the same life cycle as a kubelet's: it listens under a temporary name, renames the socket into
 * place, and leaves the file behind when it stops.
 */
export class SocketServer {
  readonly #path: string;
  readonly #routes: (router: GrpcRouter) => void;
  readonly #clock: Clock;
  /** Called with each connection before anything is sent on it. Returns true if it takes over the connection. */
  readonly #takes: (socket: net.Socket) => boolean;
  readonly #connections = new Set<net.Socket>();
  #listener: net.Server | undefined;
  #grpc: GrpcServer | undefined;
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
   * @param since modification time of the socket file; the current time by default.
   * @param maxStreams maximum number of concurrent requests on one connection; no limit by default.
   * @throws PodsError if the path has a file of another kind, or, without `force`, a socket that is in use.
   */
  async listen({
    force = false,
    since,
    maxStreams,
  }: {
    force?: boolean | undefined;
    since?: Date;
    maxStreams?: number | undefined;
  } = {}): Promise<void> {
    try {
      await this.#checkFree(force);
      await this.#listenIn(dirname(this.#path), maxStreams);
      if (since !== undefined) utimesSync(this.#path, since, since);
    } catch (error) {
      if (PodsError.is(error)) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw invalidArgument(`cannot listen on ${this.#path}: its directory cannot be used (${code})`);
    }
  }

  async #listenIn(directory: string, maxStreams: number | undefined): Promise<void> {
    const temporary = join(directory, `.${randomBytes(3).toString("hex")}`);
    socketCandidates({ socketPath: temporary }); // throws if the temporary path is too long
    makeDirectory(directory);
    rmSync(this.#path, { force: true }); // removed before the new one is made, so that each start has a moment without a file
    this.#grpc ??= new GrpcServer(this.#routes, this.#clock, { ...SERVER_BOUNDS, maxStreams });
    const listener = net.createServer((socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
      socket.on("error", () => {}); // the session reports it, if there is one
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

  serve(socket: net.Socket): void {
    this.#grpc?.serve(socket);
  }

  /** Closes a stream's connection as soon as the client has received the sent data. */
  async dropConnection(stream: http2.ServerHttp2Stream): Promise<void> {
    const { session } = stream;
    const socket = this.#grpc?.socketOf(stream);
    await new Promise<void>((resolve) => {
      session?.once("close", resolve);
      if (session?.ping(() => resolve()) !== true) resolve();
    });
    socket?.destroy();
  }

  /** Sends GOAWAY on all connections, so that clients make no more requests on them. */
  goAway(code: number): void {
    this.#grpc?.goAway(code);
  }

  /** Closes all connections immediately. */
  destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Stops listening. The file and the connections stay. */
  stopListening(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Stops the server and closes its connections immediately, as when the process is killed. The file stays. */
  async kill(): Promise<void> {
    this.stopListening();
    this.#grpc = undefined;
    const closed = [...this.#connections].map((socket) => once(socket, "close"));
    this.destroyConnections();
    await Promise.all(closed);
  }

  /** Stops the server gracefully, as grpc-go does: waits at most `graceMs` for open streams to end. The file stays. */
  async stop(graceMs: number): Promise<void> {
    this.stopListening();
    const ended = this.#grpc?.close() ?? Promise.resolve();
    await pause(this.#clock, graceMs, undefined, () => ended);
    await this.kill();
  }

  /** Removes the file, unless another server has replaced it. */
  removeFile(): void {
    if (this.#identity !== undefined && socketIdentity(this.#path) === this.#identity) rmSync(this.#path);
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
    if (taken) throw invalidArgument(`cannot listen on ${this.#path}: the socket is in use`, context.hint);
  }
}

/** Creates a directory and its missing parents one by one, because mkdir with `recursive` never returns in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
