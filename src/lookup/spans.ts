/** How many are remembered one by one. */
const MAX_SPANS = 100;

/** Times of one kind, from something to something: those that are over, and perhaps one that lasts. On the monotonic clock. Pure. */
export class Spans {
  readonly #past: { readonly fromMs: number; readonly toMs: number }[] = [];
  #now: { readonly fromMs: number; untilMs: number } | undefined;
  /** There were more before this time than are remembered. */
  beforeMs: number = Number.NEGATIVE_INFINITY;

  /** Adds one that is over. */
  add(fromMs: number, toMs: number): void {
    this.#past.push({ fromMs, toMs });
    if (this.#past.length > MAX_SPANS) this.beforeMs = this.#past.shift()?.toMs ?? toMs;
  }

  /**
   * Says how it is from now on: until a time at most, or else until this says otherwise.
   *
   * @param untilMs undefined where there is none.
   */
  set(nowMs: number, untilMs: number | undefined): void {
    const last = this.#now;
    if (last !== undefined && untilMs !== undefined && last.untilMs >= nowMs) {
      last.untilMs = untilMs;
      return;
    }
    if (last !== undefined) this.add(last.fromMs, Math.min(last.untilMs, nowMs));
    this.#now = untilMs === undefined ? undefined : { fromMs: nowMs, untilMs };
  }

  /** Returns whether any of them has a part of the time between two. */
  touch(fromMs: number, toMs: number): boolean {
    if (fromMs < this.beforeMs) return true;
    if (this.#now !== undefined && this.#now.fromMs <= toMs && this.#now.untilMs >= fromMs) return true;
    return this.#past.some((span) => span.fromMs <= toMs && span.toMs >= fromMs);
  }
}
