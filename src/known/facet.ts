import { enoughFor, type PodMask } from "../pod/mask.js";
import { PodScanner } from "../pod/scan.js";
import type { Entry } from "./entry.js";

/** Something that is read of pods, with the bytes that it was read from. */
interface Facts {
  readonly bytes: Uint8Array;
}

/**
 * Reads something of pods: of a version whose bytes of it are those of the version before nothing is read again, which most events leave
 * as they are.
 */
export class Facet<T extends Facts> {
  readonly #isEnough: (retained: PodMask | undefined) => boolean;
  readonly #scanner: PodScanner;
  readonly #read: (bytes: Uint8Array) => T;

  /** @param read reads it from the bytes of a pod that has the fields of the mask alone. */
  constructor(mask: PodMask, read: (bytes: Uint8Array) => T) {
    this.#isEnough = enoughFor(mask);
    this.#scanner = new PodScanner(mask.plan, {});
    this.#read = read;
  }

  /** Returns what a version of a pod has; undefined where too little is known of it. */
  of({ bytes, retained }: Entry, before: T | undefined): T | undefined {
    if (!this.#isEnough(retained)) return undefined;
    this.#scanner.scan(bytes);
    const picked = this.#scanner.keep(before?.bytes);
    // A buffer of its own: one that is shared with others would be kept whole.
    return picked === before?.bytes ? before : this.#read(new Uint8Array(picked));
  }
}
