// npm run lint runs it: refuses words that only this project would use, where users meet them. Names and options are in test/api; errors,
// hints, metrics and help are the strings of src. README, docs/ and the pages of examples/ are read whole.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const words = readFileSync(join(root, "tools/banned-words.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const banned = new RegExp(`\\b(?:${words.join("|")})\\b`, "i");

/** Yields the strings of a source with their lines, without the names of modules. */
function* stringsOf(source: ts.SourceFile): Generator<[line: number, text: string], void, undefined> {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const node of found) {
    const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    for (const [i, text] of (node as ts.LiteralLikeNode).text.split("\n").entries()) yield [first + i, text];
  }
}

function filesIn(directory: string, ending: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !name.startsWith("gen/"))
    .map((name) => join(directory, name));
}

const hits: string[] = [];
for (const file of filesIn("src", ".ts")) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ES2022, true);
  for (const [line, text] of stringsOf(source)) if (banned.test(text)) hits.push(`${file}:${line} ${text.trim()}`);
}
for (const file of filesIn("test/api", ".ts")) {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  for (const [i, text] of lines.entries()) if (banned.test(text)) hits.push(`${file}:${i + 1} ${text.trim()}`);
}
// The migration page names what 0.3 had.
const pages = filesIn("docs", ".md").filter((page) => !page.startsWith("docs/migrate/"));
for (const page of ["README.md", ...pages, ...filesIn("examples", ".md")]) {
  const lines = readFileSync(join(root, page), "utf8").split("\n");
  for (const [i, text] of lines.entries()) if (banned.test(text)) hits.push(`${page}:${i + 1} ${text.trim()}`);
}
for (const hit of hits) console.error(hit);
if (hits.length > 0) {
  console.error(`${hits.length} lines have a word of tools/banned-words.txt`);
  process.exitCode = 1;
}
