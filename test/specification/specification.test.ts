// The watch equals its specification: on messages that no kubelet has to have sent, on schedules, and on lives of a node.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";
import { tracesOf } from "./inputs.js";
import { compare, describe as describeSteps, shorten } from "./play.js";
import { playWild } from "./wild.js";

const folder = join(root, "test/specification");
const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
const code = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");

/** The rules that have decided something in random messages. */
const decided = new Set<string>();

/** Compares inputs of one kind. Fails with the shortest steps that show the first difference. */
async function equalAll(kind: string, numRuns: number): Promise<void> {
  for (let seed = 1; seed <= numRuns; seed++) {
    for (const trace of await tracesOf(kind, seed)) {
      const difference = compare(trace, kind !== "lives", decided);
      if (difference === undefined) continue;
      const shortest = kind === "wild" ? shorten(seed, playWild(seed).steps) : undefined;
      assert.fail(
        `${kind} ${seed}\n${describeSteps(shortest?.steps ?? [])}\n${(shortest?.difference ?? difference).text}`,
      );
    }
  }
}

/** How many inputs of a kind are played: as many as the variable says, otherwise so many. */
const countOf = (variable: string, numRuns: number) => Number(process.env[variable] ?? runs(numRuns).numRuns);

describe("the watch equals its specification", () => {
  test("on random messages, in which each rule decides something", async () => {
    await equalAll("wild", countOf("SEQUENCES", 1_800));
    const noted = new Set([...code.matchAll(/#?(?:by|due)\([^)]*?"([A-Z]\d+)"/g)].map(([, rule]) => rule ?? ""));
    assert.deepEqual(
      [...noted].filter((rule) => !decided.has(rule)),
      [],
    );
  });
  test("on schedules", () => equalAll("schedules", countOf("SCHEDULES", 500)));
  test("on lives", () => equalAll("lives", countOf("SPECIFIED_LIVES", 8)));
});

describe("the rules of docs/watch.md", () => {
  const page = readFileSync(join(root, "docs/watch.md"), "utf8");
  const numbers = [...page.matchAll(/\*\*([A-Z]\d+)\*\*/g)].map(([, number]) => number ?? "");

  test("have each a number, once, and no number is missing", () => {
    assert.ok(numbers.length > 45, `${numbers.length} rules`);
    for (const letter of new Set(numbers.map((number) => number[0]))) {
      const own = numbers.filter((number) => number[0] === letter).map((number) => Number(number.slice(1)));
      assert.deepEqual(
        own.sort((a, b) => a - b),
        own.map((_, i) => i + 1),
        `rules ${letter}`,
      );
    }
  });

  test("are those of the specification", () => {
    const named = new Set([...code.matchAll(/\b([VMPLAGQRB]\d{1,2})\b/g)].map(([, number]) => number ?? ""));
    assert.deepEqual(
      [...named].filter((number) => !numbers.includes(number)),
      [],
      "the page has no such rule",
    );
    assert.deepEqual(
      numbers.filter((number) => !named.has(number)),
      [],
      "the specification does not name the rule",
    );
  });
});

test("the specification imports only the generated schema from src", () => {
  for (const file of [
    "specification.ts",
    "pods.ts",
    "lists.ts",
    "requests.ts",
    "readers.ts",
    "messages.ts",
    "trace.ts",
  ]) {
    const imports = [...readFileSync(join(folder, file), "utf8").matchAll(/from "(\.\.[^"]+)"/g)].map(
      ([, from]) => from,
    );
    assert.deepEqual(
      imports.filter((from) => !from?.startsWith("../../src/gen/")),
      [],
      file,
    );
  }
});
