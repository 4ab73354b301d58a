/** The number of past spans that are remembered. */
const MAX_SPANS = 100;

/** Spans of time on the monotonic clock: past ones, and perhaps one that still lasts. Pure. */
export class Spans {
  readonly #past: { readonly fromMs: number; readonly toMs: number }[] = [];
  #now: { readonly fromMs: number; untilMs: number } | undefined;
  /** Spans before this time are forgotten. */
  beforeMs: number = Number.NEGATIVE_INFINITY;

  add(fromMs: number, toMs: number): void {
    this.#past.push({ fromMs, toMs });
    if (this.#past.length > MAX_SPANS) this.beforeMs = this.#past.shift()?.toMs ?? toMs;
  }

  /**
   * Begins, extends or ends the current span. It lasts until `untilMs`, or until the next call.
   *
   * @param untilMs undefined ends it.
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

  /** Begin of the span that lasts without an end; undefined if there is none. */
  get openMs(): number | undefined {
    return this.#now?.untilMs === Number.POSITIVE_INFINITY ? this.#now.fromMs : undefined;
  }

  /** Returns when the first past span began that overlaps the time between the two; undefined if none does. */
  beginOf(fromMs: number, toMs: number): number | undefined {
    return this.#past.find((span) => span.fromMs <= toMs && span.toMs >= fromMs)?.fromMs;
  }

  /** Returns true if a span overlaps the time between the two. */
  touch(fromMs: number, toMs: number): boolean {
    if (fromMs < this.beforeMs) return true;
    if (this.#now !== undefined && this.#now.fromMs <= toMs && this.#now.untilMs >= fromMs) return true;
    return this.#past.some((span) => span.fromMs <= toMs && span.toMs >= fromMs);
  }
}
