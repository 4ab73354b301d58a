import type { CallOptions } from "../calls/caller.js";
import type { Counters } from "../counters.js";
import { closedError, invalidArgument, PodsError } from "../errors/pods-error.js";
import { unproved } from "../known/completeness.js";
import type { LogReader } from "../known/log.js";
import type { Time } from "../lookup/anchors.js";
import type { Answer, At, FindOptions, Found, WaitOptions } from "../lookup/answer.js";
import { readAt } from "../lookup/at.js";
import { KeyWait, tooLate } from "../lookup/key-wait.js";
import type { Lookups } from "../lookup/lookups.js";
import { keyText, lookupKeyOf, type PodKey } from "../lookup/pod-key.js";
import type { RetentionWant } from "../lookup/retention.js";
import { frozen, type View } from "../lookup/view.js";
import { checkOptions, checkText, isTrue, type OptionTypes, resolveTimeoutMs } from "../option-checks.js";
import type { Pod } from "../pod/pod.js";
import { printable } from "../printable.js";
import { LONGEST_RESYNC } from "../stream/machine.js";
import type { Upstream, UpstreamListener } from "../stream/upstream.js";
import { follow, onAbort } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { Budget, Deadline } from "../timing/deadline.js";
import { Wakers } from "../timing/wakers.js";
import type { ContainerEvent } from "./containers/container-event.js";
import { ContainerWatch } from "./containers/container-watch.js";
import type { Stream, WatchHost } from "./event-stream.js";
import type { PodEvent } from "./events.js";
import { type Health, type HealthOptions, healthOf } from "./health.js";
import type { InformerState } from "./informer-state.js";
import { ListWatch } from "./list-watch.js";
import { mistakenUID } from "./mistaken-uid.js";
import { PodFinder } from "./pod-finder.js";
import { PodWatch, type PodWatchOptions } from "./pod-watch.js";

/** Options of {@link PodInformer.synced}. */
export type SyncedOptions = Pick<CallOptions, "signal" | "timeoutMs">;

/** Options of one informer, checked. */
export interface PodInformerOptions extends PodWatchOptions, RetentionWant {}

type Known = Pick<InformerState, "listAgeMs" | "unconfirmed" | "unreadable" | "statusSource" | "counters">;

const SYNCED_OPTIONS = { signal: "signal", timeoutMs: "number" } as const;
const FIND_OPTIONS: OptionTypes<FindOptions> = { at: "time" };
const WAIT_OPTIONS: OptionTypes<WaitOptions> = { at: "time", signal: "signal", timeoutMs: "number", until: "function" };

/**
 * A cache of the node's pods that stays up to date across kubelet restarts. `state` says whether it is stale. Any number of readers and
 * iterators share one stream.
 */
export class PodInformer<P = Pod> implements AsyncIterable<PodEvent<P>>, AsyncDisposable {
  readonly #clock: Clock;
  /** The client's `timeoutMs`. */
  readonly #timeoutMs: number | undefined;
  readonly #options: PodInformerOptions;
  readonly #finder: PodFinder<P>;
  readonly #lookups: Lookups;
  readonly #leave: () => void;
  readonly #waits = new Set<KeyWait<P>>();
  readonly #listener: UpstreamListener;
  readonly #controller: AbortController;
  readonly #release: () => void;
  readonly #exit: () => void;
  readonly #wakers = new Wakers();
  readonly #upstream: Upstream<Lookups>;
  /** True once the fields that the informer wants are known. */
  #ready = false;
  /** The source of all reads: the known pods, or their state when the informer was closed. */
  #view: View;
  /** The reason of its end, and its state then. */
  #closed: { since: Date; confirmedMs: number | undefined; reason: unknown; known: Known } | undefined;

  /** @internal Made by `PodsClient.informer`. */
  constructor(host: WatchHost, options: PodInformerOptions) {
    options.signal?.throwIfAborted();
    this.#clock = host.clock;
    this.#timeoutMs = host.timeoutMs;
    this.#options = options;
    const { controller, release } = follow(options.signal);
    this.#controller = controller;
    this.#release = release;
    try {
      this.#exit = host.enter(controller);
    } catch (closed) {
      release();
      throw closed;
    }
    this.#upstream = host.upstream();
    this.#finder = new PodFinder(options, options);
    this.#lookups = this.#upstream.index;
    this.#leave = this.#lookups.join(options, this.#upstream.isLive);
    this.#view = this.#present();
    // This listener keeps the stream open, and wakes calls that wait. Reads use the known pods, not events.
    const wakers = this.#wakers;
    const ready = () => {
      this.#ready = true;
      wakers.wake();
      for (const wait of this.#waits) this.#lookups.waiters.wakeOne(wait);
    };
    const reader: LogReader = {
      begin: ready,
      accept({ type }) {
        if (type === "synced") ready();
        else if (type === "changes" || type === "listed" || type === "lost") wakers.wake();
      },
    };
    const { resyncIntervalMs, includeFinished } = options;
    const onFatal = (error: PodsError) => this.#end(error);
    this.#listener = { reader, mask: options.mask, resyncIntervalMs, includeFinished, onFatal };
    controller.signal.addEventListener("abort", () => this.#end(controller.signal.reason), { once: true });
    this.#upstream.add(this.#listener);
  }

  /**
   * Resolves once all pods are known. After `timeoutMs`, by default the client's, it rejects with the error that keeps the informer from
   * being synced. 0 and Infinity mean no limit. It also rejects with the signal's reason, and with `closed`.
   */
  async synced(options: SyncedOptions = {}): Promise<void> {
    checkOptions(options, SYNCED_OPTIONS, "synced");
    options.signal?.throwIfAborted();
    await this.#until(() => this.state.phase === "synced", options);
  }

  /**
   * Returns those of the given UIDs for which it is proved that the node has no such pod. Call it before you remove what an agent made for a
   * pod. The informer reads a new list after the call, because the kubelet can drop events. Unreadable and unconfirmed pods count as present,
   * and so do finished pods that are still listed and pods outside the informer's selection. Pass the UIDs from the kubelet: it does not know
   * the UIDs of mirror pods.
   *
   * Right after its start a 1.36 kubelet lists only the pods that it has read so far. So the call waits until the kubelet has refused a call
   * while it was initializing, or two lists with API pods, two seconds apart, agree. With `kubeletVersion: "1.37"` or later it does not
   * wait. After `timeoutMs`, by default the client's, it rejects with `initializing`. Without UIDs, it only waits for that proof.
   *
   * A pod that was force-deleted, or deleted while the kubelet was down, can still run for a while although no list has it. An informer that
   * had the pod keeps it until the kubelet reports its end, or until it no longer counts as unconfirmed: usually ten seconds
   * after its grace period. An informer that started later does not know it.
   *
   * @throws PodsError as {@link synced}; the signal's reason.
   * @example
   * ```ts
   * const informer = pods.informer();
   * const owners = ["9f0a6c1e-0f63-4dcb-93a4-6f3ad4cbd0f6"]; // of rules, as they are found at the start
   * for (const uid of await informer.confirmAbsent(owners)) console.log(`remove the rules of ${uid}`);
   * ```
   */
  async confirmAbsent(uids: Iterable<string>, options: SyncedOptions = {}): Promise<string[]> {
    checkOptions(options, SYNCED_OPTIONS, "confirmAbsent");
    if (typeof uids !== "object" || typeof (uids as Iterable<string> | null)?.[Symbol.iterator] !== "function")
      throw invalidArgument("confirmAbsent: uids must be a list of UIDs", "confirmAbsent([uid])");
    const requested = [...uids];
    for (const [i, uid] of requested.entries()) checkText(uid, `confirmAbsent: uids[${i}]`);
    options.signal?.throwIfAborted();
    await this.#relisted(options, requested);
    const upstream = this.#upstream;
    const { ledger } = upstream;
    const unknown = requested.filter((uid) => ledger.get(uid) === undefined);
    // A name or a misspelt UID is the UID of no pod, so it would be confirmed absent while its pod runs.
    const mistaken = unknown.length === 0 ? undefined : mistakenUID(unknown, ledger.records());
    if (mistaken !== undefined) {
      const what = `confirmAbsent: uids[${requested.indexOf(mistaken.uid)}] ${printable(mistaken.uid, 100)} is ${mistaken.is}`;
      throw invalidArgument(what, "pass pod.metadata.uid");
    }
    const { unreadable } = ledger;
    return ledger.proof.provesAbsence && ledger.hasUIDs
      ? unknown.filter((uid) => !unreadable.has(uid) && !ledger.awaitsNext(uid))
      : [];
  }

  /** Resolves when a list that was requested after this call is known, and no event of these pods came meanwhile. Rejects like {@link synced}. */
  #relisted(options: SyncedOptions, uids: readonly string[]): Promise<void> {
    const upstream = this.#upstream;
    const { ledger, streams } = upstream;
    return this.#until(() => {
      const isListed = upstream.listed > streams && !uids.some((uid) => ledger.list.touched.has(uid));
      if (isListed) upstream.seekProof();
      else upstream.relist();
      return isListed && ledger.proof.provesAbsence && this.state.phase === "synced";
    }, options);
  }

  async #until(is: () => boolean, options: SyncedOptions): Promise<void> {
    const timeoutMs = options.timeoutMs === undefined ? this.#timeoutMs : resolveTimeoutMs(options.timeoutMs);
    const { signal } = options;
    const reason = (deadline: Deadline) => this.#obstacle(deadline);
    const deadline = new Deadline({ clock: this.#clock, signal, timeoutMs, reason });
    try {
      while (!is()) {
        if (this.#closed !== undefined) throw this.#closed.reason;
        await this.#wakers.changed(deadline.signal);
      }
    } finally {
      deadline.release();
    }
  }

  /** Returns the error that prevents the informer from being synced. */
  #obstacle(budget: Budget): PodsError {
    const { error, phase } = this.state;
    if (error === undefined && phase === "synced" && !this.#upstream.ledger.proof.provesAbsence)
      return unproved("WatchPods");
    const message = `${phase === "synced" ? "no new list" : "not synced"} within ${budget.timeoutMs} ms`;
    return error ?? budget.exceeded({ message, method: "WatchPods" });
  }

  /** Current state, as a new object on each read. */
  get state(): InformerState {
    const { index, waiters } = this.#lookups;
    const { size: retained, evicted } = index.retention;
    const counts = { retained, evicted, waiting: waiters.size };
    if (this.#closed !== undefined) {
      const { since, reason, known } = this.#closed;
      return { phase: "closed", since, error: PodsError.is(reason) ? reason : undefined, ...known, ...counts };
    }
    const { state } = this.#upstream;
    let phase: InformerState["phase"] = "synced";
    if (!this.#isKnown) phase = "connecting";
    else if (state.error !== undefined) phase = "stale";
    const since = new Date(this.#clock.wallMs() - (this.#clock.now() - state.sinceMs));
    return { phase, since, error: state.error, ...this.#known(), ...counts };
  }

  /** @internal The counters of its client, for metrics. */
  get counters(): Counters {
    return this.#upstream.counters;
  }

  /** True once the informer has been synced. */
  get #isKnown(): boolean {
    return this.#ready && this.#upstream.ledger.proof.isAccepted;
  }

  get #confirmedMs(): number | undefined {
    return this.#isKnown ? this.#upstream.state.confirmedMs : undefined;
  }

  #known(): Known {
    const { ledger } = this.#upstream;
    const { unreadable, isPolled } = ledger;
    const unconfirmed = ledger.unconfirmed(this.#options.includeFinished);
    const statusSource = isPolled ? "api-server" : "kubelet";
    const listAgeMs = this.#upstream.listed === 0 ? undefined : this.#clock.now() - ledger.list.atMs;
    return { listAgeMs, unconfirmed, unreadable, statusSource, counters: this.#upstream.counters.counts };
  }

  /**
   * Returns whether the informer is live and ready, for the probes of an agent. An agent whose kubelet cannot be reached is live: a restart
   * would not help, and would lose its pods.
   *
   * @throws PodsError `invalid-argument` for a `maxAgeMs` that a quiet node would exceed.
   * @example
   * ```ts
   * const { ready, reason } = pods.informer().health({ maxAgeMs: 300_000 });
   * console.log(ready ? 200 : 503, reason);
   * ```
   */
  health(options: HealthOptions = {}): Health {
    checkOptions(options, { maxAgeMs: "number" }, "health");
    const { maxAgeMs = Number.POSITIVE_INFINITY } = options;
    const leastMs = Math.ceil(this.#options.resyncIntervalMs * LONGEST_RESYNC);
    if (!(maxAgeMs >= leastMs)) {
      const hint = `on a quiet node up to ${leastMs} ms pass between two lists: raise maxAgeMs, or lower resyncIntervalMs`;
      throw invalidArgument(`health: maxAgeMs must be at least ${leastMs}`, hint);
    }
    const confirmedMs = this.#closed === undefined ? this.#confirmedMs : this.#closed.confirmedMs;
    return healthOf(this.state, confirmedMs === undefined ? undefined : this.#clock.now() - confirmedMs, maxAgeMs);
  }

  /** Number of pods. */
  get size(): number {
    return this.#ready ? this.#finder.count(this.#view.pods.records()) : 0;
  }

  /**
   * Returns the pod that has a key now. If several pods have it, running pods come before finished, unconfirmed and terminating ones, and later
   * ones before earlier ones. The ID of an ended container works while the pod's status has it. The addresses of pods on the host network
   * and of finished pods are not found.
   *
   * @throws PodsError `invalid-argument` for an invalid key.
   * @example
   * ```ts
   * const informer = pods.informer();
   * await informer.synced();
   * console.log(informer.get({ namespace: "shop", name: "web-1" })?.metadata.uid);
   * console.log(informer.get({ ip: "::ffff:10.244.1.15" })?.metadata.name); // in any spelling
   * ```
   */
  get(key: PodKey, ...more: []): P | undefined {
    const [options]: readonly unknown[] = more;
    if (typeof options === "object")
      throw invalidArgument("get: the only argument is a key", "find(key, { at }) takes a time");
    const lookupKey = lookupKeyOf(key, "get");
    return this.#ready ? this.#finder.present(lookupKey, this.#view) : undefined;
  }

  /**
   * Returns the pod and the container run that have a key now, or had it `at` a time, and how sure that is. Deleted pods and ended containers
   * are found within `retainMs` and `maxRetained` of the informer. `pod` is undefined if no pod of the informer's selection has the key.
   *
   * @throws PodsError `invalid-argument` for an invalid key, and if `at` is not a time or seems to be in another unit.
   * @example
   * ```ts
   * const informer = pods.informer({ retainMs: 120_000 });
   * await informer.synced();
   * const { pod, confidence, gone } = informer.find({ ip: "::ffff:10.244.1.15" }, { at: Date.now() - 60_000 });
   * console.log(pod?.metadata.name, confidence, gone?.at);
   * ```
   */
  find(key: PodKey, options: FindOptions = {}): Answer<P> {
    checkOptions(options, FIND_OPTIONS, "find");
    const at = this.#timeOf(options.at, "find");
    const lookupKey = lookupKeyOf(key, "find");
    if (!this.#ready) return NOT_YET;
    const answer = this.#finder.find(lookupKey, at, this.#view);
    if (answer.pod === undefined && this.#closed === undefined) this.#upstream.seekProof();
    return answer;
  }

  /**
   * Waits until {@link find} returns a pod for the key, and returns that answer. A UID or container ID finds any known pod, including deleted
   * ones. An address or name finds a pod that is neither finished, terminating nor unconfirmed, so the previous owner of an address does not
   * end the wait; with `at`, a pod that may have had the key at that time. While the informer is not synced, only known UIDs and container
   * IDs are found.
   *
   * The kubelet reports a container some milliseconds after its start, or up to a second later if it polls the runtime.
   *
   * Without `timeoutMs` it waits as long as the informer is synced, because pulling an image can take minutes. It rejects with the informer's
   * error if the informer has not been synced for the client's `timeoutMs`.
   *
   * @throws PodsError `deadline` after `timeoutMs`, `overloaded` if 100,000 calls are waiting, `closed` unless the key is known, `invalid-argument` for an invalid
   * key; the signal's reason; errors that `until` throws.
   */
  async waitFor(key: PodKey, options: WaitOptions<P> = {}): Promise<Found<P>> {
    checkOptions(options, WAIT_OPTIONS, "waitFor");
    const { at, until, signal } = options;
    const limitMs = options.timeoutMs === undefined ? undefined : resolveTimeoutMs(options.timeoutMs);
    const time = this.#timeOf(at, "waitFor");
    const lookupKey = lookupKeyOf(key, "waitFor");
    signal?.throwIfAborted();
    const find = () => {
      const found = this.#ready ? this.#finder.awaited(lookupKey, time, this.#view) : undefined;
      return found !== undefined && (until === undefined || isTrue(until(found), "waitFor: until")) ? found : undefined;
    };
    const now = find();
    if (now !== undefined) return now;
    if (this.#closed !== undefined) throw this.#closed.reason;
    signal?.throwIfAborted(); // `until` may have aborted the signal
    const isPatient = options.timeoutMs === undefined;
    const timeoutMs = isPatient ? this.#timeoutMs : limitMs;
    const budget = new Budget(this.#clock, timeoutMs);
    const late = () => {
      if (isPatient) return this.#patienceMs(budget);
      return tooLate(timeoutMs as number, this.#standing());
    };
    return new KeyWait({ key: keyText(lookupKey), timeoutMs, late, signal, find }, this.#lookups.waiters, this.#waits)
      .promise;
  }

  /** Returns the remaining time of a wait without `timeoutMs`, or the error that ends it. */
  #patienceMs(budget: Budget): number | PodsError {
    const timeoutMs = budget.timeoutMs as number;
    if (this.state.phase === "synced") return timeoutMs;
    const leftMs = Math.max(budget.startMs, this.#upstream.state.sinceMs) + timeoutMs - this.#clock.now();
    return leftMs > 0 ? leftMs : this.#obstacle(budget);
  }

  /** Returns all pods, or the pods for which `filter` returns true. */
  list(filter?: (pod: P) => boolean): P[] {
    if (filter !== undefined && typeof filter !== "function") {
      throw invalidArgument("list: filter must be a function", "selectors are options of informer()");
    }
    const pods = this.#ready ? this.#finder.list(this.#view.pods.records()) : [];
    return filter === undefined ? pods : pods.filter((pod) => isTrue(filter(pod), "list: the filter"));
  }

  /** Watches the pods: first all known pods as ADDED, then changes. A slow iterator does not slow down others. */
  [Symbol.asyncIterator](): Stream<PodEvent<P>> {
    return this.#watch();
  }

  /**
   * Watches container runs like {@link PodsClient.watchContainers}: first the runs that the kubelet still reports, then each start and end
   * once. Events and reads agree.
   */
  watchContainers(options: Pick<CallOptions, "signal"> = {}): Stream<ContainerEvent<P>> {
    checkOptions(options, { signal: "signal" }, "watchContainers");
    return new ContainerWatch<P>(this.#host(), this.#watchOptions(options.signal));
  }

  /**
   * Yields the whole list once it is known, after each change, and after each outage. Changes that arrive while the reader is busy are in the
   * next list.
   */
  snapshots(options: Pick<CallOptions, "signal"> = {}): Stream<readonly P[]> {
    checkOptions(options, { signal: "signal" }, "snapshots");
    const { signal } = options;
    return new ListWatch(this.#watch(signal), () => this.list());
  }

  /** Ends the informer and its iterators. Reads then return the last known pods. */
  close(): Promise<void> {
    this.#end(closedError("informer"));
    return Promise.resolve();
  }

  /** Closes the informer, like {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal Aborts when the informer ends. */
  get over(): AbortSignal {
    return this.#controller.signal;
  }

  #watch(signal?: AbortSignal): PodWatch<P> {
    return new PodWatch<P>(this.#host(), this.#watchOptions(signal));
  }

  /** Returns the host of this informer's streams, which end with the informer. */
  #host(): WatchHost {
    const ended = this.#controller.signal;
    return {
      clock: this.#clock,
      timeoutMs: this.#timeoutMs,
      upstream: () => this.#upstream,
      enter: (controller) => {
        ended.throwIfAborted();
        return onAbort(ended, () => controller.abort(ended.reason));
      },
    };
  }

  /** Returns the options of a stream. It also wants the fields that reads need, so that events and reads agree. */
  #watchOptions(signal: AbortSignal | undefined): PodWatchOptions {
    return { ...this.#options, signal };
  }

  /** Returns the current view, with the current time noted. */
  #present(): View {
    const [upstream, lookups] = [this.#upstream, this.#lookups];
    const isReady = () => this.#ready;
    return {
      pods: upstream.ledger,
      now: () => lookups.now(),
      get index() {
        return lookups.index;
      },
      get isSynced() {
        return isReady() && upstream.isSynced;
      },
    };
  }

  #timeOf(at: At | undefined, where: string): Time | undefined {
    return at === undefined ? undefined : readAt(at, this.#lookups.now(), this.#lookups.index.anchors, where);
  }

  /** Describes the state of the view in a few words. */
  #standing(): string {
    const { phase, error, unconfirmed } = this.state;
    const why = error === undefined ? "" : ` (${error.code})`;
    return `the informer is ${phase}${why}${unconfirmed.count > 0 ? `, ${unconfirmed.count} unconfirmed` : ""}`;
  }

  /** Ends the informer's iterators and waiters, which reject with the reason. */
  #end(reason: unknown): void {
    if (this.#closed !== undefined) return;
    // Other readers continue and may want fewer fields, so later reads use a copy of the known pods.
    const since = new Date(this.#clock.wallMs());
    const confirmedMs = this.#confirmedMs;
    this.#closed = { since, confirmedMs, reason, known: this.#known() };
    this.#view = frozen(this.#view);
    this.#controller.abort(reason);
    this.#release();
    this.#exit();
    this.#leave();
    this.#upstream.remove(this.#listener);
    this.#wakers.wake();
    for (const wait of [...this.#waits]) wait.end(reason);
  }
}

/** The answer to every key before the first list. */
const NOT_YET = Object.freeze({
  pod: undefined,
  container: undefined,
  confidence: "uncertain",
  reason: "before-start",
  others: 0,
  gone: undefined,
} as const);
