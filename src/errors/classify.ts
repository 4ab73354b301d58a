import { Code, ConnectError } from "@connectrpc/connect";
import { printable } from "../printable.js";
import { ACCESS_DENIED_HINT, type PodsErrorCode } from "./error-code.js";

/** Facts that the caller of {@link classify} knows and the error does not have. */
export interface ErrorContext {
  /** The method that was called: `ListPods`, `GetPod` or `WatchPods`; of podresources `List`, `Get` and so on. */
  method?: string | undefined;
  socketPath?: string | undefined;
}

/** An error's code, a message, and the gRPC status if there was one. */
export interface Classified {
  code: PodsErrorCode;
  message: string;
  grpcCode?: number;
  /** A hint that differs from the code's own. */
  hint?: string;
}

/** Errors of the operating system when dialling. ENOTDIR: a parent of the socket is a file; ELOOP: links lead in a circle. */
const BY_ERRNO: ReadonlyMap<string, PodsErrorCode> = new Map([
  ["ENOENT", "socket-missing"],
  ["ENOTDIR", "socket-missing"],
  ["ELOOP", "socket-missing"],
  ["ECONNREFUSED", "connection-refused"],
  ["EACCES", "not-permitted"],
  ["EPERM", "not-permitted"],
  ["ERR_ACCESS_DENIED", "not-permitted"],
  ["ENAMETOOLONG", "invalid-path"],
]);

/** Statuses that the kubelet sent. Any other one is `server-error`. */
const BY_STATUS: Readonly<Partial<Record<Code, PodsErrorCode>>> = {
  [Code.FailedPrecondition]: "initializing",
  [Code.Unimplemented]: "not-served",
  [Code.PermissionDenied]: "not-permitted",
  [Code.Unauthenticated]: "not-permitted",
  [Code.Unavailable]: "connection-lost",
  [Code.ResourceExhausted]: "rate-limited",
};

/** Statuses that mean something else, or something at all, only for one method. */
const BY_METHOD: ReadonlyMap<string | undefined, Partial<Record<Code, PodsErrorCode>>> = new Map<
  string,
  Partial<Record<Code, PodsErrorCode>>
>([
  ["GetPod", { [Code.NotFound]: "not-found", [Code.DeadlineExceeded]: "deadline" }],
  ["ListPods", { [Code.DeadlineExceeded]: "deadline" }],
  ["WatchPods", { [Code.ResourceExhausted]: "dropped" }],
  ["List", { [Code.DeadlineExceeded]: "deadline" }],
  ["Get", { [Code.DeadlineExceeded]: "deadline" }],
  ["GetAllocatableResources", { [Code.DeadlineExceeded]: "deadline" }],
]);

/**
 * Errors of the podresources API, which have no status of their own, by method and text: of a pod that is not active
 * (pkg/kubelet/apis/podresources/server_v1.go), and of a method that is turned off, in kubelets before 1.34.
 */
const BY_TEXT: readonly [method: string, text: RegExp, code: PodsErrorCode][] = [
  ["Get", /^pod [\s\S]* not found$/, "not-found"],
  ["Get", / disabled$/, "not-served"],
  ["GetAllocatableResources", / disabled$/, "not-served"],
];

/** Statuses that the gRPC library made on this side. Any other one is `unknown`. */
const BY_LOCAL_STATUS: Readonly<Partial<Record<Code, PodsErrorCode>>> = {
  [Code.Canceled]: "connection-lost", // aborts of ours never come here
  [Code.Aborted]: "connection-lost",
  [Code.Unavailable]: "connection-lost",
  [Code.Internal]: "connection-lost", // reset streams, missing trailers
  [Code.InvalidArgument]: "connection-lost", // an envelope that ends too early
  [Code.ResourceExhausted]: "too-large",
  [Code.DeadlineExceeded]: "deadline",
  [Code.DataLoss]: "corrupt", // details of a status that are no protobuf
};

/** Errors of the library's that differ from the rest in nothing but their text, by how it begins. */
const BY_LOCAL_TEXT: readonly [prefix: string, code: PodsErrorCode][] = [
  ["HTTP 404", "not-served"],
  ["HTTP 429", "server-error"],
  ["HTTP 502", "server-error"],
  ["HTTP 503", "server-error"],
  ["HTTP 504", "server-error"],
  ["HTTP ", "wrong-peer"],
  ["unsupported content type", "wrong-peer"],
  ["unsupported response encoding", "wrong-peer"],
  ["received compressed envelope", "wrong-peer"],
  ["parse binary", "corrupt"],
];

/**
 * Says what an error of the gRPC library or the operating system is. An error that came over the wire carries
 * `grpc-status` in its metadata, one made on this side does not: that tells the two apart, not the text.
 */
export function classify(error: unknown, context: ErrorContext = {}): Classified {
  if (!(error instanceof ConnectError)) return classifySystem(error);
  const message = describe(error);
  const lost =
    context.socketPath === undefined ? "the connection was lost" : `the connection to ${context.socketPath} was lost`;
  const grpcCode = error.code as number;
  if (error.metadata.has("grpc-status")) {
    const code =
      BY_METHOD.get(context.method)?.[error.code] ??
      BY_STATUS[error.code] ??
      (error.code === Code.Unknown ? codeOfText(context.method, error.rawMessage) : undefined) ??
      "server-error";
    return { code, message, grpcCode };
  }
  const system = classifySystem(error.cause);
  const code = system.code === "unknown" ? localCode(error) : system.code;
  if (code === "connection-lost") return { code, message: `${lost}: ${message}`, grpcCode };
  return { ...(system.hint !== undefined && { hint: system.hint }), code, message, grpcCode };
}

function codeOfText(method: string | undefined, message: string): PodsErrorCode | undefined {
  return BY_TEXT.find(([only, text]) => only === method && text.test(message))?.[2];
}

function localCode({ code, rawMessage }: ConnectError): PodsErrorCode {
  const text = BY_LOCAL_TEXT.find(([prefix]) => rawMessage.startsWith(prefix));
  return text?.[1] ?? BY_LOCAL_STATUS[code] ?? "unknown";
}

function classifySystem(error: unknown): Classified {
  if (!(error instanceof Error)) {
    return { code: "unknown", message: typeof error === "string" ? printable(error) : `thrown: ${typeof error}` };
  }
  const { code: errno } = error as { code?: unknown };
  const code =
    typeof errno !== "string"
      ? undefined
      : (BY_ERRNO.get(errno) ?? (isTransport(errno) ? "connection-lost" : undefined));
  const hint = errno === "ERR_ACCESS_DENIED" ? { hint: ACCESS_DENIED_HINT } : {};
  return { code: code ?? "unknown", message: printable(error.message), ...hint };
}

/** Returns whether Node.js means by this code that a connection or a stream has ended. */
function isTransport(errno: string): boolean {
  return errno.startsWith("ERR_HTTP2_") || ["ECONNRESET", "EPIPE", "EAGAIN", "EMFILE", "ENFILE"].includes(errno);
}

/** Writes the status in words, with the kubelet's text. Such texts name UIDs at most. */
function describe(error: ConnectError): string {
  const status = Code[error.code] ?? String(error.code);
  return error.rawMessage === "" ? status : `${printable(error.rawMessage)} (${status})`;
}

/** Returns whether the peer refused the stream before it looked at the request. Node.js says so in the error's text alone. */
export function isRefusedStream({ cause }: Error): boolean {
  return cause instanceof ConnectError && cause.rawMessage.endsWith("NGHTTP2_REFUSED_STREAM");
}

/**
 * Returns when the server wants to be asked again, by `grpc-retry-pushback-ms` (gRPC's retry design): after so many
 * milliseconds, or never, which an unreadable value means, too.
 */
export function pushbackMs({ cause }: Error): number | "never" | undefined {
  const value = cause instanceof ConnectError ? cause.metadata.get("grpc-retry-pushback-ms") : null;
  if (value === null) return undefined;
  return /^\d{1,10}$/.test(value) ? Number(value) : "never";
}
