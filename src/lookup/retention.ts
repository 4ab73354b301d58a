import type { LearnedEnd } from "./key-interval.js";

/** How many ended pods and containers one informer retains, and for how long. */
export interface RetentionWant {
  /** How long, in milliseconds. 0 turns retention off. */
  readonly retainMs: number;
  /** The most ends. The oldest are dropped first. */
  readonly maxRetained: number;
}

/** A retained end, and the callbacks that forget it. */
interface Retained {
  readonly end: LearnedEnd;
  readonly forgets: (() => void)[];
  bytes: number;
}

/** The retained ends, bounded by time, number and bytes. The oldest are dropped first. Pure: no clock. */
export class Retention {
  /** The wants with their counts, so that thousands of equal informers cost one entry. */
  readonly #wants = new Map<string, { readonly want: RetentionWant; count: number }>();
  readonly #retained = new Set<Retained>();
  #newest: Retained | undefined;
  #bytes = 0;
  #ms = 0;
  #most = 0;
  /** The number of all ends so far. */
  ends = 0;
  /** The time of the last end that was forgotten. */
  forgottenMs: number = Number.NEGATIVE_INFINITY;
  /** The number of ends that were forgotten before their time, because there were too many. */
  evicted = 0;

  get size(): number {
    return this.#retained.size;
  }

  /** True if ends are to be retained. */
  get isOn(): boolean {
    return this.#ms > 0 && this.#most > 0;
  }

  /** Time at which the oldest end is forgotten; undefined if none is retained. */
  get dueMs(): number | undefined {
    for (const { end } of this.#retained) return end.atMs + this.#ms;
    return undefined;
  }

  /** Adds a want. The longest time and the largest number apply. */
  add(want: RetentionWant): void {
    const key = keyOf(want);
    const known = this.#wants.get(key);
    if (known !== undefined) known.count++;
    else {
      this.#wants.set(key, { want, count: 1 });
      this.#measure();
    }
  }

  /** Removes a want that {@link add} has added. */
  delete(want: RetentionWant): void {
    const key = keyOf(want);
    const known = this.#wants.get(key);
    if (known === undefined || --known.count > 0) return;
    this.#wants.delete(key);
    this.#measure();
  }

  /** Retains a part of an end, and counts its bytes. Calls `forget` when the end is forgotten. */
  keep(end: LearnedEnd, bytes: number, forget: () => void): void {
    if (this.#newest?.end !== end) {
      this.#newest = { end, forgets: [], bytes: 0 };
      this.#retained.add(this.#newest);
    }
    this.#newest.forgets.push(forget);
    this.#newest.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Forgets ends that are too old or too many. */
  evict(nowMs: number, maxBytes: number): void {
    for (const oldest of this.#retained) {
      const isOld = oldest.end.atMs + this.#ms <= nowMs;
      if (!isOld && this.#retained.size <= this.#most && this.#bytes <= maxBytes) return;
      if (!isOld) this.evicted++;
      this.#retained.delete(oldest);
      this.#bytes -= oldest.bytes;
      this.forgottenMs = Math.max(this.forgottenMs, oldest.end.atMs);
      for (const forget of oldest.forgets) forget();
    }
    this.#newest = undefined;
  }

  #measure(): void {
    this.#ms = this.#most = 0;
    for (const { want } of this.#wants.values()) {
      const { retainMs, maxRetained } = want;
      if (retainMs <= 0 || maxRetained <= 0) continue;
      this.#ms = Math.max(this.#ms, retainMs);
      this.#most = Math.max(this.#most, maxRetained);
    }
  }
}

function keyOf({ retainMs, maxRetained }: RetentionWant): string {
  return `${retainMs} ${maxRetained}`;
}
