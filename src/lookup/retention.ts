import type { Departure } from "./holding.js";

/** How many ended pods and containers one informer wants to find, and for how long. */
export interface RetentionWant {
  /** For how long, in milliseconds; 0 for none of it. */
  readonly retainMs: number;
  /** At most that many ends, the latest. */
  readonly maxRetained: number;
}

/** A retained end, and the callbacks that forget it. */
interface Retained {
  readonly end: Departure;
  readonly forgets: (() => void)[];
  bytes: number;
}

/** The ends that are retained: the oldest goes first, by time, by number and by bytes. Pure: no clock. */
export class Retention {
  readonly #wants = new Set<RetentionWant>();
  #retained = new Set<Retained>();
  #newest: Retained | undefined;
  #bytes = 0;
  #ms = 0;
  #most = 0;
  /** How many ends there have been. */
  ends = 0;
  /** The last end that is retained no longer. */
  forgottenMs: number = Number.NEGATIVE_INFINITY;

  /** How many ends are retained. */
  get size(): number {
    return this.#retained.size;
  }

  /** Whether anything is to be retained. */
  get isOn(): boolean {
    return this.#ms > 0 && this.#most > 0;
  }

  /** When the oldest is due to go; undefined where nothing is retained. */
  get dueMs(): number | undefined {
    for (const { end } of this.#retained) return end.atMs + this.#ms;
    return undefined;
  }

  /** Retains as much as anybody wants. */
  add(want: RetentionWant): void {
    this.#wants.add(want);
    this.#measure();
  }

  /** Takes back what {@link add} was given. */
  delete(want: RetentionWant): void {
    this.#wants.delete(want);
    this.#measure();
  }

  /** Retains something of an end: its bytes are counted, and `forget` is called when it goes. */
  keep(end: Departure, bytes: number, forget: () => void): void {
    if (this.#newest?.end !== end) {
      this.#newest = { end, forgets: [], bytes: 0 };
      this.#retained.add(this.#newest);
    }
    this.#newest.forgets.push(forget);
    this.#newest.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Puts the ends into the order of their times, where older ones came later. */
  sort(): void {
    this.#retained = new Set([...this.#retained].sort((a, b) => a.end.atMs - b.end.atMs));
    this.#newest = undefined;
  }

  /** Forgets what is too old or too much. */
  evict(nowMs: number, maxBytes: number): void {
    for (const oldest of this.#retained) {
      const isOver = oldest.end.atMs + this.#ms <= nowMs || this.#retained.size > this.#most || this.#bytes > maxBytes;
      if (!isOver) return;
      this.#retained.delete(oldest);
      this.#bytes -= oldest.bytes;
      this.forgottenMs = Math.max(this.forgottenMs, oldest.end.atMs);
      for (const forget of oldest.forgets) forget();
    }
    this.#newest = undefined;
  }

  #measure(): void {
    const wants = [...this.#wants].filter(({ retainMs, maxRetained }) => retainMs > 0 && maxRetained > 0);
    this.#ms = Math.max(0, ...wants.map(({ retainMs }) => retainMs));
    this.#most = Math.max(0, ...wants.map(({ maxRetained }) => maxRetained));
  }
}
