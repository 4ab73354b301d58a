// npm run fuzz -- [--minutes 10] [--seed 1]
//
// A peer on the socket that does anything at all, and clients that must neither end nor grow.

import { parseArgs } from "node:util";
import { hostileRun } from "./hostile-run.js";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
});
const ROUNDS = 40;
const endMs = performance.now() + Number(values.minutes) * 60_000;
let rounds = 0;
let most = 0;
for await (const { counts, wrong, rssMiB } of hostileRun(Number(values.seed), ROUNDS)) {
  rounds += ROUNDS;
  most = Math.max(most, rssMiB);
  if (wrong.length > 0) {
    console.error(wrong.join("\n"));
    process.exitCode = 1;
    break;
  }
  if (performance.now() < endMs) continue;
  console.log(`${rounds} rounds of nine calls and watches, seed ${values.seed}: all as it must be`);
  console.log(`RSS after a collection: ${rssMiB.toFixed(0)} MiB at the end, ${most.toFixed(0)} MiB at most`);
  console.log(counts);
  break;
}
process.exit();
