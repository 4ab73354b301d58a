import { Code, ConnectError } from "@connectrpc/connect";
import { printable } from "../printable.js";
import type { PodsErrorCode } from "./error-code.js";

/** What the caller of {@link classify} knows and the error does not. */
export interface ErrorContext {
  /** The method that was called: `ListPods`, `GetPod` or `WatchPods`. */
  method?: string | undefined;
  socketPath?: string | undefined;
}

/** What an error is: the code, a message, and the gRPC status if there was one. */
export interface Classified {
  code: PodsErrorCode;
  message: string;
  grpcCode?: number;
}

/** Errors of the operating system when dialling. ENOTDIR: a parent of the socket is a file. */
const BY_ERRNO: Readonly<Record<string, PodsErrorCode>> = {
  ENOENT: "absent",
  ENOTDIR: "absent",
  ECONNREFUSED: "refused",
  EACCES: "not-permitted",
  EPERM: "not-permitted",
  ENAMETOOLONG: "invalid-path",
};

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
const BY_METHOD: Readonly<Record<string, Partial<Record<Code, PodsErrorCode>>>> = {
  GetPod: { [Code.NotFound]: "not-found", [Code.DeadlineExceeded]: "deadline" },
  ListPods: { [Code.DeadlineExceeded]: "deadline" },
  WatchPods: { [Code.ResourceExhausted]: "too-slow" },
};

/** Statuses that the gRPC library made on this side. Any other one is `unknown`. */
const BY_LOCAL_STATUS: Readonly<Partial<Record<Code, PodsErrorCode>>> = {
  [Code.Canceled]: "connection-lost", // aborts of ours never come here
  [Code.Aborted]: "connection-lost",
  [Code.Unavailable]: "connection-lost",
  [Code.Internal]: "connection-lost", // reset streams, missing trailers
  [Code.InvalidArgument]: "connection-lost", // an envelope that ends too early
  [Code.ResourceExhausted]: "too-large",
  [Code.DeadlineExceeded]: "deadline",
};

/** What connect makes of an HTTP status that is not 200, where what answers may still be a kubelet. */
const BY_HTTP_STATUS: Readonly<Partial<Record<Code, PodsErrorCode>>> = {
  [Code.Unimplemented]: "not-served", // 404: no such service
  [Code.Unavailable]: "server-error", // 429, 502, 503, 504
};

/**
 * Says what an error of the gRPC library or the operating system is. An error that came over the wire carries
 * `grpc-status` in its metadata, one made on this side does not: that tells the two apart, not the text.
 */
export function classify(error: unknown, context: ErrorContext = {}): Classified {
  if (!(error instanceof ConnectError)) return classifySystem(error);
  const message = describe(error);
  const grpcCode = error.code as number;
  if (error.metadata.has("grpc-status")) {
    const code = BY_METHOD[context.method ?? ""]?.[error.code] ?? BY_STATUS[error.code] ?? "server-error";
    return { code, message, grpcCode };
  }
  const system = classifySystem(error.cause);
  if (system.code !== "unknown") return system;
  return { code: localCode(error), message, grpcCode };
}

function localCode(error: ConnectError): PodsErrorCode {
  // Three of the library's own texts, since nothing else about these errors differs from the rest.
  if (error.rawMessage.startsWith("HTTP ")) return BY_HTTP_STATUS[error.code] ?? "wrong-peer";
  if (error.rawMessage.startsWith("unsupported content type")) return "wrong-peer";
  if (error.rawMessage.startsWith("parse binary")) return "corrupt";
  return BY_LOCAL_STATUS[error.code] ?? "unknown";
}

function classifySystem(error: unknown): Classified {
  if (!(error instanceof Error))
    return { code: "unknown", message: error === undefined ? "" : printable(String(error)) };
  const errno = (error as NodeJS.ErrnoException).code;
  const code =
    errno === undefined ? undefined : (BY_ERRNO[errno] ?? (isTransport(errno) ? "connection-lost" : undefined));
  return { code: code ?? "unknown", message: printable(error.message) };
}

/** Node's names for the ways in which a connection or a stream on it ends. */
function isTransport(errno: string): boolean {
  return errno.startsWith("ERR_HTTP2_") || ["ECONNRESET", "EPIPE", "EAGAIN", "EMFILE", "ENFILE"].includes(errno);
}

/** The status in words, and what the kubelet said about it. Its texts name UIDs at most. */
function describe(error: ConnectError): string {
  const status = Code[error.code] ?? String(error.code);
  return error.rawMessage === "" ? status : `${printable(error.rawMessage)} (${status})`;
}
