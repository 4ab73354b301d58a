// How doc comments begin, and words that the glossary of docs/architecture.md has replaced.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { pages } from "../helpers/pages.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

interface Doc {
  /** The file and the name that the comment is of. */
  readonly place: string;
  readonly text: string;
  readonly isFunction: boolean;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending) && !file.startsWith("gen"))
    .map((file) => join(folder, file));
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
  if (ts.isPropertySignature(node)) return node.type !== undefined && ts.isFunctionTypeNode(node.type);
  return ts.isPropertyDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer);
}

function docsOf(file: string): Doc[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ES2022, true);
  const docs: Doc[] = [];
  const visit = (node: ts.Node) => {
    for (const doc of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      const text = ts.getTextOfJSDocComment(doc.comment) ?? "";
      const { line } = source.getLineAndCharacterOfPosition(doc.pos);
      if (text !== "") docs.push({ place: `${file}:${line + 1}`, text, isFunction: isFunction(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return docs;
}

const docs = filesBelow("src", ".ts").flatMap(docsOf);
const first = ({ text }: Doc) => /^[\w-]+/.exec(text)?.[0] ?? "";
const placesOf = (list: readonly Doc[]) => list.map(({ place, text }) => `${place} ${text.slice(0, 60)}`);

test("the doc comment of a function begins with a verb", (t) => {
  const functions = docs.filter((doc) => doc.isFunction);
  // A verb in the third person (nouns in the plural look the same, and are few), or what calls it.
  const others = functions.filter((doc) => !/^(?:(?!Hears)[A-Z][a-z]+s|Does|Goes|Called)$/.test(first(doc)));
  t.diagnostic(`${functions.length - others.length} of ${functions.length}`);
  assert.ok(functions.length > 400);
  assert.deepEqual(placesOf(others), []);
});

/** The comments of messages and fields of proto/, which the generated types have, too. */
const fieldDocs = filesBelow("proto", ".proto").flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/((?:^ *\/\/ .*\n)+)(?! *\/\/)(.*)/gm)].map(([, comment = "", line = ""]): Doc => {
    const lines = comment
      .trim()
      .split("\n")
      .map((each) => each.replace(/^ *\/\/ /, ""));
    return { place: `${file}: ${line.trim()}`, text: lines.join(" "), isFunction: false };
  });
});

test("no doc comment begins with a relative clause or preposition", () => {
  assert.ok(fieldDocs.length > 700);
  const clauses = [...docs, ...fieldDocs].filter((doc) => /^(?:What|Of|By|As|Those|That|Which|Who)$/.test(first(doc)));
  assert.deepEqual(placesOf(clauses), []);
});

test("sources and docs use no replaced names", () => {
  const replaced =
    /\b(?:held|degraded|too-slow|connect-timeout(?!-ms))\b|\b(?:podConditions|readinessUnverified)\(|\bPodWith[A-Z]/;
  // The note for those who come from 0.1.0 names what they have.
  const paths = pages.map(({ path }) => path);
  const sources = [...filesBelow("src", ".ts"), ...filesBelow("examples", ".ts")];
  const found = [...sources, ...paths, ".github/CONTRIBUTING.md"].flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, i) => (replaced.test(line) ? [`${file}:${i + 1} ${line.trim().slice(0, 80)}`] : [])),
  );
  assert.deepEqual(found, []);
});
