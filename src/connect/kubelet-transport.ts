import { constants } from "node:http2";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, type GrpcTransportOptions } from "@connectrpc/connect-node";
import { connectionChannel } from "../diagnostics.js";
import { closedError, PodsError } from "../errors/pods-error.js";
import { checkOptions, type OptionTypes } from "../option-checks.js";
import { type ClientOptions, resolveOptions } from "../options.js";
import { UnixSession } from "../wire/session.js";
import { chooseSocket } from "../wire/socket-path.js";
import { SocketWatch } from "../wire/socket-watch.js";

/** Options of {@link kubeletTransport}. */
export interface KubeletTransportOptions extends Pick<ClientOptions, "socketPath" | "rootDir" | "maxMessageBytes"> {
  /**
   * Connect interceptors, the outermost first.
   *
   * @default none
   */
  interceptors?: Interceptor[] | undefined;
}

/** A Connect transport over a kubelet's socket. The code that creates it must close it. */
export interface KubeletTransport extends Transport, AsyncDisposable {
  /** Ends all calls with `Canceled`, and closes all connections. Resolves when no handle is left. */
  close(): Promise<void>;
}

/**
 * Makes a Connect transport over the kubelet's socket. It finds the socket in the same way as `PodsClient`. It neither retries calls nor
 * limits their rate. It throws Connect's errors: `Unavailable` if nothing listens or the connection is lost, `PermissionDenied` if this
 * process may not connect, `Canceled` after `close()`. `PodsError.from(error)` classifies them.
 *
 * @throws PodsError `invalid-argument` or `invalid-path`. It does not connect before the first call.
 * @example
 * ```ts
 * import { createClient } from "@connectrpc/connect";
 * import { decodePod } from "kubelet-pods";
 * import { kubeletTransport, Pods } from "kubelet-pods/connect";
 *
 * await using transport = kubeletTransport();
 * const { pods } = await createClient(Pods, transport).listPods({});
 * for (const pod of pods) console.log(decodePod(pod).metadata.name);
 * ```
 */
export function kubeletTransport(options: KubeletTransportOptions = {}): KubeletTransport {
  checkOptions(options, TRANSPORT_OPTIONS, "kubeletTransport");
  const { interceptors = [], ...rest } = options;
  const { socketPaths, maxMessageBytes } = resolveOptions(rest, "kubeletTransport");
  const watch = new SocketWatch(socketPaths, () => {});
  const session = new UnixSession({
    socketPath: () => chooseSocket(socketPaths),
    changed: (signal) => watch.changed(signal),
    onEvent: (event) => connectionChannel.publish(event),
  });
  const transport = createGrpcTransport({
    baseUrl: AUTHORITY,
    sessionManager: managerOf(session),
    readMaxBytes: maxMessageBytes,
    acceptCompression: [],
    interceptors: [...interceptors, withErrors((error) => (isClosed ? closed() : unavailableIfReset(error)))],
  });
  let isClosed = false;
  const close = () => {
    isClosed = true;
    return session.close();
  };
  return {
    unary: transport.unary.bind(transport),
    stream: transport.stream.bind(transport),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const TRANSPORT_OPTIONS: OptionTypes<KubeletTransportOptions> = {
  socketPath: "string",
  rootDir: "string",
  maxMessageBytes: "number",
  interceptors: "list",
};

const AUTHORITY = "http://localhost";

/**
 * Adapts our own session to the session manager of connect-node. The one in connect-node has no handshake timeout, and can kill the process
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
      const h2 = stream.session; // read now, because a destroyed stream has no session
      let isAnswered = false;
      stream.once("response", () => {
        isAnswered = true;
      });
      stream.once("close", () => {
        // Node.js 20 cancels the streams of a lost connection, which Connect reports as a cancelled call.
        const isLost = stream.rstCode === constants.NGHTTP2_CANCEL && h2?.destroyed === true;
        if (isLost) stream.emit("error", new ConnectError("the connection was lost", Code.Unavailable));
        // If a stream ended with neither an answer nor an error, the call in Connect would wait for ever.
        if (isAnswered || stream.rstCode !== 0) return;
        stream.emit(
          "error",
          Object.assign(new Error("the stream was closed without an answer"), { code: "ECONNRESET" }),
        );
      });
      return stream;
    },
    notifyResponseByteRead: () => {}, // in connect-node this postpones pings; this session never sends any
  };
}

/**
 * Converts an error of a dial into an error of Connect. If nothing listens, it is `Unavailable`, the code that retrying interceptors look
 * for.
 */
function asConnects(cause: unknown): ConnectError {
  const error = PodsError.from(cause);
  const code =
    error.code === "not-permitted" ? Code.PermissionDenied : error.retryable ? Code.Unavailable : Code.Internal;
  return new ConnectError(error.message, code, undefined, undefined, error);
}

/** Makes the interceptor that converts errors of calls and streams. It is the innermost one. */
function withErrors(convert: (error: unknown) => unknown): Interceptor {
  async function* messagesOf<T>(messages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    try {
      yield* messages;
    } catch (error) {
      throw convert(error);
    }
  }
  return (next) => async (request) => {
    const response = await next(request).catch((error: unknown) => {
      throw convert(error);
    });
    return response.stream ? { ...response, message: messagesOf(response.message) } : response;
  };
}

/** Makes the error of a call to a closed transport, and of a call that `close` ended: for Connect, a cancelled one. */
function closed(): ConnectError {
  const error = closedError("transport");
  return new ConnectError(error.rawMessage, Code.Canceled, undefined, undefined, error);
}

/**
 * Converts the error of a stream that was reset into `Unavailable`. Node.js 24 and later reset the streams of a lost connection, which
 * Connect reports as `Aborted`.
 */
function unavailableIfReset(error: unknown): unknown {
  const isReset =
    error instanceof ConnectError &&
    error.code === Code.Aborted &&
    (error.cause as NodeJS.ErrnoException | undefined)?.code === "ECONNRESET";
  return isReset ? new ConnectError(error.rawMessage, Code.Unavailable, undefined, undefined, error.cause) : error;
}
