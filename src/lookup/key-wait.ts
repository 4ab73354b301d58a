import { PodsError } from "../errors/pods-error.js";
import { onAbort } from "../timing/abort.js";
import type { Found } from "./answer.js";
import { MAX_WAITING, type Waiter, type Waiters } from "./waiters.js";

/** The options of one wait, checked. */
export interface KeyWaitOptions<P> {
  readonly key: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Returns what is waited for, where it is there. What it throws, the wait rejects with. */
  readonly find: () => Found<P> | undefined;
  /** Says how the view stands, for the error when the time is up. */
  readonly standing: () => string;
}

/** One wait for a key. It ends once: with what is found, the signal's reason, the time, or by {@link KeyWait.end}. */
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

  /** @param waits holds it as long as it lasts. @throws PodsError `overloaded` where too many wait. */
  constructor(options: KeyWaitOptions<P>, waiters: Waiters, waits: Set<KeyWait<P>>) {
    if (waiters.size >= MAX_WAITING) throw overloaded();
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
    this.end(tooLate(this.timeoutMs, this.#options.standing()));
  }

  /** Ends it: it rejects with that. */
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
  return withoutStack(() => new PodsError({ code: "overloaded", message: `${MAX_WAITING} wait already` }));
}

function tooLate(timeoutMs: number | undefined, standing: string): PodsError {
  const message = `nothing found within ${timeoutMs} ms; ${standing}`;
  return withoutStack(() => new PodsError({ code: "deadline", message, hint: "" }));
}

/** Makes an error of which there may be thousands a second: its stack says nothing, and costs more than all the rest. */
function withoutStack(make: () => PodsError): PodsError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
