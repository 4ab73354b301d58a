import { printable } from "../printable.js";
import { isConnectError, localCode } from "./connect-error.js";
import { ACCESS_DENIED_HINT, type PodsErrorCode } from "./error-code.js";
import { GRPC, GrpcError, statusName } from "./grpc-error.js";

/** Facts for {@link classify} that the error itself does not contain. */
export interface ErrorContext {
  /** Called method: `ListPods`, `GetPod` or `WatchPods`; for podresources `List`, `Get` and so on. */
  method?: string | undefined;
  socketPath?: string | undefined;
}

export interface Classified {
  code: PodsErrorCode;
  message: string;
  grpcCode?: number;
  /** Hint that replaces the default hint of the code. */
  hint?: string;
}

/** Error codes by errno of a dial. ENOTDIR: a parent of the socket is a file. ELOOP: symbolic links form a loop. */
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

/** Error codes by status, for statuses that the kubelet sent. All others are `server-error`. */
const BY_STATUS: Readonly<Partial<Record<number, PodsErrorCode>>> = {
  [GRPC.failedPrecondition]: "initializing",
  [GRPC.unimplemented]: "not-served",
  [GRPC.permissionDenied]: "not-permitted",
  [GRPC.unauthenticated]: "not-permitted",
  [GRPC.unavailable]: "connection-lost",
  [GRPC.resourceExhausted]: "rate-limited",
};

/** Text of a refusal by the kubelet's rate limiter (pkg/kubelet/apis/grpc/ratelimit.go). From 1.38 it limits WatchPods, too. */
const RATE_LIMIT = /rate limit/i;

/** Statuses that have a special meaning for one method. */
const BY_METHOD: ReadonlyMap<string | undefined, Partial<Record<number, PodsErrorCode>>> = new Map<
  string | undefined,
  Partial<Record<number, PodsErrorCode>>
>([
  // For an unknown method: only GetPod returns NotFound.
  [undefined, { [GRPC.notFound]: "not-found", [GRPC.deadlineExceeded]: "deadline" }],
  ["GetPod", { [GRPC.notFound]: "not-found", [GRPC.deadlineExceeded]: "deadline" }],
  ["ListPods", { [GRPC.deadlineExceeded]: "deadline" }],
  ["WatchPods", { [GRPC.resourceExhausted]: "dropped" }],
  ["List", { [GRPC.deadlineExceeded]: "deadline" }],
  ["Get", { [GRPC.deadlineExceeded]: "deadline" }],
  ["GetAllocatableResources", { [GRPC.deadlineExceeded]: "deadline" }],
]);

/**
 * Errors of the podresources API, by method and text because their status is always Unknown: the pod is not active
 * (pkg/kubelet/apis/podresources/server_v1.go), or the method is disabled (kubelets before 1.34).
 */
const BY_TEXT: readonly [method: string, text: RegExp, code: PodsErrorCode][] = [
  ["Get", /^pod [\s\S]* not found$/, "not-found"],
  ["Get", / disabled$/, "not-served"],
  ["GetAllocatableResources", / disabled$/, "not-served"],
];

/** Returns the code and the message for an error of gRPC, of Connect or of the operating system. */
export function classify(error: unknown, context: ErrorContext = {}): Classified {
  if (error instanceof GrpcError) {
    const { status, message, code = codeOfStatus(status, message, context.method) } = error;
    return described(code, status, message, error.code === "connection-lost" ? context : undefined);
  }
  if (!isConnectError(error)) return classifySystem(error);
  const { code: status, rawMessage: message } = error;
  const local = localCode(error);
  if (local === undefined) return described(codeOfStatus(status, message, context.method), status, message);
  const system = classifySystem(error.cause);
  const code = system.code === "unknown" ? local : system.code;
  const found = described(code, status, message, code === "connection-lost" ? context : undefined);
  return code === "connection-lost" || system.hint === undefined ? found : { hint: system.hint, ...found };
}

/**
 * Returns the code, and a message with the status and the server's text, which contains no pod content but UIDs. `lost` is given for a lost
 * connection.
 */
function described(code: PodsErrorCode, status: number, text: string, lost?: ErrorContext): Classified {
  const words = text === "" ? statusName(status) : `${printable(text.trim())} (${statusName(status)})`;
  const to = lost?.socketPath === undefined ? "" : ` to ${lost.socketPath}`;
  return { code, message: lost === undefined ? words : `the connection${to} was lost: ${words}`, grpcCode: status };
}

function codeOfStatus(status: number, text: string, method: string | undefined): PodsErrorCode {
  if (status === GRPC.resourceExhausted && RATE_LIMIT.test(text)) return "rate-limited";
  const special = BY_METHOD.get(method)?.[status] ?? BY_STATUS[status];
  return special ?? (status === GRPC.unknown ? codeOfText(method, text) : undefined) ?? "server-error";
}

function codeOfText(method: string | undefined, message: string): PodsErrorCode | undefined {
  return BY_TEXT.find(([only, text]) => only === method && text.test(message))?.[2];
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

/** Returns true if this error code of Node.js counts as a lost connection. */
function isTransport(errno: string): boolean {
  return errno.startsWith("ERR_HTTP2_") || ["ECONNRESET", "EPIPE", "EAGAIN", "EMFILE", "ENFILE"].includes(errno);
}

/** Returns true if the peer refused the stream before it processed the request. */
export function isRefusedStream({ cause }: Error): boolean {
  if (cause instanceof GrpcError) return cause.isUnprocessed;
  return isConnectError(cause) && cause.rawMessage.endsWith("NGHTTP2_REFUSED_STREAM");
}

/**
 * Returns the delay that the server requests with `grpc-retry-pushback-ms` (gRPC's retry design), in milliseconds, or `never` if it wants
 * no retry. An unreadable value means `never`. Undefined if the error has no such metadata.
 */
export function pushbackMs({ cause }: Error): number | "never" | undefined {
  const connect = isConnectError(cause) ? (cause.metadata.get("grpc-retry-pushback-ms") ?? undefined) : undefined;
  const value = cause instanceof GrpcError ? cause.pushback : connect;
  if (value === undefined) return undefined;
  return /^\d{1,10}$/.test(value) ? Number(value) : "never";
}
