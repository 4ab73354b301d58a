// The buf plugin that writes src/gen/pod-messages.ts, the decoder of the Pod schema, and src/gen/json-keys.ts, types of Kubernetes JSON.
//
// The package reads pods by pod-messages.ts alone, so an agent that imports it does not load protobuf-es. Each message has a constructor
// and a reader of its own: a constructed object takes as long as a literal, a tenth less memory, and can have a prototype; a reader that
// names its fields stores each of them in a fifth of the time of a generic one.

import { create, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { createEcmaScriptPlugin, type GeneratedFile, runNodeJs, type Schema } from "@bufbuild/protoplugin";

const POD = "k8s.io.api.core.v1.Pod";

/** Names of the values of the option `(kubelet_pods.json)`. */
type Json = "JSON_UNSPECIFIED" | "ALWAYS" | "REQUIRED" | "VALUE" | "VALUE_OMITZERO" | "INLINE";

/** Letters of each value in the table of fields; podMessages explains them. */
const FLAGS: Readonly<Record<Json, string>> = {
  JSON_UNSPECIFIED: "",
  ALWAYS: "a",
  REQUIRED: "",
  VALUE: "av",
  VALUE_OMITZERO: "v",
  INLINE: "i",
};

/** Name of each scalar in the table of fields, and of the method of WireReader that reads it. */
const SCALARS: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: "string",
  [ScalarType.BOOL]: "bool",
  [ScalarType.INT32]: "int32",
  [ScalarType.INT64]: "int64",
  [ScalarType.BYTES]: "bytes",
};

/** Returns all messages of a pod, sorted by name. */
function messagesOf(schema: Schema): DescMessage[] {
  const found = new Map<string, DescMessage>();
  const add = (message: DescMessage) => {
    if (found.has(message.name)) return;
    found.set(message.name, message);
    for (const field of message.fields) if (field.message !== undefined) add(field.message);
  };
  const pod = schema.files.flatMap(({ messages }) => messages).find(({ typeName }) => typeName === POD);
  if (pod === undefined) throw new Error(`${POD}: not in the files to generate`);
  add(pod);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a function that reads the option `(kubelet_pods.json)` of a field. */
function jsonOption(schema: Schema): (field: DescField) => Json {
  const option = schema.allFiles
    .flatMap(({ extensions }) => extensions)
    .find(({ typeName }) => typeName === "kubelet_pods.json");
  if (option?.enum === undefined) throw new Error("kubelet_pods/options.proto: not in the request");
  const { value } = option.enum;
  return (field) => value[getOption(field, option) as number]?.name as Json;
}

/** Returns the type of a field's values: `string`, `ContainerStatus[]`, `Quantity{}` (a map with text keys). */
function typeOf(field: DescField): string {
  const scalar = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  const type = field.message?.name ?? scalar;
  if (type === undefined || field.localName !== field.name || field.enum !== undefined || field.oneof !== undefined) {
    throw new Error(`${field}: the decoder has no such fields yet`);
  }
  if (field.fieldKind === "map" && field.mapKey !== ScalarType.STRING)
    throw new Error(`${field}: keys must be strings`);
  return `${type}${field.fieldKind === "list" ? "[]" : ""}${field.fieldKind === "map" ? "{}" : ""}`;
}

/** Returns the statement that reads a field. */
function readOf(field: DescField): string {
  const { name, message } = field;
  const scalar = field.scalar === undefined ? undefined : SCALARS[field.scalar];
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
  if (field.fieldKind !== "list") return `m.${name} = r.${scalar}();`;
  if (scalar === "string" || scalar === "bytes") return `m.${name}.push(r.${scalar}());`;
  return `readNumbers(m.${name}, r, tag, () => r.${scalar}());`;
}

function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return "new Uint8Array(0)";
  if (Array.isArray(value)) return "[]";
  return JSON.stringify(value);
}

/** Writes the constructor and the reader of a message. */
function printMessage(f: GeneratedFile, message: DescMessage): void {
  const { name } = message;
  const type = f.importShape(message);
  f.print("const New", name, " = function (this: Made<", type, ">, selected?: Selected): void {");
  for (const [key, value] of Object.entries(create(message))) f.print("  this.", key, " = ", literal(value), ";");
  f.print("  if (selected !== undefined) this[SELECTED] = selected;");
  f.print("} as unknown as new (selected?: Selected) => ", type, ";");
  f.print("function read", name, "(m: ", type, ", r: WireReader, end: number, depth: number): void {");
  f.print("  if (depth <= 0) throw tooDeep();");
  f.print("  while (r.pos < end) {");
  f.print("    const tag = r.tag();");
  f.print("    switch (tag >>> 3) {");
  for (const field of message.fields) f.print("      case ", field.number, ": ", readOf(field), " break;");
  f.print("      default: readUnknown(m, r, tag, depth);");
  f.print("    }");
  f.print("  }");
  f.print("}");
  f.print();
}

/** Returns the row of a message in the table of fields. */
function rowOf({ name, fields }: DescMessage, json: (field: DescField) => Json): string {
  const columns = fields.map((field) => {
    const isPresent = field.fieldKind === "scalar" && field.proto.proto3Optional;
    return `${field.number} ${field.name} ${typeOf(field)} ${isPresent ? "p" : ""}${FLAGS[json(field)]}`.trim();
  });
  return `    ${name}: [New${name}, read${name} as Read, "${columns.join(";")}"],`;
}

function printDecoder(f: GeneratedFile, messages: readonly DescMessage[], json: (field: DescField) => Json): void {
  f.print(`// Written by tools/protoc-gen-pods.ts from proto/.

import { tooDeep, type WireReader } from "../protobuf/reader.js";
import { SELECTED, type Selected } from "../protobuf/selected.js";
import { readInto, readList, readMessageEntry, readNumbers, readTextEntry, readUnknown } from "../protobuf/wire-fields.js";

/** A message while it is made. */
type Made<M> = { -readonly [K in keyof M]: M[K] } & { [SELECTED]?: Selected };
`);
  for (const message of messages) printMessage(f, message);
  f.print(`/** Reads fields into a message, up to where it ends. \`depth\`: how deep messages may nest. */
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
${messages.map((message) => rowOf(message, json)).join("\n")}
  } as const;
  for (const [make] of Object.values(messages)) make.prototype = prototype;
  return messages;
}`);
}

/** Writes an interface with a key per message: the names of its fields that the filter takes. */
function printKeys(f: GeneratedFile, messages: readonly DescMessage[], filter: (field: DescField) => boolean): void {
  for (const { typeName, fields } of messages) {
    const names = fields.filter(filter).map(({ name }) => `"${name}"`);
    if (names.length > 0) f.print(`  "${typeName}": ${names.join(" | ")};`);
  }
  f.print("}");
}

function generate(schema: Schema): void {
  const messages = messagesOf(schema);
  const json = jsonOption(schema);
  printDecoder(schema.generateFile("pod-messages.ts"), messages, json);
  const f = schema.generateFile("json-keys.ts");
  f.print("// Written by tools/protoc-gen-pods.ts from proto/.\n");
  f.print("/** Fields that Kubernetes writes even while they are empty, or that must not be empty, by message. */");
  f.print("export interface RequiredFields {");
  printKeys(f, messages, (field) => ["ALWAYS", "REQUIRED", "VALUE"].includes(json(field)));
  f.print("\n/** Messages whose keys are keys of the message that contains them, by that message. */");
  f.print("export interface InlinedFields {");
  printKeys(f, messages, (field) => json(field) === "INLINE");
}

runNodeJs(createEcmaScriptPlugin({ name: "protoc-gen-pods", version: "v1", generateTs: generate }));
