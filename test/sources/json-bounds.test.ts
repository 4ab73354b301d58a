import assert from "node:assert/strict";
import { excessOf, isOversized } from "../../src/sources/kubelet-http/json-bounds.js";
import { constant } from "../helpers/source-text.js";
import { test } from "../helpers/test.js";

const bound = (name: string) => constant("sources/kubelet-http/json-bounds.ts", name);
const excess = (text: string, most = 10) => excessOf(Buffer.from(text), most);

test("accepts values, entries and levels up to their limits, and not one more", () => {
  const values = bound("MAX_ANSWER_VALUES");
  // Each comma is a value, and the bracket that opens.
  const list = (commas: number) => `[${"0,".repeat(commas)}0]`;
  assert.equal(excess(list(values - 1)), undefined);
  assert.equal(excess(list(values)), `more than ${values} values`);
  assert.equal(excess(`[${"[],".repeat(values / 2)}[]]`), `more than ${values} values`);
  const depth = bound("MAX_ANSWER_DEPTH");
  assert.equal(excess("[".repeat(depth)), undefined);
  assert.equal(excess("[".repeat(depth + 1)), `nested deeper than ${depth}`);
  const items = (count: number) => `{"items":[${Array(count).fill("{}").join()}]}`;
  assert.deepEqual([excess(items(11)), excess(items(12))], [undefined, "more than 10 entries"]);
});

test("counts the values of an entry at all levels up to its limit, and not one more", () => {
  const most = bound("MAX_ENTRY_VALUES");
  const entry = (others: number) => ({ a: [{ b: "text" }], c: Array(others).fill(null) });
  assert.deepEqual([isOversized(entry(most - 4)), isOversized(entry(most - 3))], [false, true]);
  assert.deepEqual([isOversized(null), isOversized("text".repeat(most))], [false, false]);
});

test("ignores commas and brackets inside strings with escaped quotes", () => {
  assert.equal(excess(`{"a":[${JSON.stringify(`${",[{".repeat(1_000)}"`)}]}`, 1), undefined);
});
