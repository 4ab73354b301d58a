import type { Pod } from "../gen/pod-types.js";
import { MAX_DEPTH, tooDeep, WireReader } from "../protobuf/reader.js";
import type { Selected } from "../protobuf/selected.js";
import type { Field, Fields, MessageType } from "./field.js";
import { messageType, POD } from "./message-type.js";

/** Instructions for reading one message: all of it, or selected fields. */
export interface Plan {
  readonly type: MessageType;
  /** Makes a new message without fields. */
  readonly make: () => Fields;
  /** Whether all of the message is wanted, unknown fields too. */
  readonly whole: boolean;
  /** The selected fields by number, where not all is. */
  readonly fields: readonly (PlannedField | undefined)[];
}

/** One selected field. */
interface PlannedField {
  readonly name: string;
  readonly isList: boolean;
  /** The plan of the message in it, where not all of that is selected. */
  readonly partial: Plan | undefined;
}

const wholePlans = new Map<MessageType, Plan>();

/**
 * Decodes a serialized `k8s.io.api.core.v1.Pod`. The result is what protobuf-es gives, unknown fields included, but for three
 * things. Text that is not UTF-8 becomes U+FFFD, where protobuf-es throws: the kubelet cuts long messages at byte limits, so
 * such text is real. `metadata`, `spec` and `status` are there, empty, where the bytes have none. A time that is given twice is
 * the second one, as in Go, and not what both together say.
 *
 * The result holds no view of `bytes`: a pod that is kept does not keep the answer it came in.
 *
 * @throws Error or RangeError where the bytes are no Pod: cut off, a malformed tag, nesting too deep.
 */
export function decodePod(bytes: Uint8Array): Pod {
  return decodeBy(wholePlan(POD), bytes) as Pod;
}

/** Decodes by a plan: an ordinary message, in which what is not selected is empty. */
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

/** Makes pods that have those of `metadata`, `spec` and `status` of which something is selected: Go holds them by value. */
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
      type.read(message, reader, start + 1, depth); // one field: past its first byte it ends
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
  // A field that is split is merged, but for times, which Go's own decoder of them replaces.
  const before = isList || plan.type === TIME ? undefined : (message[name] as Fields | undefined);
  const value = before ?? plan.make();
  readMessage(plan, value, reader, reader.uint32(), depth - 1);
  if (isList) (message[name] as unknown[]).push(value);
  else message[name] = value;
}

const TIME = messageType("Time");
