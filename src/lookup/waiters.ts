import type { Clock } from "../timing/clock.js";

/** The most that may wait: keys come from strangers. */
export const MAX_WAITING = 100_000;

/** One who waits for a key. */
export interface Waiter {
  /** The key that is waited for, as {@link keyText} has it. */
  readonly key: string;
  /** How long, in milliseconds; undefined for ever. */
  readonly timeoutMs: number | undefined;
  /** Looks again; where the wait is over, it is deleted. */
  look(): void;
  /** Hears that the time is up; it is deleted. */
  expire(): void;
}

/** Everybody who waits for a key: woken by what is told of a key, with one timer for all. */
export class Waiters {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Set<Waiter>>();
  /** The ones with a limit, by how long that is: of one length the first to come is the first to go. */
  readonly #byTimeout = new Map<number, Map<Waiter, number>>();
  #cancelTimer: (() => void) | undefined;
  /** How many wait. */
  size = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds one who waits. */
  add(waiter: Waiter): void {
    const { key, timeoutMs } = waiter;
    this.size++;
    const waiting = this.#byKey.get(key);
    if (waiting === undefined) this.#byKey.set(key, new Set([waiter]));
    else waiting.add(waiter);
    if (timeoutMs === undefined) return;
    let limited = this.#byTimeout.get(timeoutMs);
    if (limited === undefined) {
      limited = new Map();
      this.#byTimeout.set(timeoutMs, limited);
    }
    limited.set(waiter, this.#clock.now() + timeoutMs);
    if (limited.size === 1) this.#setTimer();
  }

  /** Removes one who waits no more. */
  delete(waiter: Waiter): void {
    const { key, timeoutMs } = waiter;
    const waiting = this.#byKey.get(key);
    if (!waiting?.delete(waiter)) return;
    this.size--;
    if (waiting.size === 0) this.#byKey.delete(key);
    if (timeoutMs === undefined) return;
    const limited = this.#byTimeout.get(timeoutMs);
    limited?.delete(waiter);
    if (limited?.size !== 0) return;
    this.#byTimeout.delete(timeoutMs);
    if (this.#byTimeout.size === 0) this.#setTimer();
  }

  /** Lets those look again who wait for one of these keys. */
  wake(keys: Iterable<string>): void {
    if (this.size === 0) return;
    for (const key of keys) for (const waiter of [...(this.#byKey.get(key) ?? [])]) waiter.look();
  }

  #setTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    let dueMs = Number.POSITIVE_INFINITY;
    for (const limited of this.#byTimeout.values()) {
      for (const ms of limited.values()) {
        dueMs = Math.min(dueMs, ms);
        break;
      }
    }
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(0, dueMs - this.#clock.now());
    this.#cancelTimer = this.#clock.after(delayMs, () => this.#timeUp());
  }

  #timeUp(): void {
    const nowMs = this.#clock.now();
    for (const limited of [...this.#byTimeout.values()]) {
      for (const [waiter, dueMs] of limited) {
        if (dueMs > nowMs) break;
        waiter.expire();
      }
    }
    this.#setTimer();
  }
}
