// The traces that are compared with the specification: of wild messages, of schedules and of lives.

import { live, stepsOf } from "../adversary/life.js";
import { runSchedule, scheduleOf } from "../schedules/schedule.js";
import { recordAll } from "./recorder.js";
import type { Row } from "./trace.js";
import { playWild } from "./wild.js";

/** Returns what each core was given and did. */
export async function tracesOf(kind: string, seed: number): Promise<readonly (readonly Row[])[]> {
  if (kind === "wild") return [playWild(seed).recorder.rows];
  const recorders = await recordAll(() =>
    kind === "lives" ? live(stepsOf(seed), seed) : runSchedule(scheduleOf(1, seed)),
  );
  return recorders.map(({ rows }) => rows);
}
