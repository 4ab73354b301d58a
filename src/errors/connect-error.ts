import type { PodsErrorCode } from "./error-code.js";
import { GRPC } from "./grpc-error.js";

/** An error of connect, as far as it is read here; the class itself would have to be loaded. */
export interface ConnectErrorLike extends Error {
  readonly code: number;
  readonly rawMessage: string;
  readonly metadata: Headers;
}

/** Returns whether something is an error of connect, of whatever copy of it. */
export function isConnectError(error: unknown): error is ConnectErrorLike {
  if (!(error instanceof Error) || error.name !== "ConnectError") return false;
  const { code, rawMessage, metadata } = error as Partial<ConnectErrorLike>;
  return typeof code === "number" && typeof rawMessage === "string" && metadata instanceof Headers;
}

/** Statuses that connect's own transports make on this side, too, and mean something else by. Any other one is the server's. */
const BY_LOCAL_STATUS: Readonly<Partial<Record<number, PodsErrorCode>>> = {
  [GRPC.unknown]: "unknown",
  [GRPC.canceled]: "connection-lost", // aborts of ours never come here
  [GRPC.aborted]: "connection-lost",
  [GRPC.unavailable]: "connection-lost",
  [GRPC.internal]: "connection-lost", // reset streams, missing trailers
  [GRPC.invalidArgument]: "connection-lost", // an envelope that ends too early
  [GRPC.deadlineExceeded]: "deadline",
  [GRPC.dataLoss]: "corrupt", // details of a status that are no protobuf
};

/** Errors of connect's that differ from the rest in nothing but their text, by how it begins. */
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
  ["http/2 ", "connection-lost"],
];

/** How connect says that a message is larger than its `readMaxBytes`: by the status with which servers say that they are asked too often. */
const TOO_LARGE = /^message .*is larger than configured/;

/**
 * Says what an error is that connect made on this side; undefined where it is the server's, or where only a server can have meant that
 * status. Over gRPC a server's has `grpc-status` in its metadata; over connect it has the answer's headers, but behind a stream, where it
 * may have none; a router in memory gives it none at all.
 */
export function localCode({ code, rawMessage, metadata }: ConnectErrorLike): PodsErrorCode | undefined {
  if (metadata.has("grpc-status")) return undefined;
  const byText = BY_LOCAL_TEXT.find(([prefix]) => rawMessage.startsWith(prefix))?.[1];
  if (byText !== undefined) return byText;
  if (code === GRPC.resourceExhausted && TOO_LARGE.test(rawMessage)) return "too-large";
  return metadata.has("content-type") ? undefined : BY_LOCAL_STATUS[code];
}
