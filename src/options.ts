import { invalidArgument } from "./errors/pods-error.js";
import { checkOptions, type OptionTypes } from "./option-checks.js";
import { type PodMask, resolveMask } from "./pod/mask.js";
import type { MaskInput } from "./pod/masked-pod.js";
import { type PodSelector, resolveSelector, type SelectorOptions } from "./pod/selector.js";
import type { PodSource } from "./sources/pod-source.js";
import { socketCandidates } from "./wire/socket-path.js";

/** Options of a client. */
export interface ClientOptions {
  /**
   * Path of the kubelet's socket. Defaults to $KUBELET_PODS_SOCKET, else to `<rootDir>/pods-api/pods-api.sock`, else to
   * `<rootDir>/pods/kubelet.sock`; the first of the two that exists when the client connects.
   */
  socketPath?: string | undefined;
  /** The kubelet's `--root-dir`. Defaults to `/var/lib/kubelet`. Has no effect where the socket's path is given. */
  rootDir?: string | undefined;
  /**
   * How long `listPods` and `getPod` may take over all their attempts, in milliseconds. Defaults to 10,000. 0 or Infinity: no limit. Rounded up;
   * at most 99,999,999 (27 hours), which is what gRPC can carry. Has no effect on watches.
   */
  timeoutMs?: number | undefined;
  /**
   * Try again after failures that may pass: no socket, a lost connection, an initializing kubelet, its rate limit. Within
   * `timeoutMs`, with pauses that grow. Defaults to true. Has no effect on watches.
   */
  retry?: boolean | undefined;
  /**
   * The largest answer, and the largest single event, in bytes. Defaults to 64 MiB. A larger one is the error
   * `too-large`.
   */
  maxMessageBytes?: number | undefined;
  /**
   * Where pods come from, best first: `[podsApi(), kubeletHttp({ url })]`. The best that works is taken, for each call and each
   * list of a watch anew. Defaults to the Pods API alone. With it `socketPath`, `rootDir` and `maxMessageBytes` are refused:
   * they are options of `podsApi`. The client closes them.
   */
  sources?: readonly PodSource[] | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs` for this call. */
  timeoutMs?: number | undefined;
  /** Overrides the client's `retry` for this call. */
  retry?: boolean | undefined;
}

/** What is asked for of each pod. */
export interface MaskOptions<P extends string = string> {
  /**
   * The fields that are wanted, as paths (`["metadata.name", "spec.containers.image"]`) or as a `PodMask`. Defaults to
   * whole pods. Other fields are neither decoded nor kept, and their types are not there; a watch tells a change only
   * where one of these fields has changed.
   */
  mask?: MaskInput<P> | undefined;
}

/** Which pods are asked for, and what of each. Selectors are applied on this side, also to fields that `mask` leaves out. */
export interface PodQuery<P extends string = string> extends MaskOptions<P>, SelectorOptions {}

/** Options of a watch or an informer. */
export interface WatchOptions<P extends string = string> extends PodQuery<P> {
  /** Ends the watch: the pending `next()` rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
  /**
   * Watch finished pods too, as long as their objects exist. Defaults to false. Of their removal kubelets tell nobody: it
   * is seen at the next resync.
   */
  includeFinished?: boolean | undefined;
  /**
   * How long a stream lasts at most before a new one brings a complete list, in milliseconds, plus or minus 20 %. Defaults
   * to 120,000. It bounds how long a change can stay untold that the kubelet sends no event for. At least 1,000: each
   * costs the kubelet a whole list. Watches that share a stream get the shortest that one of them asks for, from then on.
   */
  resyncIntervalMs?: number | undefined;
}

/** What options are when they are not given, and what cannot be given. */
export const DEFAULTS: Readonly<
  Record<"timeoutMs" | "maxMessageBytes" | "handshakeTimeoutMs" | "resyncIntervalMs", number>
> = {
  resyncIntervalMs: 120_000,
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
  retry: boolean;
  maxMessageBytes: number;
  handshakeTimeoutMs: number;
}

/** What each option must be, by `typeof`. */
const CLIENT_OPTIONS: OptionTypes<ClientOptions> = {
  socketPath: "string",
  rootDir: "string",
  timeoutMs: "number",
  retry: "boolean",
  maxMessageBytes: "number",
  sources: "sources",
};

/** Options of a unary call. */
export const CALL_OPTIONS: OptionTypes<CallOptions> = { signal: "signal", timeoutMs: "number", retry: "boolean" };

/** Options of a unary call that answers with one pod. */
export const GET_OPTIONS: OptionTypes<CallOptions & MaskOptions> = { ...CALL_OPTIONS, mask: "mask" };

const SELECTOR_OPTIONS: OptionTypes<SelectorOptions> = {
  namespace: "string",
  labelSelector: "string",
  fieldSelector: "string",
};

/** Options of a unary call that answers with pods. */
export const LIST_OPTIONS: OptionTypes<CallOptions & PodQuery> = { ...GET_OPTIONS, ...SELECTOR_OPTIONS };

/**
 * Checks a client's options and fills in what is left out.
 *
 * @param client the name of the client, for errors.
 * @param socketsOf finds the sockets to dial.
 *
 * @throws PodsError `invalid-path` or `invalid-argument`, naming the option.
 */
export function resolveOptions(
  options: ClientOptions,
  client = "PodsClient",
  socketsOf: (options: ClientOptions) => [string, ...string[]] = socketCandidates,
): ResolvedOptions {
  checkOptions(options, CLIENT_OPTIONS, client);
  const maxMessageBytes = options.maxMessageBytes ?? DEFAULTS.maxMessageBytes;
  if (!Number.isInteger(maxMessageBytes) || maxMessageBytes < 1 || maxMessageBytes > MAX_MESSAGE_BYTES) {
    throw invalidArgument(`maxMessageBytes: not a whole number from 1 to ${MAX_MESSAGE_BYTES}`);
  }
  return {
    socketPaths: socketsOf(options),
    timeoutMs: resolveTimeoutMs(options.timeoutMs ?? DEFAULTS.timeoutMs),
    retry: options.retry ?? true,
    maxMessageBytes,
    handshakeTimeoutMs: DEFAULTS.handshakeTimeoutMs,
  };
}

/** Options of a unary call that answers with how pods stand. */
export const LIST_CONDITIONS_OPTIONS: OptionTypes<CallOptions & SelectorOptions> = {
  ...CALL_OPTIONS,
  ...SELECTOR_OPTIONS,
};

/** Options of a watch that decides itself what it reads of a pod. */
export const WATCH_CONDITIONS_OPTIONS: OptionTypes<Omit<WatchOptions, "mask">> = {
  ...SELECTOR_OPTIONS,
  signal: "signal",
  includeFinished: "boolean",
  resyncIntervalMs: "number",
};

const WATCH_OPTIONS: OptionTypes<WatchOptions> = { mask: "mask", ...WATCH_CONDITIONS_OPTIONS };

/** The shortest time between complete lists. */
const MIN_RESYNC_MS = 1_000;

/** {@link WatchOptions} checked and complete. @throws PodsError `invalid-argument`, naming the option. */
export function resolveWatchOptions<P extends string>(
  options: WatchOptions<P>,
  where: string,
  types: Partial<OptionTypes<WatchOptions>> = WATCH_OPTIONS,
): {
  signal: AbortSignal | undefined;
  includeFinished: boolean;
  resyncIntervalMs: number;
  mask: PodMask | undefined;
  selector: PodSelector | undefined;
} {
  checkOptions(options, types as OptionTypes<WatchOptions>, where);
  const { signal, includeFinished = false, resyncIntervalMs = DEFAULTS.resyncIntervalMs } = options;
  if (!(resyncIntervalMs >= MIN_RESYNC_MS)) {
    throw invalidArgument(`${where}: resyncIntervalMs must be at least ${MIN_RESYNC_MS}`);
  }
  const selector = resolveSelector(options);
  if (selector?.wantsFinished && !includeFinished) {
    throw invalidArgument(
      `${where}: fieldSelector asks for finished pods, which are not watched`,
      "includeFinished: true watches them too",
    );
  }
  return { signal, includeFinished, resyncIntervalMs, mask: resolveMask(options.mask, where), selector };
}

/** What gRPC can carry of a timeout; undefined for none. @throws PodsError `invalid-argument` for NaN and below 0. */
export function resolveTimeoutMs(timeoutMs: number): number | undefined {
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw invalidArgument("timeoutMs: not a number of milliseconds", "0 or Infinity stand for no limit");
  }
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return Math.min(Math.ceil(timeoutMs), MAX_TIMEOUT_MS);
}
