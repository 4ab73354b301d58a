import type { ListFacts } from "../known/log.js";
import { YOUNG_MS } from "../known/times.js";
import { LIST_LAG_MS, SETTLED_MS } from "./key-interval.js";
import { Spans } from "./spans.js";

/** A sandbox is not replaced twice within this time. */
const SHORT_MS = 1_000;

/** The number of lists that are remembered. */
const MAX_LISTS = 100;

/** When the kubelet reported pods, and how reliably. Answers about a past time depend on it. Times are on the monotonic clock. Pure. */
export class Evidence {
  /** Times without a live stream. */
  readonly outages: Spans = new Spans();
  /** Times at which reports may have been older than usual: the kubelet had just started, or the source sends only lists. */
  readonly old: Spans = new Spans();
  /** Times at which pods may have existed that the kubelet did not report. */
  readonly unseen: Spans = new Spans();
  /** Time of the first complete list. */
  sinceMs: number = Number.POSITIVE_INFINITY;
  /** Time of the last complete list. */
  listedMs: number = Number.NEGATIVE_INFINITY;
  /** Times of the last complete lists, the oldest first. */
  readonly #lists: number[] = [];
  /** End of the last live stream. -Infinity before the first list; undefined while a stream is live. */
  #lostMs: number | undefined = Number.NEGATIVE_INFINITY;
  #processSinceMs: number | undefined;

  /** The earliest creation of pods that the kubelet has not reported yet. */
  #unseenSinceMs = Number.NEGATIVE_INFINITY;

  /** Time of the first complete list of the current kubelet process; Infinity before it. */
  get processSinceMs(): number {
    return this.#processSinceMs ?? Number.POSITIVE_INFINITY;
  }

  get isLive(): boolean {
    return this.#lostMs === undefined;
  }

  /** Begins with the last list, if there was one before the index. */
  begin(list: ListFacts, nowMs: number): void {
    this.#lostMs = undefined;
    this.#processSinceMs = list.processSinceMs;
    this.#list(list, nowMs, Number.NEGATIVE_INFINITY);
  }

  lost(nowMs: number): void {
    this.#lostMs ??= nowMs;
  }

  /** Called when a list is complete. Returns when the stream before it was lost. */
  listed(list: ListFacts, nowMs: number): number {
    const lostMs = this.#lostMs ?? nowMs;
    const isAnother = list.processSinceMs !== this.#processSinceMs;
    this.#processSinceMs = list.processSinceMs;
    this.#lostMs = undefined;
    // A pod that has the same key before and after an outage may have had another one in between.
    if (Number.isFinite(lostMs) && (isAnother || nowMs - lostMs > SHORT_MS))
      this.outages.add(lostMs - SETTLED_MS, nowMs);
    this.#list(list, nowMs, lostMs);
    return lostMs;
  }

  /** Returns the time until which the kubelet has reported every change, unless it is late. */
  reportedUntilMs(nowMs: number): number {
    return Math.min(nowMs, this.#lostMs ?? nowMs) - SETTLED_MS;
  }

  /** Returns the earliest possible creation time of a pod that the kubelet reports now for the first time. */
  unseenSinceMs(nowMs: number): number {
    return this.unseen.touch(nowMs, nowMs) ? this.#unseenSinceMs - SETTLED_MS : this.reportedUntilMs(nowMs);
  }

  /**
   * Returns the time of the first list that is late enough to show the state at `atMs`. The caller checks whether that list is {@link old}.
   */
  proofOf(atMs: number): number | undefined {
    return this.#lists.find((listMs) => listMs >= atMs + LIST_LAG_MS);
  }

  #list({ processSinceMs, isPolled, mayLackPods }: ListFacts, nowMs: number, lostMs: number): void {
    const youngMs = processSinceMs + YOUNG_MS;
    const isYoung = nowMs < youngMs;
    const forEver = Number.POSITIVE_INFINITY;
    if (!this.unseen.touch(nowMs, nowMs)) this.#unseenSinceMs = lostMs;
    this.sinceMs = Math.min(this.sinceMs, nowMs);
    this.listedMs = nowMs;
    this.old.set(nowMs, isPolled ? forEver : isYoung ? youngMs : undefined);
    this.unseen.set(nowMs, mayLackPods ? forEver : undefined);
    this.#lists.push(nowMs);
    if (this.#lists.length > MAX_LISTS) this.#lists.shift();
  }
}
