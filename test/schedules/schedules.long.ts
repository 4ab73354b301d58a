import { test } from "../helpers/test.js";
import { runSchedule, scheduleOf } from "./schedule.js";

// It alone finds what takes one life in a thousand: a consumer that joins in a burst, a pod that leaves the lists in one.
test("readers equal the kubelet after each of 10,000 random schedules", () => {
  const seed = Number(process.env["PROPERTY_SEED"] ?? 1);
  Error.stackTraceLimit = 0; // outages are half of what happens, and nobody reads their stacks
  for (let nth = 0; nth < 10_000; nth++) {
    try {
      runSchedule(scheduleOf(seed, nth));
    } catch (error) {
      throw new Error(`node --import tsx test/schedules/schedules.ts --seed ${seed} --from ${nth} --count 1`, {
        cause: error,
      });
    }
  }
});
