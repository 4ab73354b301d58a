import type { PodsErrorCode } from "./error-code.js";
import { GRPC } from "./grpc-error.js";

/** The properties of Connect's error that this package reads. The class itself is not loaded. */
export interface ConnectErrorLike extends Error {
  readonly code: number;
  readonly rawMessage: string;
  readonly metadata: Headers;
}

/** Returns true if a value is an error of Connect, from any copy of Connect. */
export function isConnectError(error: unknown): error is ConnectErrorLike {
  if (!(error instanceof Error) || error.name !== "ConnectError") return false;
  const { code, rawMessage, metadata } = error as Partial<ConnectErrorLike>;
  return typeof code === "number" && typeof rawMessage === "string" && metadata instanceof Headers;
}

/** Statuses that Connect's transports also create on this side, with another meaning. All others come from the server. */
const BY_LOCAL_STATUS: Readonly<Partial<Record<number, PodsErrorCode>>> = {
  [GRPC.unknown]: "unknown",
  [GRPC.canceled]: "connection-lost", // our own aborts never get here
  [GRPC.aborted]: "connection-lost",
  [GRPC.unavailable]: "connection-lost",
  [GRPC.internal]: "connection-lost", // reset streams, missing trailers
  [GRPC.invalidArgument]: "connection-lost", // an envelope that ends too early
  [GRPC.deadlineExceeded]: "deadline",
  [GRPC.dataLoss]: "corrupt", // details of a status that cannot be decoded
};

/** Errors of Connect that can only be recognised by the start of their text. */
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

/** Connect's message for an answer larger than `readMaxBytes`. Servers use the same status for a rate limit. */
const TOO_LARGE = /^message .*is larger than configured/;

/**
 * Returns the code of an error that Connect created on this side. Undefined if a server sent it, or if only a server can send its status.
 * Over gRPC, the metadata of a server's error contains `grpc-status`. Over the Connect protocol, it contains the headers of the answer,
 * except at the end of a stream, where it may be empty. With an in-memory router it is empty.
 */
export function localCode({ code, rawMessage, metadata }: ConnectErrorLike): PodsErrorCode | undefined {
  if (metadata.has("grpc-status")) return undefined;
  const byText = BY_LOCAL_TEXT.find(([prefix]) => rawMessage.startsWith(prefix))?.[1];
  if (byText !== undefined) return byText;
  if (code === GRPC.resourceExhausted && TOO_LARGE.test(rawMessage)) return "too-large";
  return metadata.has("content-type") ? undefined : BY_LOCAL_STATUS[code];
}
