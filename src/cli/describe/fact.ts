import { printable } from "../../printable.js";

/** Something that is told of a pod: a name with a value, lines, or facts below it. */
export interface Fact {
  /** Empty for lines without a name. */
  readonly name: string;
  /** Lines; those after the first stand below it. */
  readonly lines: readonly string[];
  readonly facts?: readonly Fact[] | undefined;
}

/** Makes a fact of one value; none without a value. */
export function fact(name: string, value: string | number | boolean | null | undefined): Fact[] {
  return value === undefined || value === null || value === "" ? [] : [{ name, lines: [String(value)] }];
}

/** Makes a fact with others below it; none without these. */
export function facts(name: string, below: readonly Fact[]): Fact[] {
  return below.length === 0 ? [] : [{ name, lines: [], facts: below }];
}

/** Makes a fact of several lines; `<none>` without lines. */
export function list(name: string, lines: readonly string[]): Fact {
  return { name, lines: lines.length === 0 ? ["<none>"] : lines };
}

/** The length up to which a line of a pod's text is shown. */
const MAX_LINE = 4_096;

/** The length of a name beyond which values no longer stand below each other. */
const MAX_WIDTH = 100;

/** Writes facts as kubectl does: two spaces for each level, values below each other. No control character reaches the terminal. */
export function linesOf(all: readonly Fact[], indent = ""): string[] {
  let widest = 0;
  for (const { name, lines } of all) {
    if (name !== "" && lines.length > 0) widest = Math.max(widest, Math.min(MAX_WIDTH, printable(name).length));
  }
  const width = widest + 3;
  return all.flatMap(({ name, lines, facts }) => {
    const head = name === "" ? "" : `${printable(name)}:`;
    const shown = lines.map((line) => printable(line, MAX_LINE));
    const own =
      name === ""
        ? shown.map((line) => indent + line)
        : shown.length === 0
          ? [indent + head]
          : shown.map((line, i) => `${indent}${(i === 0 ? head : "").padEnd(width)}${line}`.trimEnd());
    return facts === undefined ? own : [...own, ...linesOf(facts, `${indent}  `)];
  });
}
