// node build/test/specification/hunt.js COUNT [FROM] [wild|schedules|lives]: the shortest inputs of each kind of difference.

import { tracesOf } from "./inputs.js";
import { compare, type Difference, describe, shorten } from "./play.js";
import { playWild } from "./wild.js";

const [count = "1000", from = "1", of = "wild"] = process.argv.slice(2);

/** How many steps of a sequence are printed. */
const LAST = 25;

const kinds = new Map<string, { times: number; seed: number; difference: Difference }>();
let rows = 0;
const cpu = process.cpuUsage();
for (let seed = Number(from); seed < Number(from) + Number(count); seed++) {
  for (const trace of await tracesOf(of, seed)) {
    rows += trace.length;
    const difference = compare(trace, of !== "lives");
    if (difference === undefined) continue;
    const known = kinds.get(difference.kind);
    if (known === undefined) kinds.set(difference.kind, { times: 1, seed, difference });
    else {
      known.times++;
      if (difference.row < known.difference.row) Object.assign(known, { seed, difference });
    }
  }
}
for (const [kind, { times, seed, difference }] of [...kinds].sort((a, b) => b[1].times - a[1].times).slice(0, 8)) {
  console.log(`\n== ${times} x ${kind}, seed ${seed}`);
  const shortest = of === "wild" ? shorten(seed, playWild(seed).steps) : undefined;
  console.log(
    describe(shortest?.steps ?? [])
      .split("\n")
      .slice(-LAST)
      .join("\n"),
  );
  console.log((shortest?.difference ?? difference).text);
}
const { user, system } = process.cpuUsage(cpu);
const red = [...kinds.values()].reduce((sum, { times }) => sum + times, 0);
console.log(`\n${count} sequences, ${rows} rows, ${red} differ, ${((user + system) / 1e6).toFixed(1)} s of CPU`);
process.exitCode = red > 0 ? 1 : 0;
