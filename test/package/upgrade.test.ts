// Whoever comes from an earlier version finds each name that is there no more in the notes that say what to write instead.
// The names of a version: NAMES_OF=directory-of-its-test/api node --import tsx --test test/package/upgrade.test.ts

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const api = process.env["NAMES_OF"] ?? join(root, "test/api");

/** Returns what callers can write: exports by entry, members by type, error codes. */
function namesIn(directory: string): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".d.ts"))) {
    const text = readFileSync(join(directory, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    for (const statement of source.statements) {
      if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
        const entry = file.replace(".d.ts", "");
        if (entry !== "all")
          for (const { name } of statement.exportClause.elements) names.add(`${entry}: ${name.text}`);
      } else membersOf(statement, names);
    }
  }
  return names;
}

function membersOf(statement: ts.Statement, names: Set<string>): void {
  const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.name : undefined;
  const owner = declared ?? (statement as ts.InterfaceDeclaration).name;
  if (owner === undefined || !ts.isIdentifier(owner)) return;
  const visit = (node: ts.Node) => {
    const isMember = ts.isTypeElement(node) || ts.isClassElement(node);
    if (isMember && node.name !== undefined && ts.isIdentifier(node.name)) names.add(`${owner.text}.${node.name.text}`);
    if (owner.text === "PodsErrorCode" && ts.isStringLiteral(node)) names.add(`code ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(statement);
}

const generated = readFileSync(join(root, "src/gen/pod-types.ts"), "utf8");
const moved = new Set([...generated.matchAll(/^export interface (\w+) \{/gm)].map(([, name]) => name));

const NOTES = { "0.1.0": ["from-0.1.md", "from-0.2.md"], "0.2.0": ["from-0.2.md"] };

for (const [version, notes] of Object.entries(NOTES)) {
  test(`each name of ${version} that is gone stands in the notes for those who upgrade`, (t) => {
    const now = namesIn(api);
    const before = readFileSync(join(root, `test/package/${version}-names.txt`), "utf8")
      .trim()
      .split("\n");
    // The note has one row for all types that have moved to an entry of their own.
    const gone = before.filter((name) => !now.has(name) && !moved.has(name.replace(/^index: |\..*/g, "")));
    const note = notes.map((file) => readFileSync(join(root, "docs/migrate", file), "utf8")).join("\n");
    const rows = [...note.matchAll(/^\| (.*?) +\|/gm)].map(([, was = ""]) => was).join("\n");
    const stands = (word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(rows);
    const lacking = gone.filter((name) => {
      const [owner = "", member = owner] = name.replace(/^\w+: |^code /, "").split(".");
      // A type that is gone stands for its members.
      return !stands(member) && !(stands(owner) && gone.some((other) => other.endsWith(`: ${owner}`)));
    });
    t.diagnostic(`${gone.length} of ${before.length} names`);
    assert.ok(before.length > 300 && gone.length > 5);
    assert.deepEqual(lacking, []);
  });
}
