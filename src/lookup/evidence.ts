import type { ListFacts } from "../known/log.js";
import { YOUNG_MS } from "../known/times.js";
import { LIST_LAG_MS, SETTLED_MS } from "./key-interval.js";
import { Spans } from "./spans.js";

/** No sandbox is replaced twice within this time. */
const SHORT_MS = 1_000;

/** How many lists are remembered. */
const MAX_LISTS = 100;

/** When the pods were told, and how reliably: the basis of answers about a time. Times are on the monotonic clock. Pure. */
export class Evidence {
  /** When no stream was live. */
  readonly outages: Spans = new Spans();
  /** When the told state may have been older than usual: the kubelet had just started, or the source has only lists. */
  readonly old: Spans = new Spans();
  /** When pods may have existed that nobody told. */
  readonly unseen: Spans = new Spans();
  /** When the first list was complete: changes since then are told. */
  sinceMs: number = Number.POSITIVE_INFINITY;
  /** When the last list was complete. */
  listedMs: number = Number.NEGATIVE_INFINITY;
  /** When the last lists were complete, the oldest first. */
  readonly #lists: number[] = [];
  /** When the last live stream ended. -Infinity before the first list; undefined while a stream is live. */
  #lostMs: number | undefined = Number.NEGATIVE_INFINITY;
  #processSinceMs: number | undefined;

  /** When pods may have begun to exist that nobody has told. */
  #unseenSinceMs = Number.NEGATIVE_INFINITY;

  /** When the first list of the current kubelet process was complete; Infinity before. */
  get processSinceMs(): number {
    return this.#processSinceMs ?? Number.POSITIVE_INFINITY;
  }

  /** True if a stream is live. */
  get isLive(): boolean {
    return this.#lostMs === undefined;
  }

  /** Begins with the last list, when the pods were known before the index was made. */
  begin(list: ListFacts, nowMs: number): void {
    this.#lostMs = undefined;
    this.#processSinceMs = list.processSinceMs;
    this.#list(list, nowMs, Number.NEGATIVE_INFINITY);
  }

  /** Called when the stream is lost. */
  lost(nowMs: number): void {
    this.#lostMs ??= nowMs;
  }

  /** Called when a list is complete. Returns when the stream before it was lost. */
  listed(list: ListFacts, nowMs: number): number {
    const lostMs = this.#lostMs ?? nowMs;
    const isAnother = list.processSinceMs !== this.#processSinceMs;
    this.#processSinceMs = list.processSinceMs;
    this.#lostMs = undefined;
    // A pod with the same key before and after an outage may have had another key in between.
    if (Number.isFinite(lostMs) && (isAnother || nowMs - lostMs > SHORT_MS))
      this.outages.add(lostMs - SETTLED_MS, nowMs);
    this.#list(list, nowMs, lostMs);
    return lostMs;
  }

  /** Returns the time until which every change has been told, if the kubelet tells changes in time. */
  reportedUntilMs(nowMs: number): number {
    return Math.min(nowMs, this.#lostMs ?? nowMs) - SETTLED_MS;
  }

  /** Returns when a pod may have begun to exist that an event tells now for the first time. */
  unseenSinceMs(nowMs: number): number {
    return this.unseen.touch(nowMs, nowMs) ? this.#unseenSinceMs - SETTLED_MS : this.reportedUntilMs(nowMs);
  }

  /**
   * Returns the time of the first list that came late enough after `atMs` to show the state at that time, unless that list is {@link old}.
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
    this.unseen.set(nowMs, mayLackPods ? forEver : isYoung ? youngMs : undefined);
    this.#lists.push(nowMs);
    if (this.#lists.length > MAX_LISTS) this.#lists.shift();
  }
}
