/** Collects bytes that come in pieces. The buffer grows with the received bytes, and not with an announced length. Pieces may be tiny. */
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

  /** Copies a piece. @param most the most bytes that will come. */
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

  /** Returns all bytes, and begins again with none. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#length);
    this.#buffer = EMPTY;
    this.#length = 0;
    return bytes;
  }
}

const EMPTY = Buffer.alloc(0);
