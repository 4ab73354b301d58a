import type { ConnectionMessage } from "../diagnostics.js";
import { closedError } from "../errors/pods-error.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { type Connection, SocketConnection } from "./connection.js";

/** Default handshake timeout. gRPC clients commonly wait this long; a healthy kubelet takes milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

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
  /** Connection for new requests. Concurrent callers share a pending dial. */
  #current: SocketConnection | undefined;
  /** All connections that may have an open handle: pending dials, the current connection, and draining ones. */
  readonly #alive = new Set<SocketConnection>();
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Closes all connections and streams at once; later requests fail with `closed`. Resolves when no handle is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#alive].map((connection) => connection.destroy()));
  }

  /** Returns the connection for the next request; undefined if none is usable. */
  ready(): Connection | undefined {
    return this.#closed || !this.#current?.isUsable() ? undefined : this.#current;
  }

  /** Resolves with a connection for the next request: the current one, or a new one. */
  async connect(): Promise<Connection> {
    for (;;) {
      if (this.#closed) throw closedError("client");
      this.#current ??= this.#dial();
      const dialled = this.#current;
      await dialled.opened;
      if (dialled.isUsable()) return dialled;
      // It was lost meanwhile, is draining, or belongs to an old socket. The first caller that notices dials again.
      this.#leave(dialled);
    }
  }

  #dial(): SocketConnection {
    const {
      socketPath,
      handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS,
      clock = systemClock,
      changed,
      onEvent,
    } = this.#options;
    const onClosed = () => {
      this.#alive.delete(connection);
      this.#leave(connection);
    };
    const connection = new SocketConnection({
      socketPath: socketPath(),
      handshakeTimeoutMs,
      clock,
      changed,
      onEvent,
      onClosed,
    });
    this.#alive.add(connection);
    return connection;
  }

  #leave(connection: SocketConnection): void {
    if (this.#current === connection) this.#current = undefined;
  }
}
