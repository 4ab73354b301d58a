import { WireReader } from "../protobuf/reader.js";
import { GatheredBytes } from "./gathered-bytes.js";
import type { MessageSink } from "./message-splitter.js";

/** The one field that answers of the Pods API have: pods in a list, the pod of a GetPod. */
const FIELD = 1;

const DELIMITED = 2;

/**
 * Splits a message with one repeated field of bytes, such as `ListPodsResponse`. The parts are views of the message. It stops after one
 * part more than `most`.
 *
 * @throws Error or RangeError if the bytes are no such message.
 */
export function splitRepeated(message: Uint8Array, most: number = Number.POSITIVE_INFINITY): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const reader = new WireReader(message);
  while (reader.pos < message.length && parts.length <= most) {
    const tag = reader.tag();
    if (tag !== ((FIELD << 3) | DELIMITED)) reader.skip(tag);
    else {
      const end = reader.uint32() + reader.pos;
      if (end > message.length) throw new RangeError("the bytes end too early");
      parts.push(message.subarray(reader.pos, end));
      reader.pos = end;
    }
  }
  return parts;
}

/** Splits such a message while it comes. Parts that lie in one piece are views of it; only parts across two pieces are copied. */
export class RepeatedSplitter implements MessageSink {
  readonly #most: number;
  readonly #tooMany: () => Error;
  readonly #parts: Uint8Array[] = [];
  /** The bytes that are still to come. */
  #left = 0;
  /** The beginning of a part, or of its tag and length, that continues in the next piece; and how much of the part is missing. */
  readonly #begun = new GatheredBytes(FIRST_BYTES);
  #missing = 0;
  /** All bytes from the first other field on. They are read at the end. */
  #rest: GatheredBytes | undefined;

  /** @param tooMany makes the error that is thrown as soon as there are more parts than `most`. */
  constructor(most: number, tooMany: () => Error) {
    this.#most = most;
    this.#tooMany = tooMany;
  }

  begin(length: number): void {
    this.#left = length;
  }

  push(piece: Uint8Array): void {
    this.#left -= piece.length;
    let bytes = piece;
    let at = 0;
    if (this.#missing > 0) {
      at = Math.min(this.#missing, bytes.length);
      this.#begun.push(bytes.subarray(0, at));
      this.#missing -= at;
      if (this.#missing > 0) return;
      this.#add(this.#begun.take());
    } else if (this.#begun.length > 0) bytes = Buffer.concat([this.#begun.take(), bytes]); // a tag or a length is cut
    while (at < bytes.length && this.#rest === undefined) at = this.#part(bytes, at);
    if (this.#rest === undefined || at === bytes.length) return;
    this.#rest.push(bytes.subarray(at));
  }

  /** Returns the parts. @throws Error or RangeError if the bytes are no such message. */
  finish(): Uint8Array[] {
    if (this.#begun.length > 0) throw new RangeError("the bytes end too early");
    const most = this.#most - this.#parts.length;
    if (this.#rest !== undefined) for (const part of splitRepeated(this.#rest.take(), most)) this.#add(part);
    return this.#parts;
  }

  /** Reads the part that begins at `at`, and returns where the next one begins. */
  #part(bytes: Uint8Array, at: number): number {
    let length = 0;
    let end = at + 1;
    let last = 0x80;
    for (let shift = 0; last >= 0x80 && shift < 28 && end < bytes.length; shift += 7) {
      last = bytes[end++] as number;
      length |= (last & 0x7f) << shift;
    }
    const isCut = last >= 0x80 && end === bytes.length && end - at < LONGEST_HEAD;
    if (bytes[at] === PART_TAG && isCut && this.#left > 0) {
      this.#begun.push(bytes.subarray(at));
      return end;
    }
    const stop = end + length;
    if (bytes[at] !== PART_TAG || last >= 0x80 || stop > bytes.length + this.#left) {
      this.#rest = new GatheredBytes(FIRST_BYTES);
      return at;
    }
    if (stop <= bytes.length) this.#add(bytes.subarray(end, stop));
    else {
      this.#begun.push(bytes.subarray(end));
      this.#missing = stop - bytes.length;
    }
    return Math.min(stop, bytes.length);
  }

  #add(part: Uint8Array): void {
    this.#parts.push(part);
    if (this.#parts.length > this.#most) throw this.#tooMany();
  }
}

/** The first size of the buffer for a part in pieces: that of a usual pod. */
const FIRST_BYTES = 4_096;

const PART_TAG = (FIELD << 3) | DELIMITED;

/** A tag, and a length in four bytes. Parts with longer ones are read with the rest. */
const LONGEST_HEAD = 5;
