// npm run generate: writes src/gen/json-table.ts, types alone, from the table of fields.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Field, jsonFacts, root, table } from "./field-table.js";

/** Which fields Go always writes into Kubernetes JSON, and which it inlines: what the types of JSON are made with. */
function jsonTable(): string {
  const always: Record<string, string[]> = {};
  const inline: Record<string, string[]> = {};
  const add = (to: Record<string, string[]>, message: string, field: Field) => {
    const names = to[message] ?? [];
    to[message] = names;
    names.push(field.name);
  };
  for (const message of Object.keys(table.messages).sort()) {
    for (const field of table.messages[message] as Field[]) {
      const facts = jsonFacts(message, field);
      if (facts.inlined) add(inline, message, field);
      if (facts.always) add(always, message, field);
    }
  }
  const types = (name: string, doc: string, entries: Record<string, string[]>) => [
    "",
    `/** ${doc} */`,
    `export interface ${name} {`,
    ...Object.entries(entries).map(([m, names]) => `  "${m}": ${names.map((n) => `"${n}"`).join(" | ")};`),
    "}",
  ];
  return [
    "// Written by proto/json-table.ts: change pod-fields.json or the script, not this file.",
    ...types("AlwaysWritten", "Fields that Go writes even where they are empty, by message.", always),
    ...types("Inlined", "Message fields whose keys stand in the parent; each is held by value.", inline),
    "",
  ].join("\n");
}

writeFileSync(join(root, "src/gen/json-table.ts"), jsonTable());
