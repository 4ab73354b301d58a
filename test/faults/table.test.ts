// Which test covers which row of docs/faults.md: test names carry the rows as [#1], rows.ts has their words, and the page is
// generated from both.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { GROUPS } from "./rows.js";

const tests = join(root, "test");
const page = join(root, "docs/faults.md");

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

function pageOf(testsOf: Map<number, string[]>): string {
  const lines = [
    "# What can go wrong",
    "",
    "Each row is a fault, what is told and done then, and the tests that cover it. Told means: an error's code, DISCONNECTED,",
    "`informer.state` or a diagnostics channel. How the watch does it is in [watch.md](watch.md).",
    "",
    "This page is generated: the words stand in test/faults/rows.ts, the tests name their rows as `[#1]`. After a change:",
    "`UPDATE_FAULT_TABLE=1 node --import tsx --test test/faults/table.test.ts`.",
  ];
  for (const [title, rows] of GROUPS) {
    lines.push("", `## ${title}`);
    for (const [number, [fault, seen]] of Object.entries(rows)) {
      const tests = (testsOf.get(Number(number)) ?? []).map((name) => `- ${name}`);
      lines.push("", `### ${number}. ${fault}`, "", seen, "", ...tests);
    }
  }
  return `${lines.join("\n")}\n`;
}

test("every row has a test, every test's row has words, and the page says which", () => {
  const testsOf = testsByRow();
  const rows = GROUPS.flatMap(([, rows]) => Object.keys(rows).map(Number));
  const numbers = (list: Iterable<number>) => [...list].sort((a, b) => a - b);
  assert.deepEqual(numbers(testsOf.keys()), numbers(rows));
  if (process.env["UPDATE_FAULT_TABLE"] === "1") writeFileSync(page, pageOf(testsOf));
  assert.equal(readFileSync(page, "utf8"), pageOf(testsOf));
});
