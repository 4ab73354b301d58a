// The goals of this package, and whether this run reached them.

import { PODS } from "./cold.js";
import { OURS, OURS_MASKED, RAW } from "./contenders.js";
import { short } from "./figures.js";
import type { Bench } from "./part.js";
import { printTable } from "./processes.js";

/** Prints each goal that this run measured. */
export function goals({ figures }: Bench): void {
  const times = (figure: string, { name }: { name: string }, pods?: number) =>
    figures.median(figure, name, pods) / figures.median(figure, RAW.name, pods);
  const all: readonly (readonly [goal: string, value: number, limit: number, unit: string])[] = [
    ["CPU of an event in a burst, five fields", times("CPU per event", OURS_MASKED, PODS), 5, "times"],
    ["CPU of an event per second, five fields", times("CPU per cold event", OURS_MASKED, PODS), 2, "times"],
    ["CPU of a getPod, five fields", times("getPod CPU", OURS_MASKED, PODS), 1.6, "times"],
    ["import", times("import", OURS), 3, "times"],
    ["heap of a kept pod, five fields", figures.median("heap per pod", OURS_MASKED.name), 2.3, "kB"],
  ];
  const rows = all
    .filter(([, value]) => !Number.isNaN(value))
    .map(([goal, value, limit, unit]) => [
      goal,
      `${short(value)} ${unit}`,
      `at most ${limit}`,
      value <= limit ? "reached" : "missed",
    ]);
  if (rows.length > 0) printTable([[`${PODS} pods; times raw http2`, "is", "goal", ""], ...rows]);
}
