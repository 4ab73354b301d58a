// Buffers that copies of pods share. They never leave the package: transferring one to another thread would detach all copies in it.

/** Size of a shared buffer. Creating a buffer costs ten times as much as copying the fields of a pod into one. */
const SLAB_BYTES = 16_384;

/** Maximum size of a copy in a shared buffer. Larger ones get their own, because a shared buffer is kept until its last copy is freed. */
export const MAX_SHARED = 4_096;

/** A buffer, and the offset of its free part. */
export interface Room {
  readonly buffer: Buffer<ArrayBuffer>;
  readonly start: number;
}

let slab: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/** Returns room for this many bytes, at most {@link MAX_SHARED}. The next call returns the same room until it is taken. */
export function room(length: number): Room {
  if (used + length > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    used = 0;
  }
  return { buffer: slab, start: used };
}

/** Takes the bytes up to `end` of the room that {@link room} returned. They share a buffer with earlier and later copies. */
export function take({ buffer, start }: Room, end: number): Buffer<ArrayBuffer> {
  used = end;
  return buffer.subarray(start, end);
}

/** Returns a copy of bytes. Small copies share a buffer. */
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
