import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WireReader } from "./reader.js";

/** How deep messages and groups may nest, as in protobuf's other implementations. The Pod schema ends at about twelve. */
export const MAX_DEPTH = 100;

const VARINT = 0;
const DELIMITED = 2;

/** The kinds of fields on the wire. */
const UNKNOWN = 0;
const NUMBER = 1;
const NUMBERS = 2;
const BYTES = 3;
const MESSAGE = 4;

/** The form of one message on the wire, by field number. */
export interface Structure {
  /** One of the constants above; fields past the end are unknown to the schema. */
  readonly kinds: Uint8Array;
  /** The structure of messages in fields. */
  readonly nested: readonly (Structure | undefined)[];
}

const structures = new WeakMap<DescMessage, Structure>();

/** Returns the structure of a message; made once per message type. */
export function structureOf(desc: DescMessage): Structure {
  let structure = structures.get(desc);
  if (structure === undefined) {
    const kinds = new Uint8Array(Math.max(0, ...desc.fields.map(({ number }) => number)) + 1);
    const nested: (Structure | undefined)[] = Array.from(kinds, () => undefined);
    structure = { kinds, nested };
    structures.set(desc, structure); // before its fields, so that a message that holds itself ends here
    for (const field of desc.fields) {
      nested[field.number] = nestedOf(field);
      kinds[field.number] = nested[field.number] === undefined ? kindOf(field) : MESSAGE;
    }
  }
  return structure;
}

function nestedOf(field: DescField): Structure | undefined {
  if (field.fieldKind !== "map") return field.message === undefined ? undefined : structureOf(field.message);
  const value = field.mapKind === "message" ? structureOf(field.message) : undefined;
  return {
    kinds: Uint8Array.of(UNKNOWN, BYTES, value === undefined ? BYTES : MESSAGE),
    nested: [undefined, undefined, value],
  };
}

function kindOf(field: DescField): number {
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) return BYTES;
  return field.fieldKind === "list" ? NUMBERS : NUMBER;
}

/**
 * Walks over a serialized message and decodes nothing. What passes can be decoded by the whole schema and by every mask, so
 * this decides, once, when a pod is received, whether it can be read.
 *
 * @param from where the message begins.
 * @param end where it ends.
 * @param depth how deep messages and groups may still nest.
 * @throws Error or RangeError where a length, a tag, a wire type or the nesting is wrong.
 */
export function checkStructure(
  bytes: Uint8Array,
  structure: Structure,
  from = 0,
  end: number = bytes.length,
  depth: number = MAX_DEPTH,
): void {
  if (depth <= 0) throw new Error("messages nested too deep");
  const { kinds, nested } = structure;
  let at = from;
  while (at < end) {
    const start = at;
    let tag = bytes[at++] as number;
    if (tag >= 0x80) tag = (tag & 0x7f) | ((bytes[at++] as number) << 7); // of a longer one the kind below is UNKNOWN
    const kind = kinds[tag >>> 3] ?? UNKNOWN;
    // The common cases, written out: tags and lengths of one or two bytes.
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
      if (kind === MESSAGE) checkStructure(bytes, nested[tag >>> 3] as Structure, at, stop, depth - 1);
      at = stop;
    } else if (kind === NUMBER && (tag & 7) === VARINT) {
      const last = at + 9;
      while (at < last && (bytes[at] as number) >= 0x80) at++;
      if (!((bytes[at++] as number) < 0x80)) throw new Error("invalid varint");
    } else at = checkField(bytes, structure, start, end, depth);
  }
  if (at > end) throw past();
}

/** Checks one field of any kind, and returns where it ends. */
function checkField(bytes: Uint8Array, { kinds, nested }: Structure, from: number, end: number, depth: number): number {
  const reader = readerAt(bytes, from);
  const tag = reader.tag();
  const wireType = tag & 7;
  const kind = kinds[tag >>> 3] ?? UNKNOWN;
  if (kind === UNKNOWN) reader.skip(tag, depth - 1);
  else if (wireType === VARINT && (kind === NUMBER || kind === NUMBERS)) reader.uint32();
  else if (wireType === DELIMITED && kind !== NUMBER) {
    const stop = reader.uint32() + reader.pos;
    if (stop > end) throw past();
    if (kind === MESSAGE) checkStructure(bytes, nested[tag >>> 3] as Structure, reader.pos, stop, depth - 1);
    else if (kind === NUMBERS) while (reader.pos < stop) reader.uint32();
    if (kind !== NUMBERS) reader.pos = stop;
    else if (reader.pos > stop) throw past();
  } else throw new Error("a field of another wire type than the schema has");
  return reader.pos;
}

function readerAt(bytes: Uint8Array, at: number): WireReader {
  const reader = new WireReader(bytes);
  reader.pos = at;
  return reader;
}

function past(): RangeError {
  return new RangeError("a field reaches past its message");
}
