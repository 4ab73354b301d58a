import { dropOldest } from "../drop-oldest.js";
import type { ContainerKind } from "../pod/container-run.js";
import { type ContainerFacts, factsOf, sameFacts } from "../pod/facts.js";
import type { Stop } from "../pod/stop.js";
import type { Change, ListFacts, PodFacts } from "./log.js";
import { isActive, type PodRecord } from "./record.js";
import { type PodRuns, type RunEvidence, type RunFact, RunFold } from "./run-fold.js";
import { AGREE_AFTER_MS, YOUNG_MS } from "./times.js";
import type { Version } from "./version.js";

/** The number of removed pods that are remembered. A static pod can come back with the same UID. */
const MAX_FORMER = 1_000;

/** The most containers of a pod that are followed, which is more than any pod has. */
const MAX_CONTAINERS = 1_000;

/** Maximum difference between this clock and that of the API server, which sets the creation times of pods. */
const SKEW_MS = 60_000;

const NO_FACTS: readonly RunFact[] = [];

/**
 * Derives the container runs of all pods, once for all readers, from the first reader of runs on. Only the book writes `PodRecord.runs`.
 * Pure: no clock, no I/O.
 */
export class RunBook {
  readonly #known: ReadonlyMap<string, PodRecord>;
  readonly #wallMs: () => number;
  /** Time of day at which the book began; undefined until a reader reads runs. */
  #sinceMs: number | undefined;
  /** The folds of removed pods, by UID. If such a pod comes back, its runs are not reported again. */
  readonly #former = new Map<string, PodRuns["folds"]>();
  readonly #unsettled = new Set<PodRecord>();

  /** @param wallMs returns the time of day. */
  constructor(known: ReadonlyMap<string, PodRecord>, wallMs: () => number) {
    this.#known = known;
    this.#wallMs = wallMs;
  }

  /** True while a status waits for a list. */
  get wantsList(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Begins with the known pods, unless the book has begun. */
  begin(): void {
    if (this.#sinceMs !== undefined) return;
    this.#sinceMs = this.#wallMs();
    for (const record of this.#known.values()) {
      record.runs = newRuns(new Map(), true);
      this.#fold(record, record.version, "list");
      if (!isActive(record)) this.#endRuns(record, record.runs);
    }
  }

  /** Fills in the `runs` of each change. */
  accept(changes: readonly Change[], by: "event" | "list"): void {
    if (this.#sinceMs === undefined) return;
    for (const change of changes) change.runs = this.#accept(change, by, this.#sinceMs);
  }

  /** Called after the changes of a list. Returns the facts about statuses that waited for it. */
  listed({ atMs, processSinceMs, touched }: ListFacts): readonly PodFacts[] {
    if (this.#sinceMs === undefined) return [];
    for (const { unconfirmed, runs } of this.#known.values())
      if (unconfirmed !== undefined) for (const fold of runs?.folds.values() ?? []) fold.absent();
    const isSettled = atMs - processSinceMs >= YOUNG_MS;
    const settled: PodFacts[] = [];
    for (const record of this.#unsettled) {
      // The list does not show these pods.
      if (record.unconfirmed !== undefined || record.isUnreadable || touched.has(record.uid)) continue;
      const unsettled = record.runs?.unsettled;
      if (unsettled === undefined) continue;
      if (!isSettled) unsettled.listedMs = undefined; // only lists of the same process count as agreeing
      const isPresent = unsettled.listedMs !== undefined && atMs - unsettled.listedMs >= AGREE_AFTER_MS;
      if (isSettled) unsettled.listedMs ??= atMs;
      const runs = this.#settle(record, unsettled.statuses, isPresent ? "present" : "list");
      if (runs.length > 0) settled.push({ record, runs });
    }
    return settled;
  }

  #accept({ record, version, isActive, isGone }: Change, by: "event" | "list", sinceMs: number): readonly RunFact[] {
    const { uid } = record;
    record.runs ??= newRuns(this.#former.get(uid) ?? new Map(), isOlderThan(version, sinceMs));
    this.#former.delete(uid);
    // New runs of an ended pod count once the pod is active again. If the pod is gone, they have ended, too.
    const isBelieved = isActive || isGone || !version.head.running;
    const shown = isBelieved ? this.#fold(record, version, by) : NO_FACTS;
    if (isActive) return shown;
    const facts = [...shown, ...this.#endRuns(record, record.runs)];
    if (!isGone) return facts;
    this.#former.set(uid, record.runs.folds);
    dropOldest(this.#former, MAX_FORMER);
    record.runs = undefined;
    return facts;
  }

  /** Ends the runs of a pod that has ended. */
  #endRuns(record: PodRecord, { unsettled, folds }: PodRuns): readonly RunFact[] {
    const facts = unsettled === undefined ? [] : [...this.#settle(record, unsettled.statuses, "list")];
    this.#unsettled.delete(record);
    for (const fold of folds.values()) {
      fold.gone(record.stop);
      facts.push(...fold.takeFacts());
    }
    return facts;
  }

  #fold(record: PodRecord, version: Version, by: RunEvidence): readonly RunFact[] {
    const { runs } = record;
    if (runs === undefined || record.hasEmptyStatus) return NO_FACTS;
    const before = runs.foldedFrom;
    runs.foldedFrom = version;
    if (before !== undefined && sameFacts(before.bytes, version.bytes)) return NO_FACTS;
    runs.unsettled = undefined;
    return this.#settle(record, factsOf(version.bytes).containers, by);
  }

  /** Folds the statuses of a pod's containers, and notes whether one of them waits for a list. */
  #settle(record: PodRecord, statuses: readonly ContainerFacts[], by: RunEvidence): readonly RunFact[] {
    const runs = record.runs as PodRuns;
    const facts: RunFact[] = [];
    let isSettled = true;
    for (const status of statuses) {
      const fold = foldOf(runs, status.kind, status.name);
      if (fold === undefined) continue;
      fold.arrivedAt(record.version.wallMs);
      const verdict = fold.fold(status, by, record.stop);
      facts.push(...fold.takeFacts());
      if (verdict !== "taken") isSettled = false;
    }
    if (isSettled) {
      runs.unsettled = undefined;
      this.#unsettled.delete(record);
    } else {
      runs.unsettled ??= { statuses, listedMs: undefined };
      this.#unsettled.add(record);
    }
    return facts;
  }
}

/**
 * Returns the facts for a reader that begins to watch a pod: start and end of the ended runs that the status still shows, and the start of
 * running ones. A run that the status shows running although its end is known is left out, because its end would never follow.
 */
export function initialRuns({ runs, version, hasEmptyStatus, stop }: PodRecord): readonly RunFact[] {
  const facts: RunFact[] = [];
  const shown = hasEmptyStatus ? [] : factsOf(version.bytes).containers;
  const statuses = new Map(shown.map((status) => [keyOf(status.kind, status.name), status]));
  for (const [key, fold] of runs?.folds ?? []) {
    const status = statuses.get(key);
    if (status !== undefined) facts.push(...endedIn(status, fold, stop));
    if (fold.running !== undefined) facts.push({ type: "STARTED", container: fold.container, run: fold.running });
  }
  return facts;
}

/**
 * Returns the runs that a status shows with their ends. A status has no restart count for its last state, so the count is the one that was
 * known while the run was running.
 */
function endedIn(status: ContainerFacts, known: RunFold, stop: Stop | undefined): readonly RunFact[] {
  const fold = new RunFold(known.container, undefined);
  fold.fold(status, "list", stop);
  return fold.takeFacts().flatMap((fact) => {
    if (fact.type === "MISSED" || fact.run.containerID === fold.running?.containerID) return [];
    const restartCount = known.endedCount(fact.run.containerID);
    return restartCount === undefined ? [] : [{ ...fact, run: Object.freeze({ ...fact.run, restartCount }) }];
  });
}

/** Returns the key of a container. It stays the same if a change of the spec turns the container into a sidecar, or back (KEP-5972). */
function keyOf(kind: ContainerKind, name: string): string {
  return `${kind === "sidecar" ? "init" : kind} ${name}`;
}

function foldOf({ folds, isOld }: PodRuns, kind: ContainerKind, name: string): RunFold | undefined {
  const key = keyOf(kind, name);
  const known = folds.get(key);
  if (known !== undefined || folds.size >= MAX_CONTAINERS) return known;
  const fold = new RunFold({ kind, name }, isOld ? undefined : 0);
  folds.set(key, fold);
  return fold;
}

function newRuns(folds: PodRuns["folds"], isOld: boolean): PodRuns {
  return { folds, foldedFrom: undefined, isOld, unsettled: undefined };
}

/** Returns true if a pod is older than a time of day, although it is reported only now: the first list of a kubelet may be partial. */
export function isOlderThan({ head: { created } }: Version, wallMs: number): boolean {
  return created !== undefined && Number(created) * 1_000 < wallMs - SKEW_MS;
}
