import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { Clock } from "../timing/clock.js";
import { TokenBucket } from "../timing/token-bucket.js";

/** The kubelet's own limit (DefaultQPS, DefaultBurstTokens in pkg/kubelet/apis/pods/constants.go). */
const KUBELET_RATE = { perSecond: 100, burst: 10 };

/** The kubelet's rate limiter for the ListPods and GetPod calls of all its clients; from 1.38 also for WatchPods. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #bucket = new TokenBucket(KUBELET_RATE);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes a token. Returns false if there is none. */
  allow(): boolean {
    const nowMs = this.#clock.now();
    if (this.#bucket.waitMs(nowMs) > 0) return false;
    this.#bucket.spend(nowMs);
    return true;
  }
}

/** Makes the error of a call that got no token. */
export function rejectedByLimit(): GrpcError {
  return new GrpcError({ status: GRPC.resourceExhausted, message: "rejected by rate limit" });
}
