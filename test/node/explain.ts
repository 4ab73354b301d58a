// Judges what was told of pods by what the kubelet sent. Pure.

import type { At, Brief, Consumer, ListLine, SyncedLine, ToldLine } from "./journal.js";

/** Two processes note the same thing at different times. */
const NEAR_MS = 3_000;

/**
 * How long after a list lacked it a pod is told as missing at most: the first minute after a kubelet's start, and what is left of a
 * grace period, with a list each two seconds (docs/watch.md).
 */
const LATE_MS = 75_000;

export interface Judgement {
  /** How many DELETED were told, and explained. */
  deletions: number;
  /** What contradicts what the kubelet sent. */
  problems: string[];
}

/** Judges the lines from a time on, with those before as evidence. Pods that were told before then are known. */
export function explain(lines: readonly At[], fromMs: number): Judgement {
  const evidence = new Evidence(lines);
  const problems: string[] = [];
  let deletions = 0;
  const deleted = new Map<string, At<ToldLine>>();
  for (const line of lines) {
    const isJudged = line.atMs >= fromMs;
    if (line.type === "BUG" && isJudged) problems.push(`${time(line)} ${line.who}: ${line.what}`);
    if (line.type === "SYNCED" && isJudged) problems.push(...evidence.pictureProblems(line));
    if (!isTold(line)) continue;
    const { who, pod } = line;
    const key = `${who} ${pod.uid}`;
    if (line.type === "DELETED") {
      deleted.set(key, line);
      if (!isJudged) continue;
      deletions++;
      if (!evidence.explains(line)) {
        problems.push(`${time(line)} ${who}: DELETED ${line.cause} of ${pod.name} (${pod.uid}), which the kubelet had`);
      }
      continue;
    }
    const before = deleted.get(key);
    // A static pod has its UID again when its manifest is put back, or the kubelet's version.
    if (line.type !== "ADDED" || before === undefined) continue;
    deleted.delete(key);
    if (isJudged && !evidence.isStatic(pod.uid)) {
      problems.push(
        `${time(line)} ${who}: ADDED ${pod.name} (${pod.uid}) again, DELETED ${before.cause} at ${time(before)}`,
      );
    }
  }
  return { deletions, problems };
}

/** What the kubelet sent, by what is asked of it. */
class Evidence {
  readonly #lists: At<ListLine>[] = [];
  readonly #ends = new Map<string, number[]>();
  readonly #adds = new Map<string, number[]>();
  readonly #static = new Set<string>();

  constructor(lines: readonly At[]) {
    for (const line of lines) {
      if (line.who !== "raw") continue;
      if ("pods" in line) {
        this.#lists.push(line);
        for (const pod of line.pods) if (pod.isStatic) this.#static.add(pod.uid);
      } else if (line.type === "DELETED") push(this.#ends, line.pod.uid, line.atMs);
      else if (line.type !== "END") {
        push(this.#adds, line.pod.uid, line.atMs);
        if (line.pod.isStatic) this.#static.add(line.pod.uid);
      }
    }
  }

  isStatic(uid: string): boolean {
    return this.#static.has(uid);
  }

  /** Whether a DELETED is as the kubelet said: it sent one, or listed the pod as finished, or lacked it. */
  explains({ atMs, cause, pod: { uid } }: At<ToldLine>): boolean {
    const isNear = (ms: number) => Math.abs(ms - atMs) < NEAR_MS;
    const listed = this.#lists.filter((list) => list.atMs > atMs - LATE_MS && list.atMs < atMs + NEAR_MS);
    if (cause === "finished") {
      return (
        (this.#ends.get(uid) ?? []).some(isNear) || listed.some(({ pods }) => find(pods, uid)?.isFinished === true)
      );
    }
    return listed.some(({ pods }) => find(pods, uid) === undefined);
  }

  /** Compares what a watch has told when it is synced with the lists before and after it. */
  pictureProblems(line: At<SyncedLine>): string[] {
    const before = this.#lists.findLast(({ atMs }) => atMs <= line.atMs && atMs > line.atMs - NEAR_MS);
    const after = this.#lists.find(({ atMs }) => atMs > line.atMs && atMs < line.atMs + NEAR_MS);
    if (before === undefined || after === undefined || line.who === "selected") return [];
    const view = new Set(line.view);
    const problems: string[] = [];
    for (const pod of before.pods) {
      const later = find(after.pods, pod.uid);
      const isLive = later !== undefined && !pod.isFinished && !later.isFinished;
      if (isLive && !view.has(pod.uid)) problems.push(`${pod.name} (${pod.uid}) is missing`);
    }
    // A 1.36 kubelet says that it has sent everything before it has read its sources: what it lacks then is unconfirmed.
    let extra = line.view.filter((uid) => {
      const isNew = (this.#adds.get(uid) ?? []).some((ms) => Math.abs(ms - line.atMs) < NEAR_MS);
      const isThere = [before, after].some(({ pods }) => find(pods, uid) !== undefined);
      return !isNew && !isThere;
    }).length;
    extra = Math.max(0, extra - line.unconfirmed);
    if (extra > 0) problems.push(`${extra} pods too many`);
    return problems.map((problem) => `${time(line)} ${line.who}: SYNCED, and ${problem}`);
  }
}

function isTold(line: At): line is At<ToldLine> {
  const { who, type } = line;
  return (
    who !== "raw" &&
    who !== "lives" &&
    who !== "runtime" &&
    who !== "stage" &&
    ["ADDED", "MODIFIED", "DELETED"].includes(type)
  );
}

function find(pods: readonly Brief[], uid: string): Brief | undefined {
  return pods.find((pod) => pod.uid === uid);
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [value]);
  else all.push(value);
}

function time({ atMs }: { atMs: number }): string {
  return new Date(atMs).toISOString().slice(11, 23);
}

/** The consumers that have every pod of the node. */
export const WHOLE: readonly Consumer[] = ["live", "all", "readiness", "informer"];
