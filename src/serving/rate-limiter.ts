import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { Clock } from "../timing/clock.js";

/** The rate of a bucket, and its burst. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The kubelet's own figures (DefaultQPS, DefaultBurstTokens in pkg/kubelet/apis/pods/constants.go). */
const CALLS_PER_SECOND = 100;
const BURST = 10;

/** The token bucket of a kubelet for the ListPods and GetPod calls of all its clients. WatchPods is not limited. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #rate: Rate;
  #tokens: number;
  #atMs: number;

  constructor(clock: Clock, rate: Rate = { perSecond: CALLS_PER_SECOND, burst: BURST }) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = clock.now();
  }

  /** Takes a token. Returns false if there is none. */
  allow(): boolean {
    const nowMs = this.#clock.now();
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + ((nowMs - this.#atMs) / 1000) * this.#rate.perSecond);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/** Makes the error of a call without a token. */
export function rejectedByLimit(): GrpcError {
  return new GrpcError({ status: GRPC.resourceExhausted, message: "rejected by rate limit" });
}
