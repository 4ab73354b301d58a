/** Minimum time between pings on a quiet connection (MinTime in google.golang.org/grpc/keepalive). */
const MIN_INTERVAL_MS = 5 * 60_000;

/** Number of pings that may come too early (maxPingStrikes in google.golang.org/grpc/internal/transport). */
const MAX_STRIKES = 2;

/** Limits pings like grpc-go: a client may ping rarely, or after data was sent to it. */
export class PingPolicy {
  #lastMs = Number.NEGATIVE_INFINITY;
  #strikes = 0;
  #forgiven = false;

  /** Records that data was sent: the next ping is free, and earlier ones are forgiven. */
  sent(): void {
    this.#forgiven = true;
  }

  /** Counts a ping. Returns false if the client must be disconnected. */
  count(nowMs: number): boolean {
    if (this.#forgiven) {
      this.#forgiven = false;
      this.#strikes = 0;
    } else if (nowMs - this.#lastMs < MIN_INTERVAL_MS) this.#strikes++;
    this.#lastMs = nowMs;
    return this.#strikes <= MAX_STRIKES;
  }
}
