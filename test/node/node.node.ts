// Every scenario on every kubelet of a real node: npm run test:node. test/node/README.md says what it needs.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SCENARIOS } from "./scenarios.js";
import { type Result, resultsDirectory, Stage } from "./stage.js";

interface Row extends Result {
  scenario: string;
  mode: string;
  kubelet: string;
  seconds: number;
}

const rows: Row[] = [];

/** Versions and scenarios to play; all without them. */
const onlyVersions = process.env["NODE_VERSIONS"]?.split(",");
const only = new RegExp(process.env["NODE_SCENARIOS"] ?? "", "i");

for (const mode of ["standalone", "cluster"] as const) {
  const scenarios = SCENARIOS.filter((scenario) => scenario.mode === mode && only.test(scenario.name));
  if (scenarios.length === 0) continue;
  describe(mode, { concurrency: 1 }, () => {
    let stage: Stage;
    let running = "";
    before(async () => {
      stage = await Stage.open(mode);
    });
    after(async () => {
      await stage.close();
      report();
    });

    /** Each version that the node has; the oldest first, as a node ages. */
    const places = (process.env["NODE_PLACES"] ?? "older,newer").split(",");
    for (const place of places) {
      for (const scenario of scenarios) {
        if (scenario.once === true && place !== "older") continue;
        test(`${scenario.name} (${place})`, async (t) => {
          const { versions } = stage.node.facts;
          const version = (place === "older" ? versions.at(-1) : versions[0]) ?? "";
          if (onlyVersions !== undefined && !onlyVersions.includes(version))
            return t.skip(`$NODE_VERSIONS has no ${version}`);
          const fromMs = Date.now();
          stage.note(`SCENARIO ${scenario.name}, ${version}`);
          if (running !== version || stage.node.version !== version) {
            if (running !== "") await stage.stop();
            await stage.start(version);
            running = version;
          }
          await scenario.play(stage, version);
          const result = await stage.judge(fromMs);
          const seconds = Math.round((Date.now() - fromMs) / 1000);
          rows.push({ scenario: scenario.name, mode, kubelet: version, seconds, ...result });
          t.diagnostic(`${result.deletions} DELETED told and explained, ${JSON.stringify(result.lives)}`);
          assert.deepEqual(result.problems, []);
        });
      }
    }
  });
}

/** Writes what was found, for people and for test/node/results.md. */
function report(): void {
  mkdirSync(resultsDirectory(), { recursive: true });
  writeFileSync(join(resultsDirectory(), "results.json"), JSON.stringify(rows, null, 2));
  for (const { scenario, kubelet, seconds, deletions, rows: compared, problems } of rows) {
    console.log(
      `${problems.length === 0 ? "ok  " : "FAIL"} ${kubelet} ${String(seconds).padStart(4)} s  ${deletions} DELETED, ${compared} rows  ${scenario}`,
    );
    for (const problem of problems.slice(0, 20)) console.log(`       ${problem}`);
  }
}
