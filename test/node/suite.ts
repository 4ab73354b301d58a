// Plays every scenario on one release of the kubelet, on a node of its own: the files *.node.ts call it, each in a process of its own.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "../helpers/test.js";
import { LiveNode, nodeName } from "./live-node.js";
import { type Figures, type Row, reportOf } from "./results.js";
import { furnish, SCENARIOS, type Scenario } from "./scenarios.js";
import { resultsDirectory, Stage } from "./stage.js";

/** The versions and scenarios that are played; all without them. */
const onlyVersions = process.env["NODE_VERSIONS"]?.split(",");
const named = process.env["NODE_SCENARIOS"] || undefined; // a workflow's empty input names none
const only = new RegExp(named ?? "", "i");
const isLean = process.env["NODE_LEAN"] === "1";

const rows: Row[] = [];
const figures = new Map<string, Figures>();
const skipped = new Map<string, number>();

/** Declares the tests of one release. Scenarios that change versions by themselves are the older one's. */
export async function playRelease(place: "older" | "newer"): Promise<void> {
  const versions = await LiveNode.versions();
  const version = (place === "older" ? versions.at(-1) : versions[0]) ?? "";
  const name = nodeName(version.split(".").slice(0, 2).join("."));
  let why: string | undefined;
  if (onlyVersions?.includes(version) === false) why = `NODE_VERSIONS does not name ${version}`;
  if (place === "newer" && versions.length === 1) why = "the driver has one release, which the older place plays";
  for (const mode of ["standalone", "cluster"] as const) {
    const scenarios = SCENARIOS.filter(
      (scenario) =>
        scenario.mode === mode &&
        only.test(scenario.name) &&
        (scenario.isLong !== true || named !== undefined) &&
        (scenario.isWhole !== true || !isLean),
    );
    if (scenarios.length === 0) continue;
    describe(`${mode}, ${version}`, { concurrency: 1 }, () => {
      let stage: Stage | undefined;
      before(async () => {
        if (why !== undefined) return;
        stage = await Stage.open(mode, name);
        if (stage === undefined || scenarios[0] === SCENARIOS.find((scenario) => scenario.mode === mode)) return;
        await stage.start(version);
        await furnish(stage);
      });
      after(async () => {
        try {
          await stage?.close();
        } finally {
          writeResults(version);
        }
      });
      for (const scenario of scenarios) {
        if (scenario.once === true && place === "newer") continue;
        test(scenario.name, async (t) => {
          const reason =
            why ??
            (stage === undefined ? `the driver has no ${mode} node` : undefined) ??
            (scenario.once === true && versions.length === 1 ? "the driver has one release" : undefined);
          if (reason !== undefined) {
            skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
            return t.skip(reason);
          }
          await playOn(stage as Stage, scenario, version, (words) => t.diagnostic(words));
        });
      }
    });
  }
}

async function playOn(stage: Stage, scenario: Scenario, version: string, tell: (words: string) => void): Promise<void> {
  const fromMs = Date.now();
  stage.note(`SCENARIO ${scenario.name}, ${version}`);
  if (stage.node.version !== version) {
    if (stage.node.version !== "") await stage.stop();
    await stage.start(version);
  }
  await scenario.play(stage, version);
  const { problems, lives, lookups, latencies, removed, rows: compared, pods } = await stage.judge();
  const seconds = Math.round((Date.now() - fromMs) / 1000);
  const deletions = stage.journal.lines.filter(
    (line) => line.type === "DELETED" && "content" in line && line.atMs >= fromMs,
  ).length;
  rows.push({
    scenario: scenario.name,
    mode: scenario.mode,
    kubelet: version,
    seconds,
    deletions,
    rows: compared,
    pods,
    problems,
  });
  figures.set(scenario.mode, { lives, lookups, latencies });
  tell(`${deletions} DELETED told, ${removed} rules removed, ${JSON.stringify(lives)}`);
  assert.deepEqual(
    problems.map(({ finding = "NEW", text }) => `${finding}: ${text}`),
    [],
  );
}

/** Writes what was found, for people and for README: one table of all releases that were played. */
function writeResults(version: string): void {
  const directory = resultsDirectory();
  mkdirSync(directory, { recursive: true });
  const file = JSON.stringify({ version, rows, figures: [...figures.values()] });
  if (rows.length > 0) writeFileSync(join(directory, `results-${version}.json`), file);
  const files = readdirSync(directory).filter((name) => /^results-.*\.json$/.test(name));
  const all = files.sort().map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as Played);
  const report = (played: readonly Played[]) =>
    reportOf(
      played.flatMap(({ rows }) => rows),
      new Map(played.map(({ version, figures }) => [version, figures])),
    );
  writeFileSync(join(directory, "results.md"), `${report(all)}\n`);
  console.log(report([{ version, rows, figures: [...figures.values()] }]));
  for (const [reason, number] of skipped) console.log(`skipped: ${number} scenarios, ${reason}`);
}

/** A file of one release's results. */
interface Played {
  version: string;
  rows: Row[];
  figures: Figures[];
}
