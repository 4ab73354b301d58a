import http2 from "node:http2";
import net from "node:net";
import type { ConnectionMessage } from "../diagnostics.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { closedError, PodsError } from "../errors/pods-error.js";
import { destroyAfterRead, resetAfterRead } from "./after-read.js";
import { isMounted } from "./mounts.js";
import { otherFile, socketIdentity } from "./socket-path.js";

/**
 * The flow-control window of a stream and of the connection. A burst of a large node fits into it. With the 64 KiB that HTTP/2 starts with,
 * kubelet and client would wait for one another after every nine pods of 7 kB.
 */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** Where a session connects, and when it gives up. */
export interface SessionOptions {
  /** Returns the socket's path, asked before every dial. */
  socketPath(): string;
  /** Resolves when the socket's directory changes, or when `signal` aborts. Without it the socket's file is looked at once a second. */
  changed?(signal: AbortSignal): Promise<void>;
  /**
   * How long a peer may take from accepting to its first HTTP/2 frame.
   *
   * @default 5_000
   */
  handshakeTimeoutMs?: number | undefined;
  /** Called with events of connections; `connected` comes before anything is sent on one. */
  onEvent(event: ConnectionMessage): void;
}

/**
 * One HTTP/2 connection at a time over a Unix socket. It is made when it is first needed, and again after it was lost.
 *
 * - A dial ends when the peer's SETTINGS frame has come, because on a Unix socket the kernel also connects to a frozen process.
 * - `:authority` is `localhost`, as other gRPC clients send it over Unix sockets.
 * - After GOAWAY, and if another socket lies at the path, open streams go on, and new ones get a new connection.
 * - No PINGs: a kubelet disconnects clients that send them more often than every five minutes.
 * - An idle connection does not keep the process alive.
 */
export class UnixSession {
  readonly #options: SessionOptions;
  /** The connection for new requests. Callers that wait for a pending dial share it. */
  #current: Promise<OwnConnection> | undefined;
  /** The last connection that was made; it may be closed. */
  #ready: OwnConnection | undefined;
  /** All sessions that may have a handle: dials, the current connection, and draining ones. */
  readonly #alive = new Map<http2.ClientHttp2Session, { socket: net.Socket; streams: number }>();
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
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

  /** Ends every connection and stream at once; later requests fail with `closed`. Resolves when all handles are gone. */
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
      // It was lost meanwhile, drains, or belongs to an old socket. The first caller that finds this dials again.
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
      const timer = setTimeout(() => {
        // After a stall of our own event loop the frame may have come and be unread, so received data is read first.
        setImmediate(() => {
          if (!connected) session.destroy(dialError("connection-timeout", "no HTTP/2 from the peer", socketPath));
        });
      }, handshakeTimeoutMs);
      // Never removed: an error event without a listener ends the process.
      session.on("error", (error) => fail(describe(error, socket, socketPath)));
      session.on("goaway", () => {
        onEvent({ type: "goaway", socketPath });
        if (this.#alive.get(session)?.streams === 0) this.#rest(session);
      });
      session.once("close", () => {
        clearTimeout(timer);
        this.#alive.delete(session);
        if (this.#current === dialled) this.#current = undefined;
        if (this.#ready?.session === session) this.#ready = undefined;
        if (this.#closed) fail(closedError("client"));
        else if (!connected) fail(dialError("connection-lost", "the peer closed before it spoke HTTP/2", socketPath));
        onEvent({ type: connected ? "closed" : "failed", socketPath, error: failure });
      });
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        connected = true;
        session.setLocalWindowSize(WINDOW_BYTES);
        socket.unref();
        onEvent({ type: "connected", socketPath });
        const connection: OwnConnection = {
          id: `connection ${++connections}`,
          socketPath,
          identity,
          lookedMs: performance.now(),
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

  /** Looks at the socket's file again when its directory changes. To look at each call would take longer than the rest of the call. */
  async #follow(connection: OwnConnection): Promise<void> {
    const { changed } = this.#options;
    if (changed === undefined) return;
    const over = new AbortController();
    connection.session.once("close", () => over.abort());
    while (!connection.session.destroyed) {
      await changed(over.signal);
      connection.lookedMs = Number.NEGATIVE_INFINITY;
    }
  }

  #countStream(session: http2.ClientHttp2Session, by: 1 | -1): void {
    const entry = this.#alive.get(session);
    if (entry === undefined) return;
    entry.streams += by;
    if (entry.streams > 0) entry.socket.ref();
    else this.#rest(session);
  }

  /** Called when a connection has no streams: it stops keeping the process alive. A draining one ends. */
  #rest(session: http2.ClientHttp2Session): void {
    const socket = this.#alive.get(session)?.socket;
    socket?.unref();
    // Node.js would wait for the peer to close its side, which a frozen peer never does.
    if (session.closed || session.destroyed) setImmediate(() => socket?.destroy());
  }

  /** Returns true if the connection takes new streams. If another socket has replaced its own, it drains. */
  #isUsable(connection: OwnConnection): boolean {
    const { session, socketPath, identity } = connection;
    if (session.closed || session.destroyed) return false;
    const nowMs = performance.now();
    if (nowMs - connection.lookedMs < LOOK_MS) return true;
    connection.lookedMs = nowMs;
    const now = socketIdentity(socketPath);
    if (now === undefined || now === identity) return true; // a missing file does not show that its server is gone
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
  /** The identity of the socket's file before the dial. A change means that the client must connect again. It does not show which process answered. */
  readonly identity: string | undefined;
  /** Sends a request on this connection. @throws Error of Node.js if the connection is closed. */
  request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): http2.ClientHttp2Stream;
}

/** A connection as its session has it. */
interface OwnConnection extends Connection {
  readonly session: http2.ClientHttp2Session;
  /** When the path was last checked for another socket. */
  lookedMs: number;
}

/** The number of connections of all sessions so far. */
let connections = 0;

/** How long such a check counts without a notice of a change: directories cannot be watched everywhere. */
const LOOK_MS = 1_000;

/** The time that gRPC clients commonly wait for a connection's first frame. A healthy kubelet takes milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

function dialError(code: "connection-timeout" | "connection-lost", what: string, socketPath: string): PodsError {
  return new PodsError({ code, message: `cannot talk to ${socketPath}: ${what}`, socketPath });
}

/** Makes the error of a dial that failed before the handshake. */
function describe(error: NodeJS.ErrnoException, socket: net.Socket, socketPath: string): PodsError {
  if (PodsError.is(error)) return error;
  const failed = (code: PodsErrorCode, what: string, hint?: string) =>
    new PodsError({ code, message: `cannot connect to ${socketPath}: ${what}`, hint, socketPath, cause: error });
  if (error.code === "ECONNREFUSED") {
    const other = otherFile(socketPath);
    if (other !== undefined) return failed("not-a-socket", `it is ${other}`);
    if (isMounted(socketPath)) {
      const hint =
        "the socket's file itself is mounted here, and each start of the kubelet makes a new one: mount its directory";
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
