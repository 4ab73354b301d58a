// Which test stands for which row of the fault matrix: test names carry the rows as #1, #2, and README.md beside this
// file lists them.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../helpers/programs.js";

const tests = join(root, "test");
const readme = join(tests, "faults/README.md");

/** All rows: there is no 78. */
const rowNumbers = Array.from({ length: 95 }, (_, i) => i + 1).filter((row) => row !== 78);

function testsByRow(): Map<number, string[]> {
  const rows = new Map<number, string[]>();
  for (const file of readdirSync(tests, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/\.(test|long|interop)\.ts$/.test(file)) continue;
    const names = readFileSync(join(tests, file), "utf8").matchAll(
      /(?:test|describe)\(\s*(["'`])(.*?)\1|\[\s*(["'`])([^"'`\n]*?\[#[^"'`\n]*?)\3/g,
    );
    for (const match of names) {
      const name = match[2] ?? match[4] ?? "";
      for (const [, row] of name.matchAll(/#(\d+)/g)) {
        const list = rows.get(Number(row)) ?? [];
        rows.set(Number(row), list);
        const line = `${file.replaceAll("\\", "/")}: ${name
          .replace(/\s*\[[^\]]*\]/g, "")
          .replace(/\(?#\d+\)?\s*/g, "")
          .trim()}`;
        if (!list.includes(line)) list.push(line);
      }
    }
  }
  return rows;
}

function table(rows: Map<number, string[]>): string {
  const sorted = [...rows].sort(([a], [b]) => a - b);
  return [
    "# Rows of the fault matrix and their tests",
    "",
    "Written by table.test.ts from the names of the tests: `UPDATE_FAULT_TABLE=1 npm test` after a change.",
    ...sorted.flatMap(([row, tests]) => ["", `## ${row}`, "", ...tests.map((name) => `- ${name}`)]),
    "",
  ].join("\n");
}

test("every row that is due has a test, and the table says which", () => {
  const rows = testsByRow();
  assert.deepEqual(
    rowNumbers.filter((row) => !rows.has(row)),
    [],
  );
  if (process.env["UPDATE_FAULT_TABLE"] === "1") writeFileSync(readme, table(rows));
  assert.equal(readFileSync(readme, "utf8"), table(rows));
});
