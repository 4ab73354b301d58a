// npm run generate: writes the Kubernetes half of proto/ from the table of fields, and from what pod-docs.yaml says of them.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { type Field, isMessage, root, shortName, table } from "./field-table.js";

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

/** Of each message, what it is (`_`) and what its fields are. */
const docs: Record<string, Record<string, string>> = parse(readFileSync(join(root, "proto/pod-docs.yaml"), "utf8"));

/** The longest line of a comment. */
const MAX_COLUMNS = 120;

const packageOf = (message: string) => message.slice(0, message.lastIndexOf("."));
const fileOf = (pkg: string) => `${pkg.replaceAll(".", "/")}/${files[pkg]}`;

function protoType(field: Field): string {
  if (field.label !== "map") return isMessage(field.type) ? `.${field.type}` : field.type;
  const [key, value] = field.type.split(",") as [string, string];
  return `map<${key}, ${isMessage(value) ? `.${value}` : value}>`;
}

function protoField(message: string, field: Field): string {
  const scalar = !isMessage(field.type);
  let label = "";
  if (field.label === "repeated") label = "repeated ";
  else if (field.label === "optional" && scalar && (field.pointer || present.has(message))) label = "optional ";
  const unpacked = field.label === "repeated" && /^u?int(32|64)$/.test(field.type);
  const line = `  ${label}${protoType(field)} ${field.name} = ${field.number}${unpacked ? " [packed = false]" : ""};`;
  const values = field.values === undefined ? undefined : table.stringValues[field.values];
  const known = values && `Known values: ${values.map((v) => (v === "" ? "(empty)" : v)).join(", ")}.`;
  return [...comment("  ", docOf(message, field.name)), ...(known ? comment("  ", known) : []), line].join("\n");
}

function docOf(message: string, field: string): string {
  const doc = docs[shortName(message)]?.[field];
  if (doc === undefined) throw new Error(`pod-docs.yaml says nothing of ${shortName(message)}.${field}`);
  return doc;
}

/** The lines of a comment. */
function comment(indent: string, text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= MAX_COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}// ${word}`);
  }
  return lines;
}

function protoFile(pkg: string): string {
  const messages = Object.keys(table.messages)
    .filter((m) => packageOf(m) === pkg)
    .sort();
  const used = messages.flatMap((m) => (table.messages[m] as Field[]).flatMap((f) => f.type.split(",")));
  const imports = [...new Set(used.filter(isMessage).map(packageOf))].filter((p) => p !== pkg).sort();
  return [
    "// Written by proto/write-protos.ts: change pod-fields.json or the script, not this file.",
    "// `optional` stands exactly where Go tells absent from zero.",
    'syntax = "proto3";',
    "",
    `package ${pkg};`,
    ...(imports.length === 0 ? [] : [""]),
    ...imports.map((p) => `import "${fileOf(p)}";`),
    ...messages.flatMap((m) => [
      "",
      ...comment("", docOf(m, "_")),
      `message ${shortName(m)} {`,
      ...(table.messages[m] as Field[]).map((f) => protoField(m, f)),
      "}",
    ]),
    "",
  ].join("\n");
}

for (const pkg of Object.keys(files)) {
  const path = join(root, "proto", fileOf(pkg));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, protoFile(pkg));
}
