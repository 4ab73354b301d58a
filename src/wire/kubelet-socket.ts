import { connectionChannel } from "../diagnostics.js";
import { orAborted } from "../timing/abort.js";
import { VERSION } from "../version.js";
import { type Connection, UnixSession } from "./session.js";
import { chooseSocket, socketIdentity } from "./socket-path.js";
import { SocketWatch } from "./socket-watch.js";

/** Options of a {@link KubeletSocket}. */
export interface KubeletSocketOptions {
  /** The paths to try, best first; asked before every dial. */
  socketPaths: readonly [string, ...string[]];
  /** The largest accepted answer, and the largest accepted message of a watch. */
  maxMessageBytes: number;
  /** See {@link SessionOptions}. */
  handshakeTimeoutMs?: number | undefined;
}

/** The metadata of every request, which names the client. */
export const HEADERS: Readonly<Record<string, string>> = {
  "user-agent": `kubelet-pods/${VERSION} node/${process.versions.node}`,
};

/** One of a kubelet's sockets, and the connection to it. */
export class KubeletSocket {
  readonly maxMessageBytes: number;
  readonly #session: UnixSession;
  readonly #candidates: readonly [string, ...string[]];
  readonly #watch: SocketWatch;
  #path: string;

  constructor(options: KubeletSocketOptions) {
    this.maxMessageBytes = options.maxMessageBytes;
    this.#candidates = options.socketPaths;
    this.#path = options.socketPaths[0];
    this.#watch = new SocketWatch(options.socketPaths, () => {
      connectionChannel.publish({ type: "polling", socketPath: this.#path });
    });
    this.#session = new UnixSession({
      handshakeTimeoutMs: options.handshakeTimeoutMs,
      socketPath: () => {
        this.#path = chooseSocket(this.#candidates);
        return this.#path;
      },
      changed: (signal) => this.#watch.changed(signal),
      onEvent: (event) => connectionChannel.publish(event),
    });
  }

  /** The socket dialled last, or the one that would be dialled first. */
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

  /** Returns a name of the socket that would be dialled now; undefined if there is none. */
  server(): string | undefined {
    return socketIdentity(chooseSocket(this.#candidates));
  }

  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void> {
    return this.#session.close();
  }
}
