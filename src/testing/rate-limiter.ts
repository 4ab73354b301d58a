import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { Clock } from "../timing/clock.js";

/** The kubelet's own figures (DefaultQPS, DefaultBurstTokens in pkg/kubelet/apis/pods/constants.go). */
const CALLS_PER_SECOND = 100;
const BURST = 10;

/** The bucket that a kubelet has for the ListPods and GetPod calls of all its clients; WatchPods is not limited. */
export class RateLimiter {
  readonly #clock: Clock;
  #tokens = BURST;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.now();
  }

  /** Takes a token where there is one, and returns whether there was. */
  allow(): boolean {
    const nowMs = this.#clock.now();
    this.#tokens = Math.min(BURST, this.#tokens + ((nowMs - this.#atMs) / 1000) * CALLS_PER_SECOND);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/** Makes the error of a call that finds no token. */
export function rejectedByLimit(): GrpcError {
  return new GrpcError({ status: GRPC.resourceExhausted, message: "rejected by rate limit" });
}
