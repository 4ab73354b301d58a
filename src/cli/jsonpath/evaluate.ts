import { JsonPathError, type Part, type Slice, type Step } from "./parse.js";

type Values = readonly unknown[];

/** Applies a template to a value of JSON; returns the text. Missing keys are nothing, as with kubectl. @throws JsonPathError. */
export function evaluateTemplate(parts: readonly Part[], value: unknown): string {
  return parts
    .map((part) => {
      const found = evaluate(part.steps, [value]);
      if (part.type === "expression") return found.map(textOf).join(" ");
      return found.map((each) => evaluateTemplate(part.body, each)).join("");
    })
    .join("");
}

function evaluate(steps: readonly Step[], values: Values): Values {
  return steps.reduce((found, step) => apply(step, found), values);
}

function apply(step: Step, values: Values): Values {
  switch (step.type) {
    case "literal":
      // A text stands for itself, a number or a truth once for each value.
      return typeof step.value === "string" ? [step.value] : values.map(() => step.value);
    case "field":
      return values.flatMap((value) => (isMap(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []));
    case "wildcard":
      return values.flatMap(childrenOf);
    case "descent":
      return values.flatMap(descendantsOf);
    case "slice":
      return values.flatMap((value) => (value === null ? [] : sliceOf(listOf(value), step)));
    case "union":
      return step.of.flatMap((steps) => evaluate(steps, values));
    case "filter":
      return values.flatMap((value) => listOf(value).filter((each) => passes(step, each)));
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new JsonPathError("what has an index or a filter is no list");
  return value;
}

/** Returns the elements of a list, or the values of a map in the order of their keys. */
function childrenOf(value: unknown): Values {
  if (Array.isArray(value)) return value;
  return isMap(value) ? sortedKeys(value).map((key) => value[key]) : [];
}

/** Returns a value that has something in it, and after it all such values below it. */
function descendantsOf(value: unknown): Values {
  const children = childrenOf(value);
  const isText = typeof value === "string" && value !== "";
  return children.length > 0 || isText ? [value, ...children.flatMap(descendantsOf)] : [];
}

function sliceOf(list: readonly unknown[], { from = 0, to, step = 1, isOne }: Slice): Values {
  const { length } = list;
  const begin = from < 0 ? from + length : from;
  let end = isOne ? from + 1 : (to ?? length);
  if (end < 0 || (end === 0 && isOne)) end += length;
  if (begin === end) return [];
  if (begin < 0 || begin >= length) throw new JsonPathError(`no element ${begin} in a list of ${length}`);
  if (end < 0 || end > length) throw new JsonPathError(`no element ${end - 1} in a list of ${length}`);
  if (begin > end) throw new JsonPathError(`a slice from ${begin} to ${end}`);
  if (step <= 0) throw new JsonPathError("the step of a slice is at least 1");
  return list.slice(begin, end).filter((_, i) => i % step === 0);
}

function passes({ left, operator, right }: Extract<Step, { type: "filter" }>, value: unknown): boolean {
  if (operator === "exists") {
    try {
      return evaluate(left, [value]).length > 0;
    } catch (error) {
      // As in kubectl, the element is kept if the expression cannot be applied.
      if (error instanceof JsonPathError) return true;
      throw error;
    }
  }
  const lefts = evaluate(left, [value]);
  if (lefts.length === 0) return false;
  const rights = lefts.length > 1 ? [] : evaluate(right, [value]);
  if (lefts.length > 1 || rights.length > 1) throw new JsonPathError("a filter compares one value with one other");
  return rights.length === 1 && compare(lefts[0], operator, rights[0]);
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) throw new JsonPathError("a filter compares values of one kind");
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (kind === "boolean") throw new JsonPathError("truth is neither less nor more");
  const [a, b] = [left as string, right as string];
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  return operator === ">" ? a > b : a >= b;
}

function kindOf(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  return typeof value === "string" || typeof value === "boolean" ? typeof value : undefined;
}

/** Writes a value as kubectl does: texts as they are, what has something in it as JSON on a line. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const json = JSON.stringify(value, (_, each: unknown) =>
    isMap(each) ? Object.fromEntries(sortedKeys(each).map((key) => [key, each[key]])) : each,
  );
  // Go writes these letters so, for HTML.
  return json.replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function sortedKeys(map: Record<string, unknown>): string[] {
  return Object.keys(map).sort();
}
