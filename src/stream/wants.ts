import { covers, type PodMask, unionOf } from "../pod/mask.js";

/** The fields and the interval that one listener wants. */
export interface Want {
  /** The fields of each pod; everything where it is undefined. */
  readonly mask: PodMask | undefined;
  /** Time between planned resyncs, at most. */
  readonly resyncIntervalMs: number;
  /** Whether the removal of finished pods matters. */
  readonly includeFinished?: boolean;
}

/**
 * The fields and the interval that all listeners want together. Each mask and interval is counted, so that a thousand
 * listeners cost as much as their masks.
 */
export class Wants {
  readonly #masks = new Map<string, { readonly mask: PodMask | undefined; count: number }>();
  readonly #intervals = new Map<number, number>();
  #union: PodMask | undefined;
  #isStale = true;
  /** How many want finished pods. */
  #finished = 0;

  /** Adds what a listener wants. */
  add({ mask, resyncIntervalMs, includeFinished }: Want): void {
    if (includeFinished) this.#finished++;
    const key = keyOf(mask);
    const entry = this.#masks.get(key);
    if (entry !== undefined) entry.count++;
    else {
      this.#masks.set(key, { mask, count: 1 });
      this.#isStale ||= this.#masks.size === 1 || !covers(this.#union, mask);
    }
    this.#intervals.set(resyncIntervalMs, (this.#intervals.get(resyncIntervalMs) ?? 0) + 1);
  }

  /** Takes back what {@link add} was given. */
  delete({ mask, resyncIntervalMs, includeFinished }: Want): void {
    const key = keyOf(mask);
    const entry = this.#masks.get(key);
    if (entry === undefined) return;
    if (includeFinished) this.#finished--;
    if (--entry.count === 0) {
      this.#masks.delete(key);
      this.#isStale = true;
    }
    const left = (this.#intervals.get(resyncIntervalMs) ?? 1) - 1;
    if (left > 0) this.#intervals.set(resyncIntervalMs, left);
    else this.#intervals.delete(resyncIntervalMs);
  }

  /** The union of the masks; everything where it is undefined. */
  get mask(): PodMask | undefined {
    if (this.#isStale) {
      this.#union = unionOf([...this.#masks.values()].map(({ mask }) => mask));
      this.#isStale = false;
    }
    return this.#union;
  }

  /** Whether anybody wants finished pods. */
  get includesFinished(): boolean {
    return this.#finished > 0;
  }

  /** The shortest interval; Infinity where nobody wants anything. */
  get resyncIntervalMs(): number {
    return Math.min(...this.#intervals.keys());
  }
}

/** Returns a mask's text as a key. No mask is empty, so that stands for everything. */
function keyOf(mask: PodMask | undefined): string {
  return mask?.toString() ?? "";
}
