// What a run found, as tables for people.

import type { Judgement } from "./judge.js";
import { type Problem, quantile } from "./verdict.js";

/** One scenario on one kubelet. */
export interface Row {
  scenario: string;
  mode: string;
  kubelet: string;
  seconds: number;
  /** How many DELETED were received. */
  deletions: number;
  /** How many rows and pods were compared with kubectl's. */
  rows: number;
  pods: number;
  problems: Problem[];
}

/** What all records of one kubelet gave together. */
export type Figures = Pick<Judgement, "lives" | "lookups" | "latencies">;

/** Writes a line for each scenario, with a column for each kubelet: how long it took, how many DELETED were received, and what was found. */
function tableOf(rows: readonly Row[]): string {
  const kubelets = [...new Set(rows.map(({ kubelet }) => kubelet))].sort();
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))];
  const cell = (scenario: string, kubelet: string) => {
    const row = rows.find((each) => each.scenario === scenario && each.kubelet === kubelet);
    return row === undefined ? "" : `${row.seconds} s, ${row.deletions}${wordsOf(row.problems)}`;
  };
  const sum = (kubelet: string) => {
    const all = rows.filter((row) => row.kubelet === kubelet);
    const [seconds, deletions] = [all.map((row) => row.seconds), all.map((row) => row.deletions)].map((each) =>
      each.reduce((total, number) => total + number, 0),
    ) as [number, number];
    return `${(seconds / 3_600).toFixed(2)} h, ${deletions}`;
  };
  return [
    `| scenario | ${kubelets.join(" | ")} |`,
    `| --- |${" --- |".repeat(kubelets.length)}`,
    ...scenarios.map((each) => `| ${each} | ${kubelets.map((kubelet) => cell(each, kubelet)).join(" | ")} |`),
    `| all | ${kubelets.map(sum).join(" | ")} |`,
  ].join("\n");
}

/** Counts problems by their findings: `; 3 of V2, 1 new`. */
function wordsOf(problems: readonly Problem[]): string {
  const counts = new Map<string, number>();
  for (const { finding } of problems) counts.set(finding ?? "new", (counts.get(finding ?? "new") ?? 0) + 1);
  if (counts.size === 0) return "";
  return `; ${[...counts].map(([what, n]) => (what === "new" ? `**${n} new**` : `${n} of ${what}`)).join(", ")}`;
}

/** Writes everything: the table of all scenarios, the figures of each kubelet, and each problem. */
export function reportOf(rows: readonly Row[], figures: ReadonlyMap<string, readonly Figures[]>): string {
  const problems = rows.flatMap(({ kubelet, scenario, problems }) =>
    problems.map(({ finding = "NEW", text }) => `- ${finding}, ${kubelet}, ${scenario}: ${text}`),
  );
  return [
    tableOf(rows),
    ...[...figures].map(([kubelet, all]) => `## ${kubelet}\n\n${figuresOf(all)}`),
    ...(problems.length === 0 ? [] : [`## Problems\n\n${problems.join("\n")}`]),
  ].join("\n\n");
}

const LATENCIES: Record<keyof Judgement["latencies"], string> = {
  start: "from the runtime's start of a container to STARTED",
  end: "from its exit to ENDED",
  delete: "from the end of a pod to DELETED",
  remove: "from the removal of its object to DELETED, with `includeFinished`",
  waitFor: "from the runtime's start of a container to the answer of `waitFor`",
  address: "from CNI's file of an address to the kubelet's report of it",
  used: "from the start of a pod's first container to the kubelet's report of its address",
  initializing: 'from a kubelet\'s first "initializing" to its first list',
};

/** Writes the figures that pages state: lookups by kind, and how soon changes were reported. */
function figuresOf(all: readonly Figures[]): string {
  const lookups = new Map<string, number[]>();
  for (const { lookups: each } of all) {
    for (const [row, { asked, right, confirmed, reported, likely, near, none, missed, wrong }] of Object.entries(
      each,
    )) {
      const before = lookups.get(row) ?? [0, 0, 0, 0, 0, 0, 0, 0, 0];
      lookups.set(
        row,
        [asked, right, confirmed, reported, likely, near, none, missed, wrong].map((n, i) => n + (before[i] ?? 0)),
      );
    }
  }
  const lives = new Map<string, number>();
  for (const { lives: each } of all)
    for (const [what, n] of Object.entries(each)) lives.set(what, (lives.get(what) ?? 0) + n);
  const latencies = (Object.keys(LATENCIES) as (keyof typeof LATENCIES)[]).map((key) => {
    const values = all.flatMap((each) => each.latencies[key]);
    const cells = [values.length, ...[0.5, 0.99, 1].map((share) => Math.round(quantile(values, share)))];
    return `| ${LATENCIES[key]} | ${cells.join(" | ")} |`;
  });
  return [
    "| lookups | asked | right | confirmed | reported | likely | within seconds of a change | none | missed | wrong |",
    `| --- |${" --- |".repeat(9)}`,
    ...[...lookups].sort().map(([row, cells]) => `| ${row} | ${cells.join(" | ")} |`),
    "",
    "| milliseconds | number | median | 99 of 100 | at most |",
    `| --- |${" --- |".repeat(4)}`,
    ...latencies,
    "",
    "| container runs | number |",
    "| --- | --- |",
    ...[...lives].sort().map(([what, n]) => `| ${what} | ${n} |`),
  ].join("\n");
}
