/** One step of an expression: turns the values that were found so far into others. */
export type Step =
  | { readonly type: "literal"; readonly value: string | number | boolean }
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "wildcard" }
  | { readonly type: "descent" }
  | Slice
  | { readonly type: "union"; readonly of: readonly (readonly Step[])[] }
  | {
      readonly type: "filter";
      readonly left: readonly Step[];
      readonly operator: string;
      readonly right: readonly Step[];
    };

/** A part of a list; one element without a colon. */
export interface Slice {
  readonly type: "slice";
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  readonly isOne: boolean;
}

/** A part of a template: text is an expression of one literal, `{range …}…{end}` has a body. */
export type Part =
  | { readonly type: "expression"; readonly steps: readonly Step[] }
  | { readonly type: "range"; readonly steps: readonly Step[]; readonly body: readonly Part[] };

/** The error of a template or of what it is applied to. */
export class JsonPathError extends Error {}

/** How many ranges may stand in each other. */
const MAX_RANGES = 100;

/** Where a name ends: spaces and line ends too. */
const TERMINATORS = new Set([" ", "\t", "\r", "\n", ".", ",", "[", "]", "$", "@", "{", "}", ""]);
/** Lists of indexes, as `0`, `-1`, `1:3`, `:`, `::2`. */
const SLICE = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const KEY = /^'([^']*)'$/;
/** A comparison: what stands before the operator has none of its letters. */
const COMPARISON = /^([^!<>=]+)([!<>=]+)([^\n]+)$/;
const OPERATORS = new Set(["==", "!=", "<", "<=", ">", ">="]);

/**
 * Parses a template as kubectl's `-o jsonpath` takes it: text, and expressions in braces.
 *
 * @throws JsonPathError for one that kubectl refuses, and for a range that does not end.
 */
export function parseTemplate(text: string): Part[] {
  const root: Part[] = [];
  const open: { steps: readonly Step[]; body: Part[] }[] = [];
  let at = 0;
  while (at < text.length) {
    const parts = open.at(-1)?.body ?? root;
    const brace = text.indexOf("{", at);
    if (brace !== at) {
      const literal = text.slice(at, brace < 0 ? text.length : brace);
      parts.push({ type: "expression", steps: [{ type: "literal", value: literal }] });
      at += literal.length;
      continue;
    }
    const reader = new Reader(text, brace + 1);
    const word = reader.keyword();
    const steps = reader.steps();
    at = reader.at;
    if (word === undefined) parts.push({ type: "expression", steps });
    else if (word === "range") {
      if (open.push({ steps, body: [] }) > MAX_RANGES)
        throw new JsonPathError(`more than ${MAX_RANGES} ranges in each other`);
    } else {
      const range = open.pop();
      if (range === undefined) throw new JsonPathError("{end} without {range}");
      (open.at(-1)?.body ?? root).push({ type: "range", ...range });
    }
  }
  if (open.length > 0) throw new JsonPathError("{range} without {end}");
  return root;
}

/** Parses an expression by itself, as in a filter. */
function parseExpression(text: string): Step[] {
  const reader = new Reader(`${text}}`, 0);
  const steps = reader.steps();
  if (reader.at <= text.length) throw new JsonPathError(`not an expression: ${text}`);
  return steps;
}

/** Reads the steps of one expression. */
class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Reads `range` or `end` if the expression begins with it. */
  keyword(): "range" | "end" | undefined {
    while (this.#text[this.at] === " ") this.at++;
    const start = this.at;
    const word = this.#name();
    if (word === "range" || word === "end") return word;
    this.at = start;
    return undefined;
  }

  /** Reads up to the brace that ends the expression. */
  steps(): Step[] {
    const steps: Step[] = [];
    for (;;) {
      const letter = this.#text[this.at] ?? "";
      if (letter === "}") {
        this.at++;
        return steps;
      }
      if (letter === "" || letter === "\n" || letter === "\r") throw new JsonPathError("an expression has no end: }");
      if (letter === " " || letter === "@" || letter === "$") this.at++;
      else if (this.#text.startsWith("[?(", this.at)) steps.push(this.#filter());
      else if (this.#text.startsWith("..", this.at)) this.#descent(steps);
      else if (letter === "[") steps.push(...this.#brackets());
      else if (letter === ".") {
        this.at++;
        steps.push(fieldOf(this.#name()));
      } else if (letter === '"' || letter === "'") steps.push({ type: "literal", value: this.#quoted(letter) });
      else if (/[+\-\p{Nd}]/u.test(letter)) steps.push({ type: "literal", value: this.#number() });
      else steps.push({ type: "literal", value: this.#word() });
    }
  }

  /** Reads a name; a backslash takes the next letter as it is. */
  #name(): string {
    const start = this.at;
    for (;;) {
      const letter = this.#text[this.at] ?? "";
      if (letter === "\\") this.at += 2;
      else if (TERMINATORS.has(letter)) break;
      else this.at++;
    }
    return this.#text.slice(start, this.at);
  }

  #word(): boolean {
    const word = this.#name();
    if (word === "true" || word === "false") return word === "true";
    throw new JsonPathError(word === "" ? `not expected: ${this.#text[this.at]}` : `there is no word ${word}`);
  }

  #number(): number {
    const [text = ""] = /^[+-]?[.\d]*/.exec(this.#text.slice(this.at)) ?? [];
    this.at += text.length;
    const number = /\d/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(number)) throw new JsonPathError(`not a number: ${text}`);
    return number;
  }

  /** Reads text in quotes, with the escapes of Go. */
  #quoted(quote: string): string {
    const start = ++this.at;
    for (; ; this.at++) {
      const letter = this.#text[this.at];
      if (letter === undefined || letter === "\n") throw new JsonPathError(`a text has no end: ${quote}`);
      if (letter === quote && this.#text[this.at - 1] !== "\\") break;
    }
    return unescaped(this.#text.slice(start, this.at++), quote);
  }

  #descent(steps: Step[]): void {
    if (steps.at(-1)?.type === "descent") throw new JsonPathError("one .. after the other");
    this.at += 2;
    steps.push({ type: "descent" });
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.at] ?? "")) steps.push(fieldOf(this.#name()));
  }

  /** Reads an index, a slice, a key, or several of them with commas between. */
  #brackets(): Step[] {
    const end = this.#text.indexOf("]", this.at);
    const inside = this.#text.slice(this.at + 1, end);
    if (end < 0 || inside.includes("\n")) throw new JsonPathError("brackets have no end: ]");
    this.at = end + 1;
    const parts = inside.split(",");
    if (parts.length === 1) return bracketSteps(inside);
    return [{ type: "union", of: parts.map((part) => bracketSteps(part.trim())) }];
  }

  /** Reads a filter: a comparison, or an expression that finds something. Quotes may hide a closing parenthesis. */
  #filter(): Step {
    const start = this.at + "[?(".length;
    let quote: string | undefined;
    let isClosed = false;
    for (this.at = start; ; this.at++) {
      const letter = this.#text[this.at];
      if (letter === undefined || letter === "\n") throw new JsonPathError("a filter has no end: )]");
      if ((letter === '"' || letter === "'") && quote === undefined) quote = letter;
      else if (letter === quote && this.#text[this.at - 1] !== "\\") isClosed = true;
      else if (letter === ")" && (quote === undefined || isClosed)) break;
    }
    const text = this.#text.slice(start, this.at);
    if (this.#text[this.at + 1] !== "]") throw new JsonPathError("a filter has no end: )]");
    this.at += 2;
    const [, left, operator, right] = COMPARISON.exec(text) ?? [];
    if (left === undefined || operator === undefined || right === undefined) {
      return { type: "filter", left: parseExpression(text), operator: "exists", right: [] };
    }
    if (!OPERATORS.has(operator)) throw new JsonPathError(`there is no operator ${operator}`);
    return { type: "filter", left: parseExpression(left), operator, right: parseExpression(right) };
  }
}

const fieldOf = (name: string): Step =>
  name === "*" ? { type: "wildcard" } : { type: "field", name: name.replaceAll("\\", "") };

/** Returns the steps of what stands in brackets: a key in quotes may be a path. */
function bracketSteps(text: string): Step[] {
  const key = KEY.exec(text)?.[1];
  if (key !== undefined) return parseExpression(`.${key}`);
  const [, from, to, step] = SLICE.exec(text === "*" ? ":" : text) ?? [];
  if (from === undefined) throw new JsonPathError(`not an index: ${text}`);
  const numberOf = (part: string | undefined) => {
    const digits = part?.replace(":", "") ?? "";
    if (digits === "-") throw new JsonPathError(`not an index: ${text}`);
    return digits === "" ? undefined : Number(digits);
  };
  return [{ type: "slice", from: numberOf(from), to: numberOf(to), step: numberOf(step), isOne: to === undefined }];
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/** Replaces the escapes of Go's quoted text (strconv.UnquoteChar). */
function unescaped(text: string, quote: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([\s\S]?))/g,
    (all, ...groups) => {
      const [hex, short, long, octal, letter] = groups as (string | undefined)[];
      if (letter === undefined) {
        const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "", 16) : Number.parseInt(octal, 8);
        if (code > 0x10ffff || (octal !== undefined && code > 255)) throw new JsonPathError(`not a letter: ${all}`);
        return String.fromCodePoint(code);
      }
      const known = letter === quote ? quote : ESCAPES[letter];
      if (known === undefined) throw new JsonPathError(`not an escape: ${all}`);
      return known;
    },
  );
}
