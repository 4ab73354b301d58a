import { pushbackMs } from "../errors/classify.js";
import { factsOf } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";
import { Backoff } from "./backoff.js";

/** Returns true if nothing listens on the socket. A change in its directory is then a reason to retry at once. */
export function isUnreachable(error: PodsError): boolean {
  return factsOf(error.code).call === "unreachable";
}

/** Decides whether and when a call is retried, based on its failures so far. Pure: time and randomness are passed in. */
export class RetryPlan {
  readonly #backoff: Backoff;

  /** @param random returns numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#backoff = new Backoff(random);
  }

  /** Returns the delay before the next attempt, in milliseconds; undefined if the call is not retried. */
  delayMs(error: PodsError, nowMs: number): number | undefined {
    const kind = error.retryable ? factsOf(error.code).call : undefined;
    if (kind === undefined) return undefined;
    const delayMs = this.#backoff.delayMs(kind, error, nowMs);
    const pushback = pushbackMs(error);
    return pushback === "never" ? undefined : (pushback ?? delayMs);
  }
}
