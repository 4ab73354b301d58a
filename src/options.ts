import { isAbsolute } from "node:path";
import { invalidArgument } from "./errors/pods-error.js";
import type { JournalOptions } from "./journal/segment-writer.js";
import type { LookOptions } from "./lookup/looks.js";
import { checkOptions, type OptionTypes, resolveTimeoutMs } from "./option-checks.js";
import { type PodMask, resolveMask } from "./pod/mask.js";
import type { MaskInput } from "./pod/masked-pod.js";
import { type PodSelector, resolveSelector, type SelectorOptions } from "./pod/selector.js";
import type { PodSource } from "./sources/pod-source.js";
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
   * The kubelet's `--root-dir`. Has no effect where the socket's path is given.
   *
   * @default "/var/lib/kubelet"
   */
  rootDir?: string | undefined;
  /**
   * How long a call such as `listPods` may take over all its attempts, in milliseconds. 0 and Infinity stand for no limit. It is
   * rounded up, and at most 99,999,999 (27 hours), which is what gRPC can carry. Has no effect on watches.
   *
   * @default 10_000
   */
  timeoutMs?: number | undefined;
  /**
   * Whether a call is tried again after a failure that may pass: no socket, a lost connection, an initializing kubelet, its rate
   * limit. It is tried within `timeoutMs`, with pauses that grow. Has no effect on watches, which always go on.
   *
   * @default true
   */
  retry?: boolean | undefined;
  /**
   * Whether there is no API server, so that the kubelet has pods of manifests alone. A list without pods of the API server is believed
   * then, once the kubelet has been up for ten seconds; otherwise it proves nothing: a kubelet of 1.36 gives it, too, while it has not
   * read its pods.
   *
   * @default false
   */
  standalone?: boolean | undefined;
  /**
   * The largest answer, and the largest single event, in bytes. A larger one is the error `too-large`.
   *
   * @default 67_108_864 (64 MiB)
   */
  maxMessageBytes?: number | undefined;
  /**
   * Where pods come from, best first: `[podsApi(), kubeletHttp({ url })]`. Each call, and each list of a watch, takes the best
   * that works. The client closes them. `socketPath`, `rootDir` and `maxMessageBytes` are options of `podsApi` and refused
   * beside it.
   *
   * @default the Pods API alone
   */
  sources?: readonly PodSource[] | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
  /**
   * How long this call may take over all its attempts, in milliseconds.
   *
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Whether this call is tried again.
   *
   * @default the client's `retry`
   */
  retry?: boolean | undefined;
}

/** The fields that are asked for. */
export interface MaskOptions<P extends string = string> {
  /**
   * The fields that are wanted, as paths (`["metadata.name", "spec.containers.image"]`) or as a `PodMask`. Other fields are
   * neither decoded nor retained, and not in the type. A watch tells a change only where one of these fields has changed.
   *
   * Write a list of paths in place. Of a list that is put together at run time the compiler knows what it may have at most: take
   * `parsePodMask` for that.
   *
   * @default whole pods
   */
  mask?: MaskInput<P> | undefined;
}

/**
 * The pods that are asked for, and the fields of each. Selectors are applied on this side, also to fields that `mask` leaves
 * out.
 */
export interface PodQuery<P extends string = string> extends MaskOptions<P>, SelectorOptions {}

/** Options of {@link PodsClient.listPods}. */
export interface ListOptions<P extends string = string> extends CallOptions, PodQuery<P> {
  /**
   * Is called for each pod that cannot be read, with its UID, which is empty where that cannot be read either; the others are given. It
   * may be a pod that a selector leaves out.
   *
   * @default the call rejects with `corrupt`
   */
  onUnreadable?: ((uid: string) => void) | undefined;
}

/** Options of a watch or an informer. */
export interface WatchOptions<P extends string = string> extends PodQuery<P> {
  /** Ends the watch: the pending `next()` rejects with the signal's reason, untouched. */
  signal?: AbortSignal | undefined;
  /**
   * Whether finished pods are watched too, as long as their objects exist. Kubelets tell nobody of their removal: the next
   * resync does.
   *
   * @default false
   */
  includeFinished?: boolean | undefined;
  /**
   * How long a stream lasts at most before a new one brings a complete list, in milliseconds, plus or minus 20 %. It bounds how
   * long a change can stay untold that the kubelet sends no event for. At least 1,000: each list costs the kubelet work. Watches
   * that share a stream get the shortest interval that one of them asks for, from then on.
   *
   * @default 120_000
   */
  resyncIntervalMs?: number | undefined;
}

/** Options of `PodsClient.informer`. */
export interface InformerOptions<P extends string = string> extends WatchOptions<P> {
  /**
   * How long deleted pods, their names and addresses, and ended containers are still found, in milliseconds. It changes `find` and
   * `waitFor` alone. 120,000 is enough for what arrives late of pods that have ended.
   *
   * @default 0: nothing is retained
   */
  retainMs?: number | undefined;
  /**
   * How many ends are retained at most, the latest: of pods with all they had, of addresses, and of containers. At most 100,000. It
   * has no effect without `retainMs`.
   *
   * @default 1_000
   */
  maxRetained?: number | undefined;
  /**
   * Looks at the cgroup directories of pods, which makes `cgroupID` a key. `root` is where the cgroup file system is mounted. Needs cgroup
   * version 2.
   *
   * @default not looked at; with `{}` the root is `/sys/fs/cgroup`
   */
  cgroups?: { readonly root?: string | undefined } | undefined;
  /**
   * Looks at the processes of pods, which makes `netns` a key. `procRoot` is where the node's `/proc` is. Needs `hostPID: true` in a
   * container, and finds processes by the cgroups below `cgroups.root`, of either version.
   *
   * @default not looked at; with `{}` the root is `/proc`
   */
  processes?: { readonly procRoot?: string | undefined } | undefined;
  /**
   * Writes each end of a container and a pod to files, before an iterator of the informer tells it, so that `ended` has it also when the
   * agent has restarted. `directory` is an absolute path, of a directory that belongs to this process alone; agents that take turns may share it.
   * `maxBytes` bounds all files together, from 65,536 to 134,217,728; 8 MiB by default, about ten thousand ends. `maxAgeMs` is how long ends are kept, 7 days by default.
   *
   * @default nothing is written
   */
  journal?:
    | {
        readonly directory: string;
        readonly maxBytes?: number | undefined;
        readonly maxAgeMs?: number | undefined;
      }
    | undefined;
}

/** Defaults of options, and one value that cannot be given. */
export const DEFAULTS: Readonly<
  Record<"timeoutMs" | "maxMessageBytes" | "handshakeTimeoutMs" | "resyncIntervalMs" | "maxRetained", number>
> = {
  resyncIntervalMs: 120_000,
  maxRetained: 1_000,
  timeoutMs: 10_000,
  maxMessageBytes: 64 * 1024 * 1024,
  /** The time that gRPC clients commonly wait for a connection's first frame; a healthy kubelet takes milliseconds. */
  handshakeTimeoutMs: 5_000,
};

/** The most that protobuf can carry in one message. */
const MAX_MESSAGE_BYTES = 2 ** 31 - 1;

/** {@link ClientOptions} checked and complete. */
export interface ResolvedOptions {
  socketPaths: [string, ...string[]];
  timeoutMs: number | undefined;
  retry: boolean;
  standalone: boolean;
  maxMessageBytes: number;
  handshakeTimeoutMs: number;
}

/** The type of each option, as `typeof` has it. */
const CLIENT_OPTIONS: OptionTypes<ClientOptions> = {
  socketPath: "string",
  rootDir: "string",
  timeoutMs: "number",
  retry: "boolean",
  standalone: "boolean",
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
export const LIST_OPTIONS: OptionTypes<ListOptions> = { ...GET_OPTIONS, ...SELECTOR_OPTIONS, onUnreadable: "function" };

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
    standalone: options.standalone ?? false,
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

/** {@link WatchOptions} checked and complete. */
export interface ResolvedWatchOptions {
  signal: AbortSignal | undefined;
  includeFinished: boolean;
  resyncIntervalMs: number;
  mask: PodMask | undefined;
  selector: PodSelector | undefined;
}

/** {@link InformerOptions} checked and complete. */
export interface ResolvedInformerOptions extends ResolvedWatchOptions {
  retainMs: number;
  maxRetained: number;
  look: LookOptions | undefined;
  journal: JournalOptions | undefined;
}

/** Checks {@link WatchOptions} and fills in what is left out. @throws PodsError `invalid-argument`, naming the option. */
export function resolveWatchOptions<P extends string>(
  options: WatchOptions<P>,
  where: string,
  types: Partial<OptionTypes<WatchOptions>> = WATCH_OPTIONS,
): ResolvedWatchOptions {
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

const INFORMER_OPTIONS: OptionTypes<InformerOptions> = {
  ...WATCH_OPTIONS,
  retainMs: "number",
  maxRetained: "number",
  cgroups: "object",
  processes: "object",
  journal: "object",
};

/** The most that may be retained: five times what the largest nodes have. */
const MAX_RETAINED = 100_000;

/** Checks {@link InformerOptions} and fills in what is left out. @throws PodsError `invalid-argument`, naming the option. */
export function resolveInformerOptions<P extends string>(
  options: InformerOptions<P>,
  where: string,
): ResolvedInformerOptions {
  checkOptions(options, INFORMER_OPTIONS, where);
  const { retainMs = 0, maxRetained = DEFAULTS.maxRetained, cgroups, processes, journal, ...watch } = options;
  if (!(retainMs >= 0)) throw invalidArgument(`${where}: retainMs must be at least 0`);
  if (!(maxRetained >= 0 && maxRetained <= MAX_RETAINED)) {
    throw invalidArgument(`${where}: maxRetained must be from 0 to ${MAX_RETAINED}`);
  }
  const look = resolveLook(cgroups, processes, where);
  const written = resolveJournal(journal, where);
  return { ...resolveWatchOptions(watch, where), retainMs, maxRetained, look, journal: written };
}

const MIN_JOURNAL_BYTES = 64 * 1024;
/** All of it is read at once. */
const MAX_JOURNAL_BYTES = 128 * 1024 * 1024;
const DAY_MS = 86_400_000;

function resolveJournal(journal: InformerOptions["journal"], where: string): JournalOptions | undefined {
  if (journal === undefined) return undefined;
  checkOptions(journal, { directory: "string", maxBytes: "number", maxAgeMs: "number" }, `${where}: journal`);
  const { directory, maxBytes = 8 * 1024 * 1024, maxAgeMs = 7 * DAY_MS } = journal;
  if (typeof directory !== "string" || !isAbsolute(directory))
    throw invalidArgument(`${where}: journal: directory: an absolute path is expected`);
  if (!(maxBytes >= MIN_JOURNAL_BYTES && maxBytes <= MAX_JOURNAL_BYTES))
    throw invalidArgument(`${where}: journal: maxBytes must be from ${MIN_JOURNAL_BYTES} to ${MAX_JOURNAL_BYTES}`);
  if (!(maxAgeMs > 0)) throw invalidArgument(`${where}: journal: maxAgeMs must be more than 0`);
  return { directory, maxBytes, maxAgeMs };
}

function resolveLook(
  cgroups: InformerOptions["cgroups"],
  processes: InformerOptions["processes"],
  where: string,
): LookOptions | undefined {
  checkOptions(cgroups ?? {}, { root: "string" }, `${where}: cgroups`);
  checkOptions(processes ?? {}, { procRoot: "string" }, `${where}: processes`);
  if (cgroups === undefined && processes === undefined) return undefined;
  const procRoot = processes && (processes.procRoot ?? "/proc");
  return { cgroups: cgroups !== undefined, cgroupRoot: cgroups?.root ?? "/sys/fs/cgroup", procRoot };
}
