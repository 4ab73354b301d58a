import { WireReader } from "../pod/reader.js";

/** The one field that answers of the Pods API have: pods in a list, the pod of a GetPod. */
const FIELD = 1;

const VARINT = 0;
const BIT64 = 1;
const DELIMITED = 2;
const BIT32 = 5;

/** How deep groups may nest in fields that are not known. */
const MAX_DEPTH = 100;

/**
 * Splits a message of one repeated field of bytes, as `ListPodsResponse` is. The parts are views of the message; after one
 * more than `most` it stops.
 *
 * @throws Error or RangeError where the message is none.
 */
export function splitRepeated(message: Uint8Array, most: number = Number.POSITIVE_INFINITY): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const reader = new WireReader(message);
  while (reader.pos < message.length && parts.length <= most) {
    const tag = reader.tag();
    if (tag !== ((FIELD << 3) | DELIMITED)) reader.skip(tag, MAX_DEPTH);
    else {
      const end = reader.uint32() + reader.pos;
      if (end > message.length) throw new RangeError("the bytes end too early");
      parts.push(message.subarray(reader.pos, end));
      reader.pos = end;
    }
  }
  return parts;
}

/** Counts the fields of a message while its bytes come, in pieces of any size; nothing is kept of them. */
export class FieldCounter {
  /** Fields so far, the one that has just begun included. */
  count = 0;
  #skip = 0;
  /** The number that is read: a tag, a length, or the value of a field. */
  #reading: "tag" | "length" | "value" = "tag";
  #value = 0;
  /** Bits of the number so far. */
  #bits = 0;

  /** Takes the next bytes. What cannot be a message is not noticed here. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, chunk.length - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      const byte = chunk[at++] as number;
      // As the reader has it: of a number with more than 32 bits the low ones.
      if (this.#bits < 28) this.#value += (byte & 0x7f) * 2 ** this.#bits;
      else if (this.#bits === 28) this.#value += (byte & 0x0f) * 2 ** 28;
      this.#bits += 7;
      if (byte < 0x80) this.#numberRead();
    }
  }

  #numberRead(): void {
    const value = this.#value;
    this.#value = 0;
    this.#bits = 0;
    const was = this.#reading;
    this.#reading = "tag";
    if (was === "length") this.#skip = value;
    if (was !== "tag") return;
    this.count++;
    const wireType = value % 8;
    if (wireType === DELIMITED) this.#reading = "length";
    else if (wireType === VARINT) this.#reading = "value";
    else if (wireType === BIT64) this.#skip = 8;
    else if (wireType === BIT32) this.#skip = 4;
  }
}
