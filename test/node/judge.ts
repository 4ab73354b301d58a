// All judges on one record. Pure: it needs the record, and nothing of the node or of the library.

import { compareColumns } from "./columns.js";
import { explain } from "./explain.js";
import type { At, KubectlLine } from "./journal.js";
import { compareJson, isKnown } from "./json.js";
import { compareLives } from "./lives.js";
import { judgeLookups, type LookupCounts } from "./lookups.js";
import { judgeRules } from "./rules.js";
import { Truth } from "./truth.js";
import type { Problem } from "./verdict.js";

export interface Judgement {
  problems: Problem[];
  /** How many things are yet to be told, and in time. */
  open: number;
  deletions: number;
  lives: Record<string, number>;
  lookups: Record<string, LookupCounts>;
  /** How many rules of addresses were removed. */
  removed: number;
  /** From what happened to what was told, in milliseconds. */
  latencies: Record<"start" | "end" | "delete" | "remove" | "waitFor" | "address" | "used" | "initializing", number[]>;
  /** How many rows and pods were compared with kubectl's, of the last comparison. */
  rows: number;
  pods: number;
}

export function judge(lines: readonly At[]): Judgement {
  const truth = new Truth(lines);
  const pods = explain(lines, truth);
  const lives = compareLives(lines, truth);
  const lookups = judgeLookups(lines, truth);
  const rules = judgeRules(lines, truth);
  const kubectl = { rows: 0, pods: 0, problems: [] as Problem[] };
  for (const line of lines) {
    if (line.who !== "kubectl") continue;
    const told = kubectlProblems(line, truth.apiPods(line.atMs), kubectl);
    kubectl.problems.push(...told.map((text) => ({ atMs: line.atMs, text, finding: undefined })));
  }
  return {
    problems: [...pods.problems, ...lives.problems, ...lookups.problems, ...rules.problems, ...kubectl.problems].sort(
      (a, b) => a.atMs - b.atMs,
    ),
    open: pods.open + lives.open,
    deletions: pods.deletions,
    lives: lives.counts,
    lookups: lookups.counts,
    removed: rules.removed,
    latencies: {
      start: lives.startMs,
      end: lives.endMs,
      delete: pods.deleteMs,
      remove: pods.removeMs,
      waitFor: lookups.waitMs,
      address: lookups.addressMs,
      used: lookups.usedMs,
      initializing: initializingMs(lines),
    },
    rows: kubectl.rows,
    pods: kubectl.pods,
  };
}

/** Returns how long kubelets refused for that they were initializing, until they gave a list. */
function initializingMs(lines: readonly At[]): number[] {
  const found: number[] = [];
  let fromMs: number | undefined;
  for (const line of lines) {
    if (line.who !== "raw") continue;
    if (line.type === "END" && line.why.startsWith("9:")) fromMs ??= line.atMs;
    if (line.type !== "BURST" && line.type !== "LIST") continue;
    if (fromMs !== undefined) found.push(line.atMs - fromMs);
    fromMs = undefined;
  }
  return found;
}

/** Returns what the command prints otherwise than kubectl, and counts what was compared. */
export function kubectlProblems(
  { type, before, ours, after }: KubectlLine,
  least: number,
  counts = { rows: 0, pods: 0 },
): string[] {
  if (type === "TABLE") {
    const { rows, problems } = compareColumns(before, ours, after, least);
    counts.rows = rows;
    return problems;
  }
  const { pods, problems, differences } = compareJson(before, ours, after, least);
  counts.pods = pods;
  const unknown = differences.filter((difference) => !isKnown(difference));
  const shown = unknown.map(
    ({ pod, path, kubectl, here }) => `${pod}: ${path} is ${here?.slice(0, 100)}, kubectl's ${kubectl?.slice(0, 100)}`,
  );
  return [...problems, ...shown];
}
