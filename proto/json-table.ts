// npm run generate: writes src/gen/json-table.ts from the table of fields.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Field, isMessage, root, shortName, table } from "./field-table.js";

/** Messages with a JSON form of their own, written by hand in src/pod. */
const special = new Set(["Quantity", "Time", "IntOrString", "FieldsV1"]);

/**
 * Fields that a release had and a later one has tombstoned, though the table still says that they are always written: kubelets
 * of the later release do not know them, so they are written where they have something only.
 */
const tombstoned = new Set(["k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus.resources"]);

/** What descriptors do not know of Kubernetes JSON: which fields Go writes always, holds by value, or inlines. */
function jsonTable(): string {
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
    "// Written by proto/json-table.ts: change pod-fields.json or the script, not this file.",
    ...object("ALWAYS_WRITTEN", "Fields that Go writes even where they are empty, by message.", always),
    ...object("BY_VALUE", "Message fields that are no pointer in Go: there is always one, empty or not.", value),
    ...object("INLINED", "Message fields whose keys stand in the parent; each is held by value.", inline),
    ...types("AlwaysWritten", "As ALWAYS_WRITTEN, for the compiler.", always),
    ...types("Inlined", "As INLINED, for the compiler.", inline),
    "",
  ].join("\n");
}

writeFileSync(join(root, "src/gen/json-table.ts"), jsonTable());
