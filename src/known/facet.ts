import { decodeBy } from "../pod/decode.js";
import { sameSelected } from "../pod/equality.js";
import { enoughFor, type PodMask } from "../pod/mask.js";
import type { Entry } from "./entry.js";

/**
 * A value that is computed from some fields of a pod. Most new versions of a pod do not change these fields. Both versions are compared
 * first, byte by byte, and only if they differ the value is computed anew.
 */
export class Facet<P, T> {
  readonly #mask: PodMask;
  readonly #isEnough: (retained: PodMask | undefined) => boolean;
  readonly #read: (pod: P) => T;

  /** @param read computes the value from a pod that has only the fields of the mask. */
  constructor(mask: PodMask, read: (pod: P) => T) {
    this.#mask = mask;
    this.#isEnough = enoughFor(mask);
    this.#read = read;
  }

  /**
   * Returns the value for a version of a pod; undefined if the entry lacks fields of the mask.
   *
   * @param known the last value, and `from` the version that it was computed from. It is returned again if both versions have equal fields.
   */
  of(entry: Entry, known?: T, from?: Entry): T | undefined {
    if (!this.#isEnough(entry.retained)) return undefined;
    const { plan } = this.#mask;
    if (known !== undefined && from !== undefined && sameSelected(from.bytes, entry.bytes, plan)) return known;
    return this.#read(decodeBy(plan, entry.bytes) as P);
  }
}
