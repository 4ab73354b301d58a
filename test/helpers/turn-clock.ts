import { seededRandom } from "../../src/testing/index.js";
import type { Clock, Environment } from "../../src/timing/clock.js";

interface Timer {
  readonly atMs: number;
  readonly isIdle: boolean;
  readonly fn: () => void;
}

/**
 * Time that passes with the turns of the event loop, a millisecond with each, while somebody waits for it. Where client and server
 * live in one process, an answer takes some turns, however busy the machine is: what waits for a second has its second at once, and
 * what has a second for its answer is not cut off. It stands still while nobody waits.
 */
export class TurnClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();
  #isTurning = false;

  now(): number {
    return this.#nowMs;
  }

  /** Since the first second of 2026. */
  wallMs(): number {
    return Date.UTC(2026, 0) + this.#nowMs;
  }

  /** This process counts as idle. */
  busyMs(): number {
    return 0;
  }

  after(delayMs: number, fn: () => void, { isIdle = false } = {}): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), isIdle, fn };
    this.#timers.add(timer);
    this.#turn();
    return () => this.#timers.delete(timer);
  }

  /** Time with randomness from a seed. */
  get environment(): Environment {
    return { clock: this, random: seededRandom(1) };
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  #turn(): void {
    if (this.#isTurning || ![...this.#timers].some(({ isIdle }) => !isIdle)) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.#nowMs++;
      const due = [...this.#timers].filter(({ atMs }) => atMs <= this.#nowMs).sort((a, b) => a.atMs - b.atMs);
      for (const timer of due) if (this.#timers.delete(timer)) timer.fn();
      this.#turn();
    });
  }
}
