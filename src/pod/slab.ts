/** The size of the buffers that copies share: to make a buffer costs ten times as much as to copy a pod's fields into one. */
const SLAB_BYTES = 16_384;

/** Larger copies get a buffer of their own: what is left of a shared one is kept by the last of its copies. */
const MAX_SHARED = 4_096;

let slab = new Uint8Array(0);
let used = 0;

/** Returns a copy of bytes; small ones share a buffer with those that are made before and after. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length > MAX_SHARED) return new Uint8Array(bytes);
  if (used + length > slab.length) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  const copy = slab.subarray(used, used + length);
  copy.set(bytes);
  used += length;
  return copy;
}
