import type { Clock, Environment } from "../../src/timing/clock.js";

/**
 * Time that passes with the turns of the event loop, a millisecond with each, while somebody waits for it. Where client and server
 * live in one process, an answer takes some turns, however busy the machine is: what waits for a second has its second at once, and
 * what has a second for its answer is not cut off. It stands still while nobody waits.
 */
export class TurnClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Map<number, { atMs: number; isIdle: boolean; fn: () => void }>();
  #id = 0;
  #isTurning = false;

  now(): number {
    return this.#nowMs;
  }

  /** Since the first second of 2026. */
  wallMs(): number {
    return Date.UTC(2026, 0) + this.#nowMs;
  }

  after(delayMs: number, fn: () => void, { isIdle = false } = {}): () => void {
    const id = ++this.#id;
    this.#timers.set(id, { atMs: this.#nowMs + Math.max(0, delayMs), isIdle, fn });
    this.#turn();
    return () => this.#timers.delete(id);
  }

  /** Time with the randomness of a test: always the middle. */
  get environment(): Environment {
    return { clock: this, random: () => 0.5 };
  }

  #turn(): void {
    if (this.#isTurning) return;
    if (![...this.#timers.values()].some(({ isIdle }) => !isIdle)) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.#nowMs++;
      for (const [id, { atMs, fn }] of [...this.#timers]) if (atMs <= this.#nowMs && this.#timers.delete(id)) fn();
      this.#turn();
    });
  }
}
