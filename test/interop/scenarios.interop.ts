// The scenarios on the kubelet's own Go code, and the table of what was played where.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";
import { goPlayer, referencePlayer } from "../scenarios/players.js";
import { play } from "../scenarios/run.js";
import type { Player, Scenario } from "../scenarios/scenario.js";
import { SCENARIOS } from "../scenarios/scenarios.js";
import { goVersions, noGo } from "./go-kubelet.js";

const columns = ["1.38", "1.37", "1.36"].flatMap((version) => [`reference ${version}`, `kubelet ${version}`]);
const results = new Map<string, string>();

for (const version of goVersions) {
  const players: [name: string, start: (scenario: Scenario) => Promise<Player>][] = [
    [`reference ${version}`, (scenario) => referencePlayer(version, scenario)],
    [`kubelet ${version}`, (scenario) => goPlayer(version, scenario)],
  ];
  for (const [name, start] of players) {
    describe(`scenarios on the ${name}`, { skip: noGo }, () => {
      for (const scenario of SCENARIOS) {
        test(scenario.name, async () => {
          results.set(`${scenario.name} ${name}`, "fails");
          await using player = await start(scenario);
          await play(scenario, player);
          results.set(`${scenario.name} ${name}`, "yes");
        });
      }
    });
  }
}

describe("the table of scenarios and servers", { skip: noGo }, () => {
  test("matches the results", (t) => {
    const rows = SCENARIOS.map(({ name, driver = "" }) => {
      const cells = columns.map((column) => results.get(`${name} ${column}`) ?? "not played");
      return [name, ...cells, driver];
    });
    const head = ["scenario", ...columns, "decided by the driver"];
    const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
    const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
    const lines = [
      "# Scenarios and the servers that they were played on",
      "",
      "Written by scenarios.interop.ts: `UPDATE_SCENARIO_TABLE=1 npm run test:interop` after a change. The last column has what",
      "the Go driver decides, and a kubelet would decide by itself; for the rest the kubelet's own code has the word.",
      "",
      line(head),
      line(widths.map((width) => "-".repeat(width))),
      ...rows.map(line),
      "",
    ];
    for (const line of lines.slice(5)) t.diagnostic(line);
    const file = join(root, "test/interop/scenarios.md");
    if (process.env["UPDATE_SCENARIO_TABLE"] === "1") writeFileSync(file, lines.join("\n"));
    if (goVersions.length === 3) assert.equal(readFileSync(file, "utf8"), lines.join("\n"));
  });
});
