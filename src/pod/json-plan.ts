import type { Field, MessageType } from "./field.js";

/** Form of a field's values in Kubernetes JSON. */
export type JsonKind =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "time"
  | "quantity"
  | "intOrString"
  | "fieldsV1"
  | MessageType;

/** One JSON key of a message, and the field behind it. */
export interface JsonEntry {
  readonly key: string;
  /** Name of the field with the inlined message, if this field belongs to one. */
  readonly inlinedIn: string | undefined;
  readonly field: Field;
  readonly kind: JsonKind;
  /** True if it is written even when it is empty. */
  readonly always: boolean;
  /** True if the message is always present, even if empty. */
  readonly byValue: boolean;
  /** True if absent and empty differ: Go has a pointer here. */
  readonly pointer: boolean;
}

export interface JsonPlan {
  /** Sorted by key, which is the order that kubectl prints. */
  readonly entries: readonly JsonEntry[];
  readonly byKey: ReadonlyMap<string, JsonEntry>;
  /** Fields with inlined messages, which are always present. */
  readonly inlined: readonly Field[];
}

const ownForm: Readonly<Record<string, JsonKind>> = {
  Time: "time",
  Quantity: "quantity",
  IntOrString: "intOrString",
  FieldsV1: "fieldsV1",
};

const plans = new Map<MessageType, JsonPlan>();

/** Returns the keys of a message type in Kubernetes JSON. Each type is compiled once. */
export function jsonPlan(type: MessageType): JsonPlan {
  let plan = plans.get(type);
  if (plan === undefined) {
    plan = compile(type);
    plans.set(type, plan);
  }
  return plan;
}

function compile({ fields }: MessageType): JsonPlan {
  const inlined = fields.filter(({ isInlined }) => isInlined);
  const entries = fields.filter(({ isInlined }) => !isInlined).map((field) => entry(field, undefined));
  for (const holder of inlined) {
    if (holder.message === undefined) throw new Error(`${holder.name}: only messages can be inlined`);
    entries.push(...holder.message.fields.map((field) => entry(field, holder.name)));
  }
  entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { entries, byKey: new Map(entries.map((e) => [e.key, e])), inlined };
}

function entry(field: Field, inlinedIn: string | undefined): JsonEntry {
  return {
    key: field.name,
    inlinedIn,
    field,
    kind: kindOf(field),
    always: field.isAlwaysWritten,
    byValue: field.isByValue,
    pointer: field.kind === "message" ? !field.isByValue : field.hasPresence,
  };
}

/** Returns the JSON form of a message type. */
export function kindOfMessage(message: MessageType): JsonKind {
  return ownForm[message.name] ?? message;
}

function kindOf({ name, message, scalar }: Field): JsonKind {
  if (message !== undefined) return kindOfMessage(message);
  if (scalar === undefined || scalar === "bytes") throw new Error(`${name}: no form in Kubernetes JSON`);
  return scalar;
}
