import { Backoff } from "../calls/backoff.js";
import { pushbackMs } from "../errors/classify.js";
import { factsOf, type OutageClass, type PodsErrorCode } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";

/**
 * How long the first failure of some codes is remembered. It may be a single event: `dropped` when a 1.37 kubelet shuts down, `too-large` for
 * a damaged length. A second failure within this time is a lasting problem.
 */
const AGAIN_MS = 60_000;

/** Failures are forgotten once a stream has been live for this time. */
const HEALTHY_AFTER_MS = 30_000;

/** Returns true if no retry can fix the error. Before the first SYNCED it ends the watch. */
export function isFatal(error: PodsError): boolean {
  return factsOf(error.code).endsWatch ?? false;
}

/** Computes the delay before the next stream. Pure: time and randomness are passed in. */
export class OutageBackoff {
  readonly #backoff: Backoff;
  /** Time of the last failure, by code, of codes whose second failure waits longer. */
  readonly #lastMs = new Map<PodsErrorCode, number>();

  /** @param random returns numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#backoff = new Backoff(random);
  }

  /** Returns the delay after the failure of a stream that was live for `liveMs` (0 if it never was). */
  failed(error: PodsError, liveMs: number, nowMs: number): { outage: OutageClass; delayMs: number } {
    if (liveMs >= HEALTHY_AFTER_MS) this.#backoff.reset();
    const outage = this.#classOf(error, nowMs);
    const delayMs = this.#backoff.delayMs(outage, error, nowMs);
    const pushback = pushbackMs(error);
    return { outage, delayMs: typeof pushback === "number" ? Math.max(pushback, delayMs) : delayMs };
  }

  #classOf({ code, retryable }: PodsError, nowMs: number): OutageClass {
    const { watch = "transient", watchAgain } = factsOf(code);
    if (watchAgain !== undefined) {
      const isAgain = nowMs - (this.#lastMs.get(code) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
      this.#lastMs.set(code, nowMs);
      return isAgain ? watchAgain : watch;
    }
    return code === "server-error" && !retryable ? "bug" : watch;
  }
}
