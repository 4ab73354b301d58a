// Every scenario on every kubelet of a real node: npm run test:node. test/node/README.md says what it needs.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type Row, tableOf } from "./results.js";
import { SCENARIOS, type Scenario } from "./scenarios.js";
import { resultsDirectory, Stage } from "./stage.js";

const rows: Row[] = [];

/** The versions and scenarios that are played; all without them. */
const onlyVersions = process.env["NODE_VERSIONS"]?.split(",");
const only = new RegExp(process.env["NODE_SCENARIOS"] ?? "", "i");

for (const mode of ["standalone", "cluster"] as const) {
  const scenarios = SCENARIOS.filter((scenario) => scenario.mode === mode && only.test(scenario.name));
  if (scenarios.length === 0) continue;
  describe(mode, { concurrency: 1 }, () => {
    let stage: Stage | undefined;
    before(async () => {
      stage = await Stage.open(mode);
    });
    after(async () => {
      await stage?.close();
      report();
    });

    // The older kubelet first, as a node ages.
    for (const place of ["older", "newer"] as const) {
      for (const scenario of scenarios) {
        if (scenario.once === true && place === "newer") continue;
        test(`${scenario.name} (${place})`, async (t) => {
          if (stage === undefined) return t.skip(`the driver has no node of this kind: ${mode}`);
          const { versions } = stage.node.facts;
          const version = (place === "older" ? versions.at(-1) : versions[0]) ?? "";
          const isOne = versions.length === 1 && (place === "newer" || scenario.once === true);
          if (isOne || onlyVersions?.includes(version) === false) return t.skip(`no ${place} kubelet is asked for`);
          await playOn(stage, scenario, version, (words) => t.diagnostic(words));
        });
      }
    }
  });
}

async function playOn(stage: Stage, scenario: Scenario, version: string, tell: (words: string) => void): Promise<void> {
  const fromMs = Date.now();
  stage.note(`SCENARIO ${scenario.name}, ${version}`);
  if (stage.node.version !== version) {
    if (stage.node.version !== "") await stage.stop();
    await stage.start(version);
  }
  await scenario.play(stage, version);
  const result = await stage.judge(fromMs);
  const seconds = Math.round((Date.now() - fromMs) / 1000);
  rows.push({ scenario: scenario.name, mode: scenario.mode, kubelet: version, seconds, ...result });
  tell(`${result.deletions} DELETED told and explained, ${JSON.stringify(result.lives)}`);
  assert.deepEqual(result.problems, []);
}

/** Writes what was found, for people and for README. */
function report(): void {
  mkdirSync(resultsDirectory(), { recursive: true });
  writeFileSync(join(resultsDirectory(), "results.json"), JSON.stringify(rows, null, 2));
  writeFileSync(join(resultsDirectory(), "results.md"), `${tableOf(rows)}\n`);
  console.log(tableOf(rows));
  for (const { scenario, kubelet, problems } of rows) {
    for (const problem of problems.slice(0, 20)) console.log(`${kubelet}, ${scenario}: ${problem}`);
  }
}
