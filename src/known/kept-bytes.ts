import { MAX_RETAINED_BYTES } from "../pod/limits.js";
import { isSameMask, type PodMask, planOf } from "../pod/mask.js";
import { PodScanner, type Scanned } from "../pod/scan.js";
import { copyOf, MAX_SHARED } from "../pod/slab.js";
import type { Version } from "./version.js";

/**
 * All bytes are copied again when the received bytes are this many times the known ones. Copies share buffers, and a buffer is freed only with
 * its last copy.
 */
const COMPACT_FACTOR = 4;
const COMPACT_BYTES = 1 << 20;

/** Copies and counts the bytes of pods, with the fields that a mask selects. */
export class KeptBytes {
  #mask: PodMask | undefined;
  #scanner = new PodScanner(planOf(undefined));
  /** Upper bound of the bytes of all versions: the last count plus all bytes received since. */
  #count = 0;
  /** The count at which all bytes are copied again. */
  #compactAt = Number.POSITIVE_INFINITY;

  /** The mask of the fields that are retained of each new version; undefined means all fields. */
  get mask(): PodMask | undefined {
    return this.#mask;
  }

  set mask(mask: PodMask | undefined) {
    if (mask !== this.#mask) this.#scanner = new PodScanner(planOf(mask));
    this.#mask = mask;
  }

  /** Scans a pod. The caller then calls `keep` or `drop`. */
  scan(bytes: Uint8Array): Scanned {
    return this.#scanner.scan(bytes);
  }

  /** Returns the bytes of the scanned pod: those of `before` if they are equal, otherwise a copy. */
  keep(before: Version | undefined): Uint8Array {
    const bytes = this.#scanner.keep(isSameMask(before?.retained, this.#mask) ? before?.bytes : undefined);
    this.#count += bytes.length;
    return bytes;
  }

  /** The number of bytes that are left. */
  get free(): number {
    return MAX_RETAINED_BYTES - this.#count;
  }

  drop(): void {
    this.#scanner.drop();
  }

  /** Starts a new count, for a new list. */
  begin(): void {
    this.#count = 0;
  }

  /** Counts the bytes of all versions. */
  settle(versions: Iterable<Version>): void {
    this.#count = bytesOf(versions);
    this.#compactAt = COMPACT_FACTOR * this.#count + COMPACT_BYTES;
  }

  /** Returns true if all versions together have more bytes than the pods of any node. */
  isTooMuch(versions: () => Iterable<Version>): boolean {
    if (this.#count > MAX_RETAINED_BYTES) this.#count = bytesOf(versions()); // of a pod that changed, only the last state counts
    return this.#count > MAX_RETAINED_BYTES;
  }

  /** Copies all kept bytes if it is due, so that buffers with outdated copies are freed. */
  compact(versions: () => Iterable<Version>): void {
    if (this.#count <= this.#compactAt) return;
    for (const version of versions()) if (version.bytes.length <= MAX_SHARED) version.bytes = copyOf(version.bytes);
    this.settle(versions());
  }
}

function bytesOf(versions: Iterable<Version>): number {
  let bytes = 0;
  for (const version of versions) bytes += version.bytes.length;
  return bytes;
}
