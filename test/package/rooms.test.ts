// The folders of src know each other in one direction: no circle between them. A file at the top of src is a folder of its own, and gen
// is what it is generated for.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { root } from "../helpers/programs.js";
import { sources } from "../helpers/source-text.js";
import { test } from "../helpers/test.js";

const src = join(root, "src");

/** The room of a file: the folder right below src, or the file itself at the top. */
function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function imports(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  const paths = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  return paths.map((path) => normalize(join(dirname(file), path)).replace(/\.js$/, ".ts"));
}

test("the folders of src have no circular imports", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const edges = new Map<string, Map<string, string>>();
  for (const file of files) {
    for (const imported of imports(file)) {
      const [from, to] = [roomOf(file), roomOf(imported)];
      if (from === to) continue;
      const known = edges.get(from) ?? new Map<string, string>();
      edges.set(from, known.set(to, `${file} imports ${imported}`));
    }
  }
  assert.ok(edges.size > 15, `${edges.size} rooms`);
  const done = new Set<string>();
  const visit = (room: string, way: readonly string[]) => {
    assert.ok(!way.includes(room), [...way.slice(way.indexOf(room)), room].join(" → "));
    if (done.has(room)) return;
    for (const next of edges.get(room)?.keys() ?? []) visit(next, [...way, room]);
    done.add(room);
  };
  for (const room of edges.keys()) visit(room, []);
});

/** Requires that each name which `namesOf` finds at the top of a file is the only one of its kind. */
function requireUnique(
  namesOf: (node: ts.Statement) => readonly string[],
  least: number,
  isLeftOut = (_: string) => false,
) {
  const known = new Map<string, string>();
  const twice: string[] = [];
  for (const { file, source } of sources) {
    if (file.startsWith("gen/") || isLeftOut(file)) continue;
    for (const name of source.statements.flatMap(namesOf)) {
      if (known.has(name)) twice.push(`${name}: ${known.get(name)} and ${file}`);
      known.set(name, file);
    }
  }
  assert.ok(known.size > least, `${known.size} names`);
  assert.deepEqual(twice, [], "two meanings of one name mislead readers: give one of them a longer name");
}

test("a type name stands once in src", () => {
  requireUnique((node) => {
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
    return isType && node.name !== undefined ? [node.name.text] : [];
  }, 400);
});

// Each command of src/cli is a program of its own, with a HELP and COLUMNS of its own.
test("a constant stands once in src", () => {
  const isCommand = (file: string) => file.startsWith("cli/");
  requireUnique(
    (node) => {
      if (!ts.isVariableStatement(node)) return [];
      const names = node.declarationList.declarations.map(({ name }) => (ts.isIdentifier(name) ? name.text : ""));
      return names.filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
    },
    400,
    isCommand,
  );
});
