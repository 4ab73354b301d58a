// The tables of grades: each row counts, and the page of lookups has them.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ABSENT, type GradeRow, NOW, THEN } from "../../src/lookup/grade.js";
import { markdownTable } from "../helpers/markdown.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

test("docs/lookups.md has the tables [UPDATE_GRADES=1 writes them]", () => {
  const page = join(root, "docs/lookups.md");
  const text = readFileSync(page, "utf8");
  let made = text;
  for (const [name, rows] of [
    ["now", NOW],
    ["then", THEN],
    ["absent", ABSENT],
  ] as const) {
    const lines = (rows as readonly Pick<GradeRow<never>, "is" | "when">[]).map(({ is, when }) => [when, gradeOf(is)]);
    const table = markdownTable([["first matching condition", "answer"], ...lines]);
    made = made.replace(new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`), `$1\n\n${table}\n\n$2`);
  }
  if (process.env["UPDATE_GRADES"] === "1") writeFileSync(page, made);
  assert.equal(text, process.env["UPDATE_GRADES"] === "1" ? text : made, "UPDATE_GRADES=1 writes them");
});

function gradeOf(is: GradeRow<never>["is"]): string {
  return ["confirmed", "reported", "likely"].includes(is) ? `\`${is}\`` : `uncertain, \`${is}\``;
}
