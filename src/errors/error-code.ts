/**
 * Kind of failure, in errors, events, states and the output of the command.
 *
 * - `socket-missing`: there is no socket at the path.
 * - `connection-refused`: nothing listens on the socket, or the host of an HTTP source cannot be reached.
 * - `not-permitted`: this process may not connect, or the server denies the request.
 * - `not-a-socket`: the path is a regular file or a directory.
 * - `invalid-path`: the path cannot be used for a Unix socket, for example because it is too long.
 * - `wrong-peer`: the server on the socket does not speak gRPC.
 * - `connection-timeout`: the server accepts the connection and sends nothing.
 * - `connection-lost`: the connection was closed before the answer was complete.
 * - `initializing`: the kubelet has not read its pod sources yet.
 * - `rate-limited`: the kubelet's rate limit, which all its clients share, is exceeded.
 * - `dropped`: the kubelet dropped this watcher because it was too slow, or because the kubelet is shutting down.
 * - `stalled`: the kubelet keeps the connection open and no longer answers.
 * - `too-large`: an answer is larger than `maxMessageBytes`, or a watch has more pods than a node can have.
 * - `not-found`: the kubelet has no pod with that UID.
 * - `not-served`: the kubelet does not serve a version of the Pods API that this package knows.
 * - `corrupt`: the answer cannot be decoded.
 * - `server-error`: the kubelet answered with another error.
 * - `deadline`: no answer within `timeoutMs`, or within a shorter limit of a proxy, an interceptor or a source.
 * - `overloaded`: too many `waitFor` calls are pending.
 * - `storage`: files of a journal cannot be read or written.
 * - `closed`: the client was closed.
 * - `invalid-argument`: an argument is invalid. Nothing was sent.
 * - `unsupported-platform`: this operating system is not supported.
 * - `unknown`: none of these.
 */
export type PodsErrorCode =
  | "socket-missing"
  | "connection-refused"
  | "not-permitted"
  | "not-a-socket"
  | "invalid-path"
  | "wrong-peer"
  | "connection-timeout"
  | "connection-lost"
  | "initializing"
  | "rate-limited"
  | "dropped"
  | "stalled"
  | "too-large"
  | "not-found"
  | "not-served"
  | "corrupt"
  | "server-error"
  | "deadline"
  | "overloaded"
  | "storage"
  | "closed"
  | "invalid-argument"
  | "unsupported-platform"
  | "unknown";

/** Classes of failures, by the cost of a retry for the kubelet. The delays are in `calls/backoff`. */
export type BackoffClass =
  | "unreachable"
  | "transient"
  | "initializing"
  | "limited"
  | "crowded"
  | "slow"
  | "blocked"
  | "bug";

/** Classes of failures of a stream. Only unary calls can be `limited`. */
export type OutageClass = Exclude<BackoffClass, "limited">;

/** Facts that apply to all errors with a code. */
export interface CodeFacts {
  /** True if the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Default hint for the operator or the author of the agent. */
  readonly hint: string;
  /** Backoff class for retries of a unary call; undefined if the call is not retried. */
  readonly call?: BackoffClass;
  /**
   * Backoff class for the next stream of a watch.
   *
   * @default `transient`
   */
  readonly watch?: OutageClass;
  /**
   * Backoff class for the next stream after a second such failure within a minute. The first failure may be chance.
   *
   * @default `watch`
   */
  readonly watchAgain?: OutageClass;
  /**
   * True if the error ends a watch that has not synced yet, because a retry cannot fix it.
   *
   * @default false
   */
  readonly endsWatch?: boolean;
}

/** Hint if Node.js' permission model denies access. */
export const ACCESS_DENIED_HINT =
  "Node.js runs with --permission: add --allow-fs-read for the directory, and --allow-net if your Node.js has it";

export const CODES: Readonly<Record<PodsErrorCode, CodeFacts>> = {
  "socket-missing": {
    retryable: true,
    hint: "is the kubelet running with the feature gate PodsAPI (off by default in 1.36), and is its directory mounted here?",
    call: "unreachable",
    watch: "unreachable",
  },
  "connection-refused": {
    retryable: true,
    hint: "the kubelet is down, restarting, or runs without the feature gate PodsAPI; in a container mount the directory of the socket, not the file",
    call: "unreachable",
    watch: "unreachable",
  },
  "not-permitted": {
    retryable: false,
    hint: "run as root: the directory is 0750 root:root, and connecting needs write permission on the socket",
    watch: "blocked",
    endsWatch: true,
  },
  "not-a-socket": {
    retryable: false,
    hint: "a hostPath mount may have created a directory at this path: mount the directory of the socket, not the socket",
    watch: "blocked",
  },
  "invalid-path": { retryable: false, hint: "the path of a Unix socket has at most 107 bytes", endsWatch: true },
  "wrong-peer": {
    retryable: false,
    hint: "is this the socket of the kubelet's Pods API?",
    watch: "blocked",
    endsWatch: true,
  },
  "connection-timeout": { retryable: true, hint: "the kubelet may be frozen or overloaded", call: "transient" },
  "connection-lost": { retryable: true, hint: "", call: "transient" },
  initializing: {
    retryable: true,
    hint: "a kubelet that starts without the API server keeps initializing until it can reach it",
    call: "initializing",
    watch: "initializing",
  },
  "rate-limited": {
    retryable: true,
    hint: "all clients of the kubelet share 100 calls per second; from 1.38, new watches count, too",
    call: "limited",
    watch: "crowded",
  },
  dropped: {
    retryable: true,
    hint: "the kubelet is shutting down, or its buffer of 100 events for this watch was full (kubelet_pod_watch_events_dropped_total)",
    watchAgain: "slow",
  },
  stalled: { retryable: true, hint: "the kubelet may be frozen or overloaded" },
  "too-large": { retryable: false, hint: "raise maxMessageBytes", watchAgain: "bug" },
  "not-found": {
    retryable: false,
    hint: "for a mirror pod use its annotation kubernetes.io/config.hash, which is the UID of the static pod",
  },
  "not-served": {
    retryable: false,
    hint: "enable the feature gate PodsAPI of the kubelet (1.36 or later)",
    watch: "blocked",
    endsWatch: true,
  },
  corrupt: { retryable: false, hint: "" },
  "server-error": { retryable: true, hint: "", call: "transient" },
  deadline: { retryable: true, hint: "the kubelet may be frozen or overloaded, or timeoutMs is too short" },
  overloaded: {
    retryable: true,
    hint: "pass timeoutMs to waitFor, and check that the keys belong to pods of this node",
  },
  storage: { retryable: true, hint: "" },
  closed: { retryable: false, hint: "" },
  "invalid-argument": { retryable: false, hint: "" },
  "unsupported-platform": {
    retryable: false,
    hint: "kubelet-pods connects only to Unix sockets; on Windows nodes use the API server",
  },
  unknown: { retryable: false, hint: "" },
};

/** Returns the facts of a code. An error of another version of this package may have an unknown code. */
export function factsOf(code: PodsErrorCode): CodeFacts {
  return Object.hasOwn(CODES, code) ? CODES[code] : CODES.unknown;
}
