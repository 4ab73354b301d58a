import { afterReads, type Clock } from "../timing/clock.js";

/** Maximum number of waiting calls. It bounds memory, because keys may come from untrusted clients. */
export const MAX_WAITERS = 100_000;

/** A call of `waitFor` that waits for a key. */
export interface Waiter {
  /** The awaited key, as {@link keyText} writes it. */
  readonly key: string;
  /** How long to wait, in milliseconds; undefined means for ever. */
  readonly timeoutMs: number | undefined;
  /** Looks again, and deletes itself if the wait is over. */
  look(): void;
  /** Called when the time is up; deletes itself. */
  expire(): void;
}

/** All waiters. A change of their key wakes them, and each has a timer of its own. */
export class Waiters {
  readonly #clock: Clock;
  /** The waiters of each key, each with what cancels its timer. */
  readonly #byKey = new Map<string, Map<Waiter, () => void>>();
  /** The waiters that look again at the next {@link flush}. */
  readonly #due = new Set<Waiter>();
  size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(waiter: Waiter): void {
    const { key, timeoutMs } = waiter;
    const cancel = timeoutMs === undefined ? () => {} : afterReads(this.#clock, timeoutMs, () => waiter.expire());
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) this.#byKey.set(key, new Map([[waiter, cancel]]));
    else waiting.set(waiter, cancel);
    this.size++;
  }

  /** Gives a waiter whose time is up some more. */
  renew(waiter: Waiter, timeoutMs: number): void {
    this.#byKey.get(waiter.key)?.set(
      waiter,
      afterReads(this.#clock, timeoutMs, () => waiter.expire()),
    );
  }

  delete(waiter: Waiter): void {
    const waiting = this.#byKey.get(waiter.key);
    const cancel = waiting?.get(waiter);
    if (waiting === undefined || cancel === undefined) return;
    cancel();
    this.#due.delete(waiter);
    waiting.delete(waiter);
    if (waiting.size === 0) this.#byKey.delete(waiter.key);
    this.size--;
  }

  /** Wakes the waiters for these keys. */
  wake(keys: Iterable<string>): void {
    if (this.size === 0) return;
    for (const key of keys) for (const waiter of this.#byKey.get(key)?.keys() ?? []) this.#due.add(waiter);
  }

  wakeOne(waiter: Waiter): void {
    this.#due.add(waiter);
  }

  /** Lets the woken waiters look again. They run code of users, so all readers have the entries of the log by now. */
  flush(): void {
    for (const waiter of this.#due) {
      this.#due.delete(waiter);
      waiter.look();
    }
  }
}
