import { asBuffer, textOf } from "./text.js";

/** Wire types of protobuf: the low three bits of a tag. */
export const VARINT = 0;
const BIT64 = 1;
export const DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
export const BIT32 = 5;

/** Maximum nesting of messages and groups, as in other implementations of protobuf. The Pod schema has about twelve levels. */
export const MAX_DEPTH = 100;

/**
 * Reads the protobuf wire format. It accepts and rejects the same bytes as protobuf-es. Unlike that reader, it creates no array per tag and
 * no view per skipped field. These would be most of the cost of reading a few fields of a pod.
 */
export class WireReader {
  readonly source: Buffer;
  readonly length: number;
  pos = 0;

  constructor(bytes: Uint8Array) {
    this.source = asBuffer(bytes);
    this.length = bytes.length;
  }

  /** Reads a tag: the field number is `tag >>> 3`, the wire type `tag & 7`. */
  tag(): number {
    const first = this.source[this.pos] as number;
    if (first < 0x80) {
      this.pos++;
      if (first < 8 || (first & 7) > BIT32) throw illegalTag();
      return first;
    }
    const start = this.pos;
    const tag = this.uint32();
    const read = this.pos - start;
    if (read > 5 || (read === 5 && (this.source[this.pos - 1] as number) > 0x0f)) throw illegalTag();
    if (tag < 8 || (tag & 7) > BIT32) throw illegalTag();
    return tag;
  }

  /** Reads an unsigned varint. Returns the low 32 bits of a larger number. */
  uint32(): number {
    const bytes = this.source;
    let byte = bytes[this.pos++] as number;
    if (byte < 0x80) return byte;
    let result = byte & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = bytes[this.pos++] as number;
      result |= (byte & 0x7f) << shift;
      if (!(byte & 0x80)) return this.#checked(result);
    }
    byte = bytes[this.pos++] as number;
    result |= (byte & 0x0f) << 28;
    for (let read = 5; byte & 0x80 && read < 10; read++) byte = bytes[this.pos++] as number;
    if (byte & 0x80) throw new Error("invalid varint");
    return this.#checked(result >>> 0);
  }

  int32(): number {
    return this.uint32() | 0;
  }

  int64(): bigint {
    const bytes = this.source;
    let low = 0;
    let high = 0;
    for (let i = 0; i < 10; i++) {
      const byte = bytes[this.pos++] as number;
      const bits = byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= (bits & 0x0f) << 28;
        high = bits >> 4;
      } else high |= bits << (7 * i - 32);
      if (!(byte & 0x80)) {
        this.#checked(0);
        if (high === 0) return BigInt(low >>> 0);
        return BigInt.asIntN(64, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
      }
    }
    throw new Error("invalid varint");
  }

  bool(): boolean {
    const byte = this.source[this.pos] as number;
    if (byte < 0x80) {
      this.pos++;
      return byte !== 0;
    }
    return this.int64() !== 0n;
  }

  /** Reads a string. Bytes that are not UTF-8 become U+FFFD. */
  string(): string {
    const length = this.uint32();
    const start = this.pos;
    this.#advance(length);
    return textOf(this.source, start, this.pos);
  }

  /** Reads a length-delimited field as a view of the bytes. */
  view(): Uint8Array {
    const length = this.uint32();
    const start = this.pos;
    this.#advance(length);
    return this.source.subarray(start, this.pos);
  }

  /** Copies a length-delimited field. */
  bytes(): Uint8Array<ArrayBuffer> {
    const length = this.uint32();
    const start = this.pos;
    this.#advance(length);
    return this.copy(start);
  }

  /** Copies the bytes read since `start`. */
  copy(start: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.source.subarray(start, this.pos));
  }

  /** Skips a field's value. @param depth how deep groups may nest. */
  skip(tag: number, depth: number = MAX_DEPTH): void {
    switch (tag & 7) {
      case DELIMITED:
        this.#advance(this.uint32());
        return;
      case VARINT:
        while ((this.source[this.pos++] as number) & 0x80);
        this.#checked(0);
        return;
      case BIT32:
        this.#advance(4);
        return;
      case BIT64:
        this.#advance(8);
        return;
      case START_GROUP:
        this.#skipGroup(tag >>> 3, depth);
        return;
      default:
        throw new Error("unexpected end of a group");
    }
  }

  #skipGroup(number: number, depth: number): void {
    if (depth <= 0) throw tooDeep();
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) === END_GROUP) {
        if (tag >>> 3 !== number) throw new Error("the end of a group does not match its start");
        return;
      }
      this.skip(tag, depth - 1);
    }
  }

  #advance(length: number): void {
    this.pos += length;
    this.#checked(0);
  }

  #checked(value: number): number {
    if (this.pos > this.length) throw new RangeError("unexpected end of the bytes");
    return value;
  }
}

export function tooDeep(): Error {
  return new Error("messages nested too deep");
}

/** Makes the error for a field that reaches past the end of its message. */
export function past(): RangeError {
  return new RangeError("a field exceeds its message");
}

function illegalTag(): Error {
  return new Error("illegal tag");
}
