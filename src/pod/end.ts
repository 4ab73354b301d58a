import { type ContainerExit, endedIDOf, exitOf, isInvented, splitID } from "./container-run.js";
import type { EndReason } from "./end-reason.js";
import { isFinalPhase } from "./lifecycle.js";
import { isRestarted } from "./restart-policy.js";
import {
  deletionOf,
  deletionStart,
  type EndingPod,
  type EndingStart,
  endedBefore,
  isDeletedBy,
  STOPS,
  type Stop,
  type StopRow,
} from "./stop.js";
import { toDate } from "./time.js";

/**
 * Evidence for the end of a container run.
 *
 * - `status`: the kubelet reported the exit.
 * - `replacement`: the kubelet reported the next run of the container, but not the exit of this one.
 * - `removal`: the pod no longer exists, and the container was running at its last report.
 * - `none`: the container is no longer running, and the kubelet does not know its exit. Or the runtime made up the exit, as containerd does
 *   (255, `Unknown`) for a container that exited while containerd was down. `end.reported` has such an exit, and what the kubelet writes for a
 *   container that the runtime no longer has.
 */
export type EndBasis = "status" | "replacement" | "removal" | "none";

/** How a container run or a pod ended. */
export interface End {
  /** Why it ended, in one word. */
  readonly reason: EndReason;
  /** Exit code of the container; for a pod, of the container that decided its end. Undefined if the kubelet did not report it. */
  readonly exitCode: number | undefined;
  /** Number of the signal that killed it. Undefined if no signal did. */
  readonly signal: number | undefined;
  /**
   * Process that the kernel killed because memory ran out. `container`: the first process, so the container ended; the reason of the container
   * is `OOMKilled`. `process`: another process, and the container ended later for another reason, although the kubelet reports OOMKilled. That
   * occurs on cgroup v1, with the kubelet option `singleProcessOOMKill`, and in nested cgroups. Undefined if the kubelet reports no OOM
   * kill.
   */
  readonly oom: "container" | "process" | undefined;
  /**
   * For an eviction, the resource that ran short: `memory`, `ephemeral-storage`, `inodes` or `pids`. Undefined if the kubelet's message
   * does not name it.
   */
  readonly resource: string | undefined;
  /** Start of the run; for a pod, `status.startTime`. Undefined if it was not reported. */
  readonly startedAt: Date | undefined;
  /** End of the run or pod. Undefined if it was not reported. */
  readonly finishedAt: Date | undefined;
  /**
   * The exit as the kubelet reports it, even if it is made up, such as containerd's 255 (Unknown) and the kubelet's 137
   * (ContainerStatusUnknown). The message comes from the program and can contain anything.
   */
  readonly reported: { readonly exitCode: number; readonly reason: string; readonly message: string } | undefined;
}

/** Reasons that runtimes report if a container could not start: containerd and cri-o the first, other runtimes the second. */
const NOT_STARTED = new Set(["StartError", "ContainerCannotRun"]);

/** For a process that a signal killed, shells and runtimes report 128 plus the number of the signal. There are 64 signals. */
const FIRST_SIGNAL_CODE = 129;
const LAST_SIGNAL_CODE = 192;

/** Reason that runtimes report for an OOM kill by the kernel, and the exit code of a killed process. */
const OOM = "OOMKilled";

/** Reason that the kubelet writes for the containers that it removes to restart a pod in place. */
const RESTARTING = "RestartingAllContainers";
const KILLED = 137;

/** Facts that determine the reason of an end. */
interface EndFacts {
  readonly exit: ContainerExit | undefined;
  /** The reported exit, if it was made up. */
  readonly reported: ContainerExit | undefined;
  readonly signal: number | undefined;
  readonly pod: EndingPod;
  /** Why the kubelet stopped the run; undefined if it did not. */
  readonly stopped: EndReason | undefined;
  /** True if the run ended after the deletion of its pod began. */
  readonly isDeleted: boolean;
}

/** A row of the table "End reasons" in docs/kubelet.md. */
export interface EndRow {
  readonly reason: EndReason;
  /** Description of the report by the kubelet or another component. */
  readonly written: string;
  readonly where: string;
  fits(facts: EndFacts): boolean;
}

const STOP_TEXT: Readonly<Record<StopRow["in"], string>> = {
  status: "phase Failed",
  condition: "the condition DisruptionTarget is True",
  deletion: "the end of a deletion, and the condition DisruptionTarget is True",
};

function stopRow(row: StopRow): EndRow {
  const { in: place, reason, word, message, where } = row;
  const names = word === undefined ? "" : `, with the reason ${word}`;
  const begins = message === undefined ? "" : `, and a message that begins with "${message}"`;
  const fits =
    place === "deletion"
      ? ({ exit, pod, isDeleted }: EndFacts) => exit !== undefined && isDeleted && isDeletedBy(row, pod)
      : ({ stopped }: EndFacts) => stopped === reason;
  return { reason, written: `${STOP_TEXT[place]}${names}${begins}`, where, fits };
}

/** Reasons of the end of a container run. The first row that fits applies. */
export const END_ROWS: readonly EndRow[] = [
  {
    reason: "not-started",
    written: "the reason of the container is StartError or ContainerCannotRun",
    where: "the runtime",
    fits: ({ exit }) => exit !== undefined && NOT_STARTED.has(exit.reason),
  },
  ...STOPS.filter((row) => row.in !== "deletion").map(stopRow),
  {
    reason: "restarted",
    written: "an end without an ID, with the reason RestartingAllContainers",
    where: "pkg/kubelet/kubelet_pods.go",
    fits: ({ exit, reported }) => exit === undefined && reported?.reason === RESTARTING,
  },
  {
    reason: "unknown",
    written: "no exit, one without an ID, or exit code 255 with the reason Unknown",
    where: "see above",
    fits: ({ exit }) => exit === undefined,
  },
  {
    reason: "OOMKilled",
    written: "the reason of the container is OOMKilled, the exit code 137, and it ended before the deletion timestamp",
    where: "the runtime",
    fits: ({ exit, pod }) => exit !== undefined && isOOMKill(exit, pod),
  },
  ...STOPS.filter((row) => row.in === "deletion").map(stopRow),
  {
    reason: "deleted",
    written: "a deletion timestamp, and an end that was not before the deletion: that timestamp less the grace period",
    where: "the API server",
    fits: ({ exit, isDeleted }) => exit !== undefined && isDeleted,
  },
  {
    reason: "signalled",
    written:
      "a signal, or an exit code from 129 to 192: containerd reports no signal, and a program can exit with such a code",
    where: "the runtime",
    fits: ({ signal }) => signal !== undefined,
  },
  { reason: "exited", written: "any other exit code", where: "the runtime", fits: () => true },
];

/** The known facts about the end of a container run. */
export interface RunEnd {
  readonly containerID: string;
  /** The exit; undefined if it is not known. */
  readonly exit: ContainerExit | undefined;
  /** The exit that the kubelet reported, if the runtime or the kubelet made it up. */
  readonly reported?: ContainerExit | undefined;
  /** True if a later run of the container has been reported. */
  readonly isReplaced?: boolean;
}

/** The stop and the deletion of a pod, which end its containers. */
export interface PodEnding {
  /** The stop of the pod by the kubelet, as known at the time of the end; undefined if there was none. */
  readonly stop: Stop | undefined;
  /** Start of the deletion. If it is undefined, the version of the pod decides. */
  readonly deletion: EndingStart | undefined;
}

/** Returns how a container run ended. */
export function runEndOf(run: RunEnd, pod: EndingPod, { stop, deletion }: PodEnding): End {
  const { containerID, exit, reported, isReplaced = false } = run;
  const written = exit ?? reported;
  const signal = exit && (exit.signal ?? signalIn(exit.exitCode));
  const isStopped = stop !== undefined && !isReplaced && !endedBefore(stop, { containerID, exit });
  const isDeleted = isDeleting(run, deletion ?? deletionStart(pod));
  const facts = { exit, reported, signal, pod, stopped: isStopped ? stop.reason : undefined, isDeleted };
  const { reason } = END_ROWS.find(({ fits }) => fits(facts)) as EndRow;
  return {
    reason,
    exitCode: exit?.exitCode,
    signal,
    oom: written?.reason !== OOM ? undefined : reason === "OOMKilled" ? "container" : "process",
    resource: reason === "Evicted" ? stop?.resource : undefined,
    startedAt: exit?.startedAt,
    finishedAt: exit?.finishedAt,
    reported: written && { exitCode: written.exitCode, reason: written.reason, message: written.message },
  };
}

/** The end of a container, as far as it can be the end of its pod. */
interface ContainerEnd extends RunEnd {
  /** True if the kubelet restarts the container after this end, unless the pod is stopped or deleted. */
  readonly isRestarted: boolean;
}

/** Returns how a pod ended, according to its last known version. */
export function podEndOf(pod: EndingPod, ending: PodEnding): End {
  const { stop, deletion = deletionStart(pod) } = ending;
  const { containers, initContainers } = pod.spec;
  const { containerStatuses, initContainerStatuses } = pod.status;
  const main = containerStatuses.flatMap((status) => endOf(status, pod, containers));
  // If an init container failed permanently, no regular container ran. One that succeeded is not restarted.
  const init = initContainerStatuses.flatMap((status) => endOf(status, pod, initContainers));
  const all =
    main.length > 0 ? main : init.map((end) => ({ ...end, isRestarted: end.isRestarted && !hasSucceeded(end) }));
  // Runs that ended before the pod was stopped or deleted count only if no run ended later.
  const later = all.filter((end) =>
    stop === undefined ? isDeleting({ ...end, exit: end.exit ?? end.reported }, deletion) : !endedBefore(stop, end),
  );
  // A container that is restarted cannot end its pod.
  const final = all.filter(({ isRestarted }) => !isRestarted);
  const runs = [later, final, all].find(({ length }) => length > 0) ?? [];
  const time = ({ exit, reported }: RunEnd) => (exit ?? reported)?.finishedAt?.getTime() ?? 0;
  // The container that failed first decides; if none failed, the one that ended last.
  const failed = runs.filter((end) => !hasSucceeded(end)).sort((a, b) => time(a) - time(b))[0];
  const decisive = failed ?? [...runs].sort((a, b) => time(b) - time(a))[0] ?? { containerID: "", exit: undefined };
  const end = { ...runEndOf(decisive, pod, ending), startedAt: toDate(pod.status.startTime) };
  const isOver = isFinalPhase(pod.status.phase) && all.length > 0 && all.every((each) => isOverBefore(each, deletion));
  const reason = stop?.reason ?? (isOver ? undefined : deletionOf(pod)) ?? end.reason;
  return { ...end, reason, resource: reason === "Evicted" ? stop?.resource : undefined };
}

/** Returns the end of a container's last run, which is unknown if the status shows the run running; empty if it had no run. */
function endOf(
  { name, containerID, state, lastState }: EndingPod["status"]["containerStatuses"][number],
  { spec }: EndingPod,
  containers: EndingPod["spec"]["containers"],
): ContainerEnd[] {
  const id = splitID(containerID)[1];
  if (state?.running !== undefined) return [{ containerID: id, exit: undefined, isRestarted: false }];
  // A container that waits for its restart has its end in its last state.
  const terminated = state?.terminated ?? lastState?.terminated;
  if (terminated === undefined) return [];
  const exit = exitOf(terminated);
  const endedID = endedIDOf(terminated, id);
  const isMadeUp = isInvented(exit) || (endedID === "" && exit.finishedAt === undefined);
  const container = containers.find((each) => each.name === name);
  const run = { containerID: endedID || id, isRestarted: isRestarted(exit.exitCode, spec.restartPolicy, container) };
  return [isMadeUp ? { ...run, exit: undefined, reported: exit } : { ...run, exit }];
}

function hasSucceeded({ exit }: RunEnd): boolean {
  return exit?.exitCode === 0;
}

/** Returns true if a container had ended for good before the deletion of its pod began. */
function isOverBefore(end: ContainerEnd, deletion: EndingStart | undefined): boolean {
  return end.exit !== undefined && !end.isRestarted && !isDeleting(end, deletion);
}

/**
 * Returns true if the kernel killed the container's first process because memory ran out. containerd reports this reason once the kernel
 * has killed any process of the container, even if the container ends later in another way.
 */
function isOOMKill({ exitCode, reason, finishedAt }: ContainerExit, { metadata }: EndingPod): boolean {
  if (reason !== OOM || exitCode !== KILLED) return false;
  const deadline = toDate(metadata.deletionTimestamp);
  return deadline === undefined || (finishedAt !== undefined && finishedAt.getTime() < deadline.getTime());
}

function signalIn(exitCode: number): number | undefined {
  const isSignal = exitCode >= FIRST_SIGNAL_CODE && exitCode <= LAST_SIGNAL_CODE;
  return isSignal ? exitCode - FIRST_SIGNAL_CODE + 1 : undefined;
}

/** Returns true if a run ended after the deletion of its pod began. A run whose end is unknown did. */
function isDeleting(run: RunEnd, deletion: EndingStart | undefined): boolean {
  return deletion !== undefined && !endedBefore(deletion, run);
}
