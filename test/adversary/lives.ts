// Many lives, one after the other, and what all of them have shown.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { live, type Step, stepsOf } from "./life.js";
import { written } from "./record.js";
import { REDS } from "./reds.js";

export interface Shown {
  /** The lives in which each rule was broken: the first, how many, and what it looks like. */
  readonly found: ReadonlyMap<string, { readonly life: number; readonly times: number; readonly text: string }>;
  /** How often each fact about telling was so. */
  readonly happened: ReadonlyMap<string, number>;
  /** How many answers about a time that is past were how sure. */
  readonly grades: ReadonlyMap<string, number>;
  /** How often each rule of calm times was asked. */
  readonly asked: ReadonlyMap<string, number>;
  /** How often such a fact was so in a life, as a median. */
  readonly medianFaults: number;
}

/** What happens all the time is no fault: labels change, pods run to their end, objects go, manifests come back. */
const ORDINARY: readonly string[] = ["T1", "T21", "T22", "T23"];

/**
 * Lives through lives from a number on. The first red that reds.ts does not name, or that $RED does, ends it, with the fewest steps that
 * lead there.
 */
export async function liveAll(first: number, lives: number): Promise<Shown> {
  const found = new Map<string, { life: number; times: number; text: string }>();
  const happened = new Map<string, number>();
  const grades = new Map<string, number>();
  const asked = new Map<string, number>();
  const faults: number[] = [];
  for (let life = first; life < first + lives; life++) {
    const steps = stepsOf(life);
    const lived = await live(steps, life);
    let inLife = 0;
    for (const [fact, times] of lived.happened) {
      happened.set(fact, (happened.get(fact) ?? 0) + times);
      if (!ORDINARY.includes(fact)) inLife += times;
    }
    faults.push(inLife);
    for (const [grade, times] of lived.grades) grades.set(grade, (grades.get(grade) ?? 0) + times);
    for (const [rule, times] of lived.asked) asked.set(rule, (asked.get(rule) ?? 0) + times);
    for (const rule of new Set(lived.violations.map(({ rule }) => rule))) {
      const { text } = lived.violations.find((each) => each.rule === rule) ?? { text: "" };
      if (!(rule in REDS) || rule === process.env["RED"]) await shrink(life, steps, rule);
      const known = found.get(rule);
      if (known === undefined) found.set(rule, { life, times: 1, text });
      else known.times++;
    }
  }
  faults.sort((a, b) => a - b);
  return { found, happened, grades, asked, medianFaults: faults[Math.floor(faults.length / 2)] ?? 0 };
}

/** What was shown, in lines. */
export function linesOf({ found, happened, grades, asked, medianFaults }: Shown): string[] {
  const byName = (map: Iterable<string>) => [...map].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return [
    ...byName(found.keys()).map((rule) => {
      const { life, times, text } = found.get(rule) ?? { life: 0, times: 0, text: "" };
      return `${rule}: in ${times} lives, first in life ${life}: ${text}`;
    }),
    `how often facts were so: ${byName(happened.keys())
      .map((fact) => `${fact} ${happened.get(fact)}`)
      .join(", ")}`,
    `answers about the past: ${byName(grades.keys())
      .map((grade) => `${grade} ${grades.get(grade)}`)
      .join(", ")}`,
    `rules of calm times: ${byName(asked.keys())
      .map((rule) => `${rule} ${asked.get(rule)}`)
      .join(", ")}`,
    `a life has ${medianFaults} faults, as a median`,
  ];
}

/** Finds the fewest steps that lead to the same, and writes what the kubelet said in them. */
async function shrink(life: number, steps: readonly Step[], rule: string): Promise<never> {
  let last = await live(steps, life);
  const isSuch = async (some: readonly Step[]) => {
    const lived = await live(some, life);
    if (!lived.violations.some((each) => each.rule === rule)) return true;
    last = lived;
    return false;
  };
  const result = await fc.check(fc.asyncProperty(fc.subarray([...steps]), isSuch), {
    examples: [[[...steps]]],
    numRuns: 1,
    seed: life,
  });
  const record = join(mkdtempSync(join(tmpdir(), "adversary-")), `life-${life}.jsonl`); // kept, for who looks into it
  writeFileSync(record, written(last.lines));
  const few = result.counterexample?.[0] ?? steps;
  const text = last.violations.find((each) => each.rule === rule)?.text;
  return assert.fail(
    `${rule}: ${text}\nlife ${life}, after ${few.map((step) => `${step.action} ${steps.indexOf(step)}`).join(", ")}\nwhat the kubelet said: ${record}`,
  );
}
