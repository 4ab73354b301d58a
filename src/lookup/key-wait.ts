import { PodsError } from "../errors/pods-error.js";
import { onAbort } from "../timing/abort.js";
import type { Found } from "./answer.js";
import { MAX_WAITERS, type Waiter, type Waiters } from "./waiters.js";

/** The options of one wait, checked. */
export interface KeyWaitOptions<P> {
  readonly key: string;
  readonly timeoutMs: number | undefined;
  /** Called when `timeoutMs` has passed. Returns how much longer to wait, in milliseconds, or the error that ends the wait. */
  readonly late: () => number | PodsError;
  readonly signal: AbortSignal | undefined;
  /** Returns the answer that ends the wait, or undefined. If it throws, the wait rejects with that error. */
  readonly find: () => Found<P> | undefined;
}

/** One wait for a key. It ends once: with an answer, the signal's reason, the deadline, or {@link KeyWait.end}. */
export class KeyWait<P> implements Waiter {
  readonly key: string;
  readonly timeoutMs: number | undefined;
  readonly promise: Promise<Found<P>>;
  readonly #options: KeyWaitOptions<P>;
  readonly #waiters: Waiters;
  readonly #waits: Set<KeyWait<P>>;
  #resolve: (found: Found<P>) => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  readonly #release: () => void;

  /** @param waits the set that has this wait while it lasts. @throws PodsError `overloaded` if too many wait. */
  constructor(options: KeyWaitOptions<P>, waiters: Waiters, waits: Set<KeyWait<P>>) {
    if (waiters.size >= MAX_WAITERS) throw overloaded();
    this.key = options.key;
    this.timeoutMs = options.timeoutMs;
    this.#options = options;
    this.#waiters = waiters;
    this.#waits = waits;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    waiters.add(this);
    waits.add(this);
    const { signal } = options;
    this.#release = signal === undefined ? () => {} : onAbort(signal, () => this.end(signal.reason));
  }

  look(): void {
    try {
      const found = this.#options.find();
      if (found === undefined) return;
      this.#leave();
      this.#resolve(found);
    } catch (error) {
      this.end(error);
    }
  }

  expire(): void {
    const late = this.#options.late();
    if (typeof late === "number") this.#waiters.renew(this, late);
    else this.end(late);
  }

  /** Ends the wait, which then rejects with the reason. */
  end(reason: unknown): void {
    this.#leave();
    this.#reject(reason);
  }

  #leave(): void {
    this.#waiters.delete(this);
    this.#waits.delete(this);
    this.#release();
  }
}

function overloaded(): PodsError {
  return withoutStack(() => new PodsError({ code: "overloaded", message: `${MAX_WAITERS} calls are already waiting` }));
}

/** Makes the error of a wait whose time is up. @param standing describes the state of the informer. */
export function tooLate(timeoutMs: number, standing: string): PodsError {
  const message = `nothing found within ${timeoutMs} ms; ${standing}`;
  return withoutStack(() => new PodsError({ code: "deadline", message, hint: "" }));
}

/** Makes an error without a stack. There may be thousands a second, and the stack would cost more than all the rest and show nothing. */
function withoutStack(make: () => PodsError): PodsError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
