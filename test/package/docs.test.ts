// What can be imported says what it does where an editor shows it, and README what can go wrong.

import assert from "node:assert/strict";
import { join } from "node:path";
import type { DescMessage } from "@bufbuild/protobuf";
import ts from "typescript";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const dist = join(root, "dist");
const entries = [
  "index.d.ts",
  "testing/index.d.ts",
  "podresources/index.d.ts",
  "journal/index.d.ts",
  "otel/index.d.ts",
  "sources/kubelet-http/index.d.ts",
  "connect/index.d.ts",
].map((file) => join(dist, file));
const schema = join(dist, "schema.d.ts");
const program = ts.createProgram([...entries, schema], {
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
  test(`every export of ${entry.slice(dist.length + 1)} and each of its members has a doc comment`, (t) => {
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

/** Returns all messages of a pod. */
function messagesOf(top: DescMessage, found = new Set<DescMessage>()): Set<DescMessage> {
  if (found.has(top)) return found;
  found.add(top);
  for (const { message } of top.fields) if (message !== undefined) messagesOf(message, found);
  return found;
}

test("every message of a pod can be imported and has doc comments", (t) => {
  const source = program.getSourceFile(schema);
  const module = source && checker.getSymbolAtLocation(source);
  assert.ok(module);
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  const missing: string[] = [];
  let fields = 0;
  const messages = messagesOf(PodSchema);
  for (const { name, fields: list } of messages) {
    const alias = exported.get(name);
    assert.ok(alias && exported.has(`${name}Schema`), `import { ${name}, ${name}Schema }`);
    const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias;
    if (!isDocumented(symbol)) missing.push(name);
    for (const field of list) {
      fields++;
      const property = checker.getDeclaredTypeOfSymbol(symbol).getProperty(field.name);
      if (property === undefined || !isDocumented(property)) missing.push(`${name}.${field.name}`);
    }
  }
  t.diagnostic(`${fields} fields of ${messages.size} messages`);
  assert.ok(fields > 600);
  assert.deepEqual(missing, []);
});
