// node first-red.js 300: lives through so many lives until a rule is broken, prints it, and exits with 1. tools/mutation.ts runs it on a
// copy with a defect, to see whether the lives alone find it.

import { live, stepsOf } from "./life.js";
import { REDS } from "./reds.js";

const [, , lives] = process.argv;
for (let life = 1; life <= Number(lives); life++) {
  const { violations } = await live(stepsOf(life), life);
  const red = violations.find(({ rule }) => !(rule in REDS));
  if (red === undefined) continue;
  console.log(`life ${life}: ${red.rule}: ${red.text}`);
  process.exit(1);
}
