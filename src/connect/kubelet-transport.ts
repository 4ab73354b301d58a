import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, type GrpcTransportOptions } from "@connectrpc/connect-node";
import { connectionChannel } from "../diagnostics.js";
import { PodsError } from "../errors/pods-error.js";
import { checkOptions, type OptionTypes } from "../option-checks.js";
import { type ClientOptions, resolveOptions } from "../options.js";
import { UnixSession } from "../wire/session.js";
import { chooseSocket } from "../wire/socket-path.js";
import { SocketWatch } from "../wire/socket-watch.js";

/** Options of {@link kubeletTransport}. */
export interface KubeletTransportOptions extends Pick<ClientOptions, "socketPath" | "rootDir" | "maxMessageBytes"> {
  /**
   * Interceptors of connect, the outermost first.
   *
   * @default none
   */
  interceptors?: Interceptor[] | undefined;
}

/** A transport of connect over a kubelet's socket. Whoever makes one closes it. */
export interface KubeletTransport extends Transport, AsyncDisposable {
  /** Ends all connections and what runs over them; resolves when no handle is left. */
  close(): Promise<void>;
}

/**
 * Makes a transport for clients of connect: over the same connection as `PodsClient` has, found in the same way, with the same
 * bounds. It neither retries nor paces calls, and errors are connect's; `PodsError.from(error)` says what they are.
 *
 * @throws PodsError `invalid-argument` or `invalid-path`; nothing is dialled yet.
 * @example
 * ```ts
 * import { decodePod } from "kubelet-pods/sources";
 *
 * await using transport = kubeletTransport();
 * const { pods } = await createClient(Pods, transport).listPods({});
 * console.log(pods.length, decodePod(pods[0] as Uint8Array).metadata.name);
 * ```
 */
export function kubeletTransport(options: KubeletTransportOptions = {}): KubeletTransport {
  checkOptions(options, OPTIONS, "kubeletTransport");
  const { interceptors = [], ...rest } = options;
  const { socketPaths, handshakeTimeoutMs, maxMessageBytes } = resolveOptions(rest, "kubeletTransport");
  const watch = new SocketWatch(socketPaths, () => {});
  const session = new UnixSession({
    socketPath: () => chooseSocket(socketPaths),
    handshakeTimeoutMs,
    changed: (signal) => watch.changed(signal),
    onEvent: (event) => connectionChannel.publish(event),
  });
  const transport = createGrpcTransport({
    baseUrl: AUTHORITY,
    sessionManager: managerOf(session),
    readMaxBytes: maxMessageBytes,
    acceptCompression: [],
    interceptors,
  });
  const close = () => session.close();
  return {
    unary: transport.unary.bind(transport),
    stream: transport.stream.bind(transport),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const OPTIONS: OptionTypes<KubeletTransportOptions> = {
  socketPath: "string",
  rootDir: "string",
  maxMessageBytes: "number",
  interceptors: "list",
};

const AUTHORITY = "http://localhost";

/**
 * Makes connect-node's session manager of a session of ours: its own one cannot time a handshake out, and can kill the process
 * (an `error` event without a listener after `abort()`).
 */
function managerOf(session: UnixSession): NonNullable<GrpcTransportOptions["sessionManager"]> {
  return {
    authority: AUTHORITY,
    async request(method, path, headers, options) {
      const connection = await session.connect().catch((error: unknown) => {
        throw asConnects(error);
      });
      const stream = connection.request(method, path, headers, options);
      let isAnswered = false;
      stream.once("response", () => {
        isAnswered = true;
      });
      stream.once("close", () => {
        // A stream that ends with neither answer nor error would leave connect's call waiting for ever.
        if (isAnswered || stream.rstCode !== 0) return;
        stream.emit("error", Object.assign(new Error("stream closed without an answer"), { code: "ECONNRESET" }));
      });
      return stream;
    },
    notifyResponseByteRead: () => {}, // it postpones pings, and there are none
  };
}

/** Makes connect's error of one of dialling: nobody is there is `Unavailable`, which interceptors that try again look for. */
function asConnects(error: unknown): unknown {
  if (!PodsError.is(error)) return error;
  const code =
    error.code === "not-permitted" ? Code.PermissionDenied : error.retryable ? Code.Unavailable : Code.Internal;
  return new ConnectError(error.message, code, undefined, undefined, error);
}
