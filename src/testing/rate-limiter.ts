/** The kubelet's own figures (DefaultQPS, DefaultBurstTokens in pkg/kubelet/apis/pods/constants.go). */
const CALLS_PER_SECOND = 100;
const BURST = 10;

/** The bucket that a kubelet has for the ListPods and GetPod calls of all its clients; WatchPods is not limited. */
export class RateLimiter {
  #tokens = BURST;
  #atMs: number;

  constructor(nowMs: number) {
    this.#atMs = nowMs;
  }

  /** Takes a token where there is one, and returns whether there was. */
  allow(nowMs: number): boolean {
    this.#tokens = Math.min(BURST, this.#tokens + ((nowMs - this.#atMs) / 1000) * CALLS_PER_SECOND);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
