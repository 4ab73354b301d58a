// npm run generate: writes src/gen/pod-messages.ts, from what buf has generated and the table of fields.
//
// The package reads pods by this file alone, so that who imports it loads no library. An object that a constructor of its own makes takes
// no longer than a literal, and a tenth less memory, and can have a prototype. A reader that names its fields stores each of them in a
// fifth of the time that one takes which is told their names.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { PodSchema } from "../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type Field, jsonFacts, root, table } from "./field-table.js";

const found = new Map<string, DescMessage>();

function find(desc: DescMessage): void {
  if (found.has(desc.name)) return;
  found.set(desc.name, desc);
  for (const { message } of desc.fields) if (message !== undefined) find(message);
}

function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return "new Uint8Array(0)";
  if (Array.isArray(value)) return "[]";
  return JSON.stringify(value);
}

const SCALARS: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.INT64]: "int64",
  [ScalarType.BYTES]: "bytes",
};

/** The type of a field's values: `string`, `ContainerStatus[]`, `Quantity{}` (a map with text keys). */
function typeOf(field: DescField): string {
  const scalar = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  const type = field.message?.name ?? scalar;
  if (type === undefined || field.localName !== field.name || field.enum !== undefined || field.oneof !== undefined) {
    throw new Error(`${field}: nothing that the Pod schema has had so far`);
  }
  if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING) throw new Error(`${field}: keys are no text`);
  return `${type}${field.fieldKind === "list" ? "[]" : ""}${field.fieldKind === "map" ? "{}" : ""}`;
}

/** The facts that a reader needs beside the type, a letter for each. */
function flagsOf(field: DescField): string {
  const { typeName } = field.parent;
  const facts = jsonFacts(typeName, table.messages[typeName]?.find(({ name }) => name === field.name) as Field);
  const isPresent = field.fieldKind === "scalar" && field.proto.proto3Optional;
  return [isPresent && "p", facts.always && "a", facts.held && "v", facts.inlined && "i"].filter(Boolean).join("");
}

const READ: Readonly<Record<string, string>> = {
  string: "r.string()",
  bool: "r.bool()",
  int32: "r.int32()",
  int64: "r.int64()",
  bytes: "r.bytes()",
};

/** The statement that reads a field. */
function readOf(field: DescField): string {
  const { name, message } = field;
  const scalar = field.scalar === undefined ? undefined : (SCALARS[field.scalar] as string);
  if (field.fieldKind === "map") {
    if (message === undefined) return `readTextEntry(m.${name}, r, depth);`;
    return `readMessageEntry(m.${name}, r, depth, New${message.name}, read${message.name});`;
  }
  if (message !== undefined) {
    const read = (before: string) => `readInto(${before}new New${message.name}(), read${message.name}, r, depth)`;
    if (field.fieldKind === "list")
      return `m.${name} = readList(m.${name}, New${message.name}, read${message.name}, r, end, tag, depth);`;
    return `m.${name} = ${read(message.name === "Time" ? "" : `m.${name} ?? `)};`;
  }
  const read = READ[scalar as string];
  if (field.fieldKind !== "list") return `m.${name} = ${read};`;
  if (scalar === "string" || scalar === "bytes") return `m.${name}.push(${read});`;
  return `readNumbers(m.${name}, r, tag, () => ${read});`;
}

find(PodSchema);
const all = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
const messages = all.flatMap((desc) => {
  const { name } = desc;
  const properties = Object.entries(create(desc)).map(([key, value]) => `  this.${key} = ${literal(value)};`);
  const cases = desc.fields.map((field) => {
    const read = readOf(field);
    return `      case ${field.number}: ${read} break;`;
  });
  return [
    `const New${name} = function (this: Made<${name}>, selected?: Selected): void {`,
    ...properties,
    "  if (selected !== undefined) this[SELECTED] = selected;",
    `} as unknown as new (selected?: Selected) => ${name};`,
    `function read${name}(m: ${name}, r: WireReader, end: number, depth: number): void {`,
    "  if (depth <= 0) throw tooDeep();",
    "  while (r.pos < end) {",
    "    const tag = r.tag();",
    "    switch (tag >>> 3) {",
    ...cases,
    "      default: readUnknown(m, r, tag, depth);",
    "    }",
    "  }",
    "}",
    "",
  ];
});
const rows = all.map((desc) => {
  const fields = desc.fields.map((field) => [field.number, field.name, typeOf(field), flagsOf(field)].join(" ").trim());
  return `    ${desc.name}: [New${desc.name}, read${desc.name} as Read, "${fields.join(";")}"],`;
});
const files = [...new Set(all.map(({ file }) => file.name))].sort();
const imports = files.map((file) => {
  const names = all.filter((desc) => desc.file.name === file).map(({ name }) => name);
  return `import type { ${names.join(", ")} } from "./${file}_pb.js";`;
});
writeFileSync(
  join(root, "src/gen/pod-messages.ts"),
  `// Written by proto/pod-messages.ts: change pod-fields.json or the script, not this file.

${imports.join("\n")}
import { tooDeep, type WireReader } from "../protobuf/reader.js";
import { SELECTED, type Selected } from "../protobuf/selected.js";
import { readInto, readList, readMessageEntry, readNumbers, readTextEntry, readUnknown } from "../protobuf/wire-fields.js";

/** A message while it is made. */
type Made<M> = { -readonly [K in keyof M]: M[K] } & { [SELECTED]?: Selected };

${messages.join("\n")}
/** Reads fields into a message, up to where it ends. \`depth\`: how deep messages may nest. */
type Read = (message: never, reader: WireReader, end: number, depth: number) => void;

/**
 * Returns the messages of the Pod schema: the constructor of an empty one, what reads one, and its fields. Of each field its number,
 * name and type (\`[]\`: a list, \`{}\`: a map with text keys), and letters: \`p\` absent and empty differ, \`a\` Go writes it into JSON
 * even where it is empty, \`v\` Go holds it by value, so that there is always one, \`i\` JSON has its keys in the message that holds it.
 *
 * @param prototype what all messages inherit from.
 */
export function podMessages(prototype: object): Readonly<Record<string, readonly [make: unknown, read: Read, fields: string]>> {
  const messages = {
${rows.join("\n")}
  } as const;
  for (const [make] of Object.values(messages)) make.prototype = prototype;
  return messages;
}
`,
);
