import { seededRandom } from "../../src/testing/index.js";
import type { Clock, Environment } from "../../src/timing/clock.js";
import { letPass } from "./quiescence.js";

interface Timer {
  readonly atMs: number;
  readonly isIdle: boolean;
  readonly fn: () => void;
}

/**
 * Virtual time that advances to the next timer when this process has nothing else to do. It is for a client and a server in one process: a
 * request that was sent is answered before any time passes, however long that takes. It stands still while only idle timers are set.
 */
export class AutoAdvanceClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

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
    if (!isIdle) add(this);
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

  /** Time until the next timer, in milliseconds; undefined if nothing waits for it. */
  get nextInMs(): number | undefined {
    const timers = [...this.#timers].filter(({ atMs }) => atMs !== Number.POSITIVE_INFINITY);
    if (timers.every(({ isIdle }) => isIdle)) return undefined;
    return Math.max(0, Math.min(...timers.map(({ atMs }) => atMs)) - this.#nowMs);
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
    const due = [...this.#timers].filter(({ atMs }) => atMs <= this.#nowMs).sort((a, b) => a.atMs - b.atMs);
    for (const timer of due) if (this.#timers.delete(timer)) timer.fn();
  }
}

/** Clocks on which something waits. Their times pass together. */
const clocks = new Set<AutoAdvanceClock>();

function add(clock: AutoAdvanceClock): void {
  clocks.add(clock);
  letPass(time);
}

const time = {
  get isAwaited() {
    for (const clock of clocks) if (clock.nextInMs === undefined) clocks.delete(clock);
    return clocks.size > 0;
  },
  advance() {
    const byMs = Math.min(...[...clocks].map((clock) => clock.nextInMs ?? 0));
    for (const clock of [...clocks]) clock.advance(byMs);
  },
};
