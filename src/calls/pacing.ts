import { TokenBucket } from "../timing/token-bucket.js";

/**
 * The kubelet limits ListPods and GetPod, and from 1.38 also WatchPods, to 100 per second, burst 10, for all its clients together (DefaultQPS
 * and DefaultBurstTokens in pkg/kubelet/apis/pods/constants.go). A client leaves room for other clients, and slows down when it hits the limit.
 */
export const PACING: Readonly<{
  /** Maximum rate, in calls per second. */
  ratePerSecond: number;
  /** Number of calls that may be sent at once after a pause. */
  burst: number;
  /** Minimum rate, in calls per second. */
  floorPerSecond: number;
  /** Factor by which the rate grows each second. */
  recovery: number;
}> = { ratePerSecond: 80, burst: 8, floorPerSecond: 1, recovery: 1.1 };

/** A token bucket whose rate halves when the kubelet rejects a call, and recovers by 10 % per second. Pure: time is passed in. */
export class Pacing {
  readonly #bucket = new TokenBucket({ perSecond: PACING.ratePerSecond, burst: PACING.burst });
  #atMs: number;
  /** Time at which the rate was last halved. */
  #halvedMs = Number.NEGATIVE_INFINITY;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  get ratePerSecond(): number {
    return this.#bucket.perSecond;
  }

  /** Takes a token and returns 0. If there is none, returns the number of milliseconds until there is one. */
  take(nowMs: number): number {
    this.#recover(nowMs);
    const waitMs = this.#bucket.waitMs(nowMs);
    if (waitMs === 0) this.#bucket.spend(nowMs);
    return waitMs;
  }

  /**
   * Slows down after the kubelet rejected a call that was sent at `sentMs`. Concurrent calls that are rejected together halve the rate only
   * once.
   */
  reject(sentMs: number, nowMs: number): void {
    this.#recover(nowMs);
    if (sentMs <= this.#halvedMs) return;
    this.#bucket.setRate(Math.max(PACING.floorPerSecond, this.ratePerSecond / 2), nowMs);
    this.#bucket.empty(nowMs);
    this.#halvedMs = nowMs;
  }

  #recover(nowMs: number): void {
    const seconds = Math.max(0, nowMs - this.#atMs) / 1_000;
    this.#atMs = Math.max(this.#atMs, nowMs);
    this.#bucket.setRate(Math.min(PACING.ratePerSecond, this.ratePerSecond * PACING.recovery ** seconds), nowMs);
  }
}
