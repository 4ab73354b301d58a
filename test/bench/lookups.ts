// CPU time and memory of lookups by a key, with and without retained pods and waiting readers.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Bench } from "./part.js";

const FIGURES: [field: string, figure: string, unit: string][] = [
  ["byIP", "byIP, hit", "us"],
  ["mapped", "byIP, ::ffff:", "us"],
  ["miss", "byIP, miss", "us"],
  ["find", "find container", "us"],
  ["findAt", "find at", "us"],
  ["upkeep", "upkeep of an event", "us"],
  ["heap", "heap of the index per pod", "B"],
];

const GONE = 1_000_000;

const WAYS = [
  { name: "nothing else", retainMs: 0, waiting: 0 },
  { name: "retaining", retainMs: 120_000, waiting: 0 },
  { name: "retaining, 10,000 wait", retainMs: 120_000, waiting: 10_000 },
];

export async function lookups({ figures, rounds, sizes }: Bench): Promise<void> {
  const program = join(import.meta.dirname, "clients/lookups.mjs");
  for (const pods of sizes) {
    for (let round = 0; round < rounds; round++) {
      for (const { name, retainMs, waiting } of WAYS) {
        const order = JSON.stringify({ pods, retainMs, waiting });
        const output = execFileSync(process.execPath, ["--expose-gc", program, order]);
        const results = JSON.parse(output.toString()) as Record<string, number>;
        for (const [field, figure, unit] of FIGURES) figures.add(figure, unit, name, pods, results[field]);
      }
    }
    const names = WAYS.map(({ name }) => name);
    figures.print(
      "lookups",
      names,
      FIGURES.map(([, figure]) => figure),
      pods,
    );
  }
  const order = JSON.stringify({ pods: 110, retainMs: 3_600_000, waiting: 0, gone: GONE });
  const output = execFileSync(process.execPath, ["--expose-gc", program, order]);
  const { growth, retained } = JSON.parse(output.toString()) as { growth: number; retained: number };
  figures.add("heap, more than after 10,000", "MiB", "a million pods came and went", undefined, growth);
  figures.add("ends retained", "", "a million pods came and went", undefined, retained);
  figures.print("retention", ["a million pods came and went"], ["heap, more than after 10,000", "ends retained"]);
}
