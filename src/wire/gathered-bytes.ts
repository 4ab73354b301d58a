/** Collects bytes that arrive in pieces, which may be tiny. The buffer grows with the received bytes, not with the announced length. */
export class GatheredBytes {
  #buffer: Buffer = EMPTY;
  #length = 0;
  readonly #firstBytes: number;

  /** @param firstBytes the smallest size of the buffer. */
  constructor(firstBytes: number) {
    this.#firstBytes = firstBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Appends a copy of a piece. @param most the maximum number of bytes in all pieces together. */
  push(piece: Uint8Array, most: number = Number.POSITIVE_INFINITY): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const size = Math.min(most, Math.max(length, 2 * this.#buffer.length, this.#firstBytes));
      const larger = Buffer.allocUnsafeSlow(Math.max(length, size));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns all bytes, and empties the buffer. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = EMPTY;
    this.#length = 0;
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);
