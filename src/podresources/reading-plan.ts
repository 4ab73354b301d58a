import { Backoff } from "../calls/backoff.js";
import { factsOf } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";

/** The name of a pod. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** A reading: of everything, or of these pods. */
export type Reading = "all" | readonly PodName[];

/** Pods that come together are read together: a Deployment that grows, a node that starts. */
const SETTLE_MS = 50;

/** The shortest time between two lists, because other clients share the kubelet's limit. After a new sync of the pods it does not apply. */
const LIST_SPACING_MS = 1_000;

/** The most pods that are read one by one. For more of them one list costs the kubelet less. */
const MAX_GETS = 8;

/** The share of the interval by which a poll is early or late, so that the agents of many nodes spread out. */
const JITTER = 0.2;

/** Decides when to read which pods of an API that sends no changes. Pure: time and randomness are passed in. */
export class ReadingPlan {
  readonly #intervalMs: number;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  readonly #came = new Map<string, PodName>();
  #cameMs = Number.POSITIVE_INFINITY;
  /** When the next list is due, and when the last one was begun. */
  #dueMs: number;
  #listedMs = Number.NEGATIVE_INFINITY;
  #pollMs = Number.POSITIVE_INFINITY;
  #retryMs: number | undefined;
  #hasGet = true;

  constructor(intervalMs: number, random: () => number, nowMs: number) {
    this.#intervalMs = intervalMs;
    this.#random = random;
    this.#backoff = new Backoff(random);
    this.#dueMs = nowMs - SETTLE_MS;
  }

  /** Notes a new pod, whose resources can be asked for alone. */
  came(pod: PodName, nowMs: number): void {
    this.#came.set(`${pod.namespace}/${pod.name}`, pod);
    this.#cameMs = Math.min(this.#cameMs, nowMs);
    if (this.#came.size > MAX_GETS || !this.#hasGet) this.#due(nowMs);
  }

  /** Notes that a pod is gone. Only a list shows when its resources are free again. */
  went(nowMs: number): void {
    this.#due(nowMs);
  }

  /** Notes a new sync of the pods, perhaps with another kubelet: everything is read at once. */
  renewed(nowMs: number): void {
    this.#hasGet = true;
    this.#listedMs = Number.NEGATIVE_INFINITY;
    this.succeeded(); // the failure was that of an earlier kubelet
    this.#due(nowMs - SETTLE_MS);
  }

  /** Notes that the kubelet has no call for one pod. */
  lacksGet(nowMs: number): void {
    this.#hasGet = false;
    this.#due(nowMs);
  }

  /** Notes that a reading succeeded. */
  succeeded(): void {
    this.#retryMs = undefined;
    this.#backoff.reset();
  }

  /** Notes that a reading failed. Everything is read again after the backoff of the failure. */
  failed(error: PodsError, nowMs: number): void {
    this.#due(nowMs);
    this.#retryMs = nowMs + this.#backoff.delayMs(factsOf(error.code).watch ?? "transient", error, nowMs);
  }

  /** The time of the next reading. */
  get nextMs(): number {
    return this.#retryMs ?? Math.min(this.#listMs, this.#cameMs + SETTLE_MS);
  }

  get #listMs(): number {
    return Math.min(this.#pollMs, Math.max(this.#dueMs + SETTLE_MS, this.#listedMs + LIST_SPACING_MS));
  }

  /** Returns the reading that is due now, and counts it as done; undefined if none is due. */
  take(nowMs: number): Reading | undefined {
    if (nowMs < this.nextMs) return undefined;
    const isListTime = this.#retryMs !== undefined || nowMs >= this.#listMs;
    const came = [...this.#came.values()];
    this.#came.clear();
    this.#cameMs = Number.POSITIVE_INFINITY;
    // If they are not asked for one by one, a list is due, which has them.
    if (!isListTime) return this.#hasGet && came.length <= MAX_GETS ? came : undefined;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#listedMs = nowMs;
    this.#pollMs = nowMs + this.#intervalMs * (1 - JITTER + 2 * JITTER * this.#random());
    return "all";
  }

  #due(nowMs: number): void {
    this.#dueMs = Math.min(this.#dueMs, nowMs);
  }
}
