import { createGrpcTransport } from "@connectrpc/connect-node";
import { orAborted } from "../abort.js";
import { connectionChannel } from "../diagnostics.js";
import { VERSION } from "../version.js";
import { UnixSession } from "./session.js";
import { chooseSocket, socketIdentity } from "./socket-path.js";
import { SocketWatch } from "./socket-watch.js";

/** Where and how to talk to a kubelet. */
export interface KubeletSocketOptions {
  /** The paths to try, best first; asked before every dial. */
  socketPaths: readonly [string, ...string[]];
  /** The largest answer, and the largest message of a watch, that is accepted. */
  maxMessageBytes: number;
  /** How long a peer may take from accepting to its first HTTP/2 frame. */
  handshakeTimeoutMs: number;
}

/** What every request says of who asks. */
export const HEADERS: Readonly<Record<string, string>> = {
  "user-agent": `kubelet-pods/${VERSION} node/${process.versions.node}`,
};

/** One of a kubelet's sockets, and gRPC over it. */
export class KubeletSocket {
  readonly transport: ReturnType<typeof createGrpcTransport>;
  readonly #session: UnixSession;
  readonly #candidates: readonly [string, ...string[]];
  readonly #watch: SocketWatch;
  #path: string;

  /** @param onConnected is called with each new connection, before anything is sent on it. */
  constructor(options: KubeletSocketOptions, onConnected: () => void = () => {}) {
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
      onEvent: (event) => {
        if (event.type === "connected") onConnected();
        connectionChannel.publish(event);
      },
    });
    this.transport = createGrpcTransport({
      baseUrl: this.#session.authority,
      sessionManager: this.#session,
      readMaxBytes: options.maxMessageBytes,
      acceptCompression: [],
    });
  }

  /** The socket dialled last, or the one that would be dialled first. */
  get path(): string {
    return this.#path;
  }

  /** Resolves when there is a connection, with what stands for the socket that it was made through. */
  connect(signal: AbortSignal): Promise<string> {
    return orAborted(this.#session.connect(), signal);
  }

  /** Resolves when something changes where the socket is, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#watch.changed(signal);
  }

  /** What stands for the socket that would be dialled now; undefined where there is none. */
  server(): string | undefined {
    return socketIdentity(chooseSocket(this.#candidates));
  }

  /** Ends all connections; resolves when no handle is left. */
  close(): Promise<void> {
    return this.#session.close();
  }
}
