// npm run lint runs it: refuses the words of tools/banned-words.txt in src, test/api, README, docs and examples, and in the names of tests.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const words = readFileSync(join(root, "tools/banned-words.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const banned = new RegExp(`\\b(?:${words.join("|")})\\b`, "i");

/** Yields the names of tests with their lines. */
function* testNames(file: string): Generator<[line: number, text: string], void, undefined> {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ES2022, true);
  const names: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    const [name] =
      ts.isCallExpression(node) && /^(?:test|describe)\b/.test(node.expression.getText()) ? node.arguments : [];
    if (name !== undefined) names.push(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const name of names) yield [source.getLineAndCharacterOfPosition(name.getStart()).line + 1, name.getText()];
}

function filesIn(directory: string, ending: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .filter((path) => !path.includes("node_modules/"));
}

function linesOf(file: string): [line: number, text: string][] {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .map((text, i) => [i + 1, text]);
}

const hits: string[] = [];
function check(file: string, lines: Iterable<[line: number, text: string]>): void {
  for (const [line, text] of lines) if (banned.test(text)) hits.push(`${file}:${line} ${text.trim()}`);
}

// The migration page names what 0.3 had.
const pages = filesIn("docs", ".md").filter((page) => !page.startsWith("docs/migrate/"));
const whole = [
  ...filesIn("src", ".ts"),
  ...filesIn("test/api", ".ts"),
  "README.md",
  ...pages,
  ...filesIn("examples", ""),
];
for (const file of whole) check(file, linesOf(file));
for (const file of filesIn("test", ".ts")) check(file, testNames(file));
for (const hit of hits) console.error(hit);
if (hits.length > 0) {
  console.error(`${hits.length} lines have a word of tools/banned-words.txt`);
  process.exitCode = 1;
}
