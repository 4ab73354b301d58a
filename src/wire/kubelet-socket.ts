import { connectionChannel } from "../diagnostics.js";
import { orAborted } from "../timing/abort.js";
import { type Clock, systemClock } from "../timing/clock.js";
import { VERSION } from "../version.js";
import type { Connection } from "./connection.js";
import { UnixSession } from "./session.js";
import { chooseSocket, socketIdentity } from "./socket-path.js";
import { SocketWatch } from "./socket-watch.js";

export interface KubeletSocketOptions {
  /** Paths to try, in order of preference. A path is chosen before every dial. */
  socketPaths: readonly [string, ...string[]];
  /** Maximum size of an answer, and of a message of a watch, in bytes. */
  maxMessageBytes: number;
  /** See {@link SessionOptions}. */
  handshakeTimeoutMs?: number | undefined;
}

/** Metadata of every request. It names the client. */
export const HEADERS: Readonly<Record<string, string>> = {
  "user-agent": `kubelet-pods/${VERSION} node/${process.versions.node}`,
};

/** The kubelet's socket, chosen from several paths, and the connection to it. */
export class KubeletSocket {
  readonly maxMessageBytes: number;
  readonly #session: UnixSession;
  readonly #candidates: readonly [string, ...string[]];
  readonly #watch: SocketWatch;
  #path: string;

  constructor(options: KubeletSocketOptions, clock: Clock = systemClock) {
    this.maxMessageBytes = options.maxMessageBytes;
    this.#candidates = options.socketPaths;
    this.#path = options.socketPaths[0];
    const onUnavailable = () => connectionChannel.publish({ type: "polling", socketPath: this.#path });
    this.#watch = new SocketWatch(options.socketPaths, onUnavailable, clock);
    this.#session = new UnixSession({
      clock,
      handshakeTimeoutMs: options.handshakeTimeoutMs,
      socketPath: () => {
        this.#path = chooseSocket(this.#candidates);
        return this.#path;
      },
      changed: (signal) => this.#watch.changed(signal),
      onEvent: (event) => connectionChannel.publish(event),
    });
  }

  /** Path of the socket dialled last; before the first dial, the preferred path. */
  get path(): string {
    return this.#path;
  }

  /** Returns the connection for the next request; undefined if there is none yet. */
  ready(): Connection | undefined {
    return this.#session.ready();
  }

  /** Resolves with the current connection, or a new one. */
  connect(signal: AbortSignal): Promise<Connection> {
    return orAborted(this.#session.connect(), signal);
  }

  /** Resolves when the socket's directory changes, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#watch.changed(signal);
  }

  /** Returns the identity of the socket that the next dial would use; undefined if there is no socket. */
  server(): string | undefined {
    return socketIdentity(chooseSocket(this.#candidates));
  }

  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void> {
    return this.#session.close();
  }
}
