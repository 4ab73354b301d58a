import { Caller, type CallOptions } from "./calls/caller.js";
import { type MaskedOptions, SharedRequest } from "./calls/shared-request.js";
import { Counters } from "./counters.js";
import type { PodsErrorCode } from "./errors/error-code.js";
import { amend, invalidArgument, PodsError } from "./errors/pods-error.js";
import { Completeness, seemsRead, unproved } from "./known/completeness.js";
import type { Ledger } from "./known/ledger.js";
import { processOf } from "./known/version.js";
import { Lookups } from "./lookup/lookups.js";
import { checkOptions, checkText } from "./option-checks.js";
import {
  type ClientOptions,
  GET_OPTIONS,
  type InformerOptions,
  LIST_OPTIONS,
  type ListOptions,
  listsOf,
  type MaskOptions,
  resolveCalls,
  resolveInformerOptions,
  resolveOptions,
  resolveWatchOptions,
  type WatchOptions,
} from "./options.js";
import { decodeBy } from "./pod/decode.js";
import type { PodHead } from "./pod/head.js";
import { planOf, podMask, resolveMask } from "./pod/mask.js";
import type { PodOf } from "./pod/masked-pod.js";
import { scanHead } from "./pod/scan.js";
import { neededFor, resolveSelector } from "./pod/selector.js";
import type { ContainerEvent } from "./readers/containers/container-event.js";
import { ContainerWatch } from "./readers/containers/container-watch.js";
import { type Stream, setHost, type WatchHost } from "./readers/event-stream.js";
import type { PodEvent } from "./readers/events.js";
import { PodInformer } from "./readers/informer.js";
import { PodWatch } from "./readers/pod-watch.js";
import { checkTransport, LazySource, transportName } from "./sources/lazy-source.js";
import type { PodSource } from "./sources/pod-source.js";
import { PodsApi } from "./sources/pods-api.js";
import { SourceChain } from "./sources/source-chain.js";
import { Upstream } from "./stream/upstream.js";
import { type Clock, type Environment, systemEnvironment } from "./timing/clock.js";

/** Result of {@link PodsClient.probe}: a kubelet that answers, or the error. */
export type ProbeResult = {
  /** Path of the socket, or the name of another source. */
  socketPath: string;
  /** Version of the Pods API, or `http`. Undefined if it is not known. */
  apiVersion: string | undefined;
  /** Time to the answer in milliseconds, including the connection. */
  latencyMs: number;
} & ({ ready: true } | { ready: false; code: PodsErrorCode; message: string; hint: string; retryable: boolean });

/** Fields that show whether the list of a recently started kubelet is complete. */
const READ_MASK = podMask("metadata.uid", "metadata.annotations", "metadata.creationTimestamp");

/** A UID that no pod has. It identifies the probe in the kubelet's log. */
const PROBE_UID = "kubelet-pods-probe";

/**
 * A client for the Pods API of this node's kubelet. It connects on first use and sends all calls over one connection. An idle client does
 * not keep the process alive.
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
  /** Decides whether lists that may lack pods are complete. `#heads` has the pods of the last such list. */
  readonly #completeness = new Completeness();
  #heads: ReadonlyMap<string, PodHead> = new Map();
  readonly #scanned = new WeakMap<Uint8Array[], readonly PodHead[]>();

  /** Makes a client without connecting. @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`. */
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
    const calls = resolveCalls(options);
    const { clock, random } = environment;
    this.#clock = clock;
    this.#api = sourceOf(options, clock);
    const counters = new Counters();
    this.#caller = new Caller(this.#api, calls, environment, counters);
    this.#host = {
      clock,
      timeoutMs: calls.timeoutMs,
      upstream: () => {
        if (this.#upstream === undefined || this.#upstream.ended) {
          const index = (pods: Ledger) => new Lookups(pods, clock);
          this.#upstream = new Upstream({
            source: this.#api,
            clock,
            random,
            counters,
            pacer: this.#caller.pacer,
            index,
          });
        }
        return this.#upstream;
      },
      enter: (controller, finish) => this.#caller.enter(controller, finish),
    };
    setHost(this, this.#host);
    this.#sharedList = new SharedRequest(
      (signal, progress) => this.#caller.turn(signal, progress),
      (options) => this.#caller.sent(() => this.#api.list(options), options.progress),
    );
  }

  /**
   * Returns all pods of the node, sorted by UID. These include static pods, but not their mirror pods, and finished pods while their
   * objects exist. The client applies selectors; the kubelet always sends every pod.
   *
   * A list does not prove that a pod is absent; {@link PodInformer.confirmAbsent} does. Right after its start a 1.36 kubelet may list only
   * some of its pods. With `kubeletVersion: "1.36"`, and over HTTP, the call therefore fails with `initializing` until two lists, two
   * seconds apart, agree. The client retries that error like any temporary failure.
   *
   * @throws PodsError; `corrupt` if a pod cannot be decoded and `onUnreadable` is not set.
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
      const pods = await this.#listed({ ...attempt, mask: neededFor(mask, selector) });
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
   * Returns the pod with this UID. For a static pod use the UID from the kubelet: it is in the annotation `kubernetes.io/config.hash` of
   * the mirror pod. The kubelet does not know the UID of the mirror pod itself.
   *
   * Right after its start a 1.36 kubelet may not have read the pod yet. With `kubeletVersion: "1.36"`, and over HTTP, the call fails with
   * `not-found` only if {@link listPods} would return a list without the pod. Until then it fails with `initializing`.
   *
   * @throws PodsError; `not-found` if the kubelet has no such pod.
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
      await this.#caller.turn(attempt.signal, attempt.progress);
      const asked = this.#now();
      let listed: Uint8Array[] | undefined;
      const onList = (pods: Uint8Array[]) => {
        listed = pods;
      };
      const bytes = await this.#caller
        .sent(() => this.#api.get(uid, { ...attempt, mask, onList }), attempt.progress)
        .catch(async (thrown) => {
          const error = hinted(thrown, uid);
          if (!PodsError.is(error) || error.code !== "not-found" || !this.#isPartial) throw error;
          if (listed === undefined) return this.#fromList(uid, { ...attempt, mask }, error);
          this.#prove(listed, asked, "GetPod");
          throw error;
        });
      const answered = this.#legible(
        () => "the pod",
        () => scanHead(bytes).head.uid,
      );
      // A server that applies masks may omit the UID.
      if (answered !== uid && answered !== "") {
        const { socketPath } = this.#api;
        throw new PodsError({
          code: "corrupt",
          message: "the kubelet answered with another pod",
          method: "GetPod",
          socketPath,
        });
      }
      return this.#legible(
        () => "the pod",
        () => decodeBy(planOf(mask), bytes) as PodOf<P>,
      ) as PodOf<P>;
    });
  }

  /**
   * Checks whether a kubelet answers, with one GetPod for a UID that no pod has. Makes one attempt and never rejects: the result is
   * `ready`, or contains an error code. `timeoutMs` defaults to the client's.
   *
   * A 1.36 kubelet answers before it has read its pods. With `kubeletVersion: "1.36"`, and over HTTP, the client also lists the pods until the
   * list is proved to be complete, at first for two seconds. It returns `initializing` if that takes longer than `timeoutMs`.
   *
   * @example
   * ```ts
   * const found = await pods.probe();
   * if (!found.ready) console.error(found.message, found.hint);
   * ```
   */
  async probe(options: Pick<CallOptions, "timeoutMs"> = {}): Promise<ProbeResult> {
    const startMs = this.#clock.now();
    let answeredMs: number | undefined;
    const result = () => {
      const { socketPath, version: apiVersion } = this.#api;
      return { socketPath, apiVersion, latencyMs: (answeredMs ?? this.#clock.now()) - startMs };
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
      answeredMs = this.#clock.now();
      if (this.#isPartial) {
        const limitMs = options.timeoutMs ?? this.#host.timeoutMs;
        const leftMs = limitMs ? Math.max(1, limitMs - (answeredMs - startMs)) : 0; // 0 is no limit
        await this.listPods({ mask: podMask("metadata.uid"), timeoutMs: leftMs, retry: true });
      }
      return { ready: true, ...result() };
    } catch (error) {
      const { code, rawMessage: message, hint, retryable } = PodsError.from(error);
      return { ready: false, code, message, hint, retryable, ...result() };
    }
  }

  /**
   * Watches the pods of the node. After each SYNCED event your copy equals the kubelet's, even after a kubelet restart. Because a kubelet
   * can drop events, the client reads a complete list every `resyncIntervalMs`. The watch starts on the first read and ends on `break`,
   * `signal` or `close()`. All watches and informers of a client share one stream.
   *
   * Finished pods are omitted by default. The kubelet sends no event when only labels or annotations change: the watch emits such a change
   * at the next resync.
   *
   * Before the first SYNCED the watch throws errors that a retry cannot fix: `not-permitted`, `wrong-peer`, `not-served` and `invalid-path`. It retries all
   * other errors, and emits DISCONNECTED.
   *
   * A server with the documented version of the API sends neither existing pods nor deletions. The client then lists the pods every 30 s: the
   * watch emits deletions up to 30 s late, and misses pods that exist only between two lists.
   *
   * @example
   * ```ts
   * for await (const event of pods.watchPods({ mask: ["metadata.name"] })) {
   *   if (event.type === "SYNCED") console.log("all pods are known");
   *   else if (event.type === "DISCONNECTED") console.warn(event.error.message); // the client reconnects
   *   else console.log(event.type, event.pod.metadata.name);
   * }
   * ```
   */
  watchPods<P extends string = never>(options: WatchOptions<P> = {}): Stream<PodEvent<PodOf<P>>> {
    return new PodWatch<PodOf<P>>(this.#host, resolveWatchOptions(options, "watchPods"));
  }

  /**
   * Watches container runs: emits every start and every end of a container exactly once, with the reason of the end, even if the watch missed
   * an event. Runs that the kubelet never reported are counted in MISSED, and so are all but the last eight runs of a container that wait for
   * a slow reader. If more than 1,000 containers of ended pods wait, the oldest are dropped without an event.
   *
   * The first events, marked `initial`, are the runs that the kubelet still reports. Set `includeFinished` to include the runs of finished
   * pods. The watch covers containers of all kinds, in the pods that {@link watchPods} emits with the same options, and starts and ends in
   * the same way. If a pod leaves the selection and returns, its running containers are reported as started again.
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
   * Makes an informer: a cache of the pods that {@link watchPods} emits with the same options, with lookups by UID, name, address and
   * container ID. It starts at once.
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
   * Ends all watches, informers and calls; pending ones reject with `closed`. Resolves once all connections are closed. Further calls
   * return the same promise.
   */
  close(): Promise<void> {
    return this.#caller.close();
  }

  /** Closes the client, like {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** True if a kubelet may not have read all of its pods when it answers. */
  get #isPartial(): boolean {
    return this.#api.lists === "partial" || this.#api.lists === "static";
  }

  /** Returns a pod from a list, because GetPod has not found it. @throws the error if the list proves that it is absent */
  async #fromList(uid: string, attempt: MaskedOptions, error: PodsError): Promise<Uint8Array> {
    const pods = await this.#listed(attempt, "GetPod");
    const found = pods[this.#headsOf(pods).findIndex((head) => head.uid === uid)];
    if (found === undefined) throw error;
    return found;
  }

  /** @throws PodsError; `initializing` also if the list may be incomplete. */
  async #listed(attempt: MaskedOptions, method = "ListPods"): Promise<Uint8Array[]> {
    const asked = this.#now();
    const mask = this.#isPartial ? attempt.mask?.union(READ_MASK) : attempt.mask;
    const pods = await this.#sharedList.attempt({ ...attempt, mask });
    if (this.#isPartial) this.#prove(pods, asked, method); // checked again, because another source may have answered
    return pods;
  }

  /** Judges a list that may lack pods. @throws PodsError `initializing` unless it is proved to be complete */
  #prove(pods: Uint8Array[], asked: { askedMs: number; askedWallMs: number }, method: string): void {
    const { lists: trust = "partial" } = this.#api;
    const heads = this.#headsOf(pods);
    const facts = { ...asked, trust, answeredMs: this.#clock.now() };
    this.#completeness.judge(
      facts,
      heads,
      processOf(heads, (uid) => this.#heads.get(uid)),
    );
    // Copies, because processOf() does not compare a head with itself, and an unchanged list has the same ones.
    this.#heads = new Map(heads.map((head) => [head.uid, { ...head }]));
    if (!this.#completeness.proof.isRead && !seemsRead(heads, facts)) throw unproved(method);
  }

  /** Returns the heads of the pods of a list. Calls that share a list also share its heads. */
  #headsOf(pods: Uint8Array[]): readonly PodHead[] {
    const heads = this.#scanned.get(pods) ?? pods.map((bytes) => scanHead(bytes).head);
    this.#scanned.set(pods, heads);
    return heads;
  }

  #now(): { askedMs: number; askedWallMs: number } {
    return { askedMs: this.#clock.now(), askedWallMs: this.#clock.wallMs() };
  }

  /**
   * Reads a pod. If it cannot be read, returns undefined if `isHeeded` returns true, because a callback was called; otherwise throws
   * `corrupt`.
   */
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

/** Makes the source that the options select. @throws PodsError `invalid-argument` or `invalid-path`. */
function sourceOf(options: ClientOptions, clock: Clock): PodSource {
  const { sources, transport } = options;
  if (transport !== undefined) return overTransport(transport, options, clock);
  if (sources === undefined) return new PodsApi(resolveOptions(options), clock);
  if (!Array.isArray(sources) || sources.length === 0 || sources.some((source) => typeof source?.open !== "function")) {
    throw invalidArgument(
      "PodsClient: sources must be a list of one or more sources",
      "for example [podsApi(), kubeletHttp({ url })]",
    );
  }
  rejectOthers("sources", ["socketPath", "rootDir", "kubeletVersion", "maxMessageBytes"], options);
  const [first, ...others] = sources as [PodSource, ...PodSource[]];
  return others.length === 0 ? first : new SourceChain([first, ...others], clock);
}

/** Makes a source over a Connect transport. @throws PodsError `invalid-argument`. */
function overTransport(
  transport: NonNullable<ClientOptions["transport"]>,
  options: ClientOptions,
  clock: Clock,
): PodSource {
  checkTransport(transport, "PodsClient");
  rejectOthers("transport", ["sources", "socketPath", "rootDir", "maxMessageBytes"], options);
  const lists = listsOf(options.kubeletVersion);
  const name = transportName();
  return new LazySource(name, lists, async () => {
    const { ConnectSource } = await import("./connect/connect-source.js");
    return new ConnectSource(transport as never, name, lists, clock);
  });
}

/** Rejects options that apply to another source than the one that `option` selects. @throws PodsError `invalid-argument`. */
function rejectOthers(
  option: "sources" | "transport",
  others: readonly (keyof ClientOptions)[],
  options: ClientOptions,
): void {
  const other = others.find((name) => options[name] !== undefined);
  if (other === undefined) return;
  const hint = option === "sources" ? `pass ${other} to podsApi()` : `leave ${other} out`;
  throw invalidArgument(`PodsClient: ${option} cannot be combined with ${other}`, hint);
}

/**
 * Makes a source for the Pods API of this node's kubelet, for the `sources` of a client.
 *
 * @throws PodsError `invalid-argument` or `invalid-path`. It does not connect before the first call.
 * @example
 * ```ts
 * const pods = new PodsClient({ sources: [podsApi(), kubeletHttp({ url: "https://127.0.0.1:10250", tokenFile })] });
 * ```
 */
export function podsApi(
  options: Pick<ClientOptions, "socketPath" | "rootDir" | "kubeletVersion" | "maxMessageBytes"> = {},
): PodSource {
  checkOptions(
    options,
    { socketPath: "string", rootDir: "string", kubeletVersion: "string", maxMessageBytes: "number" },
    "podsApi",
  );
  return new PodsApi(resolveOptions(options, "podsApi"));
}

/** UIDs of API pods, and those of static pods, which are a hash. */
const UID = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Adds to a `not-found` that a UID is needed, if the text may be a name. */
function hinted(error: unknown, uid: string): unknown {
  if (!PodsError.is(error) || error.code !== "not-found" || UID.test(uid)) return error;
  return amend(error, { hint: `getPod takes metadata.uid, and no name; ${error.hint}` });
}
