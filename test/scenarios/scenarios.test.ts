// The scenarios on the reference kubelet. That the kubelet's own code does the same is shown by scenarios.interop.ts.

import { describe, test } from "../helpers/test.js";
import { referencePlayer } from "./players.js";
import { play } from "./run.js";
import { SCENARIOS } from "./scenarios.js";

for (const version of ["1.38", "1.37", "1.36"] as const) {
  describe(`the reference kubelet of ${version}`, () => {
    for (const scenario of SCENARIOS) {
      test(scenario.name, async () => {
        await using player = await referencePlayer(version, scenario);
        await play(scenario, player);
      });
    }
  });
}
