import { invalidArgument } from "./errors/pods-error.js";
import { socketCandidates } from "./wire/socket-path.js";

/** Options of a client. */
export interface ClientOptions {
  /**
   * Path of the kubelet's socket. Defaults to $KUBELET_PODS_SOCKET, else to `<rootDir>/pods-api/pods-api.sock`, else to
   * `<rootDir>/pods/kubelet.sock`; the first of the two that exists when the client connects.
   */
  socketPath?: string;
  /** The kubelet's `--root-dir`. Defaults to `/var/lib/kubelet`. Has no effect where the socket's path is given. */
  rootDir?: string;
  /**
   * How long `listPods` and `getPod` may take, in milliseconds. Defaults to 10,000. 0 or Infinity: no limit. Rounded up;
   * at most 99,999,999 (27 hours), which is what gRPC can carry. Has no effect on watches.
   */
  timeoutMs?: number;
  /**
   * The largest answer, and the largest single event, in bytes. Defaults to 64 MiB. A larger one is the error
   * `too-large`.
   */
  maxMessageBytes?: number;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs` for this call. */
  timeoutMs?: number | undefined;
}

/** What options are when they are not given, and what cannot be given. */
export const DEFAULTS: Readonly<Record<"timeoutMs" | "maxMessageBytes" | "handshakeTimeoutMs", number>> = {
  timeoutMs: 10_000,
  maxMessageBytes: 64 * 1024 * 1024,
  /** As long as gRPC clients commonly wait for a connection's first frame; a healthy kubelet takes milliseconds. */
  handshakeTimeoutMs: 5_000,
};

/** The largest timeout that a gRPC header can carry: eight digits of milliseconds. */
const MAX_TIMEOUT_MS = 99_999_999;

/** The most that protobuf can carry in one message. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

/** {@link ClientOptions} checked and complete. */
export interface ResolvedOptions {
  socketPaths: [string, ...string[]];
  timeoutMs: number | undefined;
  maxMessageBytes: number;
  handshakeTimeoutMs: number;
}

/** @throws PodsError `invalid-path` or `invalid-argument`, naming the option. */
export function resolveOptions(options: ClientOptions): ResolvedOptions {
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULTS.maxMessageBytes;
  if (!Number.isInteger(maxMessageBytes) || maxMessageBytes < 1 || maxMessageBytes > MAX_MESSAGE_BYTES) {
    throw invalidArgument(`maxMessageBytes: not a whole number from 1 to ${MAX_MESSAGE_BYTES}`);
  }
  return {
    socketPaths: socketCandidates(options),
    timeoutMs: resolveTimeoutMs(options.timeoutMs ?? DEFAULTS.timeoutMs),
    maxMessageBytes,
    handshakeTimeoutMs: DEFAULTS.handshakeTimeoutMs,
  };
}

/** What gRPC can carry of a timeout; undefined for none. @throws PodsError `invalid-argument` for NaN and below 0. */
export function resolveTimeoutMs(timeoutMs: number): number | undefined {
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw invalidArgument("timeoutMs: not a number of milliseconds", "0 or Infinity stand for no limit");
  }
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return Math.min(Math.ceil(timeoutMs), MAX_TIMEOUT_MS);
}
