import type { Pod } from "../gen/pod-types.js";
import { type ContainerExit, exitOf } from "./container-instance.js";
import { isFinalPhase } from "./lifecycle.js";
import type { Masked } from "./masked-pod.js";
import { toDate } from "./time.js";

/**
 * Why a container or a pod ended, in one word. The table with the kubelets' own words is in docs/kubelet.md.
 *
 * - `OOMKilled`: the kernel killed the container's first process because memory ran out. Kubelets do not tell if it killed a child.
 * - `Evicted`: the node, or the pod's own limit, ran short of `resource`.
 * - `exited`: the program ended with `exitCode`.
 * - `signalled`: `signal` ended it, or it ended with a code from 129 to 192, which looks the same to kubelets.
 * - `not-started`: the runtime could not start it.
 * - `deleted`: the pod was being deleted when it ended, whatever its exit code.
 * - `deadline`: the pod's `activeDeadlineSeconds` had passed.
 * - `preempted`: a pod that the node cannot do without took its place.
 * - `shut-down`: the node shut down gracefully.
 * - `rejected`: the kubelet did not admit the pod.
 * - `unknown`: nobody saw how it ended.
 */
export type EndReason =
  | "OOMKilled"
  | "Evicted"
  | "exited"
  | "signalled"
  | "not-started"
  | "deleted"
  | "deadline"
  | "preempted"
  | "shut-down"
  | "rejected"
  | "unknown";

/**
 * How the end of a life is known.
 *
 * - `exited`: the kubelet has told how it ended.
 * - `replaced`: the container has its next life, and the end of this one was not told.
 * - `unknown`: the container does not run any more, and the kubelet does not know how it ended. Or the runtime has made up the end, as
 *   containerd does for a container that ended while containerd was away (255, `Unknown`): then `end.reported` has it.
 * - `gone`: the pod is gone, and the container ran when it was last told.
 */
export type EndCause = "exited" | "replaced" | "unknown" | "gone";

/** How a container's life or a pod ended, read from what kubelets write. */
export interface End {
  /** Why, in one word. */
  readonly reason: EndReason;
  /** The exit code of the container; for a pod that of the container that decided its end; undefined if it is not told. */
  readonly exitCode: number | undefined;
  /** The number of the signal that ended it; undefined if none did. */
  readonly signal: number | undefined;
  /**
   * The resource that ran short, of an eviction: `memory`, `ephemeral-storage`, `inodes`, `pids`; undefined if the kubelet's message does
   * not tell it.
   */
  readonly resource: string | undefined;
  /** When the life began; for a pod, when the kubelet accepted it (`status.startTime`); undefined if it is not told. */
  readonly startedAt: Date | undefined;
  /** When it ended; undefined if it is not told. */
  readonly finishedAt: Date | undefined;
  /**
   * The kubelet's report of the container, even if the runtime has probably made it up, such as containerd's 255 (Unknown). The message
   * comes from the program, and may contain anything.
   */
  readonly reported: { readonly exitCode: number; readonly reason: string; readonly message: string } | undefined;
}

/** The fields of a pod that its end, and those of its containers, are read from. */
export const END_PATHS = [
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "status.phase",
  "status.reason",
  "status.message",
  "status.startTime",
  "status.conditions.type",
  "status.conditions.lastTransitionTime",
  "status.initContainerStatuses.name",
  "status.initContainerStatuses.state.terminated",
  "status.containerStatuses.name",
  "status.containerStatuses.state.terminated",
] as const;
type EndedPod = Masked<Pod, (typeof END_PATHS)[number]>;

/** The words in `status.reason` by which a kubelet names what it did to a pod (1.36.4 and 1.37.1). */
const REASONS: Readonly<Record<string, EndReason>> = {
  Evicted: "Evicted", // pkg/kubelet/eviction/helpers.go
  Preempting: "preempted", // pkg/kubelet/events/event.go, PreemptContainer
  Terminated: "shut-down", // pkg/kubelet/nodeshutdown/nodeshutdown_manager.go
  DeadlineExceeded: "deadline", // pkg/kubelet/active_deadline.go
};

/** The start of the message of a pod that was not admitted (rejectPod in pkg/kubelet/kubelet.go). */
const REJECTED = "Pod was rejected: ";

/** The reasons of runtimes for a container that could not be started: the first of containerd and cri-o, the second of others. */
const NOT_STARTED = new Set(["StartError", "ContainerCannotRun"]);

/** The start of the message of an eviction (pkg/kubelet/eviction/helpers.go). It names the resource; otherwise the resource is storage. */
const LOW = /^The node was low on resource: ([a-z.-]+)\. /;
const STORAGE = /^(?:Container \S+ exceeded its local ephemeral storage|Pod ephemeral local storage|Usage of EmptyDir)/;

/** Shells and runtimes write 128 plus the number of the signal; there are 64 signals. */
const FIRST_SIGNAL_CODE = 129;
const LAST_SIGNAL_CODE = 192;

/** Returns how a life of a container ended. `exit` is undefined if nobody saw the end; `reported` is what the kubelet wrote then. */
export function lifeEndOf(exit: ContainerExit | undefined, reported: ContainerExit | undefined, pod: EndedPod): End {
  const written = exit ?? reported;
  const signal = exit && (exit.signal ?? signalIn(exit.exitCode));
  const ofPod = podReasonOf(pod);
  const own = exit && ownReasonOf(exit, signal);
  // If the kubelet ended the pod, that ended this life, too, unless it had ended before.
  const isByPod = ofPod !== undefined && exit !== undefined && !isBefore(exit, pod);
  let reason: EndReason = own ?? "unknown";
  if (own === "exited" || own === "signalled") {
    if (isByPod && ofPod !== "rejected") reason = ofPod;
    else if (exit !== undefined && isDeleting(exit, pod)) reason = "deleted";
  }
  return {
    reason,
    exitCode: exit?.exitCode,
    signal,
    resource: reason === "Evicted" ? resourceOf(pod) : undefined,
    startedAt: exit?.startedAt,
    finishedAt: exit?.finishedAt,
    reported: written && { exitCode: written.exitCode, reason: written.reason, message: written.message },
  };
}

/** Returns how a pod ended, by its last known state. */
export function podEndOf(pod: EndedPod): End {
  const ofPod = podReasonOf(pod);
  const { containerStatuses, initContainerStatuses } = pod.status;
  const main = containerStatuses.flatMap(({ state }) => state?.terminated ?? []).map(exitOf);
  // If an init container failed for good, the others never ran.
  const exits =
    main.length > 0 ? main : initContainerStatuses.flatMap(({ state }) => state?.terminated ?? []).map(exitOf);
  const time = ({ finishedAt }: ContainerExit) => finishedAt?.getTime() ?? 0;
  // The container that failed first decides; if none failed, the one that ended last.
  const failed = exits.filter(({ exitCode }) => exitCode !== 0).sort((a, b) => time(a) - time(b))[0];
  const decisive = failed ?? exits.sort((a, b) => time(b) - time(a))[0];
  const end = { ...lifeEndOf(decisive, undefined, pod), startedAt: toDate(pod.status.startTime) };
  if (ofPod !== undefined && end.reason !== "OOMKilled")
    return { ...end, reason: ofPod, resource: ofPod === "Evicted" ? resourceOf(pod) : undefined };
  const isOver = isFinalPhase(pod.status.phase) && decisive !== undefined && !isDeleting(decisive, pod);
  const isDeleted = pod.metadata.deletionTimestamp !== undefined && !isOver;
  return isDeleted && end.reason !== "OOMKilled" ? { ...end, reason: "deleted" } : end;
}

function podReasonOf({ status: { phase, reason, message } }: EndedPod): EndReason | undefined {
  if (phase !== "Failed") return undefined;
  return message.startsWith(REJECTED) ? "rejected" : Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
}

function ownReasonOf({ reason }: ContainerExit, signal: number | undefined): EndReason {
  if (reason === "OOMKilled") return "OOMKilled";
  if (NOT_STARTED.has(reason)) return "not-started";
  return signal === undefined ? "exited" : "signalled";
}

function signalIn(exitCode: number): number | undefined {
  const isSignal = exitCode >= FIRST_SIGNAL_CODE && exitCode <= LAST_SIGNAL_CODE;
  return isSignal ? exitCode - FIRST_SIGNAL_CODE + 1 : undefined;
}

function resourceOf({ status: { message } }: EndedPod): string | undefined {
  return LOW.exec(message)?.[1] ?? (STORAGE.test(message) ? "ephemeral-storage" : undefined);
}

/** Returns true if a life ended before the kubelet began to end its pod. The condition DisruptionTarget has that time in whole seconds. */
function isBefore({ finishedAt }: ContainerExit, { status: { conditions } }: EndedPod): boolean {
  const since = toDate(conditions.find(({ type }) => type === "DisruptionTarget")?.lastTransitionTime);
  return since !== undefined && finishedAt !== undefined && finishedAt.getTime() < since.getTime();
}

/** Returns true if a life ended after the deletion of its pod began. `deletionTimestamp` is the end of the grace period. */
function isDeleting({ finishedAt }: ContainerExit, { metadata }: EndedPod): boolean {
  const lastMs = toDate(metadata.deletionTimestamp)?.getTime();
  if (lastMs === undefined) return false;
  const asked = lastMs - 1_000 * Number(metadata.deletionGracePeriodSeconds ?? 0);
  return finishedAt === undefined || finishedAt.getTime() >= asked;
}
