import { seededRandom } from "../../src/testing/index.js";
import type { Clock, Environment } from "../../src/timing/clock.js";
import { isQuietTurn } from "./quiescence.js";

/** Time that passes when the test says so. */
export class VirtualClock implements Clock {
  #now = 0;
  readonly #timers = new Map<number, { atMs: number; fn: () => void }>();
  #id = 0;
  #setMs = 0;

  now(): number {
    return this.#now;
  }

  /** Since the first second of 2026. */
  wallMs(): number {
    return Date.UTC(2026, 0) + this.#now + this.#setMs;
  }

  /** Sets the time of day. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  /** This process counts as idle. */
  busyMs(): number {
    return 0;
  }

  after(delayMs: number, fn: () => void): () => void {
    const id = ++this.#id;
    this.#timers.set(id, { atMs: this.#now + Math.max(0, delayMs), fn });
    return () => this.#timers.delete(id);
  }

  /** Time with randomness from a seed. */
  get environment(): Environment {
    return { clock: this, random: seededRandom(1) };
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Time that has passed before anything else could happen: what was due fires at once, late. */
  jump(ms: number): void {
    this.#now += ms;
    for (const [id, { atMs, fn }] of [...this.#timers]) if (atMs <= this.#now && this.#timers.delete(id)) fn();
  }

  /** Lets time pass, with everything that happens meanwhile. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = [...this.#timers].filter(([, { atMs }]) => atMs <= end).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      const [id, { atMs, fn }] = next;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, atMs);
      fn();
    }
    this.#now = end;
    await settle();
  }
}

/** Resolves when everything that can go on without time has done so, however long its files and connections take. */
export async function settle(): Promise<void> {
  for (let quietTurns = 0; quietTurns < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quietTurns = isQuietTurn() ? quietTurns + 1 : 0;
  }
}
