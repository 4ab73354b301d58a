import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { GatheredBytes } from "./gathered-bytes.js";
import { lost } from "./grpc-answer.js";

/** Size of the prefix: one byte of flags and four bytes with the length of the message ("Length-Prefixed-Message" of PROTOCOL-HTTP2.md). */
const PREFIX_BYTES = 5;

/** Returns the frame of an uncompressed message. */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES + message.length);
  bytes.writeUInt32BE(message.length, 1);
  bytes.set(message, PREFIX_BYTES);
  return bytes;
}

/**
 * Splits the bytes of a stream into messages. It checks the length of a message before it allocates memory. A message that arrives in a
 * single chunk is a view of that chunk.
 */
export class MessageSplitter {
  readonly #maxBytes: number;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixBytes = 0;
  /** Length of the current message, and the number of its bytes received so far. */
  #length = 0;
  #filled = 0;
  /** Received bytes of a message that spans several chunks. */
  readonly #gathered = new GatheredBytes(FIRST_BYTES);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True if the received bytes end at a message boundary, or if there are none. */
  get isWhole(): boolean {
    return this.#prefixBytes === 0;
  }

  /**
   * Takes the next bytes, and calls `take` for each message that they complete.
   *
   * @throws GrpcError if a message is compressed, has unknown flags or is too large, after the messages before it were taken.
   */
  push(chunk: Uint8Array, take: (message: Uint8Array) => void): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#prefixBytes < PREFIX_BYTES) {
        const bytes = Math.min(PREFIX_BYTES - this.#prefixBytes, chunk.length - at);
        this.#prefix.set(chunk.subarray(at, at + bytes), this.#prefixBytes);
        this.#prefixBytes += bytes;
        at += bytes;
        if (this.#prefixBytes < PREFIX_BYTES) return;
        this.#begin();
        if (this.#length === 0) this.#end(take, EMPTY_BUFFER);
        continue;
      }
      const part = chunk.subarray(at, at + this.#length - this.#filled);
      at += part.length;
      this.#filled += part.length;
      if (part.length === this.#length) this.#end(take, part);
      else {
        this.#gathered.push(part, this.#length);
        if (this.#filled === this.#length) this.#end(take, this.#gathered.take());
      }
    }
  }

  /** Returns the error of a stream that ends inside a message; undefined if it ends after a complete one. */
  endError(): GrpcError | undefined {
    return this.isWhole ? undefined : lost("the message is truncated", GRPC.internal);
  }

  #begin(): void {
    const flags = this.#prefix[0] as number;
    const length = this.#prefix.readUInt32BE(1);
    if (flags !== 0) {
      const message =
        flags === 1 ? "a message is compressed, and the client accepts no compression" : "a message has unknown flags";
      throw new GrpcError({ status: GRPC.internal, message, code: "wrong-peer" });
    }
    if (length > this.#maxBytes) {
      const message = `a message has ${length} bytes, and at most ${this.#maxBytes} are accepted`;
      throw new GrpcError({ status: GRPC.resourceExhausted, message, code: "too-large" });
    }
    this.#length = length;
    this.#filled = 0;
  }

  #end(take: (message: Uint8Array) => void, message: Uint8Array): void {
    this.#prefixBytes = 0;
    take(message);
  }
}

const EMPTY_BUFFER = Buffer.alloc(0);

/** Initial size of the buffer for a message that spans several chunks: about one read of a socket. */
const FIRST_BYTES = 64 * 1024;
