/**
 * The kind of a failure; the same words in errors, events, states and the command.
 *
 * - `socket-missing`: there is no socket at the path.
 * - `connection-refused`: nobody listens on the socket, or the host of an HTTP source cannot be reached.
 * - `not-permitted`: this process may not connect, or the peer refuses the request to it.
 * - `not-a-socket`: the path is a regular file or a directory.
 * - `invalid-path`: the path cannot be a socket's path.
 * - `wrong-peer`: what listens on the socket does not speak gRPC.
 * - `connection-timeout`: the peer accepts the connection, and sends nothing.
 * - `connection-lost`: the connection ended before the answer did.
 * - `initializing`: the kubelet has not read its pod sources yet.
 * - `rate-limited`: the kubelet's limit, shared by all its clients, is used up.
 * - `dropped`: the kubelet dropped this watcher because it fell behind, or because the kubelet shuts down.
 * - `stalled`: the kubelet keeps the connection and no longer answers on it.
 * - `too-large`: an answer is larger than `maxMessageBytes`, or a watch has more pods than any node.
 * - `not-found`: the kubelet has no pod with that UID.
 * - `not-served`: the kubelet does not serve the Pods API in a version that this package knows.
 * - `corrupt`: the answer cannot be decoded.
 * - `server-error`: the kubelet answered with an error of its own.
 * - `deadline`: `timeoutMs` passed first.
 * - `overloaded`: too many calls wait for pods that are not known.
 * - `closed`: the client was closed.
 * - `invalid-argument`: an argument cannot be used; nothing was sent.
 * - `unsupported-platform`: this operating system has no such socket.
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
  | "closed"
  | "invalid-argument"
  | "unsupported-platform"
  | "unknown";

/** The classes of failures, by what a retry costs the kubelet. The delays are in `calls/backoff`. */
export type BackoffClass = "unreachable" | "transient" | "initializing" | "limited" | "slow" | "blocked" | "bug";

/** The classes of failures of a stream. Only unary calls can be `limited`. */
export type OutageClass = Exclude<BackoffClass, "limited">;

/** Facts that all errors of a code have in common. */
export interface CodeFacts {
  /** True if the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The advice for the operator or the author of the agent, for any error with this code. */
  readonly hint: string;
  /** How a unary call is tried again; undefined if the error is final. */
  readonly call?: BackoffClass;
  /**
   * How a watch opens its next stream.
   *
   * @default `transient`
   */
  readonly watch?: OutageClass;
  /**
   * The same for the second such failure within a minute: the first may be chance.
   *
   * @default `watch`
   */
  readonly watchAgain?: OutageClass;
  /**
   * True if it ends a watch that has told nothing yet, because no retry mends it.
   *
   * @default false
   */
  readonly endsWatch?: boolean;
}

/** The advice if Node.js' permission model denies the access. */
export const ACCESS_DENIED_HINT =
  "Node.js runs with --permission: allow it --allow-fs-read of the directory, and --allow-net where Node.js has it";

/** The facts of every code. */
export const CODES: Readonly<Record<PodsErrorCode, CodeFacts>> = {
  "socket-missing": {
    retryable: true,
    hint: "is the kubelet up, with the feature gate PodsAPI (off by default in 1.36), and its directory mounted here?",
    call: "unreachable",
    watch: "unreachable",
  },
  "connection-refused": {
    retryable: true,
    hint: "the kubelet is down, restarting, or runs without the feature gate PodsAPI; in a container mount the socket's directory, never the file",
    call: "unreachable",
    watch: "unreachable",
  },
  "not-permitted": {
    retryable: false,
    hint: "run as uid 0, which the kubelet's directory wants (0750 root:root); connecting needs the write bit of the socket",
    watch: "blocked",
    endsWatch: true,
  },
  "not-a-socket": {
    retryable: false,
    hint: "a hostPath mount may have created it before the kubelet did: mount the directory, not the socket",
    watch: "blocked",
  },
  "invalid-path": { retryable: false, hint: "a Unix socket's path has at most 107 bytes", endsWatch: true },
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
    hint: "a kubelet started while the API server is away stays so until it returns",
    call: "initializing",
    watch: "initializing",
  },
  "rate-limited": { retryable: true, hint: "all clients of the kubelet share 100 calls per second", call: "limited" },
  dropped: {
    retryable: true,
    hint: "it shuts down, or its buffer of 100 events for this watcher was full (kubelet_pod_watch_events_dropped_total)",
    watchAgain: "slow",
  },
  stalled: { retryable: true, hint: "the kubelet may be frozen or overloaded" },
  "too-large": { retryable: false, hint: "raise maxMessageBytes", watchAgain: "bug" },
  "not-found": {
    retryable: false,
    hint: "a mirror pod's UID is unknown to the kubelet: its annotation kubernetes.io/config.hash is the static pod's UID",
  },
  "not-served": {
    retryable: false,
    hint: "turn on the kubelet's feature gate PodsAPI (1.36 or later)",
    watch: "blocked",
    endsWatch: true,
  },
  corrupt: { retryable: false, hint: "" },
  "server-error": { retryable: true, hint: "", call: "transient" },
  deadline: { retryable: true, hint: "the kubelet may be frozen or overloaded, or `timeoutMs` too short" },
  overloaded: { retryable: true, hint: "are there keys that can mean no pod of this node? give each wait a timeoutMs" },
  closed: { retryable: false, hint: "" },
  "invalid-argument": { retryable: false, hint: "" },
  "unsupported-platform": {
    retryable: false,
    hint: "this package dials Unix sockets alone; agents of Windows nodes ask the API server",
  },
  unknown: { retryable: false, hint: "" },
};

/** Returns the facts of a code. An error of another version of this package may have an unknown code. */
export function factsOf(code: PodsErrorCode): CodeFacts {
  return Object.hasOwn(CODES, code) ? CODES[code] : CODES.unknown;
}
