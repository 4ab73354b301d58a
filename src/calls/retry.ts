import { pushbackMs } from "../errors/classify.js";
import type { PodsErrorCode } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";
import { Backoff, type BackoffClass } from "./backoff.js";

/** The failures that a unary call is tried again after; any other is final. */
const BY_CODE: Readonly<Partial<Record<PodsErrorCode, BackoffClass>>> = {
  "socket-missing": "unreachable",
  "connection-refused": "unreachable",
  initializing: "initializing",
  "rate-limited": "limited",
  "connection-timeout": "transient",
  "connection-lost": "transient",
  "server-error": "transient",
};

/** Whether nobody is there to be asked: then a change in the socket's directory is worth another try at once. */
export function isNobodyThere(error: PodsError): boolean {
  return error.code === "socket-missing" || error.code === "connection-refused";
}

/**
 * Decides when a call is tried again. Holds what it has seen and does nothing by itself: time and randomness are passed in.
 */
export class RetryPlan {
  readonly #backoff: Backoff;

  /** @param random gives numbers from 0 to 1. */
  constructor(random: () => number) {
    this.#backoff = new Backoff(random);
  }

  /** The delay before the next attempt, in milliseconds, or undefined where there is to be none. */
  delayMs(error: PodsError, nowMs: number): number | undefined {
    const kind = error.retryable ? BY_CODE[error.code] : undefined;
    if (kind === undefined) return undefined;
    const delayMs = this.#backoff.delayMs(kind, error, nowMs);
    const pushback = pushbackMs(error);
    return pushback === "never" ? undefined : (pushback ?? delayMs);
  }
}
