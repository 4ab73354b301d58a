import type { WireType } from "@bufbuild/protobuf/wire";
import { DELIMITED, type WireReader } from "./reader.js";

/** A field that is not in the schema, as protobuf-es keeps it. */
interface UnknownField {
  no: number;
  wireType: WireType;
  data: Uint8Array;
}

/** Keeps a field that is not in the schema. */
export function readUnknown(message: object, reader: WireReader, tag: number, depth: number): void {
  const start = reader.pos;
  reader.skip(tag, depth - 1);
  const holder = message as { $unknown?: UnknownField[] };
  holder.$unknown ??= [];
  holder.$unknown.push({ no: tag >>> 3, wireType: tag & 7, data: reader.copy(start) });
}

/** Reads the message in a field into an existing message, and returns the existing one. */
export function readInto<M>(
  message: M,
  read: (message: M, reader: WireReader, end: number, depth: number) => void,
  reader: WireReader,
  depth: number,
): M {
  read(message, reader, reader.uint32() + reader.pos, depth - 1);
  return message;
}

/**
 * Reads the adjacent messages of a list, and returns the list. A new list has exactly the needed size, because an array that grows would
 * reserve room for 17 elements.
 */
export function readList<M>(
  before: M[],
  New: new () => M,
  read: (message: M, reader: WireReader, end: number, depth: number) => void,
  reader: WireReader,
  end: number,
  tag: number,
  depth: number,
): M[] {
  const items = [readInto(new New(), read, reader, depth)];
  let at = reader.pos;
  while (at < end && reader.tag() === tag) {
    items.push(readInto(new New(), read, reader, depth));
    at = reader.pos;
  }
  reader.pos = at;
  if (before.length === 0) return items.length === 1 ? items : items.slice();
  for (const item of items) before.push(item);
  return before;
}

/** Reads an entry of a map from strings to strings. */
export function readTextEntry(target: Record<string, string>, reader: WireReader, depth: number): void {
  let key = "";
  let value = "";
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) value = reader.string();
    else reader.skip(tag, depth - 1);
  }
  setOwn(target, key, value);
}

/** Reads an entry of a map from strings to messages. */
export function readMessageEntry<M extends object>(
  target: Record<string, M>,
  reader: WireReader,
  depth: number,
  New: new () => M,
  read: (message: M, reader: WireReader, end: number, depth: number) => void,
): void {
  let key = "";
  const value = new New();
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag >>> 3 === 1) key = reader.string();
    else if (tag >>> 3 === 2) read(value, reader, reader.uint32() + reader.pos, depth - 1);
    else reader.skip(tag, depth - 1);
  }
  setOwn(target, key, value);
}

/** Reads numbers of a list: a single one, or several packed ones. */
export function readNumbers<N>(items: N[], reader: WireReader, tag: number, read: () => N): void {
  if ((tag & 7) !== DELIMITED) {
    items.push(read());
    return;
  }
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) items.push(read());
}

/** Sets a key from untrusted input. `__proto__` becomes a key like any other. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    target[key] = value;
  }
}
