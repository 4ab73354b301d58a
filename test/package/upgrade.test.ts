// Users of 0.3 find each removed name in docs/migrate/from-0.3.md.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const api = join(root, "test/api");

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

test("docs/migrate/from-0.3.md names every API of 0.3.0 that was removed", (t) => {
  const now = namesIn(api);
  const before = readFileSync(join(root, "test/package/0.3.0-names.txt"), "utf8").trim().split("\n");
  const gone = before.filter((name) => !now.has(name));
  const note = readFileSync(join(root, "docs/migrate/from-0.3.md"), "utf8");
  const rows = [...note.matchAll(/^\| (.*?) +\|/gm)].map(([, was = ""]) => was).join("\n");
  const stands = (word: string) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(rows);
  const lacking = gone.filter((name) => {
    const [owner = "", member = owner] = name.replace(/^[\w-]+: |^code /, "").split(".");
    if (stands(member)) return false;
    // A type that is gone stands for its members.
    const isOwnerGone = ![...now].some((other) => other.startsWith(`${owner}.`));
    const isExported = before.some((other) => other.endsWith(`: ${owner}`));
    return !(isOwnerGone && (stands(owner) || !isExported));
  });
  t.diagnostic(`${gone.length} of ${before.length} names`);
  assert.ok(before.length > 300 && gone.length > 5);
  assert.deepEqual(lacking, []);
});
