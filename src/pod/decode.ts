import {
  create,
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { BinaryReader, type WireType } from "@bufbuild/protobuf/wire";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/**
 * How deep messages may nest, as in protobuf's other implementations. The Pod schema itself ends at about twelve;
 * the limit is for what is skipped.
 */
const RECURSION_LIMIT = 100;

type Fields = Record<string, unknown> & { $unknown?: { no: number; wireType: WireType; data: Uint8Array }[] };
type FieldReader = (message: Fields, reader: BinaryReader, wireType: WireType, depth: number) => void;

/** Readers of one message's fields, by field number. */
type Plan = Map<number, FieldReader>;

const plans = new WeakMap<DescMessage, Plan>();

/**
 * Decodes a serialized `k8s.io.api.core.v1.Pod`. The result is what protobuf-es gives, unknown fields included,
 * but for text that is not UTF-8: it becomes U+FFFD, where protobuf-es throws. The kubelet cuts long messages at
 * byte limits, so such text is real.
 *
 * The result holds no view of `bytes`: a pod that is kept does not keep the answer it came in.
 *
 * @throws Error or RangeError where the bytes are no Pod: cut off, a malformed tag, nesting too deep.
 */
export function decodePod(bytes: Uint8Array): Pod {
  return decode(PodSchema, bytes);
}

/** {@link decodePod} for any message of the Pod schema. */
export function decode<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  const message = create(desc);
  readMessage(planOf(desc), message as Message & Fields, new BinaryReader(bytes), bytes.length, RECURSION_LIMIT);
  return message;
}

function readMessage(plan: Plan, message: Fields, reader: BinaryReader, length: number, depth: number): void {
  if (depth <= 0) throw new Error(`message nested deeper than ${RECURSION_LIMIT}`);
  const end = reader.pos + length;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const read = plan.get(number);
    if (read === undefined) {
      const data = reader.skip(wireType, number, depth - 1);
      message.$unknown ??= [];
      message.$unknown.push({ no: number, wireType, data: new Uint8Array(data) });
    } else {
      read(message, reader, wireType, depth);
    }
  }
}

function planOf(desc: DescMessage): Plan {
  let plan = plans.get(desc);
  if (plan === undefined) {
    plan = new Map();
    plans.set(desc, plan); // before its fields, so that a message that holds itself ends here
    for (const field of desc.fields) plan.set(field.number, fieldReader(field));
  }
  return plan;
}

function fieldReader(field: DescField): FieldReader {
  const name = field.localName;
  switch (field.fieldKind) {
    case "scalar": {
      const read = scalarReader(field.scalar);
      return (message, reader) => {
        message[name] = read(reader);
      };
    }
    case "message": {
      const { message: desc } = field;
      const plan = planOf(desc);
      return (message, reader, _, depth) => {
        message[name] ??= create(desc);
        readMessage(plan, message[name] as Fields, reader, reader.uint32(), depth - 1);
      };
    }
    case "list":
      return listReader(field);
    case "map":
      return mapReader(field);
    default:
      throw new Error(`${field}: the Pod schema has no ${field.fieldKind} fields`);
  }
}

function listReader(field: DescField & { fieldKind: "list" }): FieldReader {
  const name = field.localName;
  if (field.listKind === "message") {
    const { message: desc } = field;
    const plan = planOf(desc);
    return (message, reader, _, depth) => {
      const item = create(desc) as Message & Fields;
      readMessage(plan, item, reader, reader.uint32(), depth - 1);
      (message[name] as unknown[]).push(item);
    };
  }
  if (field.listKind === "enum") throw new Error(`${field}: the Pod schema has no enum lists`);
  const read = scalarReader(field.scalar);
  const packable = field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES;
  return (message, reader, wireType) => {
    const items = message[name] as unknown[];
    if (packable && wireType === 2) {
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
  const desc = field.mapKind === "message" ? field.message : undefined;
  const plan = desc === undefined ? undefined : planOf(desc);
  const readScalar = field.mapKind === "scalar" ? scalarReader(field.scalar) : undefined;
  return (message, reader, _, depth) => {
    let key = "";
    let value: unknown;
    const length = reader.uint32();
    const end = reader.pos + length;
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      if (number === 1) key = reader.string(false);
      else if (number !== 2) reader.skip(wireType, number, depth - 1);
      else if (readScalar !== undefined) value = readScalar(reader);
      else if (desc !== undefined && plan !== undefined) {
        value ??= create(desc);
        readMessage(plan, value as Fields, reader, reader.uint32(), depth - 1);
      }
    }
    value ??= desc === undefined ? "" : create(desc);
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

function scalarReader(type: ScalarType): (reader: BinaryReader) => unknown {
  switch (type) {
    case ScalarType.STRING:
      return (reader) => reader.string(false);
    case ScalarType.BOOL:
      return (reader) => reader.bool();
    case ScalarType.INT32:
      return (reader) => reader.int32();
    case ScalarType.INT64:
      return (reader) => reader.int64();
    case ScalarType.BYTES:
      return (reader) => new Uint8Array(reader.bytes()); // a copy
    default:
      throw new Error(`the Pod schema has no ${ScalarType[type]} fields`);
  }
}
