import http2 from "node:http2";
import net from "node:net";
import type { ConnectionMessage } from "../diagnostics.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import { closedError, PodsError } from "../errors/pods-error.js";
import { afterReads, type Clock } from "../timing/clock.js";
import { orBusy } from "../timing/deadline.js";
import { destroyAfterRead, resetAfterRead } from "./after-read.js";
import { isMounted } from "./mounts.js";
import { otherFile, socketIdentity } from "./socket-path.js";

/**
 * Flow-control window of each stream and of the connection. The burst of a large node fits into it. With HTTP/2's initial 64 KiB, kubelet
 * and client would wait for each other after every nine pods of 7 kB.
 */
const WINDOW_BYTES = 16 * 1024 * 1024;

/** Time between checks for another socket. It bounds the delay where directories cannot be watched. */
const CHECK_INTERVAL_MS = 1_000;

/** One HTTP/2 connection: all of its streams reach the same process. */
export interface Connection {
  /** A name that is unique among the connections of this client process. */
  readonly id: string;
  readonly socketPath: string;
  /** Identity of the socket file before the dial. If it changes, the client dials again. It does not identify the process that answered. */
  readonly identity: string | undefined;
  /** True if open streams continue, and no further request is accepted: after GOAWAY, or after another socket has replaced its own. */
  readonly isDraining: boolean;
  /** Sends a request on this connection. @throws Error of Node.js if the connection is closed. */
  request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): http2.ClientHttp2Stream;
}

export interface ConnectionOptions {
  readonly socketPath: string;
  readonly handshakeTimeoutMs: number;
  readonly clock: Clock;
  /** See `SessionOptions.changed`. */
  readonly changed?: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly onEvent: (event: ConnectionMessage) => void;
  /** Called when no handle is left. */
  readonly onClosed: () => void;
}

/**
 * The state of a connection.
 *
 * - `dialling`: the peer's SETTINGS frame has not arrived.
 * - `open`: it has. Whether the connection accepts new streams is for Node.js to say: GOAWAY and {@link SocketConnection.close} drain it.
 * - `failed`: it was lost with this error, and its handles are about to be closed.
 */
type ConnectionState =
  | { readonly is: "dialling"; open(): void; fail(error: PodsError): void }
  | { readonly is: "open" }
  | { readonly is: "failed"; readonly wasOpen: boolean; readonly error: PodsError };

/** Number of dials so far, over all sessions. */
let connections = 0;

/** A connection over a Unix socket, from the dial until its handles are closed. */
export class SocketConnection implements Connection {
  readonly id: string = `connection ${++connections}`;
  readonly socketPath: string;
  readonly identity: string | undefined;
  /** Resolves when the connection is open, and rejects with a PodsError if the dial fails. */
  readonly opened: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #socket: net.Socket;
  readonly #session: http2.ClientHttp2Session;
  readonly #closed: Promise<void>;
  #state: ConnectionState;
  #streams = 0;
  /** Time of the last check for another socket at the path; -Infinity if the directory has changed since. */
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionOptions) {
    const { socketPath } = options;
    this.#options = options;
    this.socketPath = socketPath;
    this.identity = socketIdentity(socketPath);
    this.#socket = net.connect({ path: socketPath });
    this.#session = http2.connect("http://localhost", {
      createConnection: () => this.#socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    destroyAfterRead(this.#session);
    let dialling!: ConnectionState;
    this.opened = new Promise((open, fail) => {
      dialling = { is: "dialling", open, fail };
    });
    this.#state = dialling;
    this.#closed = new Promise((resolve) => this.#session.once("close", () => resolve()));
    this.#listen();
  }

  #listen(): void {
    const { clock, handshakeTimeoutMs, onEvent, onClosed } = this.#options;
    const { socketPath } = this;
    const session = this.#session;
    const busyAtStartMs = clock.busyMs();
    const cancelTimer = afterReads(clock, handshakeTimeoutMs, () => {
      const error = dialError("connection-timeout", "the peer sent no HTTP/2 settings", socketPath);
      session.destroy(orBusy(error, clock.busyMs() - busyAtStartMs, handshakeTimeoutMs));
    });
    // This listener is never removed: an error event without a listener ends the process.
    session.on("error", (error) => this.#fail(describe(error, this.#socket, socketPath)));
    session.on("goaway", () => {
      onEvent({ type: "goaway", socketPath });
      if (this.#streams === 0) this.#rest();
    });
    session.once("remoteSettings", () => {
      cancelTimer();
      if (this.#state.is !== "dialling") return;
      session.setLocalWindowSize(WINDOW_BYTES);
      this.#socket.unref();
      this.#checkedMs = clock.now();
      onEvent({ type: "connected", socketPath });
      this.#state.open();
      this.#state = { is: "open" };
      this.#follow();
    });
    session.once("close", () => {
      cancelTimer();
      if (this.#state.is === "dialling")
        this.#fail(
          dialError("connection-lost", "the peer closed the connection before the HTTP/2 settings", socketPath),
        );
      const failed = this.#state.is === "failed" ? this.#state : undefined;
      onClosed();
      onEvent({ type: failed?.wasOpen === false ? "failed" : "closed", socketPath, error: failed?.error });
    });
  }

  /** Notes the first error, which is the cause of all others. */
  #fail(error: PodsError): void {
    if (this.#state.is === "failed") return;
    if (this.#state.is === "dialling") this.#state.fail(error);
    this.#state = { is: "failed", wasOpen: this.#state.is === "open", error };
  }

  request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): http2.ClientHttp2Stream {
    const all = { ...headers, ":method": method, ":path": path, ":authority": "localhost" };
    const stream = this.#session.request(all, options);
    resetAfterRead(stream);
    if (++this.#streams === 1) this.#socket.ref();
    stream.once("close", () => {
      if (--this.#streams === 0) this.#rest();
    });
    return stream;
  }

  get isDraining(): boolean {
    return this.#session.closed && !this.#session.destroyed;
  }

  /** Returns true if the connection accepts new streams. It starts to drain if another socket has replaced its own. */
  isUsable(): boolean {
    const { clock, onEvent } = this.#options;
    const { socketPath, identity } = this;
    if (this.#state.is !== "open" || this.#session.closed || this.#session.destroyed) return false;
    const nowMs = clock.now();
    if (nowMs - this.#checkedMs < CHECK_INTERVAL_MS) return true;
    this.#checkedMs = nowMs;
    const now = socketIdentity(socketPath);
    if (now === undefined || now === identity) return true; // a missing file does not prove that the server has stopped
    onEvent({ type: "replaced", socketPath });
    this.#session.close();
    if (this.#streams === 0) this.#rest();
    return false;
  }

  /** Closes the connection and its streams at once. Resolves when no handle is left. */
  destroy(): Promise<void> {
    this.#fail(closedError("client"));
    this.#socket.ref(); // otherwise the process could end before the socket is closed, and this promise would never settle
    this.#session.destroy();
    // A draining session waits for the peer to close its side, which a frozen peer never does.
    setImmediate(() => setImmediate(() => this.#socket.destroy()));
    return this.#closed;
  }

  /** Called when the connection has no streams. It no longer keeps the process alive; if it is draining, it is closed. */
  #rest(): void {
    this.#socket.unref();
    // Node.js would wait for the peer to close its side, which a frozen peer never does.
    if (this.#session.closed || this.#session.destroyed) setImmediate(() => this.#socket.destroy());
  }

  /**
   * Makes the next request check the socket file after each change of its directory. A check on each call would take longer than the rest
   * of the call.
   */
  async #follow(): Promise<void> {
    const { changed } = this.#options;
    if (changed === undefined) return;
    const over = new AbortController();
    this.#session.once("close", () => over.abort());
    while (!this.#session.destroyed) {
      await changed(over.signal);
      this.#checkedMs = Number.NEGATIVE_INFINITY;
    }
  }
}

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
