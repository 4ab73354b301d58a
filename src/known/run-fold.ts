import { dropOldest } from "../drop-oldest.js";
import type { ContainerStateTerminated } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import {
  type ContainerExit,
  type ContainerKind,
  type ContainerRun,
  endedIDOf,
  exitOf,
  isInvented,
  splitID,
  timeOf,
} from "../pod/container-run.js";
import type { EndBasis } from "../pod/end.js";
import type { ContainerFacts, StatusFacts } from "../pod/facts.js";
import type { Stop } from "../pod/stop.js";
import { isOlderStatus, placeOf, type StatusPlace } from "./status-order.js";
import type { Version } from "./version.js";

/** A container of one pod. Facts about its runs name this object, so that readers can use it as a key. */
export interface Container {
  readonly kind: ContainerKind;
  readonly name: string;
}

/** A fact about the runs of a container. Each run starts once and ends once, in this order. */
export type RunFact =
  | { readonly type: "STARTED"; readonly container: Container; readonly run: ContainerRun }
  | ({ readonly type: "ENDED"; readonly container: Container } & EndedRun)
  /** Restart counts, the first and the last, of runs that may have happened and that no status showed. */
  | { readonly type: "MISSED"; readonly container: Container; readonly from: number; readonly to: number };

/** The end of a run. */
export interface EndedRun {
  readonly run: ContainerRun;
  readonly exit: ContainerExit | undefined;
  /** The reported exit, if the runtime or the kubelet made it up. */
  readonly reported?: ContainerExit | undefined;
  readonly basis: EndBasis;
  /** Why the kubelet stops the pod, as far as it was known then. A container that ended before the stop ended for another reason. */
  readonly stop?: Stop | undefined;
}

/**
 * The source of a status. `present`: two lists of one process that agree. They show the true state, even if the status looks old.
 */
export type RunEvidence = "event" | "list" | "present";

/**
 * The result of a status.
 *
 * - `taken`: its runs were reported.
 * - `waiting`: it ends a run without saying how, and waits for the next list.
 * - `older`: it is older than what was reported, and was dropped.
 */
export type Verdict = "taken" | "waiting" | "older";

/** The runs of a pod's containers. Only the RunBook changes it. */
export interface PodRuns {
  /** The folds of its containers, by list and name. */
  readonly folds: Map<string, RunFold>;
  /** The version whose statuses were folded last. This is not a copy of its bytes: they would keep a whole buffer alive. */
  foldedFrom: Version | undefined;
  /** True if the pod is older than the book. Runs before its first status are then not reported as missed. */
  readonly isOld: boolean;
  /** Statuses, of which at least one waits for a list, and since when lists of one process have shown them. */
  unsettled: { readonly statuses: readonly ContainerFacts[]; listedMs: number | undefined } | undefined;
}

/** A status, compared with the reported runs. */
interface StatusSight extends StatusPlace {
  readonly report: StatusFacts;
  /** The end that the status shows. The kubelet has only inferred it if `endedID` is empty. */
  readonly ended: ContainerStateTerminated | undefined;
  readonly endedID: string | undefined;
  readonly last: ContainerStateTerminated | undefined;
  /** True if the container was created and has not started. */
  readonly isIdle: boolean;
  /** True if the status has an end without an ID. */
  readonly isNameless: boolean;
  /** True if that end is new. */
  readonly isInferred: boolean;
  /** True if the status shows another run than the running one. */
  readonly isNext: boolean;
}

/** A row of the table of container runs in docs/kubelet.md: what a status shows, and how the running run ended then. */
interface RunEndRow {
  readonly shows: string;
  fits(sight: StatusSight, running: string): boolean;
  /** Undefined if the run has not ended. */
  readonly basis: EndBasis | undefined;
  end?(sight: StatusSight): ContainerStateTerminated | undefined;
}

/** How the running run ended. The first row that fits counts. If none fits, the run continues. */
const ENDS: readonly RunEndRow[] = [
  { shows: "the run itself", fits: ({ isRunning, id }, running) => isRunning && id === running, basis: undefined },
  {
    shows: "its end",
    fits: ({ endedID }, running) => endedID === running,
    basis: "status",
    end: ({ ended }) => ended,
  },
  {
    shows: "its end as the last state",
    fits: ({ lastID }, running) => lastID === running,
    basis: "status",
    end: ({ last }) => last,
  },
  {
    shows: "an end without an ID: the runtime has no such container",
    fits: ({ isInferred, endedID }) => isInferred || endedID === "",
    basis: "none",
    end: ({ endedID, ended, last }) => (endedID === "" ? ended : last),
  },
  { shows: "another container", fits: ({ isNext }) => isNext, basis: "replacement" },
  // A waiting container that still has the ID of this run is not in this row: a later status may show its exit.
  { shows: "no container, and it waits", fits: ({ id, isRunning }) => id === "" && !isRunning, basis: "none" },
];

/** The number of ended runs whose IDs are remembered. A status shows two, and can show the older one for a long time. */
const MAX_ENDED_RUNS = 8;

/**
 * Derives the runs of one container from its statuses. Runs are identified by their IDs, never by times, and each is reported once. The
 * rules follow convertToAPIContainerStatuses in pkg/kubelet/kubelet_pods.go: if the kubelet only knows that the container is gone, it writes
 * an end without an ID, and counts a restart whether or not another container follows. Pure.
 */
export class RunFold {
  readonly container: Container;
  /** Facts since the last call of {@link takeFacts}. */
  #facts: RunFact[] = [];
  /** The run that was reported as started and not as ended. */
  #running: ContainerRun | undefined;
  /** A status that waits for a list, with the stop that was known when it arrived. */
  #waiting: { readonly report: StatusFacts; readonly stop: Stop | undefined } | undefined;
  /** The stop that was known when the current status arrived. */
  #stop: Stop | undefined;
  /** Start of the last reported run, in milliseconds. */
  #startedMs = Number.NEGATIVE_INFINITY;
  /** IDs, by restart count, of containers that a status showed as created and not started. They are not reported as missed. */
  readonly #idle = new Map<number, string>();
  /** Restart counts of ended runs, by ID. The runs that a status showed last are at the end. */
  readonly #ended = new Map<string, number>();
  /** Restart count of the next run if none is missed; undefined if it is unknown. */
  #next: number | undefined;
  /** Restarts since the last run that the kubelet counted without another container. */
  #inferred = 0;
  /** Restart count of the last status, and whether it had an end without an ID. */
  #count = Number.NEGATIVE_INFINITY;
  #wasNameless = false;
  /** True if a list lacked the pod after the last status that named a container. */
  #wasAbsent = false;

  /** @param next the restart count of the first run; undefined if earlier runs are not reported as missed. */
  constructor(container: Container, next: number | undefined) {
    this.container = container;
    this.#next = next;
  }

  /** The run that has not ended. */
  get running(): ContainerRun | undefined {
    return this.#running;
  }

  /** Returns the restart count of a run that is known to have ended. Only the last runs are remembered. */
  endedCount(id: string): number | undefined {
    return this.#ended.get(id);
  }

  /** Returns the facts since the last call. */
  takeFacts(): readonly RunFact[] {
    const facts = this.#facts;
    if (facts.length > 0) this.#facts = [];
    return facts;
  }

  /**
   * Takes the next status. Reports the end of the running run, then new runs. If an event only implies an end, the status waits for a list.
   * A status that is older than the reported state is dropped. A reported fact is never revoked.
   *
   * @param stop why the kubelet stops the pod, as far as it is known.
   */
  fold(report: StatusFacts, evidence: RunEvidence, stop?: Stop): Verdict {
    const waiting = this.#waiting;
    if (waiting !== undefined && waiting.report !== report) {
      const sight = this.#sightOf(report);
      const row = this.#rowOf(sight);
      const isExit = row?.basis === "status";
      if (evidence === "event" && sight.count < Math.max(0, waiting.report.restartCount)) {
        // It is older than the waiting status, and may have the exit that the waiting one lacks.
        if (!isExit) return "waiting";
        this.#waiting = undefined;
        this.#stop = waiting.stop;
        this.#end(row.end?.(sight), "status");
        return this.fold(waiting.report, evidence, waiting.stop);
      }
      this.#waiting = undefined;
      // Unless the later status contradicts the waiting one, it confirms it.
      if (!isExit && (!sight.isRunning || sight.id !== this.#running?.containerID))
        this.fold(waiting.report, "list", waiting.stop);
    }
    this.#stop = waiting?.report === report ? waiting.stop : stop;
    const sight = this.#sightOf(report);
    const { id, lastID, count, isIdle } = sight;
    if (evidence !== "present" && this.#isOlder(sight)) return "older";
    const running = this.#running?.containerID;
    const row = this.#rowOf(sight);
    if (row?.basis !== undefined && row.basis !== "status" && evidence === "event") {
      this.#waiting = { report, stop: this.#stop };
      return "waiting";
    }
    this.#waiting = undefined;
    if (count < this.#count || this.#isRecount(sight)) {
      // The kubelet counts from zero again, so runs before a new one may have been missed.
      this.#next = this.#isNew(id) ? 0 : undefined;
      this.#inferred = 0;
      this.#idle.clear();
    }
    if (isIdle) this.#noteIdle(count, id);
    // Without a running run, an end without an ID belongs to a run that no status showed.
    const isCounted = running !== undefined || this.#inferred > 0;
    if (sight.isInferred && isCounted && count >= (this.#next ?? 0) + this.#inferred) this.#inferred++;
    if (row?.basis !== undefined) this.#end(row.end?.(sight), row.basis);
    this.#before(sight);
    this.#present(sight);
    // If the count has decreased, the shown run may have been reported before.
    this.#next ??= id !== "" && !this.#isNew(id) ? count + 1 : count;
    this.#count = count;
    this.#wasNameless = sight.isNameless;
    if (id !== "") this.#wasAbsent = false;
    for (const shown of [lastID, id]) {
      const restartCount = this.#ended.get(shown);
      if (restartCount !== undefined) this.#remember(shown, restartCount);
    }
    return "taken";
  }

  /** Called before the statuses that arrive at this time of day. After the clock was set back, later runs start before the last one. */
  arrivedAt(wallMs: number): void {
    if (this.#startedMs > wallMs) this.#startedMs = Number.NEGATIVE_INFINITY;
  }

  /** Returns how the running run ended, by a status; undefined if no run was running, or if it continues. */
  #rowOf(sight: StatusSight): RunEndRow | undefined {
    const running = this.#running?.containerID;
    return running === undefined ? undefined : ENDS.find(({ fits }) => fits(sight, running));
  }

  /** Returns true if a status is older than the reported state. */
  #isOlder(sight: StatusSight): boolean {
    const running = this.#running?.containerID;
    const isNew = (id: string) => this.#isNew(id);
    return isOlderStatus(sight, { count: this.#count, running, startedMs: this.#startedMs, isNew });
  }

  /** Returns true if the kubelet has counted from zero again: the first new run has the count of an earlier one, and does not follow it. */
  #isRecount({ id, lastID, count }: StatusSight): boolean {
    if (!this.#wasAbsent || !this.#isNew(id) || (lastID !== "" && !this.#isNew(lastID))) return false;
    const first = lastID === "" || lastID === id ? count : count - 1;
    return first < (this.#next ?? 0);
  }

  #noteIdle(count: number, id: string): void {
    this.#idle.set(count, id);
    dropOldest(this.#idle, MAX_ENDED_RUNS);
  }

  #sightOf(report: StatusFacts): StatusSight {
    const place = placeOf(report);
    const { id, lastID, count, isRunning } = place;
    const [ended, last] = [report.state?.terminated, report.lastState?.terminated];
    const endedID = ended && endedIDOf(ended, id);
    const isNameless = endedID === "" || (last !== undefined && lastID === "");
    const isInferred = isNameless && (!this.#wasNameless || (count > this.#count && !this.#isNew(id)));
    const isNext = (id !== "" && id !== this.#running?.containerID) || this.#isNew(lastID);
    const isIdle = this.#isNew(id) && id !== lastID && !isRunning && ended === undefined;
    return { ...place, report, endedID, ended, last, isIdle, isNameless, isInferred, isNext };
  }

  /** Reports the run before the current one, unless it was reported. */
  #before({ report, last, lastID, id, count }: StatusSight): void {
    if (last === undefined || !this.#isNew(lastID)) return;
    if (this.#running !== undefined) {
      // The run before a running one is reported before it, or not at all.
      this.#remember(lastID, Math.max(0, count - 1));
      return;
    }
    // A container that waits for its next start still has the ID of the ended run.
    this.#start(report, last, lastID === id ? count : Math.max(0, count - 1), false);
    this.#end(last, "status");
  }

  /** Reports the run that a status shows, unless it was reported. A container that has not started has an ID, but no run. */
  #present({ report, id, last, lastID, ended, endedID, count }: StatusSight): void {
    if (!this.#isNew(id)) return;
    const isBeforeKnown = last === undefined || this.#ended.has(lastID);
    const { containerID, state } = report;
    if (state?.running !== undefined) this.#start(report, { ...state.running, containerID }, count, isBeforeKnown);
    else if (ended !== undefined && endedID === id) {
      this.#start(report, { ...ended, containerID }, count, isBeforeKnown);
      this.#end(ended, "status");
    }
  }

  /** Called when a list lacks the pod. A kubelet that does not know a pod removes its containers and logs, so that it counts from zero later. */
  absent(): void {
    this.#wasAbsent = true;
  }

  /** Ends the running run because the pod has ended. `stop` as in {@link fold}. */
  gone(stop?: Stop): void {
    this.#stop = stop;
    this.#end(undefined, "removal");
  }

  /** Returns true if no run with this ID was reported. */
  #isNew(id: string): boolean {
    return id !== "" && id !== this.#running?.containerID && !this.#ended.has(id);
  }

  #start(
    { image, imageID }: StatusFacts,
    { containerID: text, startedAt }: Pick<ContainerStateTerminated, "containerID" | "startedAt">,
    restartCount: number,
    isBeforeKnown: boolean,
  ): void {
    const from = (this.#next ?? restartCount) + this.#inferred;
    this.#missed(from, restartCount, isBeforeKnown);
    this.#next = Math.max(this.#next ?? 0, restartCount + 1);
    this.#inferred = 0;
    const [runtime, containerID] = splitID(text);
    const { kind, name } = this.container;
    const about = { kind, name, containerID, runtime, image, imageID, restartCount };
    this.#running = Object.freeze({ ...about, startedAt: timeOf(startedAt), ended: false });
    this.#startedMs = this.#running.startedAt?.getTime() ?? this.#startedMs;
    this.#facts.push({ type: "STARTED", container: this.container, run: this.#running });
  }

  /**
   * Reports the runs before a restart count that no status showed as missed, except containers that were created and never ran.
   *
   * @param isBeforeKnown true if the last end before the count was reported, or there was none. Otherwise a created container may have run.
   */
  #missed(from: number, restartCount: number, isBeforeKnown: boolean): void {
    let first = from;
    // Counts can be arbitrary numbers, so the loop iterates over the few created containers instead.
    for (const [count, id] of [...this.#idle].sort(([a], [b]) => a - b)) {
      if (!isBeforeKnown || count < from || count >= restartCount || !this.#isNew(id)) continue;
      if (first < count) this.#miss(first, count - 1);
      first = count + 1;
    }
    if (first < restartCount) this.#miss(first, restartCount - 1);
  }

  #miss(from: number, to: number): void {
    this.#facts.push({ type: "MISSED", container: this.container, from, to });
  }

  #end(shown: ContainerStateTerminated | undefined, basis: EndBasis): void {
    if (this.#running === undefined) return;
    const stop = this.#stop;
    const reported = shown && exitOf(shown);
    const { startedAt = reported?.startedAt } = this.#running;
    const run = Object.freeze({ ...this.#running, startedAt, ended: true });
    this.#running = undefined;
    this.#remember(run.containerID, run.restartCount);
    const { container } = this;
    if (reported !== undefined && (basis === "none" || isInvented(reported)))
      this.#facts.push({ type: "ENDED", container, run, exit: undefined, reported, basis: "none", stop });
    else this.#facts.push({ type: "ENDED", container, run, exit: reported, reported: undefined, basis, stop });
  }

  #remember(id: string, restartCount: number): void {
    this.#ended.delete(id);
    this.#ended.set(id, restartCount);
    dropOldest(this.#ended, MAX_ENDED_RUNS);
  }
}
