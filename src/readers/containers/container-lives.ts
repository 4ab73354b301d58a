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

  /** Takes the next status. */
  fold(report: ContainerReport): void {
    const { state } = report;
    const restartCount = Math.max(0, report.restartCount);
    const id = splitID(report.containerID)[1];
    const last = report.lastState?.terminated;
    const lastID = splitID(last?.containerID ?? "")[1];
    const ended = state?.terminated;
    const endedID = ended && endedIDOf(ended, id);
    if (restartCount < this.#count) {
      // The runtime was wiped, and counts from the start again.
      this.#next = undefined;
      this.#inferred = 0;
    }
    const isNameless = endedID === "" || (last !== undefined && lastID === "");
    const isAnother = isNameless && (!this.#wasNameless || (restartCount > this.#count && !this.#isNew(id)));
    if (isAnother && restartCount >= (this.#next ?? 0) + this.#inferred) this.#inferred++;

    if (this.#running !== undefined && !(state?.running !== undefined && id === this.#running.containerID)) {
      const { containerID } = this.#running;
      const isNext = (id !== "" && id !== containerID) || this.#isNew(lastID);
      if (ended !== undefined && endedID === containerID) this.#end(exitOf(ended), "exited");
      else if (last !== undefined && lastID === containerID) this.#end(exitOf(last), "exited");
      else if (isAnother || endedID === "") this.#end(undefined, "unknown");
      else if (isNext) this.#end(undefined, "replaced");
      // It waits, and there is no container. One that bears its own ID still may say more.
      else if (id === "" && state?.running === undefined) this.#end(undefined, "unknown");
    }
    if (last !== undefined && this.#isNew(lastID) && this.#running !== undefined) {
      // The one before a life that runs is told before it, or not at all.
      this.#remember(lastID);
    } else if (last !== undefined && this.#isNew(lastID)) {
      // What waits for its next start bears the ID of the life that has ended.
      this.#start(report, last, lastID === id ? restartCount : Math.max(0, restartCount - 1));
      this.#end(exitOf(last), "exited");
    }
    // A container that is created and not started has an ID too.
    if (this.#isNew(id)) {
      if (state?.running !== undefined)
        this.#start(report, { ...state.running, containerID: report.containerID }, restartCount);
      else if (ended !== undefined && endedID === id) {
        this.#start(report, { ...ended, containerID: report.containerID }, restartCount);
        this.#end(exitOf(ended), "exited");
      }
    }
    // The life that is shown has been told already where the count has fallen under it.
    this.#next ??= id !== "" && !this.#isNew(id) ? restartCount + 1 : restartCount;
    this.#count = restartCount;
    this.#wasNameless = isNameless;
    for (const shown of [lastID, id]) if (this.#ended.delete(shown)) this.#ended.add(shown);
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

  #end(exit: ContainerExit | undefined, cause: EndCause): void {
    if (this.#running === undefined) return;
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
