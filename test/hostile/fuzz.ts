// node --import tsx test/hostile/fuzz.ts [--minutes 10] [--seed 1]
//
// A peer on the socket that does anything at all, and clients that must neither end nor grow; then a client that sends
// anything at all to the reference kubelet, which must not end.

import { parseArgs } from "node:util";
import { attackedDouble } from "./double-run.js";
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
const ATTACKS = 500;
const attackEndMs = performance.now() + Number(values.minutes) * 6_000; // a tenth
for await (const { rounds } of attackedDouble(Number(values.seed), ATTACKS)) {
  if (process.exitCode === undefined && performance.now() < attackEndMs) continue;
  console.log(`${rounds} connections of anything at all to the reference kubelet: it is there, and answers`);
  break;
}
process.exit();
