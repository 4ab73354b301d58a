import { Backoff } from "../calls/backoff.js";
import { factsOf } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";

/** The name of a pod. */
export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** A reading that is to be made: of everything, or of these pods. */
export type Reading = "all" | readonly PodName[];

/** Pods that come together are read together: a Deployment that grows, a node that starts. */
const SETTLE_MS = 50;

/** The least time between two lists, unless the pods are known anew: other clients share the kubelet's limit. */
const LIST_SPACING_MS = 1_000;

/** The most pods that are read one by one; where more have come, one list costs the kubelet less. */
const MAX_GETS = 8;

/** The share of the interval by which a poll is early or late, so that the agents of many nodes spread out. */
const JITTER = 0.2;

/** The plan of readings of an API that tells no changes: when to read, and what. Pure: time and randomness are passed in. */
export class ReadingPlan {
  readonly #intervalMs: number;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  readonly #came = new Map<string, PodName>();
  #cameMs = Number.POSITIVE_INFINITY;
  /** When a list was found to be due, and when the last one was begun. */
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

  /** Notes a pod that came: what it holds can be asked for alone. */
  came(pod: PodName, nowMs: number): void {
    this.#came.set(`${pod.namespace}/${pod.name}`, pod);
    this.#cameMs = Math.min(this.#cameMs, nowMs);
    if (this.#came.size > MAX_GETS || !this.#hasGet) this.#due(nowMs);
  }

  /** Notes that a pod went: only a list shows when its resources are given back. */
  went(nowMs: number): void {
    this.#due(nowMs);
  }

  /** Notes that the pods are known anew, perhaps those of another kubelet: everything is read at once. */
  renewed(nowMs: number): void {
    this.#hasGet = true;
    this.#listedMs = Number.NEGATIVE_INFINITY;
    this.succeeded(); // whoever failed is another by now
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

  /** Notes that a reading failed: everything is read when the pause is over that such a failure asks for. */
  failed(error: PodsError, nowMs: number): void {
    this.#due(nowMs);
    this.#retryMs = nowMs + this.#backoff.delayMs(factsOf(error.code).watch ?? "transient", error, nowMs);
  }

  /** The time at which something is to be read. */
  get nextMs(): number {
    return this.#retryMs ?? Math.min(this.#listMs, this.#cameMs + SETTLE_MS);
  }

  get #listMs(): number {
    return Math.min(this.#pollMs, Math.max(this.#dueMs + SETTLE_MS, this.#listedMs + LIST_SPACING_MS));
  }

  /** Returns what is to be read now, and counts it as read; undefined where it is not time. */
  take(nowMs: number): Reading | undefined {
    if (nowMs < this.nextMs) return undefined;
    const isListTime = this.#retryMs !== undefined || nowMs >= this.#listMs;
    const came = [...this.#came.values()];
    this.#came.clear();
    this.#cameMs = Number.POSITIVE_INFINITY;
    // Where they are not asked for one by one a list is due, which has them.
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
