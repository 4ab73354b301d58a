/** Number of tokens that a bucket gains per second, and its capacity. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** One token, minus a tolerance for rounding errors. */
const ONE = 1 - 1e-9;

/** A token bucket that starts full. Pure: time is passed in. Time that goes backwards adds no tokens. */
export class TokenBucket {
  readonly burst: number;
  #perSecond: number;
  #tokens: number;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: Rate) {
    this.#perSecond = perSecond;
    this.burst = burst;
    this.#tokens = burst;
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  /** Changes the rate from now on. */
  setRate(perSecond: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#perSecond = perSecond;
  }

  /** Returns the number of milliseconds until there is a token; 0 if there is one now. */
  waitMs(nowMs: number): number {
    this.#advance(nowMs);
    return this.#tokens >= ONE ? 0 : Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1_000);
  }

  /** Takes a token, or what is left if there is less than one. */
  spend(nowMs: number): void {
    this.#advance(nowMs);
    this.#tokens = Math.max(0, this.#tokens - 1);
  }

  empty(nowMs: number): void {
    this.#advance(nowMs);
    this.#tokens = 0;
  }

  #advance(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#atMs) / 1_000;
    this.#tokens = Math.min(this.burst, this.#tokens + seconds * this.#perSecond);
    this.#atMs = Math.max(this.#atMs, nowMs);
  }
}
