// Buffers that copies of pods share. They never leave the package: who sent one to another thread would take all of them away.

/** The size of the buffers that copies share: to make a buffer costs ten times as much as to copy a pod's fields into one. */
const SLAB_BYTES = 16_384;

/** Larger copies get a buffer of their own: what is left of a shared one is kept by the last of its copies. */
export const MAX_SHARED = 4_096;

/** A buffer, and from where on it can be written. */
export interface Room {
  readonly buffer: Buffer<ArrayBuffer>;
  readonly start: number;
}

let slab: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/** Returns where that many bytes can be written, {@link MAX_SHARED} at most. Who asks next gets the same, until they are taken. */
export function room(length: number): Room {
  if (used + length > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    used = 0;
  }
  return { buffer: slab, start: used };
}

/** Takes the bytes up to there of what {@link room} has given, which share a buffer with those that are taken before and after. */
export function take({ buffer, start }: Room, end: number): Buffer<ArrayBuffer> {
  used = end;
  return buffer.subarray(start, end);
}

/** Returns a copy of bytes, of which small ones share a buffer. */
export function copyOf(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const { length } = bytes;
  if (length > MAX_SHARED) {
    const own = Buffer.allocUnsafeSlow(length);
    own.set(bytes);
    return own;
  }
  const place = room(length);
  place.buffer.set(bytes, place.start);
  return take(place, place.start + length);
}
