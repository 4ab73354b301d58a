import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { WireType } from "@bufbuild/protobuf/wire";
import { EMPTY_MESSAGES } from "../gen/empty-messages.js";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { Pod } from "./pod.js";
import { WireReader } from "./reader.js";
import { MAX_DEPTH, type Structure, structureOf } from "./structure.js";

/** The selected fields of a message, by name; undefined stands for the whole field. */
export type Selected = ReadonlyMap<string, Selected | undefined>;

type Fields = Record<string, unknown> & { $unknown?: { no: number; wireType: WireType; data: Uint8Array }[] };
type FieldReader = (message: Fields, reader: WireReader, tag: number, depth: number) => void;

/** Instructions for reading one message: all of it, or selected fields. */
export interface Plan {
  /** Makes a new message without fields. */
  readonly make: () => Fields;
  /** The readers by field number. Holes are unknown to the schema, or not selected. */
  readonly readers: readonly (FieldReader | undefined)[];
  /** Plans of the messages in fields of which not all is selected, by field number. */
  readonly partial: readonly (Plan | undefined)[];
  /** Whether all of the message is wanted, unknown fields too. */
  readonly whole: boolean;
  /** The message's form on the wire. */
  readonly structure: Structure;
}

const wholePlans = new WeakMap<DescMessage, Plan>();

/**
 * Decodes a serialized `k8s.io.api.core.v1.Pod`. The result is what protobuf-es gives, unknown fields included, but for two
 * things. Text that is not UTF-8 becomes U+FFFD, where protobuf-es throws: the kubelet cuts long messages at byte limits, so
 * such text is real. `metadata`, `spec` and `status` are there, empty, where the bytes have none.
 *
 * The result holds no view of `bytes`: a pod that is kept does not keep the answer it came in.
 *
 * @throws Error or RangeError where the bytes are no Pod: cut off, a malformed tag, nesting too deep.
 */
export function decodePod(bytes: Uint8Array): Pod {
  return decodeBy(wholePlan(PodSchema), bytes) as Pod;
}

/** Decodes by a plan: an ordinary message, in which what is not selected is empty. */
export function decodeBy(plan: Plan, bytes: Uint8Array): unknown {
  const message = plan.make();
  readMessage(plan, message, new WireReader(bytes), bytes.length, MAX_DEPTH);
  return message;
}

/** Makes a plan that reads the selected fields of a message. */
export function partialPlan(desc: DescMessage, selected: Selected): Plan {
  const readers: FieldReader[] = [];
  const partial: Plan[] = [];
  for (const [name, below] of selected) {
    const field = desc.fields.find(({ localName }) => localName === name) as DescField;
    const { message } = field;
    const plan = below === undefined || message === undefined ? undefined : partialPlan(message, below);
    readers[field.number] = fieldReader(field, plan);
    if (plan !== undefined) partial[field.number] = plan;
  }
  return { make: maker(desc, selected), readers, partial, whole: false, structure: structureOf(desc) };
}

/** Returns the plan that reads all of a message. */
export function wholePlan(desc: DescMessage): Plan {
  let plan = wholePlans.get(desc);
  if (plan === undefined) {
    const readers: FieldReader[] = [];
    plan = { make: maker(desc), readers, partial: [], whole: true, structure: structureOf(desc) };
    wholePlans.set(desc, plan); // before its fields, so that a message that holds itself ends here
    for (const field of desc.fields) readers[field.number] = fieldReader(field);
  }
  return plan;
}

function maker(desc: DescMessage, selected?: Selected): () => Fields {
  const make = EMPTY_MESSAGES[desc.typeName] as (() => Fields) | undefined;
  if (make === undefined) throw new Error(`${desc}: not in the Pod schema`);
  return desc.typeName === PodSchema.typeName ? podMaker(make, selected) : make;
}

/** Makes pods that have those of `metadata`, `spec` and `status` of which something is selected: Go holds them by value. */
function podMaker(make: () => Fields, selected?: Selected): () => Fields {
  const parts = PodSchema.fields
    .filter(({ localName }) => selected?.has(localName) ?? true)
    .map((field) => ({ name: field.localName, make: maker(field.message as DescMessage) }));
  return () => {
    const pod = make();
    for (const part of parts) pod[part.name] = part.make();
    return pod;
  };
}

function readMessage(plan: Plan, message: Fields, reader: WireReader, length: number, depth: number): void {
  if (depth <= 0) throw new Error(`message nested deeper than ${MAX_DEPTH}`);
  const { readers } = plan;
  const end = reader.pos + length;
  while (reader.pos < end) {
    const tag = reader.tag();
    const read = readers[tag >>> 3];
    if (read !== undefined) read(message, reader, tag, depth);
    else if (plan.whole) readUnknown(message, reader, tag, depth);
    else reader.skip(tag, depth - 1);
  }
}

function readUnknown(message: Fields, reader: WireReader, tag: number, depth: number): void {
  const start = reader.pos;
  reader.skip(tag, depth - 1);
  message.$unknown ??= [];
  message.$unknown.push({ no: tag >>> 3, wireType: tag & 7, data: reader.copy(start) });
}

function fieldReader(field: DescField, partial?: Plan): FieldReader {
  const name = field.localName;
  switch (field.fieldKind) {
    case "scalar": {
      const read = scalarReader(field.scalar);
      return (message, reader) => {
        message[name] = read(reader);
      };
    }
    case "message": {
      const plan = partial ?? wholePlan(field.message);
      // A field that is split is merged, but for times, which Go's own decoder of them replaces.
      const isMerged = field.message.typeName !== TimeSchema.typeName;
      return (message, reader, _, depth) => {
        const before = isMerged ? (message[name] as Fields | undefined) : undefined;
        const value = before ?? plan.make();
        readMessage(plan, value, reader, reader.uint32(), depth - 1);
        if (before === undefined) message[name] = value;
      };
    }
    case "list":
      return listReader(field, partial);
    case "map":
      return mapReader(field);
    default:
      throw new Error(`${field}: the Pod schema has no ${field.fieldKind} fields`);
  }
}

function listReader(field: DescField & { fieldKind: "list" }, partial: Plan | undefined): FieldReader {
  const name = field.localName;
  if (field.listKind === "message") {
    const plan = partial ?? wholePlan(field.message);
    return (message, reader, _, depth) => {
      const item = plan.make();
      readMessage(plan, item, reader, reader.uint32(), depth - 1);
      (message[name] as unknown[]).push(item);
    };
  }
  if (field.listKind === "enum") throw new Error(`${field}: the Pod schema has no enum lists`);
  const read = scalarReader(field.scalar);
  const packable = field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
  return (message, reader, tag) => {
    const items = message[name] as unknown[];
    if (packable && (tag & 7) === 2) {
      const length = reader.uint32();
      const end = reader.pos + length;
      while (reader.pos < end) items.push(read(reader));
    } else {
      items.push(read(reader));
    }
  };
}

function mapReader(field: DescField & { fieldKind: "map" }): FieldReader {
  if (field.mapKey !== ScalarType.STRING || field.mapKind === "enum") {
    throw new Error(`${field}: maps of the Pod schema have text keys and no enum values`);
  }
  const name = field.localName;
  const plan = field.mapKind === "message" ? wholePlan(field.message) : undefined;
  const readScalar = field.mapKind === "scalar" ? scalarReader(field.scalar) : undefined;
  const readValue = (before: unknown, reader: WireReader, depth: number): unknown => {
    if (readScalar !== undefined) return readScalar(reader);
    const value = (before as Fields | undefined) ?? (plan as Plan).make();
    readMessage(plan as Plan, value, reader, reader.uint32(), depth - 1);
    return value;
  };
  return (message, reader, _, depth) => {
    let key = "";
    let value: unknown;
    const length = reader.uint32();
    const end = reader.pos + length;
    while (reader.pos < end) {
      const tag = reader.tag();
      if (tag >>> 3 === 1) key = reader.string();
      else if (tag >>> 3 === 2) value = readValue(value, reader, depth);
      else reader.skip(tag, depth - 1);
    }
    value ??= plan === undefined ? "" : plan.make();
    setOwn(message[name] as Record<string, unknown>, key, value);
  };
}

/** Sets a key that came from outside: `__proto__` must become a key like any other. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    target[key] = value;
  }
}

function scalarReader(type: ScalarType): (reader: WireReader) => unknown {
  switch (type) {
    case ScalarType.STRING:
      return (reader) => reader.string();
    case ScalarType.BOOL:
      return (reader) => reader.bool();
    case ScalarType.INT32:
      return (reader) => reader.int32();
    case ScalarType.INT64:
      return (reader) => reader.int64();
    case ScalarType.BYTES:
      return (reader) => reader.bytes();
    default:
      throw new Error(`the Pod schema has no ${ScalarType[type]} fields`);
  }
}
