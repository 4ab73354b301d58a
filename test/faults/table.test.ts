// Test names carry the rows of docs/faults.md that they cover as [#1]. rows.ts has the words, and the page is generated from it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../helpers/markdown.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { GROUPS } from "./rows.js";

const tests = join(root, "test");
const page = join(root, "docs/faults.md");

/** The rows that tests name. */
function testedRows(): Set<number> {
  const rows = new Set<number>();
  for (const file of readdirSync(tests, { recursive: true, encoding: "utf8" })) {
    if (!/\.(test|long|interop)\.ts$/.test(file)) continue;
    const names = readFileSync(join(tests, file), "utf8").matchAll(
      /(?:test|describe)\(\s*(["'`])(.*?)\1|\[\s*(["'`])([^"'`\n]*?\[#[^"'`\n]*?)\3/g,
    );
    for (const match of names)
      for (const [, row] of (match[2] ?? match[4] ?? "").matchAll(/#(\d+)/g)) rows.add(Number(row));
  }
  return rows;
}

function pageOf(): string {
  const lines = [
    "# What can go wrong",
    "",
    "Each row describes a fault and how the client handles it. `npm test` has at least one test for each row: `grep -r '#42' test` finds those of row 42.",
    "[How the watch works](watch.md) has the design behind it.",
    "",
    "This page is generated from test/faults/rows.ts: `UPDATE_FAULT_TABLE=1 node --import tsx --test test/faults/table.test.ts`.",
  ];
  for (const [title, rows] of GROUPS) {
    const cells = Object.entries(rows).map(([number, [fault, behaviour]]) => [number, fault, behaviour]);
    lines.push("", `## ${title}`, "", markdownTable([["#", "fault", "behaviour"], ...cells]));
  }
  return `${lines.join("\n")}\n`;
}

test("every fault has a test, every tag has a fault, and docs/faults.md is up to date", () => {
  const rows = GROUPS.flatMap(([, rows]) => Object.keys(rows).map(Number));
  const numbers = (list: Iterable<number>) => [...list].sort((a, b) => a - b);
  assert.deepEqual(numbers(testedRows()), numbers(rows));
  if (process.env["UPDATE_FAULT_TABLE"] === "1") writeFileSync(page, pageOf());
  assert.equal(readFileSync(page, "utf8"), pageOf());
});
