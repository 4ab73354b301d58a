import type { KnownPods } from "../known/entry.js";
import { SETTLED_MS, TELLING_MS } from "./holding.js";
import { Spans } from "./spans.js";

/** The facts of the last complete list, besides its pods. */
export interface Listed extends KnownPods {
  /** When the first list of the process that answers was complete, on the monotonic clock. */
  readonly processSinceMs: number;
  /** Whether lists may be older than when they are given: they are polled, or a relay's. */
  readonly isSecondHand: boolean;
}

/** In less, no sandbox is made anew twice. */
const SHORT_MS = 1_000;

/** For so long a kubelet that has started may list a status from before: it looks at each pod within seconds. */
const YOUNG_MS = 15_000;

/** How many lists are remembered. */
const MAX_LISTS = 100;

/** When the pods were told, and how well: what an answer about a time rests on. Times are on the monotonic clock. Pure. */
export class Evidence {
  /** When nobody said how the pods were. */
  readonly outages: Spans = new Spans();
  /** When what was told may have been older than usual: by a kubelet that had just started, or in lists alone. */
  readonly old: Spans = new Spans();
  /** When there may have been pods that nobody told. */
  readonly unseen: Spans = new Spans();
  /** When there was a container whose files nobody had looked at, where they are looked at. */
  readonly unlooked: Spans = new Spans();
  /** Since when everything is told. */
  sinceMs: number = Number.POSITIVE_INFINITY;
  /** When the last list was complete. */
  listedMs: number = Number.NEGATIVE_INFINITY;
  /** When the last lists were complete, the oldest first. */
  readonly #lists: number[] = [];
  /** When the last live stream ended. -Infinity before the first list; undefined while a stream is live. */
  #lostMs: number | undefined = Number.NEGATIVE_INFINITY;
  #processSinceMs: number | undefined;
  /** Since when there may be pods that nobody has told. */
  #unseenSinceMs = Number.NEGATIVE_INFINITY;

  /** Whether a stream is live. */
  get isLive(): boolean {
    return this.#lostMs === undefined;
  }

  /** Takes over that all is known since an earlier list. */
  begin(listed: Listed, nowMs: number): void {
    this.#lostMs = undefined;
    this.#processSinceMs = listed.processSinceMs;
    this.#list(listed, nowMs, Number.NEGATIVE_INFINITY);
  }

  /** Called when the stream is lost. */
  lost(nowMs: number): void {
    this.#lostMs ??= nowMs;
  }

  /** Called when a list is complete. Returns when the stream before it was lost. */
  synced(listed: Listed, nowMs: number): number {
    const lostMs = this.#lostMs ?? nowMs;
    const isAnother = listed.processSinceMs !== this.#processSinceMs;
    this.#processSinceMs = listed.processSinceMs;
    this.#lostMs = undefined;
    // What has the same key before and after may have had another one between.
    if (Number.isFinite(lostMs) && (isAnother || nowMs - lostMs > SHORT_MS))
      this.outages.add(lostMs - SETTLED_MS, nowMs);
    this.#list(listed, nowMs, lostMs);
    return lostMs;
  }

  /** Returns until when all has been told that there is to tell, as far as it is told in time. */
  toldUntilMs(nowMs: number): number {
    return Math.min(nowMs, this.#lostMs ?? nowMs) - SETTLED_MS;
  }

  /** Returns since when a pod may have been there that is told now for the first time, and by an event. */
  unseenSinceMs(nowMs: number): number {
    return this.unseen.touch(nowMs, nowMs) ? this.#unseenSinceMs - SETTLED_MS : this.toldUntilMs(nowMs);
  }

  /** Returns the first list that comes so long after a time that it shows how things were then, if that list is not {@link old}. */
  proofOf(atMs: number): number | undefined {
    return this.#lists.find((listMs) => listMs >= atMs + TELLING_MS);
  }

  #list({ processSinceMs, isSecondHand, isInDoubt, hasUnreadable }: Listed, nowMs: number, lostMs: number): void {
    const youngMs = processSinceMs + YOUNG_MS;
    const isYoung = nowMs < youngMs;
    const forEver = Number.POSITIVE_INFINITY;
    if (!this.unseen.touch(nowMs, nowMs)) this.#unseenSinceMs = lostMs;
    this.sinceMs = Math.min(this.sinceMs, nowMs);
    this.listedMs = nowMs;
    this.old.set(nowMs, isSecondHand ? forEver : isYoung ? youngMs : undefined);
    this.unseen.set(nowMs, isInDoubt || hasUnreadable ? forEver : isYoung ? youngMs : undefined);
    this.#lists.push(nowMs);
    if (this.#lists.length > MAX_LISTS) this.#lists.shift();
  }
}
