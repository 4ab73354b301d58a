import http2 from "node:http2";
import net from "node:net";
import type { GrpcTransportOptions } from "@connectrpc/connect-node";
import { PodsError } from "../errors/pods-error.js";
import { isOtherFile } from "./socket-path.js";

type SessionManager = NonNullable<GrpcTransportOptions["sessionManager"]>;

/**
 * How much of one stream may be under way unread: a burst of a large node arrives in one go. Node.js acknowledges
 * the connection's own window by itself.
 */
const STREAM_WINDOW_BYTES = 16 * 1024 * 1024;

/** Where a session connects, and when it gives up. */
export interface SessionOptions {
  /** The socket's path, asked before every dial. */
  socketPath(): string;
  /** How long a peer may take from accepting to its first HTTP/2 frame. */
  handshakeTimeoutMs: number;
  /** Told after each new connection, before anything is sent on it. */
  onConnect(socketPath: string): void;
}

/**
 * One HTTP/2 connection over a Unix socket at a time, made when it is first needed and again when it is gone. Serves
 * connect-node in the place of its own manager, which cannot time a handshake out and can kill the process (an `error`
 * event without listener after `abort()`).
 *
 * - A dial ends when the peer's SETTINGS frame is there: on a Unix socket the kernel connects also to a frozen process.
 * - `:authority` is `localhost`, as other gRPC clients send it over Unix sockets.
 * - After GOAWAY, open streams go on and new ones get a new connection.
 * - No PINGs: a kubelet disconnects clients that send them more often than every five minutes.
 * - An idle connection does not keep the process alive.
 */
export class UnixSession implements SessionManager {
  readonly authority = "http://localhost";
  readonly #options: SessionOptions;
  /** The connection for new requests; those who wait for a pending dial share it. */
  #current: Promise<http2.ClientHttp2Session> | undefined;
  /** Everything that may hold a handle, with its open streams: dials, the current connection, those that drain. */
  readonly #alive = new Map<http2.ClientHttp2Session, number>();
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async request(
    method: string,
    path: string,
    headers: http2.OutgoingHttpHeaders,
    options: http2.ClientSessionRequestOptions,
  ): Promise<http2.ClientHttp2Stream> {
    const all = { ...headers, ":authority": "localhost", ":method": method, ":path": path };
    const session = await this.#connected();
    const stream = session.request(all, options);
    this.#countStream(session, 1);
    let answered = false;
    stream.once("response", () => {
      answered = true;
    });
    stream.once("close", () => {
      this.#countStream(session, -1);
      // A stream that ends with neither answer nor error would leave the call waiting for ever.
      if (!answered && stream.rstCode === http2.constants.NGHTTP2_NO_ERROR) {
        stream.emit("error", Object.assign(new Error("stream closed without an answer"), { code: "ECONNRESET" }));
      }
    });
    return stream;
  }

  /** Part of connect-node's interface: it would postpone pings, and there are none. */
  notifyResponseByteRead(): void {}

  /** Ends every connection and stream at once; later requests fail with `closed`. Resolves when all handles are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const gone = [...this.#alive.keys()].map((session) => {
      const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
      session.destroy();
      return closed;
    });
    await Promise.all(gone);
  }

  async #connected(): Promise<http2.ClientHttp2Session> {
    for (;;) {
      if (this.#closed) throw closedError();
      this.#current ??= this.#dial();
      const dialled = this.#current;
      const session = await dialled;
      if (!session.closed && !session.destroyed) return session;
      // It went while we waited, or drains after GOAWAY. Of several callers who find that, the first dials.
      if (this.#current === dialled) this.#current = undefined;
    }
  }

  #dial(): Promise<http2.ClientHttp2Session> {
    const socketPath = this.#options.socketPath();
    const socket = net.connect({ path: socketPath });
    const session = http2.connect(this.authority, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    this.#alive.set(session, 0);
    const dialled = new Promise<http2.ClientHttp2Session>((resolve, reject) => {
      const timer = setTimeout(
        () => session.destroy(dialError("connect-timeout", "no HTTP/2 from the peer", socketPath)),
        this.#options.handshakeTimeoutMs,
      );
      // Never removed: an error event that nobody listens to ends the process. Rejects only before the handshake.
      session.on("error", (error) => reject(describe(error, socket, socketPath)));
      session.once("close", () => {
        clearTimeout(timer);
        this.#alive.delete(session);
        if (this.#current === dialled) this.#current = undefined;
        if (this.#closed) reject(closedError());
        else reject(dialError("connection-lost", "the peer closed before it spoke HTTP/2", socketPath));
      });
      session.once("remoteSettings", () => {
        clearTimeout(timer);
        session.unref();
        this.#options.onConnect(socketPath);
        resolve(session);
      });
    });
    return dialled;
  }

  #countStream(session: http2.ClientHttp2Session, by: 1 | -1): void {
    const open = (this.#alive.get(session) ?? 0) + by;
    if (session.destroyed) return;
    this.#alive.set(session, open);
    if (open === 0) session.unref();
    else session.ref();
  }
}

function closedError(): PodsError {
  return new PodsError({ code: "closed", message: "the client was closed" });
}

function dialError(code: "connect-timeout" | "connection-lost", what: string, socketPath: string): PodsError {
  return new PodsError({ code, message: `cannot talk to ${socketPath}: ${what}`, socketPath });
}

/** What an error before the handshake says about the peer. */
function describe(error: NodeJS.ErrnoException, socket: net.Socket, socketPath: string): PodsError {
  if (PodsError.is(error)) return error;
  const at = `cannot connect to ${socketPath}`;
  const context = { socketPath, cause: error };
  if (error.code === "ECONNREFUSED" && isOtherFile(socketPath)) {
    return new PodsError({ ...context, code: "not-a-socket", message: `${at}: it is not a socket` });
  }
  if (error.code?.startsWith("ERR_HTTP2_") && socket.bytesRead > 0) {
    return new PodsError({ ...context, code: "wrong-peer", message: `${at}: the peer does not speak HTTP/2` });
  }
  const { code } = PodsError.from(error);
  return new PodsError({
    ...context,
    code: code === "unknown" ? "connection-lost" : code,
    message: `${at}: ${error.message}`,
  });
}
