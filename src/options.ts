import type { CallOptions } from "./calls/caller.js";
import { invalidArgument } from "./errors/pods-error.js";
import { type OptionRows, type OptionTypes, type Resolved, resolve, resolveTimeoutMs } from "./option-checks.js";
import { type PodMask, resolveMask } from "./pod/mask.js";
import type { MaskInput } from "./pod/masked-pod.js";
import { type PodSelector, resolveSelector, type SelectorOptions } from "./pod/selector.js";
import { printable } from "./printable.js";
import type { ListTrust, PodSource } from "./sources/pod-source.js";
import { socketCandidates } from "./wire/socket-path.js";

/** Options of a client. */
export interface ClientOptions {
  /**
   * Path of the kubelet's socket, or its URL: `unix:///run/pods.sock`. The environment variable $KUBELET_PODS_SOCKET has the same effect.
   *
   * @default `<rootDir>/pods-api/pods-api.sock` or `<rootDir>/pods/kubelet.sock`, whichever exists when the client connects
   */
  socketPath?: string | undefined;
  /**
   * The kubelet's `--root-dir`. Has no effect if the socket's path is given.
   *
   * @default "/var/lib/kubelet"
   */
  rootDir?: string | undefined;
  /**
   * Time limit of a call such as `listPods`, over all its attempts, in milliseconds. 0 and Infinity mean no limit. The value is rounded up
   * to whole milliseconds, and limited to 99,999,999 (27 hours), the maximum of gRPC. Has no effect on watches.
   *
   * @default 10_000
   */
  timeoutMs?: number | undefined;
  /**
   * Whether the client retries a call after a temporary failure: no socket, a lost connection, an initializing kubelet, its rate limit. It
   * retries with exponential backoff, within `timeoutMs`. Has no effect on watches, which always reconnect.
   *
   * @default true
   */
  retry?: boolean | undefined;
  /**
   * Version of the kubelet, such as "1.36" or "v1.37.1". For this node's socket, the environment variable $KUBELET_PODS_KUBELET_VERSION has
   * the same effect.
   *
   * By contract a list contains all pods of the node, and the client relies on that. But right after its start a 1.36 kubelet lists only
   * the pods that it has read so far. With "1.36", `listPods` and SYNCED wait until two lists with API pods, two seconds apart, agree. On a
   * node without API pods they wait for ever. With "1.37" or later, one list proves that a pod is absent. Without this option, only {@link
   * PodInformer.confirmAbsent} waits for two lists.
   *
   * @default unknown
   */
  kubeletVersion?: string | undefined;
  /**
   * Maximum size of an answer, and of a single event, in bytes. A larger one fails with `too-large`.
   *
   * @default 67_108_864 (64 MiB)
   */
  maxMessageBytes?: number | undefined;
  /**
   * Sources of pods, in order of preference: `[podsApi(), kubeletHttp({ url })]`. Each call, and each list of a watch, uses the first source
   * that works. The client closes them. Cannot be combined with `socketPath`, `rootDir`, `kubeletVersion` and `maxMessageBytes`: pass these
   * to `podsApi()`, or `kubeletVersion` to `connectSource()`.
   *
   * @default only the Pods API
   */
  sources?: readonly PodSource[] | undefined;
  /**
   * Connect transport to use instead of the kubelet's socket: gRPC, gRPC-web or the Connect protocol, to another node or to an in-memory
   * router, with interceptors. The client loads `@connectrpc/connect` on first use. It does not close the transport. Cannot be combined with
   * `sources`, `socketPath`, `rootDir` and `maxMessageBytes`.
   *
   * @default the client's own gRPC over the kubelet's socket
   */
  transport?: TransportLike | undefined;
}

/** A Connect transport. Declares only what the client checks, so that programs do not need the types of Connect. */
interface TransportLike {
  /** Calls a unary method. */
  unary(...args: never[]): Promise<unknown>;
  /** Calls a streaming method. */
  stream(...args: never[]): Promise<unknown>;
}

/** Option that selects fields of pods. */
export interface MaskOptions<P extends string = string> {
  /**
   * Fields to return, as paths (`["metadata.name", "spec.containers.image"]`) or as a `PodMask`. Other fields are not decoded, and using
   * them is a compile error. A watch emits a change only if one of these fields has changed.
   *
   * Pass the paths as an inline array, so that the compiler knows them. For paths that are only known at run time, use
   * `podMask(...paths)`; for a string, `podMask.parse(text)`.
   *
   * @default whole pods
   */
  mask?: MaskInput<P> | undefined;
}

/** Pods to return, and their fields. The client applies selectors, even to fields outside the mask. */
export interface PodQuery<P extends string = string> extends MaskOptions<P>, SelectorOptions {}

/** Options of {@link PodsClient.listPods}. */
export interface ListOptions<P extends string = string> extends CallOptions, PodQuery<P> {
  /**
   * Called for each pod that cannot be decoded, with its UID, or with an empty string if the UID cannot be decoded either. The other pods
   * are returned. The unreadable pod need not match the selector.
   *
   * @default the call rejects with `corrupt`
   */
  onUnreadable?: ((uid: string) => void) | undefined;
}

/** Options of a watch or an informer. */
export interface WatchOptions<P extends string = string> extends PodQuery<P> {
  /** Ends the watch. The pending `next()` rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Whether to include finished pods while their objects exist. The kubelet sends no event when the object of a finished pod is deleted: the
   * watch emits DELETED after the next list, at the latest at the next resync.
   *
   * @default false
   */
  includeFinished?: boolean | undefined;
  /**
   * Maximum time between complete lists, in milliseconds, plus or minus 20 %. It limits the delay of changes for which the kubelet sends no
   * event. From 1,000, because each list costs the kubelet work, to 3,600,000. Watches that share a stream use the shortest of their intervals.
   *
   * @default 120_000
   */
  resyncIntervalMs?: number | undefined;
}

/** Options of `PodsClient.informer`. */
export interface InformerOptions<P extends string = string> extends WatchOptions<P> {
  /**
   * Time for which `find` and `waitFor` still find deleted pods, their names and addresses, and ended containers, in milliseconds. 120,000
   * is enough for late log lines and packets.
   *
   * @default 0: nothing is retained
   */
  retainMs?: number | undefined;
  /**
   * Maximum number of retained ends of pods, addresses and containers; the latest are retained. At most 100,000. Has no effect without
   * `retainMs`.
   *
   * @default 1_000
   */
  maxRetained?: number | undefined;
}

/** The largest message that protobuf allows. */
const MOST_MESSAGE_BYTES = 2 ** 31 - 1;

type ClientDefaults = "timeoutMs" | "retry" | "maxMessageBytes";

const CLIENT_OPTIONS: OptionRows<ClientOptions, ClientDefaults> = {
  socketPath: "string",
  rootDir: "string",
  timeoutMs: { type: "number", default: 10_000 },
  retry: { type: "boolean", default: true },
  kubeletVersion: "string",
  maxMessageBytes: { type: "number", default: 64 * 1024 * 1024, least: 1, most: MOST_MESSAGE_BYTES, whole: true },
  sources: "checked elsewhere",
  transport: "checked elsewhere",
};

/** Options of a unary call. */
export const CALL_OPTIONS: OptionTypes<CallOptions> = { signal: "signal", timeoutMs: "number", retry: "boolean" };

/** Options of a unary call that returns one pod. */
export const GET_OPTIONS: OptionTypes<CallOptions & MaskOptions> = { ...CALL_OPTIONS, mask: "checked elsewhere" };

const SELECTOR_OPTIONS: OptionTypes<SelectorOptions> = { namespace: "string", labelSelector: "string" };

/** Options of a unary call that returns pods. */
export const LIST_OPTIONS: OptionTypes<ListOptions> = { ...GET_OPTIONS, ...SELECTOR_OPTIONS, onUnreadable: "function" };

type WatchDefaults = "includeFinished" | "resyncIntervalMs";

const WATCH_OPTIONS: OptionRows<WatchOptions, WatchDefaults> = {
  ...SELECTOR_OPTIONS,
  mask: "checked elsewhere",
  signal: "signal",
  includeFinished: { type: "boolean", default: false },
  resyncIntervalMs: { type: "number", default: 120_000, least: 1_000, most: 3_600_000 },
};

type InformerDefaults = WatchDefaults | "retainMs" | "maxRetained";

const INFORMER_OPTIONS: OptionRows<InformerOptions, InformerDefaults> = {
  ...WATCH_OPTIONS,
  retainMs: { type: "number", default: 0, least: 0 },
  /** The maximum is five times what the largest nodes need. */
  maxRetained: { type: "number", default: 1_000, least: 0, most: 100_000 },
};

/** {@link ClientOptions}, checked and with defaults. */
export interface ResolvedOptions extends Pick<Resolved<ClientOptions, ClientDefaults>, "retry" | "maxMessageBytes"> {
  socketPaths: [string, ...string[]];
  /** Undefined for no limit. */
  timeoutMs: number | undefined;
  /** Completeness of the kubelet's lists, by its version; undefined if the version is unknown. */
  lists: ListTrust | undefined;
}

/** {@link WatchOptions}, checked and with defaults. */
export interface ResolvedWatchOptions extends Pick<Resolved<WatchOptions, WatchDefaults>, "signal" | WatchDefaults> {
  mask: PodMask | undefined;
  selector: PodSelector | undefined;
}

/** {@link InformerOptions}, checked and with defaults. */
export interface ResolvedInformerOptions
  extends ResolvedWatchOptions,
    Pick<Resolved<InformerOptions, InformerDefaults>, "retainMs" | "maxRetained"> {}

/**
 * Checks a client's options, and fills in the defaults.
 *
 * @param client the name of the client, for errors.
 * @param socketsOf finds the sockets to dial.
 *
 * @throws PodsError `invalid-path`, or `invalid-argument` with the name of the option.
 */
export function resolveOptions(
  options: ClientOptions,
  client = "PodsClient",
  socketsOf: (options: ClientOptions) => [string, ...string[]] = socketCandidates,
): ResolvedOptions {
  const { timeoutMs, retry, kubeletVersion, maxMessageBytes } = resolve(options, CLIENT_OPTIONS, client);
  return {
    socketPaths: socketsOf(options),
    timeoutMs: resolveTimeoutMs(timeoutMs),
    retry,
    lists: listsOf(kubeletVersion ?? (process.env["KUBELET_PODS_KUBELET_VERSION"] || undefined)),
    maxMessageBytes,
  };
}

/**
 * Checks a client's options, and returns those that apply to the calls of every source.
 *
 * @throws PodsError `invalid-argument` with the name of the option.
 */
export function resolveCalls(options: ClientOptions): Pick<ResolvedOptions, "timeoutMs" | "retry"> {
  const { timeoutMs, retry } = resolve(options, CLIENT_OPTIONS, "PodsClient");
  return { timeoutMs: resolveTimeoutMs(timeoutMs), retry };
}

/**
 * Returns the completeness of lists of a kubelet of this version. Kubelets from 1.37 on refuse calls until they have read their pods.
 *
 * @throws PodsError `invalid-argument`.
 */
export function listsOf(version: string | undefined): ListTrust | undefined {
  if (version === undefined) return undefined;
  const [, major, minor] = /^v?(\d{1,3})\.(\d{1,3})(?:$|[.+-])/.exec(version) ?? [];
  if (major === undefined)
    throw invalidArgument(
      `kubeletVersion must be a Kubernetes version, not ${printable(version, 50)}`,
      'for example "1.36" or "v1.37.1"',
    );
  const release = Number(major) * 1_000 + Number(minor);
  if (release < 1_036)
    throw invalidArgument(`kubeletVersion: ${printable(version, 50)} has no Pods API`, "use kubeletHttp() before 1.36");
  return release >= 1_037 ? "complete" : "partial";
}

/** Checks {@link WatchOptions}, and fills in the defaults. @throws PodsError `invalid-argument` with the name of the option. */
export function resolveWatchOptions<P extends string>(options: WatchOptions<P>, where: string): ResolvedWatchOptions {
  const { signal, includeFinished, resyncIntervalMs, mask, ...selector } = resolve<WatchOptions<P>, WatchDefaults>(
    options,
    WATCH_OPTIONS,
    where,
  );
  return {
    signal,
    includeFinished,
    resyncIntervalMs,
    mask: resolveMask(mask, where),
    selector: resolveSelector(selector),
  };
}

/** Checks {@link InformerOptions}, and fills in the defaults. @throws PodsError `invalid-argument` with the name of the option. */
export function resolveInformerOptions<P extends string>(
  options: InformerOptions<P>,
  where: string,
): ResolvedInformerOptions {
  const { retainMs, maxRetained, ...watch } = resolve<InformerOptions<P>, InformerDefaults>(
    options,
    INFORMER_OPTIONS,
    where,
  );
  return { ...resolveWatchOptions(watch, where), retainMs, maxRetained };
}
