import { type Channel, channel, type TracingChannel, tracingChannel } from "node:diagnostics_channel";
import { debuglog } from "node:util";
import type { PodsErrorCode } from "./errors/error-code.js";
import type { PodsError } from "./errors/pods-error.js";

/**
 * Message of the tracing channel `kubelet-pods:call` for a unary call: `start`, then `asyncEnd` after all its attempts, and `error` if it
 * fails. All of them receive the same object. Unknown values are undefined.
 */
export interface CallMessage {
  /** `ListPods` or `GetPod`. */
  method: string;
  /** Path of the socket, or the name of another source. */
  socketPath: string;
  /** Version of the API in use. */
  apiVersion: string | undefined;
  /** Number of attempts so far. */
  attempts: number;
  /** Time limit of the call over all attempts, in milliseconds; undefined for no limit. */
  timeoutMs: number | undefined;
  /** Duration over all attempts, in milliseconds; undefined until the call has ended. */
  durationMs: number | undefined;
  /** The error that the call ends with: a {@link PodsError}, or the reason of the caller's signal. */
  error?: unknown;
}

/** Message of `kubelet-pods:retry`: a unary call will be retried. */
export interface RetryMessage {
  /** `ListPods` or `GetPod`. */
  method: string;
  /** Path of the socket, or the name of another source. */
  socketPath: string;
  /** Number of the failed attempt, from 1. */
  attempt: number;
  /** Error of that attempt. */
  error: PodsError;
  /** Delay before the next attempt, in milliseconds. A change of the socket may end it early. */
  delayMs: number;
}

/** Message of `kubelet-pods:connection`. */
export interface ConnectionMessage {
  /**
   * - `connected`: a connection is established; the peer has sent its first HTTP/2 frame.
   * - `failed`: a dial failed; `error` has the reason.
   * - `goaway`: the peer accepts no new streams on this connection.
   * - `replaced`: another socket has replaced the one at the path. The next call uses it; open streams stay on the old connection.
   * - `closed`: an established connection was closed.
   * - `polling`: directories cannot be watched, so the client retries a missing socket every second. Published once.
   */
  type: "connected" | "failed" | "goaway" | "replaced" | "closed" | "polling";
  /** Path of the socket. */
  socketPath: string;
  /** Error of `failed`, and of `closed` if the connection did not end normally. */
  error?: PodsError | undefined;
}

/** Message of `kubelet-pods:watch` about the one stream behind a client's watches and informers. */
export type WatchMessage = WatchNews & { socketPath: string };

/** {@link WatchMessage} without its socket. */
export type WatchNews =
  /** A stream is being opened, for the first time or again. */
  | { type: "opening" }
  /** A list is complete: it contains `pods` pods and `changes` changes. `unconfirmed` known pods are missing from it. */
  | { type: "synced"; pods: number; changes: number; unconfirmed: number }
  /** The stream was lost, or could not be opened. The next one is opened after `delayMs`, or when the socket changes. */
  | { type: "lost"; error: PodsError; delayMs: number }
  /** Two lists had news of running pods, and the stream sent no event since the first one. It is replaced. */
  | { type: "wedged" }
  /** A message could not be decoded, or has an unknown type. `count` is the number of such messages so far. */
  | { type: "malformed"; count: number };

/** Messages of the diagnostics channels, by the names of the channels. */
export interface DiagnosticMessages {
  /** A unary call: `tracing:kubelet-pods:call:start`, `…:asyncEnd` and `…:error`. */
  "kubelet-pods:call": CallMessage;
  /** A unary call will be retried. */
  "kubelet-pods:retry": RetryMessage;
  /** A connection to a kubelet was opened, failed or closed. */
  "kubelet-pods:connection": ConnectionMessage;
  /** The stream behind a client's watches and informers was opened, synced or lost. */
  "kubelet-pods:watch": WatchMessage;
}

const CHANNEL_PREFIX = "kubelet-pods";

/** Unary calls. */
export const callChannel: TracingChannel<CallMessage, CallMessage> = tracingChannel<CallMessage, CallMessage>(
  `${CHANNEL_PREFIX}:call`,
);

/** Returns true if the call channel has a subscriber. Without one, calls are not traced, because tracing costs several promises. */
export function isTraced(): boolean {
  const { start, end, asyncStart, asyncEnd, error } = callChannel;
  return [start, end, asyncStart, asyncEnd, error].some(({ hasSubscribers }) => hasSubscribers);
}

/** Retries of unary calls. */
export const retryChannel: Channel = channel(`${CHANNEL_PREFIX}:retry`);

/** Openings, lists and losses of the stream behind watches and informers. */
export const watchChannel: Channel = channel(`${CHANNEL_PREFIX}:watch`);

/** Connections that are made, fail, drain or end. */
export const connectionChannel: Channel = channel(`${CHANNEL_PREFIX}:connection`);

const log = debuglog(CHANNEL_PREFIX);

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
