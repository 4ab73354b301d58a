// npm run words counts the words of README and docs/ without code blocks, tables and comments, and fails where a page is too long. Pages of
// docs/guides are guides, all others reference pages.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The most words of a page of each kind, and of all of them. docs/watch.md has the rules that test/specification implements. */
const MOST = { readme: 700, guide: 600, reference: 1_200, rules: 3_000, all: 16_000 };

function wordsOf(page: string): number {
  const text = readFileSync(join(root, page), "utf8")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^\|.*$/gm, "");
  return text.match(/\S+/g)?.length ?? 0;
}

function mostOf(page: string): number {
  if (page === "README.md") return MOST.readme;
  if (page === "docs/watch.md") return MOST.rules;
  return page.startsWith("docs/guides/") ? MOST.guide : MOST.reference;
}

const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => join("docs", file))
  .sort();
let all = 0;
for (const page of ["README.md", ...docs]) {
  const words = wordsOf(page);
  const isTooLong = words > mostOf(page);
  if (isTooLong) process.exitCode = 1;
  console.log(`${String(words).padStart(6)} ${page}${isTooLong ? `: at most ${mostOf(page)}` : ""}`);
  all += words;
}
console.log(`${String(all).padStart(6)} in all, at most ${MOST.all}`);
if (all > MOST.all) process.exitCode = 1;
