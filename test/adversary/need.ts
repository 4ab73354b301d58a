// node need.js ACTION LIFE: lives a life as it is and without one action, and prints which rules each has broken. tools/mutation.ts runs it on
// a copy with a defect. With $LIVES it looks for the first of so many lives that is broken, and is not without the action.

import { ACTIONS, live, type Step, stepsOf } from "./life.js";

const [, , action = "", life = "1"] = process.argv;
if (!(action in ACTIONS)) throw new Error(`there is no action ${action}`);

async function rulesOf(steps: readonly Step[], seed: number): Promise<string[]> {
  const { violations } = await live(steps, seed);
  return [...new Set(violations.map(({ rule }) => rule))];
}

const first = Number(life);
for (let seed = first; seed < first + Number(process.env["LIVES"] ?? 1); seed++) {
  const steps = stepsOf(seed);
  const others = steps.filter((step) => step.action !== action);
  if (others.length === steps.length) continue;
  const shown = { life: seed, broken: await rulesOf(steps, seed), without: await rulesOf(others, seed) };
  if (shown.broken.length === 0 || shown.without.length > 0) continue;
  console.log(JSON.stringify(shown));
  break;
}
