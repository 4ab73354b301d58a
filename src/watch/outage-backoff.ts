import { Backoff, type BackoffClass } from "../calls/backoff.js";
import { pushbackMs } from "../errors/classify.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";

/** The classes of reasons for which there is no stream; unary calls alone are limited. */
export type OutageClass = Exclude<BackoffClass, "limited">;

const BY_CODE: Readonly<Partial<Record<PodsErrorCode, OutageClass>>> = {
  "socket-missing": "unreachable",
  "connection-refused": "unreachable",
  initializing: "initializing",
  "not-a-socket": "blocked",
  "not-permitted": "blocked",
  "not-served": "blocked",
  "wrong-peer": "blocked",
};

/**
 * The first of these failures may be chance: "too slow" a kubelet of 1.37 that shuts down, "too large" a length that was damaged
 * on its way. The second within this time is not.
 */
const AGAIN_MS = 60_000;

/** The class that the second failure of a code has. */
const AGAIN: Readonly<Partial<Record<PodsErrorCode, OutageClass>>> = { dropped: "slow", "too-large": "bug" };

/** How long a stream must have been live for the failures before it to be forgotten. */
const HEALTHY_AFTER_MS = 30_000;

/** Errors that no waiting mends: thrown as long as nothing has been told yet. */
export function isFatal(error: PodsError): boolean {
  return ["not-permitted", "wrong-peer", "not-served", "invalid-path"].includes(error.code);
}

/** Says how long to wait for the next stream. Pure: time and randomness are passed in. */
export class OutageBackoff {
  readonly #backoff: Backoff;
  /** When each code of {@link AGAIN} came last. */
  readonly #lastMs = new Map<PodsErrorCode, number>();

  /** @param random gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#backoff = new Backoff(random);
  }

  /** A stream has failed that was live for `liveMs` (0 if it never was). */
  failed(error: PodsError, liveMs: number, nowMs: number): { outage: OutageClass; delayMs: number } {
    if (liveMs >= HEALTHY_AFTER_MS) this.#backoff.reset();
    const outage = this.#classOf(error, nowMs);
    const delayMs = this.#backoff.delayMs(outage, error, nowMs);
    const pushback = pushbackMs(error);
    return { outage, delayMs: typeof pushback === "number" ? Math.max(pushback, delayMs) : delayMs };
  }

  #classOf(error: PodsError, nowMs: number): OutageClass {
    const again = AGAIN[error.code];
    if (again !== undefined) {
      const isAgain = nowMs - (this.#lastMs.get(error.code) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
      this.#lastMs.set(error.code, nowMs);
      return isAgain ? again : "transient";
    }
    if (error.code === "server-error" && !error.retryable) return "bug";
    return BY_CODE[error.code] ?? "transient";
  }
}
