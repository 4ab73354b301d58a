import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { DELIMITED, WireReader } from "../protobuf/reader.js";

/** Maximum number of values in an answer. A node with 512 CPUs and 500 containers with devices has some ten thousand. */
export const MAX_VALUES = 200_000;

/**
 * Returns true if an encoded message has more than so many values, before any of them is decoded. A packed list takes a byte for a value that
 * takes fifty bytes of memory.
 *
 * @throws Error or RangeError if the bytes are not a valid message.
 */
export function hasMoreValues(schema: DescMessage, bytes: Uint8Array, most: number = MAX_VALUES): boolean {
  return countValues(schema, bytes, most) > most;
}

function countValues(schema: DescMessage, bytes: Uint8Array, most: number): number {
  const fields = new Map<number, DescField>(schema.fields.map((field) => [field.number, field]));
  const reader = new WireReader(bytes);
  let count = 0;
  while (reader.pos < bytes.length && count <= most) {
    const tag = reader.tag();
    count++;
    const field = fields.get(tag >>> 3);
    if ((tag & 7) !== DELIMITED || field === undefined) {
      reader.skip(tag);
      continue;
    }
    const end = reader.uint32() + reader.pos;
    if (end > bytes.length) throw new RangeError("unexpected end of the bytes");
    const part = bytes.subarray(reader.pos, end);
    if (field.message !== undefined) count += countValues(field.message, part, most - count);
    else if (isPacked(field)) for (const byte of part) count += byte < 0x80 ? 1 : 0;
    reader.pos = end;
  }
  return count;
}

function isPacked(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind === "scalar" && !TEXTS.has(field.scalar);
}

const TEXTS: ReadonlySet<ScalarType> = new Set([ScalarType.STRING, ScalarType.BYTES]);
