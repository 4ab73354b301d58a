// Writes the Kubernetes half of proto/ and src/pod/json-table.ts from a field table: for each message its fields
// with number, name, label, type, and how Kubernetes JSON writes them.
//
//   node --import tsx proto/from-table.ts ../shared/kubernetes/pod-schema.json [--check]
//
// With --check nothing is written; the exit code says whether the files are what the table gives.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

interface Field {
  number: number;
  name: string;
  label: "optional" | "repeated" | "map";
  type: string;
  json?: string;
  omitempty?: true;
  omitzero?: true;
  /** Nil-able in Go: only for these is presence a fact. */
  pointer?: true;
  /** Name of a set of strings that the field takes. */
  values?: string;
}

interface Table {
  messages: Record<string, Field[]>;
  stringValues: Record<string, string[]>;
}

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** One file per package, named for what is in it. */
const files: Record<string, string> = {
  "k8s.io.api.core.v1": "pod.proto",
  "k8s.io.apimachinery.pkg.api.resource": "quantity.proto",
  "k8s.io.apimachinery.pkg.apis.meta.v1": "meta.proto",
  "k8s.io.apimachinery.pkg.util.intstr": "int_or_string.proto",
};

/**
 * Scalars whose presence is a fact though Go has no pointer: Go marshals Time by hand, a zero time as nothing and the
 * first second of 1970 as 0 and 0. The status of a container that could not start really has the latter.
 */
const present = new Set(["k8s.io.apimachinery.pkg.apis.meta.v1.Time"]);

/** Messages with a JSON form of their own, written by hand in src/pod. */
const special = new Set(["Quantity", "Time", "IntOrString", "FieldsV1"]);

/**
 * Fields that a release had and a later one has tombstoned, though the table still says that they are always written: kubelets
 * of the later release do not know them, so they are written where they have something only.
 */
const tombstoned = new Set(["k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus.resources"]);

const packageOf = (message: string) => message.slice(0, message.lastIndexOf("."));
const shortName = (message: string) => message.slice(message.lastIndexOf(".") + 1);
const fileOf = (pkg: string) => `${pkg.replaceAll(".", "/")}/${files[pkg]}`;
const isMessage = (type: string) => type.startsWith("k8s.io.");

function protoType(field: Field): string {
  if (field.label !== "map") return isMessage(field.type) ? `.${field.type}` : field.type;
  const [key, value] = field.type.split(",") as [string, string];
  return `map<${key}, ${isMessage(value) ? `.${value}` : value}>`;
}

function protoField(message: string, field: Field, table: Table): string {
  const scalar = !isMessage(field.type);
  let label = "";
  if (field.label === "repeated") label = "repeated ";
  else if (field.label === "optional" && scalar && (field.pointer || present.has(message))) label = "optional ";
  const unpacked = field.label === "repeated" && /^u?int(32|64)$/.test(field.type);
  const line = `  ${label}${protoType(field)} ${field.name} = ${field.number}${unpacked ? " [packed = false]" : ""};`;
  const values = field.values === undefined ? undefined : table.stringValues[field.values];
  if (values === undefined) return line;
  return `  // Known values: ${values.map((v) => (v === "" ? "(empty)" : v)).join(", ")}.\n${line}`;
}

function protoFile(pkg: string, table: Table): string {
  const messages = Object.keys(table.messages)
    .filter((m) => packageOf(m) === pkg)
    .sort();
  const used = messages.flatMap((m) => (table.messages[m] as Field[]).flatMap((f) => f.type.split(",")));
  const imports = [...new Set(used.filter(isMessage).map(packageOf))].filter((p) => p !== pkg).sort();
  return [
    "// Written by proto/from-table.ts: change the table or the script, not this file.",
    "// `optional` stands exactly where Go tells absent from zero.",
    'syntax = "proto3";',
    "",
    `package ${pkg};`,
    ...(imports.length === 0 ? [] : [""]),
    ...imports.map((p) => `import "${fileOf(p)}";`),
    ...messages.flatMap((m) => [
      "",
      `message ${shortName(m)} {`,
      ...(table.messages[m] as Field[]).map((f) => protoField(m, f, table)),
      "}",
    ]),
    "",
  ].join("\n");
}

/** What descriptors do not know of Kubernetes JSON: which fields Go writes always, holds by value, or inlines. */
function jsonTable(table: Table): string {
  const always: Record<string, string[]> = {};
  const value: Record<string, string[]> = {};
  const inline: Record<string, string[]> = {};
  const add = (to: Record<string, string[]>, message: string, field: Field) => {
    const names = to[message] ?? [];
    to[message] = names;
    names.push(field.name);
  };
  for (const message of Object.keys(table.messages).sort()) {
    if (special.has(shortName(message))) continue;
    for (const field of table.messages[message] as Field[]) {
      if (field.json === "inline") {
        add(inline, message, field);
        continue;
      }
      if (field.json !== field.name) throw new Error(`${message}.${field.name}: JSON key ${field.json} not expected`);
      // A Go struct is never "empty" to encoding/json: a message held by value is written whatever it holds.
      const held = field.label === "optional" && isMessage(field.type) && !field.pointer;
      if (held) add(value, message, field);
      const omitempty = field.omitempty || tombstoned.has(`${message}.${field.name}`);
      if ((!omitempty || held) && !field.omitzero) add(always, message, field);
    }
  }
  const object = (name: string, doc: string, entries: Record<string, string[]>) => [
    "",
    `/** ${doc} */`,
    `export const ${name}: Readonly<Record<string, string>> = {`,
    ...Object.entries(entries).map(([m, names]) => `  "${m}": "${names.join(" ")}",`),
    "};",
  ];
  const types = (name: string, doc: string, entries: Record<string, string[]>) => [
    "",
    `/** ${doc} */`,
    `export interface ${name} {`,
    ...Object.entries(entries).map(([m, names]) => `  "${m}": ${names.map((n) => `"${n}"`).join(" | ")};`),
    "}",
  ];
  return [
    "// Written by proto/from-table.ts: change the table or the script, not this file.",
    ...object("ALWAYS_WRITTEN", "Fields that Go writes even where they are empty, by message.", always),
    ...object("HELD_BY_VALUE", "Message fields that are no pointer in Go: there is always one, empty or not.", value),
    ...object("INLINED", "Message fields whose keys stand in the parent; each is held by value.", inline),
    ...types("AlwaysWritten", "As ALWAYS_WRITTEN, for the compiler.", always),
    ...types("Inlined", "As INLINED, for the compiler.", inline),
    "",
  ].join("\n");
}

const [tablePath, check] = process.argv.slice(2);
if (tablePath === undefined) {
  console.error("usage: from-table.ts TABLE.json [--check]");
  process.exit(2);
}
const table = JSON.parse(readFileSync(tablePath, "utf8")) as Table;
const outputs: [path: string, text: string][] = Object.keys(files).map((pkg) => [
  join(root, "proto", fileOf(pkg)),
  protoFile(pkg, table),
]);
outputs.push([join(root, "src/pod/json-table.ts"), jsonTable(table)]);

for (const [path, text] of outputs) {
  if (check === "--check") {
    if (readFileSync(path, "utf8") === text) continue;
    console.error(`${path} is not what the table gives: run from-table.ts without --check`);
    process.exitCode = 1;
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
