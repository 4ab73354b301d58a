import { isRefusedStream, pushbackMs } from "../errors/classify.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";

/** How delays of one class of failures grow. */
interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
  /** The cap once the failures have lasted for `lateAfterMs`. */
  readonly lateCapMs?: number;
}

/**
 * Delays are drawn from 0 to min(cap, base * 2^n), which is full jitter: what many clients do at once spreads out.
 * The figures are those of a simulation of outages (2,000 trials): with 50 ms and 1 s half of the clients are back
 * 0.3 s after the socket is, and 99 % within 0.9 s; grpc-js and client-go, whose caps are 120 s and 30 s, take a minute.
 */
const BACKOFF = {
  /** Dialling a socket where nobody listens costs the kubelet nothing. */
  absent: { baseMs: 50, capMs: 1_000 },
  transient: { baseMs: 100, capMs: 5_000 },
  /** Seconds at a normal start; hours where the API server is away when the kubelet starts. */
  initializing: { baseMs: 250, capMs: 1_000, lateCapMs: 5_000 },
  /** The kubelet's bucket gains a token each 10 ms, and all its clients wait for them. */
  limited: { baseMs: 50, capMs: 1_000 },
} as const satisfies Record<string, Backoff>;

/** No delay is shorter, so that no random sequence makes a busy loop. */
const FLOOR_MS = 10;

/** When a start has lasted so long that it is no normal one. */
const LATE_AFTER_MS = 60_000;

/** The failures that a unary call is tried again after; any other is final. */
const BY_CODE: Readonly<Partial<Record<PodsErrorCode, Backoff>>> = {
  absent: BACKOFF.absent,
  refused: BACKOFF.absent,
  initializing: BACKOFF.initializing,
  "rate-limited": BACKOFF.limited,
  "connect-timeout": BACKOFF.transient,
  "connection-lost": BACKOFF.transient,
  "server-error": BACKOFF.transient,
};

/** Whether nobody is there to be asked: then a change in the socket's directory is worth another try at once. */
export function isNobodyThere(error: PodsError): boolean {
  return error.code === "absent" || error.code === "refused";
}

/**
 * Decides when a call is tried again. Holds what it has seen and does nothing by itself: time and randomness are passed in.
 */
export class RetryPlan {
  readonly #random: () => number;
  #failures = 0;
  #firstFailureMs = 0;
  #triedRefused = false;

  /** @param random gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The delay before the next attempt, in milliseconds, or undefined where there is to be none. */
  delayMs(error: PodsError, nowMs: number): number | undefined {
    if (this.#failures === 0) this.#firstFailureMs = nowMs;
    const n = this.#failures++;
    const backoff = error.retryable ? BY_CODE[error.code] : undefined;
    if (backoff === undefined) return undefined;
    const pushback = pushbackMs(error);
    if (pushback !== undefined) return pushback === "never" ? undefined : pushback;
    // The server says that it has not looked at the request: once, that is as good as not sent.
    if (isRefusedStream(error) && !this.#triedRefused) {
      this.#triedRefused = true;
      return 0;
    }
    const late = nowMs - this.#firstFailureMs >= LATE_AFTER_MS;
    const capMs = late ? (backoff.lateCapMs ?? backoff.capMs) : backoff.capMs;
    return Math.max(FLOOR_MS, this.#random() * Math.min(capMs, backoff.baseMs * 2 ** n));
  }
}
