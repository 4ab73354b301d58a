import { MAX_RETAINED_BYTES } from "../pod/limits.js";
import { type PodMask, planOf } from "../pod/mask.js";
import { PodScanner, type Scanned } from "../pod/scan.js";
import { copyOf, MAX_SHARED } from "../pod/slab.js";
import type { Entry } from "./entry.js";

/** All is copied anew when what came since is that much more than what is known: copies share buffers, which the last one keeps. */
const COMPACT_FACTOR = 4;
const COMPACT_BYTES = 1 << 20;

/** The bytes that are kept of pods: those that a mask selects of each, in copies of our own. Counts them. */
export class KeptBytes {
  #mask: PodMask | undefined;
  #scanner = new PodScanner(planOf(undefined));
  /** At least the bytes of all entries: those at the last count, and what came since. */
  #count = 0;
  /** How many there may be before all is copied anew. */
  #compactAt = Number.POSITIVE_INFINITY;

  /** The mask of the bytes that are kept of each pod that comes; everything where it is undefined. */
  get mask(): PodMask | undefined {
    return this.#mask;
  }

  set mask(mask: PodMask | undefined) {
    if (mask !== this.#mask) this.#scanner = new PodScanner(planOf(mask));
    this.#mask = mask;
  }

  /** Walks over a pod, which then is to be kept or dropped. */
  scan(bytes: Uint8Array): Scanned {
    return this.#scanner.scan(bytes);
  }

  /** Returns what is kept of the pod that was scanned: the bytes of `before` where they say the same, and else a copy. */
  keep(before: Entry | undefined): Uint8Array {
    const bytes = this.#scanner.keep(before?.retained === this.#mask ? before?.bytes : undefined);
    this.#count += bytes.length;
    return bytes;
  }

  /** How many more there may be. */
  get free(): number {
    return MAX_RETAINED_BYTES - this.#count;
  }

  /** Keeps nothing of the pod that was scanned. */
  drop(): void {
    this.#scanner.drop();
  }

  /** Counts from nothing: what is kept from now on is a new list. */
  begin(): void {
    this.#count = 0;
  }

  /** Counts the bytes of these entries, which are all there are. */
  settle(entries: Iterable<Entry>): void {
    this.#count = bytesOf(entries);
    this.#compactAt = COMPACT_FACTOR * this.#count + COMPACT_BYTES;
  }

  /** Returns whether these entries, which are all there are, have more bytes than any node. */
  isTooMuch(entries: () => Iterable<Entry>): boolean {
    if (this.#count > MAX_RETAINED_BYTES) this.#count = bytesOf(entries()); // of a pod that changed, it is the last state only
    return this.#count > MAX_RETAINED_BYTES;
  }

  /** Copies all that is kept where it is due, so that copies that changed since do not keep the buffers that they lay in. */
  compact(entries: () => Iterable<Entry>): void {
    if (this.#count <= this.#compactAt) return;
    for (const entry of entries()) if (entry.bytes.length <= MAX_SHARED) entry.bytes = copyOf(entry.bytes);
    this.settle(entries());
  }
}

function bytesOf(entries: Iterable<Entry>): number {
  let bytes = 0;
  for (const entry of entries) bytes += entry.bytes.length;
  return bytes;
}
