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

/** The informer of a `PodsClient`, as far as its pods are joined with what they have been given. */
export interface PodsView<P> extends PresentPods<P>, AsyncIterable<PodsViewEvent> {
  /** Whether it has all pods of the node that have not finished, and no others. */
  readonly hasAllLive: boolean;
  /** The state of the view. */
  readonly state: {
    readonly phase: "connecting" | "synced" | "stale" | "closed";
    readonly error: PodsError | undefined;
    readonly unconfirmed: { readonly count: number };
  };
  /** Resolves when everything there is is known. */
  synced(options?: Pick<CallOptions, "signal" | "timeoutMs">): Promise<void>;
}

/** An event of the view. */
export type PodsViewEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: IdentifiedPod }
  | { readonly type: "SYNCED" | "DISCONNECTED" };

/** Options of `PodResourcesClient.informer`. */
export interface PodResourcesInformerOptions {
  /**
   * How long it takes until everything is read again, in milliseconds, plus or minus 20 %. Pods that come and go are read sooner. At
   * least 1,000, at most 86,400,000 (a day).
   *
   * @default 10_000
   */
  pollIntervalMs?: number | undefined;
  /**
   * Where `/sys` is, in which the kernel says which CPU is of which NUMA node: the kubelet does not. Read once. A container sees the
   * machine's own.
   *
   * @default "/sys"
   */
  sysRoot?: string | undefined;
  /** Ends it, as `close` does. */
  signal?: AbortSignal | undefined;
}

/** The state of an informer of resources. */
export interface PodResourcesInformerState {
  /**
   * - `connecting`: nothing has been read yet.
   * - `synced`: everything was read since the pods' informer was synced last, and all its pods are confirmed.
   * - `stale`: that is not so, or the last reading failed; reads give what was known last.
   * - `closed`: by `close`, or with one of the two that it is made of.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** Why it is not synced; undefined where it is, and before the first reading. */
  error: PodsError | undefined;
  /** The time of the last complete reading; undefined before the first. */
  readAt: Date | undefined;
}

/** The calls that it makes. @internal */
export interface ResourcesCalls extends Environment {
  list(signal: AbortSignal): Promise<PodResources[]>;
  getAllocatableResources(signal: AbortSignal): Promise<AllocatableResources>;
  /** Resolves with undefined where there is no such pod. @throws PodsError `not-served`, where the kubelet has no such call. */
  get(namespace: string, name: string, signal: AbortSignal): Promise<PodResources | undefined>;
  enter(controller: AbortController): () => void;
}

/** How often it is looked whether the view of the pods has become sure: nothing tells that a pod is confirmed. */
const UNSURE_MS = 1_000;

/**
 * A cache of which container holds which devices, CPUs and memory, by pod and UID. The API knows pods by name alone and tells no
 * changes. So everything is read at intervals, and a new pod as soon as the pods' informer tells it. It does not keep the process alive.
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
  /** Whether everything was read since the pods were known anew. */
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

  /** The present state; a new object at each call. */
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
   * Resolves when everything has been read, at once where it is so already. Rejects with what is in the way when `timeoutMs` has
   * passed (by default, and with 0 or Infinity, it waits for ever), with the signal's reason, or with `closed`.
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
   * Returns what each container holds, of pods that are there. Pods that share their name with another that has not ended are left
   * out: the kubelet does not say which of them is meant.
   */
  list(): Assignment<P>[] {
    return this.#holdings.list();
  }

  /**
   * Returns the containers that hold a device: several where it is shared. A device of which its plugin makes replicas
   * (`GPU-1::0`, `GPU-1::1`, as NVIDIA's does for time slicing) is found by the ID that they have in common, too.
   */
  byDevice(deviceID: string, resourceName?: string): Assignment<P>[] {
    return this.#holdings.byDevice(deviceID, resourceName);
  }

  /**
   * Returns what the node can give and was nobody's when it was read: devices, CPUs and memory, by NUMA nodes. What a pod has that is
   * not known here is not free. What the node can no longer give is not told. Containers without CPUs of their own run on the free ones.
   */
  free(): FreeResources {
    return this.#holdings.free(this.#nodeOfCpu);
  }

  /** Ends it; reads give what was known last. The pods' informer and the client go on. Calling it again gives nothing new. */
  close(): Promise<void> {
    this.#end(closedError("informer"));
    return Promise.resolve();
  }

  /** Closes it, as {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Notes what the pods' informer tells. */
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

  /** Reads when there is something to read, and the pods are known whose it is, until it ends. */
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
   * Whether the view of the pods is that of the kubelet. Else the pods that it means by a name may be others, and a kubelet that has not
   * read its sources (1.36) lists a part of them.
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
      this.#plan.went(nowMs); // it is read again when it is
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
