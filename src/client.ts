import { Caller } from "./calls/caller.js";
import { type MaskedAttempt, SharedRequest } from "./calls/shared-request.js";
import { Counters } from "./counters.js";
import type { PodsErrorCode } from "./errors/error-code.js";
import { invalidArgument, PodsError } from "./errors/pods-error.js";
import { mayBeGiven, unproved } from "./known/completeness.js";
import type { Ledger } from "./known/ledger.js";
import { Lookups } from "./lookup/lookups.js";
import { checkOptions, checkText } from "./option-checks.js";
import {
  CALL_OPTIONS,
  type CallOptions,
  type ClientOptions,
  GET_OPTIONS,
  type InformerOptions,
  LIST_CONDITIONS_OPTIONS,
  LIST_OPTIONS,
  type ListOptions,
  type MaskOptions,
  resolveInformerOptions,
  resolveOptions,
  resolveWatchOptions,
  WATCH_CONDITIONS_OPTIONS,
  type WatchOptions,
} from "./options.js";
import { decodeBy } from "./pod/decode.js";
import { planOf, podMask, resolveMask } from "./pod/mask.js";
import type { PodOf } from "./pod/masked-pod.js";
import { type ConditionsPaths, conditionsOf, type PodConditions } from "./pod/pod-conditions.js";
import { scanHead } from "./pod/scan.js";
import { neededFor, resolveSelector, type SelectorOptions } from "./pod/selector.js";
import { podMasks } from "./pod-masks.js";
import type { ContainerEvent } from "./readers/containers/container-event.js";
import { ContainerWatch } from "./readers/containers/container-watch.js";
import type { Stream, WatchHost } from "./readers/event-stream.js";
import type { PodEvent } from "./readers/events.js";
import { PodInformer } from "./readers/informer.js";
import { watchConditions } from "./readers/list-watch.js";
import { PodWatch } from "./readers/pod-watch.js";
import type { PodSource } from "./sources/pod-source.js";
import { PodsApi } from "./sources/pods-api.js";
import { SourceChain } from "./sources/source-chain.js";
import { Upstream } from "./stream/upstream.js";
import { type Clock, type Environment, systemEnvironment } from "./timing/clock.js";

/** The result of {@link PodsClient.probe}: a kubelet that answers, or the error that is in the way. */
export type ProbeResult = {
  /** The socket that was asked. */
  socketPath: string;
  /** The version of the Pods API that the kubelet speaks, or `http`; undefined where it did not come to that. */
  apiVersion: string | undefined;
  /** How long the answer took, connecting included. */
  latencyMs: number;
} & ({ ready: true } | { ready: false; code: PodsErrorCode; message: string; hint: string; retryable: boolean });

/** Fields that say whether a list proves that it has everything. */
const STAMPS = podMask("metadata.annotations");

/** A UID that no pod has, and that explains itself in the kubelet's log. */
const PROBE_UID = "kubelet-pods-probe";

/**
 * The pods of this node, from its kubelet. Connects when it is first used; one connection serves all calls. Nothing is
 * kept open while nothing is asked: an idle client does not keep the process alive.
 *
 * @example
 * ```ts
 * await using pods = new PodsClient(); // finds the kubelet's socket
 * for (const pod of await pods.listPods()) console.log(pod.metadata.name, pod.status.phase);
 * ```
 */
export class PodsClient implements AsyncDisposable {
  readonly #api: PodSource;
  readonly #caller: Caller;
  readonly #sharedList: SharedRequest<Uint8Array[]>;
  #upstream: Upstream<Lookups> | undefined;
  readonly #host: WatchHost;
  readonly #clock: Clock;
  readonly #standalone: boolean;
  /** The server whose lists may be given. */
  #complete: string | undefined;

  /** @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`; nothing is dialled yet. */
  constructor(options?: ClientOptions);
  /** @internal Tests pass a clock of their own. */
  constructor(options: ClientOptions, environment: Environment);
  constructor(options: ClientOptions = {}, environment: Environment = systemEnvironment) {
    if (process.platform === "win32") {
      throw new PodsError({
        code: "unsupported-platform",
        message: String.raw`kubelets on Windows serve the Pods API on the named pipe \\.\pipe\kubelet-pods-api`,
      });
    }
    const resolved = resolveOptions(options);
    const { clock, random } = environment;
    this.#clock = clock;
    this.#standalone = resolved.standalone;
    this.#api = sourceOf(options, clock) ?? new PodsApi(resolved, clock);
    const counters = new Counters();
    this.#caller = new Caller(this.#api, resolved, environment, counters);
    this.#host = {
      clock,
      upstream: () => {
        if (this.#upstream === undefined || this.#upstream.ended) {
          const index = (pods: Ledger) => new Lookups(pods, clock);
          const { standalone } = resolved;
          this.#upstream = new Upstream({ source: this.#api, clock, random, counters, standalone, index });
        }
        return this.#upstream;
      },
      enter: (controller) => this.#caller.enter(controller),
    };
    this.#sharedList = new SharedRequest(
      (signal) => this.#caller.turn(signal),
      (options) => this.#caller.sent(() => this.#api.list(options)),
    );
  }

  /**
   * Returns all pods of the node, sorted by UID, as the kubelet answers: static pods included, mirror pods not, finished pods
   * as long as their objects exist.
   *
   * A kubelet of 1.36 that has just started, or whose API server is away, lists what it has read so far as if that were all. While it is
   * young, or over HTTP has no pod of the API server, that is the error `initializing`, and tried again; later it is given, and proves no
   * absence: SYNCED of a watch does, and {@link PodInformer.lacking}.
   *
   * Selectors are applied on this side: the kubelet sends every pod.
   *
   * @throws PodsError; `corrupt` where a pod cannot be decoded and `onUnreadable` is not there: never a part of a list that passes for all.
   * @example
   * ```ts
   * const web = await pods.listPods({ mask: ["metadata.name", "status.podIPs"], labelSelector: "app=web" });
   * for (const pod of web) console.log(pod.metadata.name, pod.status.podIPs[0]?.ip);
   * ```
   */
  async listPods<P extends string = never>(options: ListOptions<P> = {}): Promise<PodOf<P>[]> {
    checkOptions(options, LIST_OPTIONS, "listPods");
    const mask = resolveMask(options.mask, "listPods");
    const selector = resolveSelector(options);
    return this.#caller.call("ListPods", options, async (attempt) => {
      const pods = await this.#listed({ ...attempt, mask: neededFor(mask, selector)?.union(STAMPS) });
      const plan = planOf(mask);
      const listed: PodOf<P>[] = [];
      let read = 0;
      for (const bytes of pods) {
        const pod = () =>
          selector === undefined || selector.selects(bytes) ? (decodeBy(plan, bytes) as PodOf<P>) : undefined;
        const found = this.#legible(
          () => `pod ${read} of ${pods.length}`,
          pod,
          () => {
            options.onUnreadable?.(scanHead(bytes).head.uid);
            return options.onUnreadable !== undefined;
          },
        );
        if (found !== undefined) listed.push(found);
        read++;
      }
      return listed;
    });
  }

  /**
   * Returns the pod with this UID. For a static pod that is the UID the kubelet gave it, which its mirror pod carries in the
   * annotation `kubernetes.io/config.hash`; the mirror pod's own UID is not known to the kubelet.
   *
   * @throws PodsError; `not-found` where the kubelet has no such pod.
   * @example
   * ```ts
   * const pod = await pods.getPod(uid, { mask: ["spec.nodeName"], timeoutMs: 2_000 });
   * console.log(pod.spec.nodeName);
   * ```
   */
  async getPod<P extends string = never>(uid: string, options: CallOptions & MaskOptions<P> = {}): Promise<PodOf<P>> {
    checkOptions(options, GET_OPTIONS, "getPod");
    const mask = resolveMask(options.mask, "getPod");
    checkText(uid, "getPod: the UID");
    return this.#caller.call("GetPod", options, async (attempt) => {
      await this.#caller.turn(attempt.signal);
      const bytes = await this.#caller.sent(() => this.#api.get(uid, { ...attempt, mask }));
      return this.#legible(
        () => "the pod",
        () => decodeBy(planOf(mask), bytes) as PodOf<P>,
      ) as PodOf<P>;
    });
  }

  /**
   * Asks whether a kubelet answers, with one GetPod that no pod matches: ready, or one of the error codes. Tries once,
   * waits for nobody, and never rejects. `timeoutMs` defaults to the client's.
   *
   * @example
   * ```ts
   * const found = await pods.probe();
   * if (!found.ready) console.error(found.message, found.hint);
   * ```
   */
  async probe(options: Pick<CallOptions, "timeoutMs"> = {}): Promise<ProbeResult> {
    const startMs = this.#clock.now();
    const result = () => {
      const { socketPath, version: apiVersion } = this.#api;
      return { socketPath, apiVersion, latencyMs: this.#clock.now() - startMs };
    };
    try {
      checkOptions(options, { timeoutMs: "number" }, "probe");
      await this.#caller.call("GetPod", { ...options, retry: false }, async (attempt) => {
        try {
          await this.#api.get(PROBE_UID, attempt);
        } catch (error) {
          if (!PodsError.is(error) || error.code !== "not-found") throw error;
        }
      });
      return { ready: true, ...result() };
    } catch (error) {
      const { code, message, hint, retryable } = PodsError.from(error);
      return { ready: false, code, message, hint, retryable, ...result() };
    }
  }

  /**
   * Watches the pods of the node. The reader's picture is right at every SYNCED, also across restarts of the kubelet, whose
   * silent losses a new complete list repairs every `resyncIntervalMs`. It starts when it is first read and ends by `break`,
   * by `signal`, or by `close()`. All watches and informers of a client share one stream.
   *
   * Before the first SYNCED an error that no waiting mends is thrown: `not-permitted`, `wrong-peer`, `not-served`. After it
   * everything is healed, and told by DISCONNECTED.
   *
   * By default those pods are watched that the kubelet has not finished. A change of labels or annotations alone sends no
   * event of the kubelet's: it is told at the next resync.
   *
   * A server that speaks the documented version of the API tells neither what is there nor what goes: the pods are listed
   * each 30 s. With it a deletion is told up to 30 s late, and a pod that comes and goes between two lists may never be.
   *
   * @example
   * ```ts
   * for await (const event of pods.watchPods({ mask: ["metadata.name"] })) {
   *   if (event.type === "SYNCED") console.log("that was everything there is");
   *   else if (event.type === "DISCONNECTED") console.warn(event.error.message); // what was told still stands
   *   else console.log(event.type, event.pod.metadata.name);
   * }
   * ```
   */
  watchPods<P extends string = never>(options: WatchOptions<P> = {}): Stream<PodEvent<PodOf<P>>> {
    return new PodWatch<PodOf<P>>(this.#host, resolveWatchOptions(options, "watchPods"));
  }

  /**
   * Watches the containers of the node: tells each life of a container once, when it starts and when it ends, and how. What the
   * kubelet has ever shown is told, also of containers that came and went between two events, and to readers that are slow. What it
   * did not show is `MISSED`.
   *
   * The first events, `initial`, are the lives that the kubelet still shows. Containers of all kinds are told, of the pods that {@link
   * watchPods} with the same options tells; it starts and ends as that does. A child that the OOM killer takes while a container's
   * first process lives ends no container.
   *
   * @example
   * ```ts
   * for await (const event of pods.watchContainers({ mask: ["metadata.namespace", "metadata.name"] })) {
   *   if (event.type !== "ENDED") continue;
   *   const { namespace, name } = event.pod.metadata;
   *   console.log(namespace, name, event.container.name, event.end.reason);
   * }
   * ```
   */
  watchContainers<P extends string = never>(options: WatchOptions<P> = {}): Stream<ContainerEvent<PodOf<P>>> {
    return new ContainerWatch<PodOf<P>>(this.#host, resolveWatchOptions(options, "watchContainers"));
  }

  /**
   * Returns the conditions of all pods, in the order of {@link listPods}: KEP-4188's ListPodConditions. No other fields are
   * read.
   *
   * @throws PodsError, as {@link listPods}.
   */
  async listPodConditions(options: CallOptions & SelectorOptions = {}): Promise<PodConditions[]> {
    checkOptions(options, LIST_CONDITIONS_OPTIONS, "listPodConditions");
    const { signal, timeoutMs, retry, namespace, labelSelector, fieldSelector } = options;
    const query = { signal, timeoutMs, retry, namespace, labelSelector, fieldSelector, mask: podMasks.conditionsOf };
    return (await this.listPods(query)).map(conditionsOf);
  }

  /**
   * Returns the conditions of the pod with this UID: KEP-4188's GetPodConditions. No other fields are read.
   *
   * @throws PodsError, as {@link getPod}.
   */
  async getPodConditions(uid: string, options: CallOptions = {}): Promise<PodConditions> {
    checkOptions(options, CALL_OPTIONS, "getPodConditions");
    const { signal, timeoutMs, retry } = options;
    return conditionsOf(await this.getPod(uid, { signal, timeoutMs, retry, mask: podMasks.conditionsOf }));
  }

  /**
   * Watches the whole list of {@link listPodConditions}: returns it once everything is known, and again whenever a condition
   * has changed or a pod has come, is to go or has gone: KEP-4188's WatchPodConditions. It holds those pods that {@link
   * watchPods} tells, starts and ends as that does, says nothing while the kubelet is away, and gives the list again when it
   * is back. After a restart of the kubelet static pods with a readiness probe are not ready until they have been probed: see
   * {@link readinessUnverifiedUntil}, which each entry has.
   */
  watchPodConditions(options: Omit<WatchOptions, "mask"> = {}): Stream<readonly PodConditions[]> {
    const resolved = resolveWatchOptions(options, "watchPodConditions", WATCH_CONDITIONS_OPTIONS);
    return watchConditions(
      new PodWatch<PodOf<ConditionsPaths>>(this.#host, { ...resolved, mask: podMasks.conditionsOf }),
    );
  }

  /**
   * Makes a cache of the node's pods and keeps it right. It starts when it is made; see {@link watchPods} for what it has.
   *
   * @example
   * ```ts
   * await using informer = pods.informer({ mask: ["metadata.name", "metadata.namespace"] });
   * await informer.synced({ timeoutMs: 30_000 });
   * console.log(informer.get({ namespace: "shop", name: "web-1" })?.metadata.name, informer.size);
   * ```
   */
  informer<P extends string = never>(options: InformerOptions<P> = {}): PodInformer<PodOf<P>> {
    return new PodInformer<PodOf<P>>(this.#host, resolveInformerOptions(options, "informer"));
  }

  /**
   * Ends everything: pending calls and watches reject with `closed`, connections are gone when the promise resolves.
   * Calling it again gives the same promise.
   */
  close(): Promise<void> {
    return this.#caller.close();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @throws PodsError; `initializing` also where a kubelet that is young may have more pods than it lists. */
  async #listed(attempt: Parameters<MaskedAttempt<Uint8Array[]>>[0]): Promise<Uint8Array[]> {
    const server = this.#api.server();
    const pods = await this.#sharedList.attempt(attempt).catch((error) => {
      // A kubelet that refuses while it initializes lists everything afterwards.
      if (PodsError.is(error) && error.code === "initializing") this.#noteComplete(server);
      throw error;
    });
    // The socket of a relay says nothing of the kubelet.
    const { shown } = this.#api;
    if (shown?.isComplete ?? (server !== undefined && server === this.#complete)) return pods;
    const sinceMs = shown === undefined ? this.#api.sinceMs?.() : undefined;
    const heads = function* () {
      for (const bytes of pods) yield scanHead(bytes).head;
    };
    if (!mayBeGiven(heads(), this.#clock.wallMs(), sinceMs, this.#standalone)) throw unproved("ListPods");
    if (shown === undefined) this.#noteComplete(server);
    return pods;
  }

  /** Notes that lists of a server may be given: of a socket's file that is still there. A host has one name for all processes. */
  #noteComplete(server: string | undefined): void {
    if (this.#api.sinceMs?.() !== undefined && this.#api.server() === server) this.#complete = server;
  }

  /** Reads a pod; undefined where it cannot be read and `isHeeded` says that somebody was told so. */
  #legible<T>(what: () => string, read: () => T, isHeeded: () => boolean = () => false): T | undefined {
    try {
      return read();
    } catch (cause) {
      if (isHeeded()) return undefined;
      const { socketPath } = this.#api;
      throw new PodsError({ code: "corrupt", message: `${what()} cannot be decoded`, socketPath, cause });
    }
  }
}

/** Returns the sources that options name as one; undefined where they name none. @throws PodsError `invalid-argument`. */
function sourceOf(options: ClientOptions, clock: Clock): PodSource | undefined {
  const { sources, socketPath, rootDir, maxMessageBytes } = options;
  if (sources === undefined) return undefined;
  if (!Array.isArray(sources) || sources.length === 0 || sources.some((source) => typeof source?.open !== "function")) {
    throw invalidArgument("PodsClient: sources: not a list of sources", "such as [podsApi(), kubeletHttp({ url })]");
  }
  if ((socketPath ?? rootDir ?? maxMessageBytes) !== undefined) {
    throw invalidArgument("PodsClient: sources, and options of the Pods API beside them", "they go into podsApi()");
  }
  const [first, ...others] = sources as [PodSource, ...PodSource[]];
  return others.length === 0 ? first : new SourceChain([first, ...others], clock);
}

/**
 * Makes the Pods API of this node's kubelet as one of a client's `sources`.
 *
 * @throws PodsError `invalid-argument`, `invalid-path`; nothing is dialled yet.
 * @example
 * ```ts
 * const pods = new PodsClient({ sources: [podsApi(), kubeletHttp({ url: "https://127.0.0.1:10250", tokenFile })] });
 * ```
 */
export function podsApi(options: Pick<ClientOptions, "socketPath" | "rootDir" | "maxMessageBytes"> = {}): PodSource {
  checkOptions(options, { socketPath: "string", rootDir: "string", maxMessageBytes: "number" }, "podsApi");
  return new PodsApi(resolveOptions(options, "podsApi"));
}
