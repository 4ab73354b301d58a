import http2 from "node:http2";
import net from "node:net";
import type { ConnectionMessage } from "../diagnostics.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { closedError, PodsError } from "../errors/pods-error.js";
import { afterReads, type Clock, systemClock } from "../timing/clock.js";
import { orBusy } from "../timing/deadline.js";
import { destroyAfterRead, resetAfterRead } from "./after-read.js";
import { isMounted } from "./mounts.js";
import { otherFile, socketIdentity } from "./socket-path.js";

/**
 * Flow-control window of each stream and of the connection. The burst of a large node fits into it. With HTTP/2's initial 64 KiB, kubelet
 * and client would wait for each other after every nine pods of 7 kB.
 */
const WINDOW_BYTES = 16 * 1024 * 1024;

export interface SessionOptions {
  /** Returns the socket's path. Called before every dial. */
  socketPath(): string;
  /**
   * Resolves when the socket's directory changes, or when `signal` aborts. The next request then checks the socket file. Without a change,
   * a request checks it if the last check is at least one second old.
   */
  changed?(signal: AbortSignal): Promise<void>;
  /**
   * Time limit for the first HTTP/2 frame of the peer, in milliseconds.
   *
   * @default 5_000
   */
  handshakeTimeoutMs?: number | undefined;
  /** The clock; by default the process's own. */
  clock?: Clock | undefined;
  /** Called with events of connections. `connected` precedes all requests on a connection. */
  onEvent(event: ConnectionMessage): void;
}

/**
 * One HTTP/2 connection at a time over a Unix socket. The session connects on first use, and again after the connection was lost.
 *
 * - A dial succeeds when the peer's SETTINGS frame arrives: on a Unix socket the kernel also connects to a frozen process.
 * - `:authority` is `localhost`, as in other gRPC clients over Unix sockets.
 * - After GOAWAY, or after another socket has replaced the one at the path, open streams continue and new streams get a new connection.
 * - It sends no PINGs: a kubelet disconnects clients that send them more often than every five minutes.
 * - An idle connection does not keep the process alive.
 */
export class UnixSession {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  /** Connection for new requests. Concurrent callers share a pending dial. */
  #current: Promise<OwnConnection> | undefined;
  /** Connection that was established last; it may be closed. */
  #ready: OwnConnection | undefined;
  /** All sessions that may have an open handle: pending dials, the current connection, and draining ones. */
  readonly #alive = new Map<http2.ClientHttp2Session, { socket: net.Socket; streams: number }>();
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  #request(
    session: http2.ClientHttp2Session,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): http2.ClientHttp2Stream {
    const stream = session.request({ ...headers, ":authority": "localhost" }, options);
    resetAfterRead(stream);
    this.#countStream(session, 1);
    stream.once("close", () => this.#countStream(session, -1));
    return stream;
  }

  /** Closes all connections and streams at once; later requests fail with `closed`. Resolves when no handle is left. */
  async close(): Promise<void> {
    this.#closed = true;
    const gone = [...this.#alive].map(([session, { socket }]) => {
      socket.ref(); // otherwise the process could end before the socket is closed, and this promise would never settle
      const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
      session.destroy();
      // A draining session waits for the peer to close its side, which a frozen peer never does.
      setImmediate(() => setImmediate(() => socket.destroy()));
      return closed;
    });
    await Promise.all(gone);
  }

  /** Returns the connection for the next request; undefined if none is usable. */
  ready(): Connection | undefined {
    const ready = this.#ready;
    if (this.#closed || ready === undefined || !this.#isUsable(ready)) return undefined;
    return ready;
  }

  /** Resolves with a connection for the next request: the current one, or a new one. */
  async connect(): Promise<Connection> {
    for (;;) {
      if (this.#closed) throw closedError("client");
      this.#current ??= this.#dial();
      const dialled = this.#current;
      const connection = await dialled;
      if (this.#isUsable(connection)) return connection;
      // It was lost meanwhile, is draining, or belongs to an old socket. The first caller that notices dials again.
      if (this.#current === dialled) this.#current = undefined;
    }
  }

  #dial(): Promise<OwnConnection> {
    const { socketPath: choose, handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS, onEvent } = this.#options;
    const socketPath = choose();
    const identity = socketIdentity(socketPath);
    const socket = net.connect({ path: socketPath });
    const session = http2.connect("http://localhost", {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    destroyAfterRead(session);
    this.#alive.set(session, { socket, streams: 0 });
    const dialled = new Promise<OwnConnection>((resolve, reject) => {
      let connected = false;
      const fail = (error: PodsError) => {
        if (!connected) reject(error);
        failure ??= error;
      };
      let failure: PodsError | undefined;
      const busyAtStartMs = this.#clock.busyMs();
      const cancelTimer = afterReads(this.#clock, handshakeTimeoutMs, () => {
        const error = dialError("connection-timeout", "the peer sent no HTTP/2 settings", socketPath);
        session.destroy(orBusy(error, this.#clock.busyMs() - busyAtStartMs, handshakeTimeoutMs));
      });
      // This listener is never removed: an error event without a listener ends the process.
      session.on("error", (error) => fail(describe(error, socket, socketPath)));
      session.on("goaway", () => {
        onEvent({ type: "goaway", socketPath });
        if (this.#alive.get(session)?.streams === 0) this.#rest(session);
      });
      session.once("close", () => {
        cancelTimer();
        this.#alive.delete(session);
        if (this.#current === dialled) this.#current = undefined;
        if (this.#ready?.session === session) this.#ready = undefined;
        if (this.#closed) fail(closedError("client"));
        else if (!connected)
          fail(dialError("connection-lost", "the peer closed the connection before the HTTP/2 settings", socketPath));
        onEvent({ type: connected ? "closed" : "failed", socketPath, error: failure });
      });
      session.once("remoteSettings", () => {
        cancelTimer();
        connected = true;
        session.setLocalWindowSize(WINDOW_BYTES);
        socket.unref();
        onEvent({ type: "connected", socketPath });
        const connection: OwnConnection = {
          id: `connection ${++connections}`,
          socketPath,
          identity,
          checkedMs: this.#clock.now(),
          session,
          request: (method, path, headers, options) =>
            this.#request(session, { ...headers, ":method": method, ":path": path }, options),
        };
        this.#ready = connection;
        this.#follow(connection);
        resolve(connection);
      });
    });
    return dialled;
  }

  /**
   * Makes the next request check the socket file after each change of its directory. A check on each call would take longer than the rest
   * of the call.
   */
  async #follow(connection: OwnConnection): Promise<void> {
    const { changed } = this.#options;
    if (changed === undefined) return;
    const over = new AbortController();
    connection.session.once("close", () => over.abort());
    while (!connection.session.destroyed) {
      await changed(over.signal);
      connection.checkedMs = Number.NEGATIVE_INFINITY;
    }
  }

  #countStream(session: http2.ClientHttp2Session, by: 1 | -1): void {
    const entry = this.#alive.get(session);
    if (entry === undefined) return;
    entry.streams += by;
    if (entry.streams > 0) entry.socket.ref();
    else this.#rest(session);
  }

  /** Called when a connection has no streams. It no longer keeps the process alive; if it is draining, it is closed. */
  #rest(session: http2.ClientHttp2Session): void {
    const socket = this.#alive.get(session)?.socket;
    socket?.unref();
    // Node.js would wait for the peer to close its side, which a frozen peer never does.
    if (session.closed || session.destroyed) setImmediate(() => socket?.destroy());
  }

  /** Returns true if the connection accepts new streams. It starts to drain if another socket has replaced its own. */
  #isUsable(connection: OwnConnection): boolean {
    const { session, socketPath, identity } = connection;
    if (session.closed || session.destroyed) return false;
    const nowMs = this.#clock.now();
    if (nowMs - connection.checkedMs < CHECK_INTERVAL_MS) return true;
    connection.checkedMs = nowMs;
    const now = socketIdentity(socketPath);
    if (now === undefined || now === identity) return true; // a missing file does not prove that the server has stopped
    this.#options.onEvent({ type: "replaced", socketPath });
    session.close();
    if (this.#alive.get(session)?.streams === 0) this.#rest(session);
    return false;
  }
}

/** One HTTP/2 connection: all of its streams reach the same process. */
export interface Connection {
  /** A name that is unique among the connections of this client process. */
  readonly id: string;
  readonly socketPath: string;
  /** Identity of the socket file before the dial. If it changes, the client dials again. It does not identify the process that answered. */
  readonly identity: string | undefined;
  /** Sends a request on this connection. @throws Error of Node.js if the connection is closed. */
  request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): http2.ClientHttp2Stream;
}

/** A connection, with the data that only its session uses. */
interface OwnConnection extends Connection {
  readonly session: http2.ClientHttp2Session;
  /** Time of the last check for another socket at the path; -Infinity if the directory has changed since. */
  checkedMs: number;
}

/** Number of connections made so far, over all sessions. */
let connections = 0;

/** Time between checks for another socket. It bounds the delay where directories cannot be watched. */
const CHECK_INTERVAL_MS = 1_000;

/** Default handshake timeout. gRPC clients commonly wait this long; a healthy kubelet takes milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

function dialError(code: "connection-timeout" | "connection-lost", what: string, socketPath: string): PodsError {
  return new PodsError({ code, message: `cannot talk to ${socketPath}: ${what}`, socketPath });
}

/** Makes the error of a session, usually that of a failed dial. */
function describe(error: NodeJS.ErrnoException, socket: net.Socket, socketPath: string): PodsError {
  if (PodsError.is(error)) return error;
  const failed = (code: PodsErrorCode, what: string, hint?: string) =>
    new PodsError({ code, message: `cannot connect to ${socketPath}: ${what}`, hint, socketPath, cause: error });
  // The kernel checks whether this user may write to the file before it checks whether the file is a socket.
  const other = error.code === "ECONNREFUSED" || error.code === "EACCES" ? otherFile(socketPath) : undefined;
  if (other !== undefined) {
    const hint = other === "a directory" ? undefined : "pass the path of the kubelet's socket, and mount its directory";
    return failed("not-a-socket", `it is ${other}`, hint);
  }
  if (error.code === "ECONNREFUSED") {
    if (isMounted(socketPath)) {
      const hint =
        "the socket file itself is mounted, and each start of the kubelet creates a new one: mount its directory";
      return failed("connection-refused", "nothing listens on the socket (ECONNREFUSED)", hint);
    }
    return failed("connection-refused", "nothing listens on the socket (ECONNREFUSED)");
  }
  if (error.code === "ENOENT") return failed("socket-missing", "there is no such file (ENOENT)");
  if (error.code?.startsWith("ERR_HTTP2_") && socket.bytesRead > 0) {
    return failed("wrong-peer", "the peer does not speak HTTP/2");
  }
  const { code, hint } = PodsError.from(error);
  return failed(code === "unknown" ? "connection-lost" : code, error.code ?? error.message, hint || undefined);
}
