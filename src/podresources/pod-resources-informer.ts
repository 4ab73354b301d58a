import { closedError, PodsError } from "../errors/pods-error.js";
import { checkOptions, resolveTimeoutMs } from "../option-checks.js";
import type { CallOptions } from "../options.js";
import { follow } from "../timing/abort.js";
import type { Environment } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import { Wakers } from "../timing/wakers.js";
import type { FreeResources } from "./free-resources.js";
import { Holdings, type IdentifiedPod, type PresentPods } from "./holdings.js";
import type { Assignment } from "./join.js";
import { numaNodesOfCpus } from "./numa.js";
import type { AllocatableResources, PodResources } from "./pod-resources.js";
import { type PodName, ReadingPlan } from "./reading-plan.js";

/** The part of a `PodsClient`'s informer that is joined with resources. */
export interface PodsView<P> extends PresentPods<P>, AsyncIterable<PodsViewEvent> {
  /** True if it has exactly the unfinished pods of the node. */
  readonly hasAllLive: boolean;
  /** The state of the view. */
  readonly state: {
    readonly phase: "connecting" | "synced" | "stale" | "closed";
    readonly error: PodsError | undefined;
    readonly unconfirmed: { readonly count: number };
  };
  /** Resolves when all pods are known. */
  synced(options?: Pick<CallOptions, "signal" | "timeoutMs">): Promise<void>;
}

/** An event of the view. */
export type PodsViewEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: IdentifiedPod }
  | { readonly type: "SYNCED" | "DISCONNECTED" };

/** Options of `PodResourcesClient.informer`. */
export interface PodResourcesInformerOptions {
  /**
   * The time until everything is read again, in milliseconds, plus or minus 20 %. Pods that come and go are read sooner. At least 1,000, at
   * most 86,400,000 (a day).
   *
   * @default 10_000
   */
  pollIntervalMs?: number | undefined;
  /**
   * Where `/sys` is. It shows the NUMA node of each CPU, which the kubelet does not. Read once. A container sees the machine's own.
   *
   * @default "/sys"
   */
  sysRoot?: string | undefined;
  /** Ends the informer, as `close` does. */
  signal?: AbortSignal | undefined;
}

/** The state of an informer of resources. */
export interface PodResourcesInformerState {
  /**
   * - `connecting`: nothing has been read yet.
   * - `synced`: everything has been read since the pods' informer was last synced, and all its pods are confirmed.
   * - `stale`: not synced any more, or the last reading failed; reads give the last known resources.
   * - `closed`: by `close`, or with its client or the pods' informer.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** Why it is not synced; undefined if it is, and before the first reading. */
  error: PodsError | undefined;
  /** The time of the last complete reading; undefined before the first. */
  readAt: Date | undefined;
}

/** The calls that it makes. @internal */
export interface ResourcesCalls extends Environment {
  list(signal: AbortSignal): Promise<PodResources[]>;
  getAllocatableResources(signal: AbortSignal): Promise<AllocatableResources>;
  /** Resolves with undefined if there is no such pod. @throws PodsError `not-served` if the kubelet has no such call. */
  get(namespace: string, name: string, signal: AbortSignal): Promise<PodResources | undefined>;
  enter(controller: AbortController): () => void;
}

/** How often to check if all pods of the view are confirmed: no event tells that. */
const UNSURE_MS = 1_000;

/**
 * A cache of the devices, CPUs and memory of each container, by the UID of its pod. The API knows pods only by name, and sends no changes.
 * So everything is read at intervals, and a new pod as soon as the pods' informer tells it. This timer does not keep the process alive.
 */
export class PodResourcesInformer<P extends IdentifiedPod> implements AsyncDisposable {
  readonly #calls: ResourcesCalls;
  readonly #pods: PodsView<P>;
  readonly #holdings: Holdings<P>;
  readonly #controller: AbortController;
  readonly #leave: () => void;
  readonly #wakers = new Wakers();
  readonly #plan: ReadingPlan;
  readonly #sysRoot: string;
  /** The NUMA node of each CPU; empty until it is read. */
  #nodeOfCpu: ReadonlyMap<number, number> = new Map();
  #readAt: Date | undefined;
  /** True if everything has been read since the pods' informer was last synced. */
  #isCurrent = false;
  #error: PodsError | undefined;
  #closed: { reason: unknown } | undefined;

  /** @internal Made by `PodResourcesClient.informer`. */
  constructor(
    calls: ResourcesCalls,
    pods: PodsView<P>,
    options: { pollIntervalMs: number; sysRoot: string; signal?: AbortSignal | undefined },
  ) {
    options.signal?.throwIfAborted();
    this.#calls = calls;
    this.#pods = pods;
    this.#holdings = new Holdings(pods);
    this.#sysRoot = options.sysRoot;
    this.#plan = new ReadingPlan(options.pollIntervalMs, () => calls.random(), calls.clock.now());
    const { controller, release } = follow(options.signal);
    this.#controller = controller;
    try {
      const exit = calls.enter(controller);
      this.#leave = () => {
        release();
        exit();
      };
    } catch (closed) {
      release();
      throw closed;
    }
    controller.signal.addEventListener("abort", () => this.#end(controller.signal.reason), { once: true });
    this.#follow().catch((error) => this.#end(error));
    this.#poll().catch((error) => this.#end(error));
  }

  /** The current state; a new object at each call. */
  get state(): PodResourcesInformerState {
    const readAt = this.#readAt;
    if (this.#closed !== undefined) {
      const { reason } = this.#closed;
      return { phase: "closed", error: PodsError.is(reason) ? reason : undefined, readAt };
    }
    const error = this.#error ?? this.#pods.state.error;
    if (readAt === undefined) return { phase: "connecting", error, readAt };
    const isSynced = this.#error === undefined && this.#isCurrent && this.#isSure;
    return { phase: isSynced ? "synced" : "stale", error, readAt };
  }

  /**
   * Resolves when everything has been read, at once if it is already synced. When `timeoutMs` has passed, it rejects with the error that is
   * in the way. By default, and with 0 or Infinity, it waits for ever. It also rejects with the signal's reason, and with `closed`.
   */
  async synced(options: Pick<CallOptions, "signal" | "timeoutMs"> = {}): Promise<void> {
    checkOptions(options, { signal: "signal", timeoutMs: "number" }, "synced");
    const { signal, timeoutMs } = options;
    signal?.throwIfAborted();
    const deadline = new Deadline({
      clock: this.#calls.clock,
      signal,
      timeoutMs: timeoutMs === undefined ? undefined : resolveTimeoutMs(timeoutMs),
      reason: () =>
        this.state.error ??
        new PodsError({ code: "deadline", message: `not synced within ${timeoutMs} ms`, method: "List" }),
    });
    try {
      while (this.state.phase !== "synced") {
        if (this.#closed !== undefined) throw this.#closed.reason;
        await this.#wakers.changed(deadline.signal);
      }
    } finally {
      deadline.release();
    }
  }

  /**
   * Returns the resources of each container of the present pods. Pods that share their name with another unfinished pod are left out,
   * because the kubelet does not tell which of them holds the resources.
   */
  list(): Assignment<P>[] {
    return this.#holdings.list();
  }

  /**
   * Returns the containers that hold a device; several if it is shared. If a plugin makes replicas of a device (`GPU-1::0`, `GPU-1::1`, as
   * NVIDIA's does for time slicing), they are also found by their common ID.
   */
  byDevice(deviceID: string, resourceName?: string): Assignment<P>[] {
    return this.#holdings.byDevice(deviceID, resourceName);
  }

  /**
   * Returns the resources of the node that were free at the last reading: devices, CPUs and memory, by NUMA nodes. Resources of unknown
   * pods are not free. Resources that the node has lost are left out. Containers without exclusive CPUs run on the free ones.
   */
  free(): FreeResources {
    return this.#holdings.free(this.#nodeOfCpu);
  }

  /** Ends the informer. Reads give the last known resources. The pods' informer and the client go on. Another call has no effect. */
  close(): Promise<void> {
    this.#end(closedError("informer"));
    return Promise.resolve();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Follows the events of the pods' informer. */
  async #follow(): Promise<void> {
    const events = this.#pods[Symbol.asyncIterator]();
    this.#controller.signal.addEventListener("abort", () => void events.return?.(), { once: true });
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      const event = next.value;
      const nowMs = this.#calls.clock.now();
      if (event.type === "ADDED") this.#holdings.came(event.pod.metadata);
      if (event.type === "ADDED" || event.type === "MODIFIED") this.#plan.came(event.pod.metadata, nowMs);
      else if (event.type === "DELETED") {
        this.#holdings.went(event.pod.metadata);
        this.#plan.went(nowMs);
      } else {
        this.#isCurrent = false;
        if (event.type === "SYNCED") this.#plan.renewed(nowMs);
      }
      this.#wakers.wake();
    }
    this.#end(closedError("informer"));
  }

  /** Reads when a reading is due and the pods are known, until it ends. */
  async #poll(): Promise<void> {
    const { signal } = this.#controller;
    const { clock } = this.#calls;
    await this.#pods.synced({ signal });
    while (!signal.aborted) {
      const nowMs = clock.now();
      const delayMs = this.#isSure ? this.#plan.nextMs - nowMs : UNSURE_MS;
      if (delayMs > 0) {
        // It does not keep the process alive.
        await this.#wakers.changed(signal, (wake) =>
          Number.isFinite(delayMs) ? clock.after(delayMs, wake, { isIdle: true }) : () => {},
        );
        continue;
      }
      try {
        await this.#read(nowMs, signal);
        this.#plan.succeeded();
        this.#error = undefined;
      } catch (thrown) {
        if (signal.aborted) return;
        this.#error = PodsError.from(thrown);
        this.#plan.failed(this.#error, clock.now());
      }
      this.#wakers.wake();
    }
  }

  /**
   * True if the known pods are those of the kubelet. Otherwise a name may mean another pod, and a kubelet of 1.36 that has not read its
   * sources lists only a part of them.
   */
  get #isSure(): boolean {
    const { phase, unconfirmed } = this.#pods.state;
    return phase === "synced" && unconfirmed.count === 0;
  }

  async #read(nowMs: number, signal: AbortSignal): Promise<void> {
    const reading = this.#plan.take(nowMs);
    if (reading === undefined) return;
    if (reading !== "all") {
      for (const pod of reading) await this.#readOne(pod, signal);
      return;
    }
    const allocatable = await this.#calls.getAllocatableResources(signal);
    if (this.#nodeOfCpu.size === 0) this.#nodeOfCpu = await numaNodesOfCpus(this.#sysRoot);
    this.#holdings.ask();
    const resources = await this.#calls.list(signal);
    if (!this.#isSure) {
      this.#plan.went(nowMs); // it is read again when the view is sure
      return;
    }
    this.#holdings.listed(allocatable, resources);
    this.#readAt = new Date(this.#calls.clock.wallMs());
    this.#isCurrent = true;
  }

  async #readOne(pod: PodName, signal: AbortSignal): Promise<void> {
    const listInstead = () => this.#plan.went(this.#calls.clock.now());
    if (!this.#holdings.canGet(pod)) {
      listInstead();
      return;
    }
    this.#holdings.ask();
    try {
      const answer = await this.#calls.get(pod.namespace, pod.name, signal);
      if (answer === undefined || !this.#isSure || !this.#holdings.got(pod, answer)) listInstead();
    } catch (error) {
      if (!PodsError.is(error) || error.code !== "not-served") throw error;
      this.#plan.lacksGet(this.#calls.clock.now());
    }
  }

  #end(reason: unknown): void {
    if (this.#closed !== undefined) return;
    this.#closed = { reason };
    this.#controller.abort(reason);
    this.#leave();
    this.#wakers.wake();
  }
}
