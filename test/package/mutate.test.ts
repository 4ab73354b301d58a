import assert from "node:assert/strict";
import { mutated, OPERATORS, type Operator, sitesOf } from "../../tools/mutate.js";
import { describe, test } from "../helpers/test.js";

/** Returns what an operator makes of an expression or a statement that is the body of a function. */
function madeOf(body: string, operator: Operator): string[] {
  const before = "function f() { ";
  const source = `${before}${body} }`;
  return sitesOf(source)
    .filter((site) => site.operator === operator)
    .map((site) => mutated(source, site).slice(before.length, -2));
}

describe("mutation operators", () => {
  const cases: Record<Operator, readonly [body: string, ...made: string[]]> = {
    remove: ["go(); if (a) return;", "; if (a) return;", "go(); ;", "go(); if (a) {}"],
    true: ["if (a) b = c < d;", "if (true) b = c < d;", "if (a) b = true;"],
    false: ["while (a && b) c();", "while (false) c();", "while (false && b) c();", "while (a && false) c();"],
    left: ["x = a ?? g(b, c);", "x = (a);", "x = a ?? (b);"],
    right: ["x = a ? b - c : d;", "x = (d);", "x = a ? (c) : d;"],
    logic: ["x = a && (b || c);", "x = a || (b || c);", "x = a && (b && c);"],
    negate: [
      "x = a === b ? !c : d >= e;",
      "x = a !== b ? !c : d >= e;",
      "x = a === b ? (c) : d >= e;",
      "x = a === b ? !c : d < e;",
    ],
    boundary: ["x = a < b || c >= d;", "x = a <= b || c >= d;", "x = a < b || c > d;"],
    arithmetic: ["x = a + b * c;", "x = a - b * c;", "x = a + b / c;"],
    number: ["x = [0, 7];", "x = [1, 7];", "x = [0, 0];"],
    undefined: ["x = a; return b;", "x = undefined; return b;", "x = a; return undefined;"],
    empty: ['g("a", [b]);', 'g("", [b]);', 'g("a", []);'],
    drop: ["x = { a: 1, b, ...c };", "x = {  b, ...c };", "x = { a: 1,  ...c };", "x = { a: 1, b,  };"],
    now: ["setImmediate(g);", "(g)();"],
  };
  for (const [operator, [body, ...made]] of Object.entries(cases))
    test(`${operator}: ${OPERATORS[operator as Operator]}`, () => {
      assert.deepEqual(madeOf(body, operator as Operator), made);
    });
});

test("sites are named by function, class member or constant and numbered within it", () => {
  const source = `
    const LIMIT = 3;
    const later = () => { go(); };
    function f() { if (a) go(); const g = () => stop(); }
    class C { #n = 1; constructor() { go(); } get size() { return 2; } #drop() { go(); stop(); } }
    type T = 1;
  `;
  const names = sitesOf(source).map(({ name, operator, nth }) => `${name} ${operator} ${nth}`);
  assert.deepEqual(
    names.filter((name) => /number|remove/.test(name)),
    [
      "LIMIT number 1",
      "later remove 1",
      "f remove 1",
      "f remove 2",
      "C.#n number 1",
      "C.constructor remove 1",
      "C.size remove 1",
      "C.size number 1",
      "C.#drop remove 1",
      "C.#drop remove 2",
    ],
  );
});
