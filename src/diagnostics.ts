import { type Channel, channel, type TracingChannel, tracingChannel } from "node:diagnostics_channel";
import { debuglog } from "node:util";
import type { PodsErrorCode } from "./errors/error-code.js";
import type { PodsError } from "./errors/pods-error.js";

/**
 * Message of the tracing channel `kubelet-pods:call` for a unary call: `start`, then `asyncEnd` after all its attempts, and `error` if it
 * fails. All of them get the same object. Unknown values are undefined.
 */
export interface CallMessage {
  /** `ListPods` or `GetPod`. */
  method: string;
  /** The socket that is asked. */
  socketPath: string;
  /** The version of the API that was spoken. */
  apiVersion: string | undefined;
  /** How often the call was tried so far. */
  attempts: number;
  /** How long the call may take over all its attempts; undefined for no limit. */
  timeoutMs: number | undefined;
  /** How long it took over all its attempts; undefined until it has ended. */
  durationMs: number | undefined;
  /** The error that the call ends with: a {@link PodsError}, or the reason of the caller's signal. */
  error?: unknown;
}

/** The message of `kubelet-pods:retry`: a unary call will be tried again. */
export interface RetryMessage {
  /** `ListPods` or `GetPod`. */
  method: string;
  /** The socket that is asked. */
  socketPath: string;
  /** The attempt that failed, from 1. */
  attempt: number;
  /** The error of that attempt. */
  error: PodsError;
  /** The delay before the next attempt; shorter if the socket changes before. */
  delayMs: number;
}

/** The message of `kubelet-pods:connection`. */
export interface ConnectionMessage {
  /**
   * - `connected`: the peer has spoken HTTP/2.
   * - `failed`: a dial failed; `error` says how.
   * - `goaway`: the peer accepts no new streams on this connection.
   * - `replaced`: there is another socket at the path; the next call uses it, and open streams stay on the old one.
   * - `closed`: an open connection has ended.
   * - `polling`: directories cannot be watched here, so the client tries a missing socket every second. Published once.
   */
  type: "connected" | "failed" | "goaway" | "replaced" | "closed" | "polling";
  /** The socket that it leads to. */
  socketPath: string;
  /** The error of `failed`, and of `closed` if the connection did not end normally. */
  error?: PodsError | undefined;
}

/** The message of `kubelet-pods:watch` about the one stream behind a client's watches and informers. */
export type WatchMessage = WatchNews & { socketPath: string };

/** {@link WatchMessage} without its socket. */
export type WatchNews =
  /** A stream is opened, the first or another. */
  | { type: "opening" }
  /** A list is complete: it has `pods` pods and brought `changes` changes; `unconfirmed` pods are missing from it. */
  | { type: "synced"; pods: number; changes: number; unconfirmed: number }
  /** The stream is lost, or could not be opened; the next one comes in `delayMs`, or when the socket changes. */
  | { type: "lost"; error: PodsError; delayMs: number }
  /** A message cannot be read, or has an unknown type; `count` is how many there were so far. */
  | { type: "malformed"; count: number };

/** Messages of the diagnostics channels, by the names of the channels. */
export interface DiagnosticMessages {
  /** A unary call: `tracing:kubelet-pods:call:start`, `…:asyncEnd` and `…:error`. */
  "kubelet-pods:call": CallMessage;
  /** A unary call will be tried again. */
  "kubelet-pods:retry": RetryMessage;
  /** A connection to a kubelet was opened, failed or closed. */
  "kubelet-pods:connection": ConnectionMessage;
  /** The stream behind a client's watches and informers was opened, synced or lost. */
  "kubelet-pods:watch": WatchMessage;
}

const PREFIX = "kubelet-pods";

/** Unary calls. */
export const callChannel: TracingChannel<CallMessage, CallMessage> = tracingChannel<CallMessage, CallMessage>(
  `${PREFIX}:call`,
);

/** Returns true if the channel of calls has a subscriber: tracing a call costs several promises. */
export function isTraced(): boolean {
  const { start, end, asyncStart, asyncEnd, error } = callChannel;
  return [start, end, asyncStart, asyncEnd, error].some(({ hasSubscribers }) => hasSubscribers);
}

/** Repeated attempts of unary calls. */
export const retryChannel: Channel = channel(`${PREFIX}:retry`);

/** Openings, lists and losses of the stream behind watches and informers. */
export const watchChannel: Channel = channel(`${PREFIX}:watch`);

/** Connections that are made, fail, drain or end. */
export const connectionChannel: Channel = channel(`${PREFIX}:connection`);

const log = debuglog(PREFIX);

if (log.enabled) {
  const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const codeOf = (error: PodsError | undefined): PodsErrorCode | "" => error?.code ?? "";
  callChannel.subscribe({
    start: () => {},
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (message) => {
      const { method, attempts, socketPath, apiVersion, error } = message as CallMessage;
      const outcome = error === undefined ? "ok" : reason(error);
      log("%s %s (%s, %d attempts): %s", method, socketPath, apiVersion ?? "-", attempts, outcome);
    },
    error: () => {},
  });
  retryChannel.subscribe((message) => {
    const { method, socketPath, attempt, error, delayMs } = message as RetryMessage;
    log("%s %s attempt %d: %s, again in %d ms", method, socketPath, attempt, error.code, Math.round(delayMs));
  });
  watchChannel.subscribe((message) => {
    const { type, socketPath, ...rest } = message as WatchMessage;
    const error = "error" in rest ? rest.error.code : "";
    const pods = "pods" in rest ? `${rest.pods} pods, ${rest.changes} changes, ${rest.unconfirmed} unconfirmed` : "";
    log("watch %s %s %s%s", type, socketPath, error, pods);
  });
  connectionChannel.subscribe((message) => {
    const { type, socketPath, error } = message as ConnectionMessage;
    log("connection %s %s %s", type, socketPath, codeOf(error));
  });
}
