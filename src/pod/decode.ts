import { invalidArgument } from "../errors/pods-error.js";
import { MAX_DEPTH, tooDeep, WireReader } from "../protobuf/reader.js";
import type { Selected } from "../protobuf/selected.js";
import type { Field, Fields, MessageType } from "./field.js";
import { messageType, POD } from "./message-type.js";
import type { Pod } from "./pod.js";

/** Instructions for reading one message: all of it, or selected fields. */
export interface Plan {
  readonly type: MessageType;
  /** Makes a new message without fields. */
  readonly make: () => Fields;
  /** True to read the whole message, including unknown fields. */
  readonly whole: boolean;
  /** Selected fields, by number. Empty if `whole` is true. */
  readonly fields: readonly (PlannedField | undefined)[];
}

/** One selected field. */
interface PlannedField {
  readonly name: string;
  readonly isList: boolean;
  /** The plan for its message, if only some fields of the message are selected. */
  readonly partial: Plan | undefined;
}

const wholePlans = new Map<MessageType, Plan>();

/**
 * Decodes a serialized `k8s.io.api.core.v1.Pod`. The result equals that of protobuf-es, including unknown fields, with three differences.
 * Bytes that are not UTF-8 become U+FFFD instead of an error, because the kubelet cuts long messages at a byte limit. `metadata`, `spec`
 * and `status` are always present. If a time occurs twice, the second one counts, as in Go.
 *
 * The result does not reference `bytes`.
 *
 * @throws PodsError `invalid-argument` if `bytes` is not a Uint8Array; Error or RangeError if the bytes are not a Pod: cut off, a malformed
 * tag, nesting too deep.
 */
export function decodePod(bytes: Uint8Array): Pod {
  if (!(bytes instanceof Uint8Array))
    throw invalidArgument("decodePod: bytes must be a Uint8Array", "fromKubernetesJson() reads JSON");
  return decodeBy(wholePlan(POD), bytes) as Pod;
}

/** Decodes a message by a plan. Fields that are not selected are empty. */
export function decodeBy(plan: Plan, bytes: Uint8Array): unknown {
  const message = plan.make();
  readMessage(plan, message, new WireReader(bytes), bytes.length, MAX_DEPTH);
  return message;
}

/** Makes a plan that reads the selected fields of a message. */
export function partialPlan(type: MessageType, selected: Selected): Plan {
  const fields: PlannedField[] = [];
  const parts: [name: string, make: () => Fields][] = [];
  for (const [name, below] of selected) {
    const field = type.field(name) as Field;
    const { message } = field;
    const partial = below === undefined || message === undefined ? undefined : partialPlan(message, below);
    fields[field.number] = { name, isList: field.kind === "list", partial };
    if (message !== undefined) parts.push([name, partial?.make ?? message.make]);
  }
  const make = () => type.make(selected);
  return { type, make: type === POD ? withParts(make, parts) : make, whole: false, fields };
}

/** Returns the plan that reads all of a message. */
export function wholePlan(type: MessageType): Plan {
  let plan = wholePlans.get(type);
  if (plan === undefined) {
    const parts = type.fields.map(({ name, message }) => [name, message?.make ?? type.make] as const);
    plan = { type, make: type === POD ? withParts(type.make, parts) : type.make, whole: true, fields: [] };
    wholePlans.set(type, plan);
  }
  return plan;
}

/**
 * Makes pods in which `metadata`, `spec` and `status` are present if any of their fields are selected, even if they have no content. In Go
 * these are values, so they are never absent.
 */
function withParts(make: () => Fields, parts: readonly (readonly [name: string, make: () => Fields])[]): () => Fields {
  return () => {
    const pod = make();
    for (const [name, make] of parts) pod[name] = make();
    return pod;
  };
}

function readMessage(plan: Plan, message: Fields, reader: WireReader, length: number, depth: number): void {
  const end = reader.pos + length;
  if (plan.whole) {
    plan.type.read(message, reader, end, depth);
    return;
  }
  if (depth <= 0) throw tooDeep();
  const { fields, type } = plan;
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.tag();
    const field = fields[tag >>> 3];
    if (field === undefined) reader.skip(tag, depth - 1);
    else if (field.partial !== undefined) readPart(field, field.partial, message, reader, depth);
    else {
      reader.pos = start;
      type.read(message, reader, start + 1, depth); // reads one field: `end` is just past its first byte
    }
  }
}

function readPart(
  { name, isList }: PlannedField,
  plan: Plan,
  message: Fields,
  reader: WireReader,
  depth: number,
): void {
  // If a message occurs twice, the two are merged. Times are the exception: Go's decoder replaces the first one.
  const before = isList || plan.type === TIME ? undefined : (message[name] as Fields | undefined);
  const value = before ?? plan.make();
  readMessage(plan, value, reader, reader.uint32(), depth - 1);
  if (isList) (message[name] as unknown[]).push(value);
  else message[name] = value;
}

const TIME = messageType("Time");
