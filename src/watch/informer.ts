import { closedError, PodsError } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import { type CallOptions, resolveTimeoutMs } from "../options.js";
import type { Pod } from "../pod/pod.js";
import { follow, orAborted } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import type { PodEvent, UnconfirmedPods } from "./events.js";
import { ListWatch } from "./list-watch.js";
import { INDEX_MASK, PodIndex } from "./pod-index.js";
import { PodWatch, type PodWatchOptions, type Stream, type WatchHost } from "./pod-watch.js";
import type { Upstream, UpstreamListener } from "./upstream.js";

/** The state of an informer. */
export interface InformerState {
  /**
   * - `connecting`: nothing is known yet.
   * - `synced`: what is known is what the kubelet has, but for those that are `unconfirmed`.
   * - `stale`: the kubelet is away; reads give what was known last.
   * - `closed`: by {@link PodInformer.close}, or by an error that no waiting mends.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** The time of the last change of `phase`. */
  since: Date;
  /** Why it is not synced; undefined where it is. */
  error: PodsError | undefined;
  /** Pods of the node that the last list lacked, and that are told as if they were there. */
  unconfirmed: UnconfirmedPods;
  /** UIDs of pods whose last message could not be read; what is known of them is older. */
  unreadable: readonly string[];
  /** Counters of the stream behind all watches and informers of the client, since its first. */
  counters: {
    /** Streams opened. */
    streams: number;
    /** Complete lists after the first. */
    resyncs: number;
    /** Messages that could not be read or are not known. */
    malformed: number;
  };
}

/** Options of {@link PodInformer.synced}. */
export type SyncedOptions = Pick<CallOptions, "signal" | "timeoutMs">;

/**
 * A cache of the node's pods that is kept right: it starts when it is made, survives the kubelet's restarts, and says
 * when it may be stale. Any number of readers and iterators share one stream.
 */
export class PodInformer<P = Pod> implements AsyncIterable<PodEvent<P>>, AsyncDisposable {
  readonly #clock: Clock;
  readonly #options: PodWatchOptions;
  readonly #index: PodIndex<P>;
  readonly #listener: UpstreamListener;
  readonly #controller: AbortController;
  readonly #release: () => void;
  readonly #exit: () => void;
  readonly #wakers = new Set<() => void>();
  readonly #upstream: Upstream;
  /** Whether the fields that its readers want are known. */
  #ready = false;
  /** The reason of its end, and its state then. */
  #closed:
    | { since: Date; reason: unknown; known: Pick<InformerState, "unconfirmed" | "unreadable" | "counters"> }
    | undefined;

  /** @internal Made by `PodsClient.informer`. */
  constructor(host: WatchHost, options: PodWatchOptions) {
    options.signal?.throwIfAborted();
    this.#clock = host.clock;
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
    this.#index = new PodIndex(this.#upstream.ledger, options);
    // It keeps the stream open, and wakes those who wait for a state; reads come from what is known, not from events.
    const wake = () => this.#wake();
    const ready = () => {
      this.#ready = true;
      this.#wake();
    };
    this.#listener = {
      sink: { snapshot: ready, accept: wake, synced: ready, lost: wake },
      mask: this.#index.neededMask,
      resyncIntervalMs: options.resyncIntervalMs,
      onFatal: (error) => this.#end(error),
    };
    controller.signal.addEventListener("abort", () => this.#end(controller.signal.reason), { once: true });
    this.#upstream.add(this.#listener);
  }

  /**
   * Resolves when everything there is is known, at once where it is already. Rejects with what is in the way when
   * `timeoutMs` has passed (by default, and with 0 or Infinity, it waits for ever), with the signal's reason, or with `closed`.
   */
  async synced(options: SyncedOptions = {}): Promise<void> {
    checkOptions(options, { signal: "signal", timeoutMs: "number" }, "synced");
    const { signal, timeoutMs } = options;
    signal?.throwIfAborted();
    const reason = () =>
      this.state.error ??
      new PodsError({ code: "deadline", message: `not synced within ${timeoutMs} ms`, method: "WatchPods" });
    const deadline = new Deadline({
      clock: this.#clock,
      signal,
      timeoutMs: timeoutMs === undefined ? undefined : resolveTimeoutMs(timeoutMs),
      reason,
    });
    try {
      while (this.state.phase !== "synced") {
        if (this.#closed !== undefined) throw this.#closed.reason;
        let wake = () => {};
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        this.#wakers.add(wake);
        await orAborted(changed, deadline.signal).finally(() => this.#wakers.delete(wake));
      }
    } finally {
      deadline.release();
    }
  }

  /** The present state; a new object at each call. */
  get state(): InformerState {
    if (this.#closed !== undefined) {
      const { since, reason, known } = this.#closed;
      return { phase: "closed", since, error: PodsError.is(reason) ? reason : undefined, ...known };
    }
    const { state } = this.#upstream;
    let phase: InformerState["phase"] = "synced";
    if (!this.#ready) phase = "connecting";
    else if (state.error !== undefined) phase = "stale";
    const since = new Date(this.#clock.wallMs() - (this.#clock.now() - state.sinceMs));
    return { phase, since, error: state.error, ...this.#known() };
  }

  #known(): Pick<InformerState, "unconfirmed" | "unreadable" | "counters"> {
    const { state, ledger } = this.#upstream;
    const counters = { streams: state.streams, resyncs: state.resyncs, malformed: ledger.malformed };
    return { unconfirmed: ledger.unconfirmed, unreadable: ledger.unreadable, counters };
  }

  /** The number of pods. */
  get size(): number {
    return this.#ready ? this.#index.size : 0;
  }

  /** Returns the pod with this UID. */
  get(uid: string | undefined): P | undefined {
    return uid === undefined || !this.#ready ? undefined : this.#index.get(uid);
  }

  /** Returns the pod of this name; of several the one that is not finished, in doubt or terminating, and the latest of those. */
  byName(namespace: string, name: string): P | undefined {
    return this.#ready ? this.#index.byName(namespace, name) : undefined;
  }

  /**
   * Returns the pods with this address, in the order of {@link byName}. Pods on the host's network share the node's address and are left out, unless
   * `hostNetwork` is true.
   */
  byIP(ip: string, { hostNetwork = false }: { hostNetwork?: boolean } = {}): P[] {
    return this.#ready ? this.#index.byIP(ip, hostNetwork) : [];
  }

  /** Returns the pod that has this container, with or without `containerd://` before the ID. */
  byContainerID(id: string): P | undefined {
    return this.#ready ? this.#index.byContainerID(id) : undefined;
  }

  /** Returns all pods, or those that `filter` lets through. */
  list(filter?: (pod: P) => boolean): P[] {
    return this.#ready ? this.#index.list(filter) : [];
  }

  /** Watches the pods from here on: first those that are there. Each iterator has its own pace and harms no other. */
  [Symbol.asyncIterator](): Stream<PodEvent<P>> {
    return this.#watch();
  }

  /**
   * Watches the whole list: returns it once it is known, after each change, and when it is known again after an outage,
   * changed or not. What changes meanwhile is in the next one.
   */
  snapshots(options: Pick<CallOptions, "signal"> = {}): Stream<readonly P[]> {
    checkOptions(options, { signal: "signal" }, "snapshots");
    const { signal } = options;
    return new ListWatch(
      this.#watch(signal),
      () => true,
      () => this.list(),
    );
  }

  /** Ends it and its iterators; reads give what was known last. Calling it again gives nothing new. */
  close(): Promise<void> {
    this.#end(closedError("informer"));
    return Promise.resolve();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #watch(signal?: AbortSignal): PodWatch<P> {
    const ended = this.#controller.signal;
    return new PodWatch<P>(
      {
        clock: this.#clock,
        upstream: () => this.#upstream,
        enter: (controller) => {
          ended.throwIfAborted();
          const end = () => controller.abort(ended.reason);
          ended.addEventListener("abort", end, { once: true });
          return () => ended.removeEventListener("abort", end);
        },
      },
      // What reads need is known whenever an event is told: events and reads agree.
      { ...this.#options, lookup: INDEX_MASK, signal },
    );
  }

  /** Ends everything that is the informer's, with the reason that iterators and waiters reject with. */
  #end(reason: unknown): void {
    if (this.#closed !== undefined) return;
    this.#closed = { since: new Date(this.#clock.wallMs()), reason, known: this.#known() };
    this.#index.freeze(); // others go on, and may want less of each pod
    this.#controller.abort(reason);
    this.#release();
    this.#exit();
    this.#upstream.remove(this.#listener);
    this.#wake();
  }

  #wake(): void {
    if (this.#wakers.size === 0) return;
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }
}
