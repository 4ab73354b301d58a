// The sources of the package as the compiler parses them: constants that nothing exports, and what an option falls back to.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./programs.js";

/** The files below src, without those that are generated. */
export const sources: readonly { readonly file: string; readonly text: string; readonly source: ts.SourceFile }[] =
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("gen"))
    .map((file) => {
      const text = readFileSync(join(root, "src", file), "utf8");
      return { file, text, source: ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true) };
    });

/** Visits a node and all within it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Returns what the variables of a file are made with or fall back to, and the fields of objects that are variables, as `A.b`. */
export function constantsOf(source: ts.SourceFile): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  walk(source, (node) => {
    if (!ts.isVariableDeclaration(node) && !ts.isBindingElement(node)) return;
    if (!ts.isIdentifier(node.name) || node.initializer === undefined) return;
    constants.set(node.name.text, node.initializer);
    if (ts.isBindingElement(node)) return;
    walk(node.initializer, (inner) => {
      if (ts.isPropertyAssignment(inner)) constants.set(`${pathOf(inner, node)}`, inner.initializer);
    });
  });
  return constants;
}

function pathOf(node: ts.Node, top: ts.VariableDeclaration): string {
  if (node === top) return top.name.getText();
  const above = pathOf(node.parent, top);
  return ts.isPropertyAssignment(node) ? `${above}.${node.name.getText().replace(/"/g, "")}` : above;
}

/** Returns the value of a literal, of a product or a power of numbers, or of a constant that is one; otherwise its code. */
export function literalOf(expression: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): unknown {
  const text = expression.getText();
  const named = ts.isIdentifier(expression) ? constants.get(text) : undefined;
  if (named !== undefined) return literalOf(named, constants);
  if (/^[\d_.\s*]+$/.test(text)) return text.split("*").reduce((product, factor) => product * literal(factor), 1);
  if (/^(?:true|false|"[^"]*")$/.test(text)) return JSON.parse(text);
  return `code: ${text}`;
}

/** Reads a number as code and pages write it. */
export const literal = (text: string): number => Number(text.replace(/[_,\s]/g, ""));

/** Returns the number that a constant of a file has, such as `BOUNDS.slow.baseMs`. */
export function constant(file: string, name: string): number {
  const found = sources.find((each) => each.file === file);
  assert.ok(found, `there is no src/${file}`);
  const constants = constantsOf(found.source);
  const expression = constants.get(name);
  assert.ok(expression, `src/${file} has no ${name}`);
  const value = literalOf(expression, constants);
  assert.ok(typeof value === "number", `src/${file}: ${name} is no number: ${value}`);
  return value;
}

/** Returns the numbers of a constant that is a list. */
export function constants(file: string, name: string): number[] {
  const found = sources.find((each) => each.file === file);
  assert.ok(found, `there is no src/${file}`);
  const all = constantsOf(found.source);
  const list = all.get(name);
  assert.ok(list !== undefined && ts.isArrayLiteralExpression(list), `src/${file} has no list ${name}`);
  return list.elements.map((element) => Number(literalOf(element, all)));
}
