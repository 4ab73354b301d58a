import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";

/** Makes a message of which nothing is set, or every message within it once, or every field too. */
export function skeleton(desc: DescMessage, how: "nothing" | "messages" | "everything"): Message {
  const message = create(desc) as Message & Record<string, unknown>;
  if (how === "nothing") return message;
  for (const field of desc.fields) {
    const isSet = how === "everything" || (field.message !== undefined && field.fieldKind !== "map");
    if (isSet) message[field.localName] = example(field, how);
  }
  return message;
}

function example(field: DescField, how: "messages" | "everything"): unknown {
  const scalar = (type: ScalarType = ScalarType.STRING) => {
    if (type === ScalarType.BOOL) return true;
    if (type === ScalarType.BYTES) return Buffer.from("{}");
    return type === ScalarType.INT64 ? 1n : type === ScalarType.INT32 ? 1 : "1";
  };
  const one = field.message === undefined ? scalar(field.scalar) : skeleton(field.message, how);
  if (field.fieldKind === "list") return [one];
  return field.fieldKind === "map" ? { key: one } : one;
}
