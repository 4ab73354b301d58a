import { isRefusedStream } from "../errors/classify.js";
import type { BackoffClass } from "../errors/error-code.js";

interface Bounds {
  /** The longest first delay: delays are drawn from zero to this. */
  readonly baseMs: number;
  readonly capMs: number;
  /** The cap once the failures have lasted for a minute. */
  readonly lateCapMs?: number;
}

/**
 * Delays are drawn from 0 to min(cap, base * 2^n) (full jitter), so that the retries of many clients spread out. The figures are those of a
 * simulation of outages (2,000 trials): with 50 ms and 1 s half of the clients are back 0.3 s after the socket is, and 99 % within 0.9 s;
 * grpc-js and client-go, whose caps are 120 s and 30 s, take a minute.
 */
const BOUNDS: Readonly<Record<BackoffClass, Bounds>> = {
  /** Connecting to a socket without a server costs the kubelet nothing. */
  unreachable: { baseMs: 50, capMs: 1_000 },
  transient: { baseMs: 100, capMs: 5_000 },
  /** Seconds at a normal start; hours if the API server is away when the kubelet starts. */
  initializing: { baseMs: 250, capMs: 1_000, lateCapMs: 5_000 },
  /** The kubelet's bucket gains a token each 10 ms, and all its clients wait for them. */
  limited: { baseMs: 50, capMs: 1_000 },
  /** A kubelet that drops its watcher again and again: each new stream costs it a whole burst. */
  slow: { baseMs: 1_000, capMs: 30_000 },
  /** Somebody has to change something on the node. */
  blocked: { baseMs: 1_000, capMs: 30_000 },
  /** A repetition will fail alike: no delay is shorter than the cap. */
  bug: { baseMs: 30_000, capMs: 30_000 },
};

/** The shortest delay, so that no random sequence makes a busy loop. */
const FLOOR_MS = 10;

/** The time after which an initializing kubelet is no longer in a normal start. */
const LATE_AFTER_MS = 60_000;

/** Counts failures in a row, and decides how long to wait after each. Pure: time and randomness are passed in. */
export class Backoff {
  readonly #random: () => number;
  #failures = 0;
  #firstFailureMs = 0;
  #triedRefused = false;

  /** @param random returns numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Forgets the failures so far. */
  reset(): void {
    this.#failures = 0;
    this.#triedRefused = false;
  }

  /** Returns the delay after this failure, in milliseconds. */
  delayMs(kind: BackoffClass, error: Error, nowMs: number): number {
    if (this.#failures === 0) this.#firstFailureMs = nowMs;
    const n = this.#failures++;
    // The server says that it has not processed the request: the first time it is repeated at once.
    if (isRefusedStream(error) && !this.#triedRefused) {
      this.#triedRefused = true;
      return 0;
    }
    const bounds = BOUNDS[kind];
    if (kind === "bug") return bounds.capMs;
    const late = nowMs - this.#firstFailureMs >= LATE_AFTER_MS;
    const capMs = late ? (bounds.lateCapMs ?? bounds.capMs) : bounds.capMs;
    return Math.max(FLOOR_MS, this.#random() * Math.min(capMs, bounds.baseMs * 2 ** n));
  }
}
