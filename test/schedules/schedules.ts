// node --import tsx test/schedules/schedules.ts [--count 1000000] [--seed 1] [--from 0]
//
// Many schedules. A failure names its schedule, which `--from N --count 1` runs again.

import { parseArgs } from "node:util";
import { runSchedule, scheduleOf } from "./schedule.js";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
  },
});
const [count, seed, from] = [Number(values.count), Number(values.seed), Number(values.from)];
Error.stackTraceLimit = 0; // outages are half of what happens, and nobody reads their stacks
const startMs = performance.now();
let steps = 0;
for (let schedule = from; schedule < from + count; schedule++) {
  try {
    steps += runSchedule(scheduleOf(seed, schedule));
  } catch (error) {
    console.error(`schedule ${schedule} of seed ${seed}, which --from ${schedule} --count 1 runs again:`);
    throw error;
  }
  if ((schedule - from + 1) % 100_000 === 0) console.log(`${schedule - from + 1} schedules`);
}
const seconds = (performance.now() - startMs) / 1_000;
console.log(
  `${count} schedules of ${steps} steps: 0 divergences, 0 false or lost deletes; ` +
    `${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} schedules/s`,
);
