// Judges the lives of containers that were told by those that the runtime recorded. Pure.

import type { At, LifeLine, RuntimeLine } from "./journal.js";

export interface LivesJudgement {
  /** How many lives were told of those that the runtime ran, and how many of each kind of end. */
  counts: Record<string, number>;
  problems: string[];
  /** From the runtime's event to what was told, in milliseconds. */
  startMs: number[];
  endMs: number[];
}

interface Real extends Partial<Record<RuntimeLine["type"], At<RuntimeLine>>> {
  id: string;
}

interface Life {
  start: At<LifeLine>;
  end?: At<LifeLine>;
}

/** Compares all lines; containers that were there before the runtime was recorded are left out. */
export function compareLives(lines: readonly At[]): LivesJudgement {
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  const startMs: number[] = [];
  const endMs: number[] = [];
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const { lives, ranges } = toldLives(lines, problems);
  const unseen = new Map<string, Real[]>();
  /** How many containers were made of which none was told, and that never started: a kubelet counts them as restarts. */
  const unstarted = new Map<string, number>();
  const shown = shownPods(lines);
  const real = realContainers(lines);
  for (const { id, info, start, exit } of real.values()) {
    if (info?.kind !== "container") continue;
    const life = lives.get(id);
    const name = `${info.pod} ${info.name} ${id.slice(0, 12)}`;
    const key = `${info.uid} ${info.name}`;
    if (start === undefined) {
      if (life !== undefined) count("never started, told by its StartError");
      else unstarted.set(key, (unstarted.get(key) ?? 0) + 1);
      continue;
    }
    if (life === undefined && !shown.has(info.uid ?? "")) {
      count("of pods that came and went while the kubelet showed none");
      continue;
    }
    if (life === undefined) {
      unseen.set(key, [...(unseen.get(key) ?? []), { id, info, start, ...(exit && { exit }) }]);
      continue;
    }
    count("lives");
    startMs.push(life.start.atMs - (start.happenedMs ?? start.atMs));
    if (exit === undefined) {
      count(life.end === undefined ? "run on" : `ended as ${life.end.cause}, no exit recorded`);
      continue;
    }
    if (life.end === undefined) {
      problems.push(`${name}: the end with ${exit.exitCode} was not told`);
      continue;
    }
    endMs.push(life.end.atMs - (exit.happenedMs ?? exit.atMs));
    count(life.end.cause === "exited" ? "ended with the exit code" : `ended as ${life.end.cause}`);
    if (life.end.cause === "exited" && life.end.exitCode !== exit.exitCode) {
      problems.push(`${name}: told to have ended with ${life.end.exitCode}, and did with ${exit.exitCode}`);
    }
  }
  for (const [key, reals] of unseen) {
    const told = ranges.get(key) ?? 0;
    ranges.delete(key);
    if (told >= reals.length) count("lives told as MISSED");
    else
      problems.push(`${reals[0]?.info?.pod} ${key}: ${reals.length} lives of the runtime not told, ${told} as MISSED`);
  }
  for (const [key, number] of ranges) {
    const excess = number - (unstarted.get(key) ?? 0);
    if (excess > 0) problems.push(`${key}: ${excess} lives MISSED that the runtime did not run`);
  }
  for (const [id, { start }] of lives) {
    if (start.initial !== true && !real.has(id))
      problems.push(`${start.pod} ${start.name} ${id}: told, and the runtime has none`);
  }
  return { counts, problems, startMs, endMs };
}

/** Returns the UIDs of the pods that the kubelet ever sent. */
function shownPods(lines: readonly At[]): Set<string> {
  const uids = new Set<string>();
  for (const line of lines) {
    if (line.who !== "raw") continue;
    if ("pods" in line) for (const { uid } of line.pods) uids.add(uid);
    else if ("pod" in line) uids.add(line.pod.uid);
  }
  return uids;
}

/** Puts what the runtime said together by container. */
function realContainers(lines: readonly At[]): Map<string, Real> {
  const real = new Map<string, Real>();
  for (const line of lines) {
    if (line.who !== "runtime") continue;
    const known = real.get(line.id);
    if (known !== undefined) known[line.type] = line;
    else if (line.type === "create") real.set(line.id, { id: line.id, create: line });
  }
  return real;
}

/** Puts what was told together by container, and how many lives of each were missed. */
function toldLives(lines: readonly At[], problems: string[]) {
  const lives = new Map<string, Life>();
  const ranges = new Map<string, number>();
  for (const line of lines) {
    if (line.who !== "lives" || line.type === "BUG") continue;
    const told = line as At<LifeLine>;
    const name = `${told.pod} ${told.name} ${told.id?.slice(0, 12)}`;
    if (told.type === "MISSED" && told.missed !== undefined) {
      const key = `${told.uid} ${told.name}`;
      ranges.set(key, (ranges.get(key) ?? 0) + told.missed[1] - told.missed[0] + 1);
      continue;
    }
    const life = lives.get(told.id ?? "");
    if (told.type === "STARTED") {
      if (life !== undefined) problems.push(`${name}: STARTED twice`);
      lives.set(told.id ?? "", { start: told });
    } else if (life === undefined) problems.push(`${name}: ENDED, and not STARTED`);
    else {
      if (life.end !== undefined) problems.push(`${name}: ENDED twice`);
      life.end = told;
    }
  }
  return { lives, ranges };
}
