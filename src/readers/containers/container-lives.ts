import type { ContainerStateTerminated } from "../../gen/k8s/io/api/core/v1/pod_pb.js";
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerKind,
  exitOf,
  splitID,
  timeOf,
} from "../../pod/container-instance.js";
import type { EndCause } from "./container-event.js";
import type { ContainerReport } from "./container-report.js";

/** An end of a life, and how it is known. */
export interface LifeEnd {
  readonly life: ContainerInstance;
  readonly exit: ContainerExit | undefined;
  readonly cause: EndCause;
}

/** A receiver of what becomes of one container, in its order. */
export interface LifeListener {
  started(life: ContainerInstance): void;
  ended(end: LifeEnd): void;
  /** Hears of lives that were not shown, by their restart counts. */
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
  readonly endedID: string | undefined;
  readonly last: ContainerStateTerminated | undefined;
  readonly count: number;
  readonly isRunning: boolean;
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
  /** IDs of lives that were told as ended, those that were shown last behind. */
  readonly #ended = new Set<string>();
  /** The restart count of the next life, if none is missed; undefined where it may have any. */
  #next: number | undefined;
  /** How many restarts have been counted since the last life without a container. */
  #inferred = 0;
  /** The restart count of the last status, and whether it had an end without an ID. */
  #count = 0;
  #wasNameless = false;

  /** @param next is the restart count of the first life; undefined where what was before is nobody's loss. */
  constructor(kind: ContainerKind, name: string, next: number | undefined, listener: LifeListener) {
    this.#kind = kind;
    this.#name = name;
    this.#next = next;
    this.listener = listener;
  }

  /** Takes the next status: tells the end of the life that ran, then what lives it shows that were not told. */
  fold(report: ContainerReport): void {
    const sight = this.#sightOf(report);
    const { id, lastID, count } = sight;
    if (count < this.#count) {
      // The runtime was wiped, and counts from the start again.
      this.#next = undefined;
      this.#inferred = 0;
    }
    if (sight.isInferred && count >= (this.#next ?? 0) + this.#inferred) this.#inferred++;
    const running = this.#running?.containerID;
    const row = running === undefined ? undefined : ENDS.find(({ fits }) => fits(sight, running));
    if (row?.cause !== undefined) this.#end(row.end?.(sight), row.cause);
    this.#before(sight);
    this.#present(sight);
    // The life that is shown has been told already where the count has fallen under it.
    this.#next ??= id !== "" && !this.#isNew(id) ? count + 1 : count;
    this.#count = count;
    this.#wasNameless = sight.isNameless;
    for (const shown of [lastID, id]) if (this.#ended.delete(shown)) this.#ended.add(shown);
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
    return { report, id, lastID, endedID, ended, last, count, isRunning, isNameless, isInferred, isNext };
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

  /** Hears that the pod has gone. */
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
    if (from < restartCount) this.listener.missed(from, restartCount - 1);
    this.#next = Math.max(this.#next ?? 0, restartCount + 1);
    this.#inferred = 0;
    const [runtime, containerID] = splitID(text);
    const about = { kind: this.#kind, name: this.#name, containerID, runtime, image, imageID, restartCount };
    this.#running = { ...about, startedAt: timeOf(startedAt), ended: false };
    this.listener.started(this.#running);
  }

  #end(shown: ContainerStateTerminated | undefined, cause: EndCause): void {
    if (this.#running === undefined) return;
    const exit = shown && exitOf(shown);
    const life = { ...this.#running, startedAt: this.#running.startedAt ?? exit?.startedAt, ended: true };
    this.#running = undefined;
    this.#remember(life.containerID);
    this.listener.ended({ life, exit, cause });
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
