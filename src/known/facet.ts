import { decodeBy } from "../pod/decode.js";
import { sameSelected } from "../pod/equality.js";
import { enoughFor, type PodMask } from "../pod/mask.js";
import type { Entry } from "./entry.js";

/**
 * Something that is read of pods. Of a version that says the same of it as the version before nothing is read again, which is most of them:
 * both are walked over at once, and what was read stands.
 */
export class Facet<P, T> {
  readonly #mask: PodMask;
  readonly #isEnough: (retained: PodMask | undefined) => boolean;
  readonly #read: (pod: P) => T;

  /** @param read reads it from a pod that has the fields of the mask alone. */
  constructor(mask: PodMask, read: (pod: P) => T) {
    this.#mask = mask;
    this.#isEnough = enoughFor(mask);
    this.#read = read;
  }

  /**
   * Returns what a version of a pod has; undefined where too little is known of it.
   *
   * @param known what was read last, and `from` which version; the same is returned where that version says the same.
   */
  of(entry: Entry, known?: T, from?: Entry): T | undefined {
    if (!this.#isEnough(entry.retained)) return undefined;
    const { plan } = this.#mask;
    if (known !== undefined && from !== undefined && sameSelected(from.bytes, entry.bytes, plan)) return known;
    return this.#read(decodeBy(plan, entry.bytes) as P);
  }
}
