import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { ALWAYS_WRITTEN, BY_VALUE, INLINED } from "../gen/json-table.js";

/** How one field's value is written. */
export type JsonKind =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "time"
  | "quantity"
  | "intOrString"
  | "fieldsV1"
  | DescMessage;

/** One JSON key of a message, and the field behind it. */
export interface JsonEntry {
  readonly key: string;
  /** Where the field lies when its message is inlined: the name of the field that holds that message. */
  readonly inlinedIn: string | undefined;
  readonly field: DescField;
  readonly kind: JsonKind;
  /** Written even where it is empty. */
  readonly always: boolean;
  /** There is always one, empty or not; only messages. */
  readonly byValue: boolean;
  /** Go has a pointer here: absent and empty differ. */
  readonly pointer: boolean;
}

export interface JsonPlan {
  /** In the order of their keys, which is the order kubectl prints. */
  readonly entries: readonly JsonEntry[];
  readonly byKey: ReadonlyMap<string, JsonEntry>;
  /** Fields that hold inlined messages: there is always one of each. */
  readonly inlined: readonly DescField[];
}

const ownForm: Readonly<Record<string, JsonKind>> = {
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": "time",
  "k8s.io.apimachinery.pkg.api.resource.Quantity": "quantity",
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": "intOrString",
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": "fieldsV1",
};

const plans = new WeakMap<DescMessage, JsonPlan>();

/** Returns the keys of a message in Kubernetes JSON, from its descriptor and the table. Each is compiled once. */
export function jsonPlan(desc: DescMessage): JsonPlan {
  let plan = plans.get(desc);
  if (plan === undefined) {
    plan = compile(desc);
    plans.set(desc, plan);
  }
  return plan;
}

function compile(desc: DescMessage): JsonPlan {
  const inlinedNames = words(INLINED, desc);
  const inlined = desc.fields.filter((field) => inlinedNames.has(field.name));
  const entries = desc.fields.filter((field) => !inlined.includes(field)).map((field) => entry(field, undefined));
  for (const holder of inlined) {
    if (holder.message === undefined) throw new Error(`${holder}: only messages can be inlined`);
    entries.push(...holder.message.fields.map((field) => entry(field, holder.localName)));
  }
  entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { entries, byKey: new Map(entries.map((e) => [e.key, e])), inlined };
}

function entry(field: DescField, inlinedIn: string | undefined): JsonEntry {
  const byValue = words(BY_VALUE, field.parent).has(field.name);
  return {
    key: field.name,
    inlinedIn,
    field,
    kind: kindOf(field),
    always: words(ALWAYS_WRITTEN, field.parent).has(field.name),
    byValue,
    pointer: field.fieldKind === "message" ? !byValue : field.proto.proto3Optional,
  };
}

function kindOf(field: DescField): JsonKind {
  if (field.message !== undefined) return ownForm[field.message.typeName] ?? field.message;
  switch (field.scalar) {
    case ScalarType.STRING:
      return "string";
    case ScalarType.BOOL:
      return "bool";
    case ScalarType.INT32:
      return "int32";
    case ScalarType.INT64:
      return "int64";
    default:
      throw new Error(`${field}: no form in Kubernetes JSON`);
  }
}

function words(table: Readonly<Record<string, string>>, desc: DescMessage): ReadonlySet<string> {
  return new Set(table[desc.typeName]?.split(" "));
}
