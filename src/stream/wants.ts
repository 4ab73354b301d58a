import { covers, type PodMask, unionOf } from "../pod/mask.js";
import { OWN_MASK } from "../pod/own-fields.js";

/** The fields and the interval that one listener wants. */
export interface Want {
  /** The wanted fields of each pod; undefined means all fields. */
  readonly mask: PodMask | undefined;
  /** Maximum time between resyncs. */
  readonly resyncIntervalMs: number;
  /** True if the listener wants the removal of finished pods. */
  readonly includeFinished?: boolean;
}

/**
 * The fields and the interval that all listeners want together. Stores equal masks and intervals once, with a count, so that a thousand equal
 * listeners cost no more than one.
 */
export class Wants {
  readonly #masks = new Map<string, { readonly mask: PodMask | undefined; count: number }>();
  readonly #intervals = new Map<number, number>();
  #union: PodMask | undefined = OWN_MASK;
  #isStale = true;
  /** The number of listeners that want finished pods. */
  #finished = 0;

  add({ mask, resyncIntervalMs, includeFinished }: Want): void {
    if (includeFinished) this.#finished++;
    const key = keyOf(mask);
    const entry = this.#masks.get(key);
    if (entry !== undefined) entry.count++;
    else {
      this.#masks.set(key, { mask, count: 1 });
      this.#isStale ||= this.#masks.size === 1 || !covers(this.#union, mask); // the first mask can be narrower than those of former listeners
    }
    this.#intervals.set(resyncIntervalMs, (this.#intervals.get(resyncIntervalMs) ?? 0) + 1);
  }

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

  /** The library's own fields and those of all masks; undefined means all fields. */
  get mask(): PodMask | undefined {
    if (this.#isStale) {
      this.#union = unionOf([OWN_MASK, ...[...this.#masks.values()].map(({ mask }) => mask)]);
      this.#isStale = false;
    }
    return this.#union;
  }

  /** True if a listener wants finished pods. */
  get includesFinished(): boolean {
    return this.#finished > 0;
  }

  /** The shortest interval; Infinity without a listener. */
  get resyncIntervalMs(): number {
    return Math.min(...this.#intervals.keys());
  }
}

/** Returns the text of a mask as a key. No mask is empty, so the empty string stands for all fields. */
function keyOf(mask: PodMask | undefined): string {
  return mask?.toString() ?? "";
}
