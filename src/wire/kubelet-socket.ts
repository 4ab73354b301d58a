import { connectionChannel } from "../diagnostics.js";
import { orAborted } from "../timing/abort.js";
import { VERSION } from "../version.js";
import { type Connection, UnixSession } from "./session.js";
import { chooseSocket, socketIdentity, socketSinceMs } from "./socket-path.js";
import { SocketWatch } from "./socket-watch.js";

/** Options of a {@link KubeletSocket}. */
export interface KubeletSocketOptions {
  /** The paths to try, best first; asked before every dial. */
  socketPaths: readonly [string, ...string[]];
  /** The largest answer, and the largest message of a watch, that is accepted. */
  maxMessageBytes: number;
  /** How long a peer may take from accepting to its first HTTP/2 frame. */
  handshakeTimeoutMs: number;
}

/** The metadata that asks a relay to end watches while its kubelet is away, so that what is known counts as old. Kubelets ignore it. */
export const ENDS_HEADER = "kubelet-pods-outage";

/** The metadata of every request, which names the client. */
export const HEADERS: Readonly<Record<string, string>> = {
  "user-agent": `kubelet-pods/${VERSION} node/${process.versions.node}`,
  [ENDS_HEADER]: "ends",
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

  /** Returns the connection for the next request, where there is one. */
  ready(): Connection | undefined {
    return this.#session.ready();
  }

  /** Resolves when there is a connection: the one there is, or a new one. */
  connect(signal: AbortSignal): Promise<Connection> {
    return orAborted(this.#session.connect(), signal);
  }

  /** Resolves when something changes where the socket is, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#watch.changed(signal);
  }

  /** Returns a name of the socket that would be dialled now; undefined where there is none. */
  server(): string | undefined {
    return socketIdentity(chooseSocket(this.#candidates));
  }

  /** Returns since when the socket that would be dialled now has been there, as a time of day in milliseconds. */
  sinceMs(): number | undefined {
    return socketSinceMs(chooseSocket(this.#candidates));
  }

  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void> {
    return this.#session.close();
  }
}
