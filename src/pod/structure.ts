import { DELIMITED, MAX_DEPTH, past, tooDeep, VARINT, WireReader } from "../protobuf/reader.js";
import type { Field, MessageType } from "./field.js";

/** The kinds of fields on the wire. */
const UNKNOWN = 0;
const NUMBER = 1;
const NUMBERS = 2;
export const BYTES = 3;
export const MESSAGE = 4;

/** The wire structure of one message. */
export class Structure {
  /** Kind of each field, by field number: one of the constants above. Fields past the end are unknown to the schema. */
  readonly kinds: Uint8Array;
  readonly #make: (number: number) => Structure;
  readonly #nested: (Structure | undefined)[] = [];

  /** @param make returns the structure of the message in a field. */
  constructor(kinds: Uint8Array, make: (number: number) => Structure) {
    this.kinds = kinds;
    this.#make = make;
  }

  /** Returns the structure of the message in a field. It is made when a pod first has that field. */
  nested(number: number): Structure {
    let structure = this.#nested[number];
    if (structure === undefined) {
      structure = this.#make(number);
      this.#nested[number] = structure;
    }
    return structure;
  }
}

const structures = new Map<MessageType, Structure>();

/** Returns the structure of a message; made once per message type. */
export function structureOf(type: MessageType): Structure {
  let structure = structures.get(type);
  if (structure === undefined) {
    const kinds = new Uint8Array(Math.max(0, ...type.fields.map(({ number }) => number)) + 1);
    for (const field of type.fields) kinds[field.number] = kindOf(field);
    structure = new Structure(kinds, (number) =>
      nestedOf(type.fields.find((field) => field.number === number) as Field),
    );
    structures.set(type, structure);
  }
  return structure;
}

function nestedOf({ kind, message }: Field): Structure {
  const value = message === undefined ? undefined : structureOf(message);
  if (kind !== "map" && value !== undefined) return value;
  return new Structure(Uint8Array.of(UNKNOWN, BYTES, value === undefined ? BYTES : MESSAGE), () => value as Structure);
}

function kindOf({ kind, message, scalar }: Field): number {
  if (message !== undefined || kind === "map") return MESSAGE;
  if (scalar === "string" || scalar === "bytes") return BYTES;
  return kind === "list" ? NUMBERS : NUMBER;
}

/**
 * Checks the structure of a serialized message without decoding it. A message that passes can be decoded by the whole schema and by every
 * mask. So one check on receipt decides whether a pod is readable.
 *
 * @param from offset of the message.
 * @param end offset of its end.
 * @param depth how many levels of messages and groups may still nest.
 * @throws Error or RangeError if a length, a tag, a wire type or the nesting is wrong.
 */
export function checkStructure(
  bytes: Uint8Array,
  structure: Structure,
  from = 0,
  end: number = bytes.length,
  depth: number = MAX_DEPTH,
): void {
  if (depth <= 0) throw tooDeep();
  const { kinds } = structure;
  let at = from;
  while (at < end) {
    const start = at;
    let tag = bytes[at++] as number;
    if (tag >= 0x80) tag = (tag & 0x7f) | ((bytes[at++] as number) << 7); // for a longer tag the kind below is UNKNOWN
    const kind = kinds[tag >>> 3] ?? UNKNOWN;
    // Fast path for the common cases: tags and lengths of one or two bytes.
    if (kind >= BYTES && (tag & 7) === DELIMITED) {
      let length = bytes[at++] as number;
      if (length >= 0x80) {
        const high = bytes[at++] as number;
        if (high < 0x80) length = (length & 0x7f) | (high << 7);
        else {
          const reader = readerAt(bytes, at - 2);
          length = reader.uint32();
          at = reader.pos;
        }
      }
      const stop = at + length;
      if (!(stop <= end)) throw past();
      if (kind === MESSAGE) checkStructure(bytes, structure.nested(tag >>> 3), at, stop, depth - 1);
      at = stop;
    } else if (kind === NUMBER && (tag & 7) === VARINT) {
      const last = at + 9;
      while (at < last && (bytes[at] as number) >= 0x80) at++;
      if (!((bytes[at++] as number) < 0x80)) throw new Error("invalid varint");
    } else at = checkField(bytes, structure, start, end, depth);
  }
  if (at > end) throw past();
}

/** Checks one field of any kind. Returns the offset of its end. */
export function checkField(bytes: Uint8Array, structure: Structure, from: number, end: number, depth: number): number {
  const reader = readerAt(bytes, from);
  const tag = reader.tag();
  const wireType = tag & 7;
  const kind = structure.kinds[tag >>> 3] ?? UNKNOWN;
  if (kind === UNKNOWN) reader.skip(tag, depth - 1);
  else if (wireType === VARINT && (kind === NUMBER || kind === NUMBERS)) reader.uint32();
  else if (wireType === DELIMITED && kind !== NUMBER) {
    const stop = reader.uint32() + reader.pos;
    if (stop > end) throw past();
    if (kind === MESSAGE) checkStructure(bytes, structure.nested(tag >>> 3), reader.pos, stop, depth - 1);
    else if (kind === NUMBERS) while (reader.pos < stop) reader.uint32();
    if (kind !== NUMBERS) reader.pos = stop;
    else if (reader.pos > stop) throw past();
  } else throw otherWireType();
  return reader.pos;
}

function readerAt(bytes: Uint8Array, at: number): WireReader {
  const reader = new WireReader(bytes);
  reader.pos = at;
  return reader;
}

/** Makes the error for a field whose wire type does not fit the schema. */
export function otherWireType(): Error {
  return new Error("the wire type does not match the schema");
}
