// node --import tsx test/node/judge-file.ts FILE.jsonl...: judges records of the suite again, and prints the tables of results.md.

import { type At, readJournal } from "./journal.js";
import { type Judgement, judge } from "./judge.js";
import { type Row, reportOf } from "./results.js";

const rows: Row[] = [];
const figures = new Map<string, Judgement[]>();

for (const file of process.argv.slice(2)) {
  const lines = await readJournal(file);
  const judgement = judge(lines);
  const begun = lines.flatMap((line) => {
    const [, scenario, kubelet] = /^SCENARIO (.*), ([\d.]+)$/.exec(line.type === "NOTE" ? line.text : "") ?? [];
    return scenario === undefined || kubelet === undefined ? [] : [{ scenario, kubelet, atMs: line.atMs }];
  });
  const mode = file.includes("standalone") ? "standalone" : "cluster";
  begun.forEach(({ scenario, kubelet, atMs }, i) => {
    const toMs = begun[i + 1]?.atMs ?? lines.at(-1)?.atMs ?? atMs;
    // What is told of the time before the first scenario is its own.
    const isIn = (ms: number) => (i === 0 || ms >= atMs) && (i === begun.length - 1 || ms < toMs);
    const deletions = lines.filter((line) => isDeleted(line) && isIn(line.atMs)).length;
    const problems = judgement.problems.filter((problem) => isIn(problem.atMs));
    const { rows: compared, pods } = judgement;
    const seconds = Math.round((toMs - atMs) / 1000);
    rows.push({ scenario, mode, kubelet, seconds, deletions, rows: compared, pods, problems });
  });
  const version = begun[0]?.kubelet ?? file;
  figures.set(version, [...(figures.get(version) ?? []), judgement]);
}

console.log(reportOf(rows, figures));
process.exitCode = rows.every(({ problems }) => problems.length === 0) ? 0 : 1;

function isDeleted(line: At): boolean {
  return line.type === "DELETED" && "content" in line;
}
