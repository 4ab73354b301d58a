// What a run found, as a table for people.

import type { Result } from "./stage.js";

/** One scenario on one kubelet. */
export interface Row extends Result {
  scenario: string;
  mode: string;
  kubelet: string;
  seconds: number;
}

/** Writes a line for each scenario, with a column for each kubelet: how long it took, and how many DELETED were told. */
export function tableOf(rows: readonly Row[]): string {
  const kubelets = [...new Set(rows.map(({ kubelet }) => kubelet))].sort();
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))];
  const cell = (scenario: string, kubelet: string) => {
    const row = rows.find((each) => each.scenario === scenario && each.kubelet === kubelet);
    if (row === undefined) return "";
    return `${row.problems.length === 0 ? "ok" : `**${row.problems.length}**`}, ${row.seconds} s, ${row.deletions} DELETED`;
  };
  return [
    `| scenario | ${kubelets.join(" | ")} |`,
    `| --- |${" --- |".repeat(kubelets.length)}`,
    ...scenarios.map((each) => `| ${each} | ${kubelets.map((kubelet) => cell(each, kubelet)).join(" | ")} |`),
  ].join("\n");
}
