import type { ContainerStateTerminated } from "../../gen/pod-types.js";
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerKind,
  exitOf,
  splitID,
  timeOf,
} from "../../pod/container-instance.js";
import type { EndCause } from "../../pod/end.js";
import type { ContainerReport } from "./container-report.js";

/** An end of a life, and how it is known. */
export interface LifeEnd {
  readonly life: ContainerInstance;
  readonly exit: ContainerExit | undefined;
  /** The exit that was reported although the runtime made it up. */
  readonly reported?: ContainerExit | undefined;
  readonly cause: EndCause;
}

/**
 * The origin of a status: an event; a list; or two lists of one process that agree, which is how it is, however old it looks.
 */
export type Evidence = "event" | "list" | "present";

/**
 * Whether a status was taken. It waits for the next list where it ends a life and does not tell how; nothing is taken of one that is
 * older than what was told.
 */
export type Verdict = "taken" | "waiting" | "older";

/** A receiver of what becomes of one container, in its order. */
export interface LifeListener {
  started(life: ContainerInstance): void;
  ended(end: LifeEnd): void;
  /** Takes lives that were not shown, and may have run, by their restart counts. */
  missed(from: number, to: number): void;
}

/** A status, read beside what was told. */
interface Sight {
  readonly report: ContainerReport;
  /** The ID of the container, and that of the one before; empty where there is none. */
  readonly id: string;
  readonly lastID: string;
  /** The end that it shows, and of which life: empty where the kubelet has only inferred it. */
  readonly ended: ContainerStateTerminated | undefined;
  /** The start of what it shows, in milliseconds; undefined where it shows nothing that has begun. */
  readonly startedMs: number | undefined;
  readonly endedID: string | undefined;
  readonly last: ContainerStateTerminated | undefined;
  readonly count: number;
  readonly isRunning: boolean;
  /** It shows a container that is created and has not started. */
  readonly isIdle: boolean;
  /** It has an end without an ID, and one that was not shown before. */
  readonly isNameless: boolean;
  readonly isInferred: boolean;
  /** It shows another life than the one that runs. */
  readonly isNext: boolean;
}

/** A row of docs/kubelet.md, Containers: what a status shows, and how the life that runs has ended then. */
interface EndRow {
  readonly shows: string;
  fits(sight: Sight, running: string): boolean;
  /** Undefined where it has not ended. */
  readonly cause: EndCause | undefined;
  end?(sight: Sight): ContainerStateTerminated | undefined;
}

/** How the life that was told as started has ended. The first row that fits counts; where none does, it goes on. */
const ENDS: readonly EndRow[] = [
  { shows: "the life itself", fits: ({ isRunning, id }, running) => isRunning && id === running, cause: undefined },
  {
    shows: "its end",
    fits: ({ endedID }, running) => endedID === running,
    cause: "exited",
    end: ({ ended }) => ended,
  },
  {
    shows: "its end as the last state",
    fits: ({ lastID }, running) => lastID === running,
    cause: "exited",
    end: ({ last }) => last,
  },
  {
    shows: "an end without an ID: the runtime has no such container",
    fits: ({ isInferred, endedID }) => isInferred || endedID === "",
    cause: "unknown",
  },
  { shows: "another container", fits: ({ isNext }) => isNext, cause: "replaced" },
  // One that waits and bears its own ID still may say more.
  { shows: "no container, and it waits", fits: ({ id, isRunning }) => id === "" && !isRunning, cause: "unknown" },
];

/**
 * The code and the reason that containerd makes up for a task which ended while it was away: nobody saw that, and its time is its own start
 * (internal/cri/server/restart.go, v2).
 */
const INVENTED_CODE = 255;
const INVENTED_REASON = "Unknown";

/** How many lives that have ended are remembered by their IDs. A status shows two, the older one for as long as the kubelet likes. */
const MAX_ENDED = 8;

/**
 * The lives of one container, as its statuses tell them. A life is its ID, never a time, and is told once. The rules are those of
 * kubelets (convertToAPIContainerStatuses in pkg/kubelet/kubelet_pods.go), which also write ends without an ID, where they know no
 * more than that the container is there no longer, and count them as restarts, whether or not another container follows. Pure.
 */
export class ContainerLives {
  readonly #kind: ContainerKind;
  readonly #name: string;
  /** The receiver; another one where the pod comes again. */
  listener: LifeListener;
  /** The life that was told as started, and not as ended. */
  #running: ContainerInstance | undefined;
  /** A status that waits for a list. */
  #waiting: ContainerReport | undefined;
  /** The start of the life that was told last, in milliseconds. */
  #startedMs = Number.NEGATIVE_INFINITY;
  /** Containers that a status showed created and not started: their IDs by restart count. Their lives are not told as missed. */
  readonly #idle = new Map<number, string>();
  /** IDs of lives that were told as ended, those that were shown last behind. */
  readonly #ended = new Set<string>();
  /** The restart count of the next life, if none is missed; undefined where it may have any. */
  #next: number | undefined;
  /** How many restarts have been counted since the last life without a container. */
  #inferred = 0;
  /** The restart count of the last status, and whether it had an end without an ID. */
  #count = Number.NEGATIVE_INFINITY;
  #wasNameless = false;

  /** @param next is the restart count of the first life; undefined where lives before it are not told as missed. */
  constructor(kind: ContainerKind, name: string, next: number | undefined, listener: LifeListener) {
    this.#kind = kind;
    this.#name = name;
    this.#next = next;
    this.listener = listener;
  }

  /**
   * Takes the next status: tells the end of the life that ran, then what lives it shows that were not told. What an event says between
   * the lines waits for a list, and what is older than what was told is passed over: two updates may be swapped, and a kubelet that has
   * started lists what the API server knew. Nothing that was told is taken back.
   */
  fold(report: ContainerReport, evidence: Evidence): Verdict {
    const waiting = this.#waiting;
    if (waiting !== undefined && waiting !== report) {
      const { isRunning, id, count } = this.#sightOf(report);
      if (evidence === "event" && count < Math.max(0, waiting.restartCount)) return "waiting"; // it is older than that
      this.#waiting = undefined;
      // What comes after it, and does not say that it was wrong, says that it was right.
      if (!isRunning || id !== this.#running?.containerID) this.fold(waiting, "list");
    }
    const sight = this.#sightOf(report);
    const { id, lastID, count, isIdle } = sight;
    if (evidence !== "present" && this.#isOlder(sight)) return "older";
    if (isIdle) this.#noteIdle(count, id);
    const running = this.#running?.containerID;
    const row = running === undefined ? undefined : ENDS.find(({ fits }) => fits(sight, running));
    if (row?.cause !== undefined && row.cause !== "exited" && evidence === "event") {
      this.#waiting = report;
      return "waiting";
    }
    this.#waiting = undefined;
    if (count < this.#count) {
      // The runtime was wiped, and counts from the start again: lives before a new one may have been missed.
      this.#next = this.#isNew(id) ? 0 : undefined;
      this.#inferred = 0;
      this.#idle.clear();
    }
    // An end without an ID that ended nothing is of a life that was not shown.
    const isCounted = running !== undefined || this.#inferred > 0;
    if (sight.isInferred && isCounted && count >= (this.#next ?? 0) + this.#inferred) this.#inferred++;
    if (row?.cause !== undefined) this.#end(row.end?.(sight), row.cause);
    this.#before(sight);
    this.#present(sight);
    // The life that is shown has been told already where the count has fallen under it.
    this.#next ??= id !== "" && !this.#isNew(id) ? count + 1 : count;
    this.#count = count;
    this.#wasNameless = sight.isNameless;
    for (const shown of [lastID, id]) if (this.#ended.delete(shown)) this.#ended.add(shown);
    return "taken";
  }

  /** Returns whether a status is older than what was told. A count that rises never is; whole seconds cannot be told apart. */
  #isOlder({ id, lastID, count, startedMs }: Sight): boolean {
    if (count > this.#count) return false;
    const running = this.#running?.containerID;
    if (running !== undefined && (id === running || (lastID === running && count === this.#count))) return false;
    if (this.#isNew(id)) return startedMs !== undefined ? startedMs < this.#startedMs : count < this.#count;
    return running !== undefined || count < this.#count;
  }

  #noteIdle(count: number, id: string): void {
    this.#idle.set(count, id);
    for (const oldest of this.#idle.keys()) {
      if (this.#idle.size <= MAX_ENDED) break;
      this.#idle.delete(oldest);
    }
  }

  #sightOf(report: ContainerReport): Sight {
    const { state, lastState } = report;
    const id = splitID(report.containerID)[1];
    const [ended, last] = [state?.terminated, lastState?.terminated];
    const lastID = splitID(last?.containerID ?? "")[1];
    const endedID = ended && endedIDOf(ended, id);
    const count = Math.max(0, report.restartCount);
    const isNameless = endedID === "" || (last !== undefined && lastID === "");
    const isInferred = isNameless && (!this.#wasNameless || (count > this.#count && !this.#isNew(id)));
    const isNext = (id !== "" && id !== this.#running?.containerID) || this.#isNew(lastID);
    const isRunning = state?.running !== undefined;
    const startedMs = timeOf((state?.running ?? ended)?.startedAt)?.getTime();
    const isIdle = this.#isNew(id) && id !== lastID && !isRunning && ended === undefined;
    return {
      report,
      id,
      lastID,
      endedID,
      ended,
      startedMs,
      last,
      count,
      isRunning,
      isIdle,
      isNameless,
      isInferred,
      isNext,
    };
  }

  /** Tells the life before the present one, where it was not told. */
  #before({ report, last, lastID, id, count }: Sight): void {
    if (last === undefined || !this.#isNew(lastID)) return;
    if (this.#running !== undefined) {
      // The one before a life that runs is told before it, or not at all.
      this.#remember(lastID);
      return;
    }
    // What waits for its next start bears the ID of the life that has ended.
    this.#start(report, last, lastID === id ? count : Math.max(0, count - 1));
    this.#end(last, "exited");
  }

  /** Tells the life that a status shows, where it was not told. A container that is created and not started has an ID, too. */
  #present({ report, id, ended, endedID, count }: Sight): void {
    if (!this.#isNew(id)) return;
    const { containerID, state } = report;
    if (state?.running !== undefined) this.#start(report, { ...state.running, containerID }, count);
    else if (ended !== undefined && endedID === id) {
      this.#start(report, { ...ended, containerID }, count);
      this.#end(ended, "exited");
    }
  }

  /** Called when the pod has gone. */
  gone(): void {
    this.#end(undefined, "gone");
  }

  /** Returns whether a life was not told yet. */
  #isNew(id: string): boolean {
    return id !== "" && id !== this.#running?.containerID && !this.#ended.has(id);
  }

  #start(
    { image, imageID }: ContainerReport,
    { containerID: text, startedAt }: Pick<ContainerStateTerminated, "containerID" | "startedAt">,
    restartCount: number,
  ): void {
    const from = (this.#next ?? restartCount) + this.#inferred;
    this.#missed(from, restartCount);
    this.#next = Math.max(this.#next ?? 0, restartCount + 1);
    this.#inferred = 0;
    const [runtime, containerID] = splitID(text);
    const about = { kind: this.#kind, name: this.#name, containerID, runtime, image, imageID, restartCount };
    this.#running = { ...about, startedAt: timeOf(startedAt), ended: false };
    this.#startedMs = this.#running.startedAt?.getTime() ?? this.#startedMs;
    this.listener.started(this.#running);
  }

  /** Tells which lives before a count were not shown, but for containers that were shown and never ran. */
  #missed(from: number, restartCount: number): void {
    let first = from;
    // Counts may be any numbers: what is gone through is the few containers that were shown.
    for (const [count, id] of [...this.#idle].sort(([a], [b]) => a - b)) {
      if (count < from || count >= restartCount || !this.#isNew(id)) continue;
      if (first < count) this.listener.missed(first, count - 1);
      first = count + 1;
    }
    if (first < restartCount) this.listener.missed(first, restartCount - 1);
  }

  #end(shown: ContainerStateTerminated | undefined, cause: EndCause): void {
    if (this.#running === undefined) return;
    const reported = shown && exitOf(shown);
    const life = { ...this.#running, startedAt: this.#running.startedAt ?? reported?.startedAt, ended: true };
    this.#running = undefined;
    this.#remember(life.containerID);
    const isInvented = reported?.exitCode === INVENTED_CODE && reported.reason === INVENTED_REASON;
    if (isInvented) this.listener.ended({ life, exit: undefined, reported, cause: "unknown" });
    else this.listener.ended({ life, exit: reported, reported: undefined, cause });
  }

  #remember(id: string): void {
    this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(oldest);
    }
  }
}

/**
 * Returns the ID of a life that has ended: empty where the kubelet has only inferred that, and writes 137 or 0 and no time at all. An
 * end with a time is that of the container which the status names.
 */
function endedIDOf({ containerID, finishedAt }: ContainerStateTerminated, id: string): string {
  return splitID(containerID)[1] || (timeOf(finishedAt) === undefined ? "" : id);
}
