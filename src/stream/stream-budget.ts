/** How many streams may be asked for at once after a pause. */
const BURST = 5;

/** How many streams may be asked for per second in the long run: each costs the kubelet a whole list. */
const PER_SECOND = 2;

/** One stream, less the error of adding up fractions. */
const ONE = 1 - 1e-9;

/**
 * Limits how often a kubelet is asked for a stream, for whatever reason. Dials that reach nobody cost it nothing, and do not count. Pure:
 * time is passed in.
 */
export class StreamBudget {
  #streams = BURST;
  #atMs = Number.NEGATIVE_INFINITY;

  /** Returns in how many milliseconds the next stream may be asked for; 0 means at once. */
  waitMs(nowMs: number): number {
    this.#advance(nowMs);
    return this.#streams >= ONE ? 0 : Math.ceil(((1 - this.#streams) / PER_SECOND) * 1_000);
  }

  /** Counts a stream that a kubelet was asked for. */
  spend(nowMs: number): void {
    this.#advance(nowMs);
    this.#streams = Math.max(0, this.#streams - 1);
  }

  #advance(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#atMs) / 1_000;
    this.#streams = Math.min(BURST, this.#streams + seconds * PER_SECOND);
    this.#atMs = Math.max(this.#atMs, nowMs);
  }
}
