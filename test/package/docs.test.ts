// What can be imported says what it does where an editor shows it, and README what can go wrong.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Table } from "../../proto/field-table.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const dist = join(root, "dist");
const entries = [
  "index.d.ts",
  "testing/index.d.ts",
  "podresources/index.d.ts",
  "otel/index.d.ts",
  "sources/kubelet-http/index.d.ts",
  "connect/index.d.ts",
  "sources/index.d.ts",
].map((file) => join(dist, file));
const types = join(dist, "types.d.ts");
const program = ts.createProgram([...entries, types], {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
});
const checker = program.getTypeChecker();

const fileOf = (symbol: ts.Symbol) => symbol.declarations?.[0]?.getSourceFile().fileName ?? "";

/** Of this package, and not what buf has written. */
const isOurs = (symbol: ts.Symbol) => fileOf(symbol).startsWith(dist) && !fileOf(symbol).includes("/gen/");

const isDocumented = (symbol: ts.Symbol) => symbol.getDocumentationComment(checker).length > 0;

/** Constructors and what is private need none. */
function isPublic(member: ts.Symbol): boolean {
  const flags = member.declarations?.map((declaration) => ts.getCombinedModifierFlags(declaration)) ?? [];
  const isHidden = flags.some((flag) => (flag & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0);
  return !isHidden && !member.name.startsWith("#") && member.name !== "prototype" && member.name !== "__constructor";
}

function* undocumented(symbol: ts.Symbol, name: string): Generator<string, void, undefined> {
  if (!isDocumented(symbol)) yield name;
  const members = [...(symbol.members?.values() ?? []), ...(symbol.exports?.values() ?? [])];
  for (const member of members) {
    if (!isPublic(member) || member.flags & ts.SymbolFlags.TypeParameter) continue;
    if (!isDocumented(member)) yield `${name}.${member.name}`;
  }
}

for (const entry of entries) {
  test(`every export of ${entry.slice(dist.length + 1)} has a doc comment, and so has each of its members`, (t) => {
    const source = program.getSourceFile(entry);
    assert.ok(source);
    const module = checker.getSymbolAtLocation(source);
    assert.ok(module);
    const missing: string[] = [];
    let count = 0;
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!isOurs(symbol)) continue;
      count++;
      missing.push(...undocumented(symbol, exported.name));
    }
    t.diagnostic(`${count} exports`);
    assert.ok(count > 1);
    assert.deepEqual(missing, []);
  });
}

test("every type of a pod and each of its fields says what it is, and can be imported", (t) => {
  const source = program.getSourceFile(types);
  const module = source && checker.getSymbolAtLocation(source);
  assert.ok(module);
  const importable = new Set(checker.getExportsOfModule(module).map(({ name }) => name));
  const declared = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.endsWith("/dist/gen/pod-types.d.ts"))
    .flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(file) as ts.Symbol));
  const table: Table = JSON.parse(readFileSync(join(root, "proto/pod-fields.json"), "utf8"));
  const missing: string[] = [];
  let fields = 0;
  for (const [message, list] of Object.entries(table.messages)) {
    const name = message.slice(message.lastIndexOf(".") + 1);
    const symbol = declared.find((exported) => exported.name === name);
    assert.ok(symbol, name);
    if (!isDocumented(symbol)) missing.push(name);
    if (!importable.has(name)) missing.push(`import { type ${name} }`);
    for (const field of list) {
      fields++;
      const property = checker.getDeclaredTypeOfSymbol(symbol).getProperty(field.name);
      if (property === undefined || !isDocumented(property)) missing.push(`${name}.${field.name}`);
    }
  }
  t.diagnostic(`${fields} fields of ${Object.keys(table.messages).length} types`);
  assert.ok(fields > 600);
  assert.deepEqual(missing, []);
});
