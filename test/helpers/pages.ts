// README and the pages of docs/, and the programs that stand in them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./programs.js";

/** A page that people read. */
export interface Page {
  /** Its path from the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** README, the pages of docs/ and of the examples. */
export const pages: readonly Page[] = ["README.md", ...below("docs"), ...below("examples")].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
}));

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .sort()
    .map((file) => `${folder}/${file}`);
}

/** A fenced block of a page. */
export interface Block {
  /** The page, and the number of the block on it. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  /** Text after which a program that never ends is asked to end. The comment above the block has it. */
  readonly endsAfter: string | undefined;
}

/** Returns the blocks of the pages in these languages. */
export function blocksOf(...languages: string[]): Block[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^<!-- ends after: (.*) -->\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap((match, i) => {
      const [, endsAfter, language = "", code = ""] = match;
      return languages.includes(language) ? [{ place: `${path} #${i + 1}`, language, code, endsAfter }] : [];
    }),
  );
}
