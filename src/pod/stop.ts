import { splitID } from "./container-run.js";
import { decodeBy } from "./decode.js";
import type { EndReason } from "./end-reason.js";
import { enoughFor, type PodMask, podMask } from "./mask.js";
import type { MaskedPod } from "./masked-pod.js";
import { toDate } from "./time.js";

/** Why a pod was stopped, by the kubelet or by way of the API server. */
export interface Stop {
  readonly reason: EndReason;
  /** The resource that ran short, of an eviction; undefined if the message does not name it. */
  readonly resource: string | undefined;
  /** The IDs of the containers that had ended before. */
  readonly ended: ReadonlySet<string>;
}

/** The fields of a pod that its end, and those of its containers, are read from. */
const END_PATHS = [
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "spec.restartPolicy",
  "status.startTime",
  "status.phase",
  "status.reason",
  "status.message",
  "status.conditions.type",
  "status.conditions.status",
  "status.conditions.reason",
  "status.conditions.message",
  "status.initContainerStatuses.containerID",
  "status.initContainerStatuses.state",
  "status.initContainerStatuses.lastState.terminated",
  "status.containerStatuses.containerID",
  "status.containerStatuses.state",
  "status.containerStatuses.lastState.terminated",
] as const;
const MASK: PodMask<(typeof END_PATHS)[number]> = podMask(...END_PATHS);
export const END_MASK: PodMask = MASK;
/** A pod with {@link END_PATHS}. */
export type EndingPod = MaskedPod<typeof MASK>;

/** Returns true if the retained fields of a pod are enough to read its end. */
export const isEnoughForEnd: (retained: PodMask | undefined) => boolean = enoughFor(MASK);

/** Reads the fields of a pod that its end is read from. */
export function readEnding(bytes: Uint8Array): EndingPod {
  return decodeBy(MASK.plan, bytes) as EndingPod;
}

/** A way in which a stop is written. */
export interface StopRow {
  readonly reason: EndReason;
  /**
   * Where it is written.
   *
   * - `status`: in `status.reason` of a failed pod, by the kubelet. It writes this before it ends the containers, and takes it back if they
   *   end well.
   * - `condition`: in the condition DisruptionTarget, by the kubelet. It stays, and its message says why.
   * - `deletion`: in the same condition, by others who set it before they delete the pod. That may fail, so it counts with a deletion.
   */
  readonly in: "status" | "condition" | "deletion";
  /** The reason that is written; undefined if any may be. */
  readonly word?: string;
  /** The start of the message, if the word alone does not decide. */
  readonly message?: string;
  /** The source of the word, in kubernetes 1.37.1. */
  readonly where: string;
}

const BY_KUBELET = "TerminationByKubelet";
const SHUTDOWN = "pkg/kubelet/nodeshutdown/nodeshutdown_manager.go";
const PREEMPTION = "pkg/kubelet/preemption/preemption.go";

/** The ways in which a stop is written (1.36.4 and 1.37.1). The first row that fits counts. */
export const STOPS: readonly StopRow[] = [
  // A kubelet that has just started may reject a pod whose containers run, and then ends them.
  { reason: "rejected", in: "status", message: "Pod was rejected: ", where: "pkg/kubelet/kubelet.go" },
  { reason: "Evicted", in: "status", word: "Evicted", where: "pkg/kubelet/eviction/helpers.go" },
  { reason: "preempted", in: "status", word: "Preempting", where: PREEMPTION },
  { reason: "shut-down", in: "status", word: "Terminated", where: SHUTDOWN },
  { reason: "deadline", in: "status", word: "DeadlineExceeded", where: "pkg/kubelet/active_deadline.go" },
  {
    reason: "shut-down",
    in: "condition",
    word: BY_KUBELET,
    message: "Pod was terminated in response to imminent node shutdown",
    where: SHUTDOWN,
  },
  {
    reason: "preempted",
    in: "condition",
    word: BY_KUBELET,
    message: "Pod was preempted by Kubelet to accommodate a critical pod",
    where: PREEMPTION,
  },
  { reason: "Evicted", in: "condition", word: BY_KUBELET, where: "pkg/kubelet/eviction/eviction_manager.go" },
  { reason: "preempted", in: "deletion", word: "PreemptionByScheduler", where: "pkg/scheduler/framework/preemption" },
  {
    reason: "api-evicted",
    in: "deletion",
    word: "EvictionByEvictionAPI",
    where: "pkg/registry/core/pod/storage/eviction.go",
  },
  { reason: "taint-evicted", in: "deletion", word: "DeletionByTaintManager", where: "pkg/controller/tainteviction" },
  { reason: "deleted", in: "deletion", word: "DeletionByPodGC", where: "pkg/controller/podgc" },
];

/** The start of the message of an eviction (pkg/kubelet/eviction/helpers.go). It names the resource; otherwise the resource is storage. */
const LOW = /^The node was low on resource: ([a-z.-]+)\. /;
const STORAGE = /^(?:Container \S+ exceeded its local ephemeral storage|Pod ephemeral local storage|Usage of EmptyDir)/;

/**
 * Returns why the kubelet stops a pod, as this version of the pod shows it; undefined if it does not stop it. Times do not decide which
 * containers had ended before: the condition is stamped again at the end, and the version that shows the stop may come after the exits that
 * it caused.
 *
 * @param before the version before this one; undefined if this is the first known one.
 */
export function stopOf(pod: EndingPod, before?: EndingPod): Stop | undefined {
  const { phase, message } = pod.status;
  const condition = disruptionOf(pod);
  const row = STOPS.find(
    (each) => (phase === "Failed" && isWritten(each, "status", pod.status)) || isWritten(each, "condition", condition),
  );
  if (row === undefined) return undefined;
  const why = row.in === "status" ? message : (condition?.message ?? "");
  const resource = row.reason !== "Evicted" ? undefined : resourceOf(why);
  const statuses = statusesIn(pod);
  const runs = statuses.some(({ state }) => state?.running !== undefined);
  // If nothing runs any more, all that ran in the version before was stopped.
  const ended = statuses.flatMap((status) => endedIDs(status, runs));
  if (!runs && before !== undefined) ended.push(...statusesIn(before).flatMap((status) => endedIDs(status, true)));
  return { reason: row.reason, resource, ended: new Set(ended) };
}

/** Returns why a pod is deleted: by whom, if the condition says it. Undefined if it is not being deleted. */
export function deletionOf(pod: Pick<EndingPod, "metadata" | "status">): EndReason | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  return STOPS.find((each) => isDeletedBy(each, pod))?.reason ?? "deleted";
}

/** Returns true if the condition of a row says who deletes the pod. */
export function isDeletedBy(row: StopRow, pod: Pick<EndingPod, "status">): boolean {
  return isWritten(row, "deletion", disruptionOf(pod));
}

/** Returns when the deletion of a pod began: `deletionTimestamp` is the end of the grace period. Undefined if it is not being deleted. */
export function deletedSinceMs({ metadata }: Pick<EndingPod, "metadata">): number | undefined {
  const lastMs = toDate(metadata.deletionTimestamp)?.getTime();
  return lastMs === undefined ? undefined : lastMs - 1_000 * Number(metadata.deletionGracePeriodSeconds ?? 0);
}

/** A condition, or a status. */
type Written = Pick<EndingPod["status"]["conditions"][number], "reason" | "message">;

function disruptionOf({ status }: Pick<EndingPod, "status">): Written | undefined {
  return status.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
}

function isWritten({ in: place, word, message = "" }: StopRow, where: StopRow["in"], written?: Written): boolean {
  if (place !== where || written === undefined) return false;
  return (word === undefined || word === written.reason) && written.message.startsWith(message);
}

function resourceOf(message: string): string | undefined {
  return LOW.exec(message)?.[1] ?? (STORAGE.test(message) ? "ephemeral-storage" : undefined);
}

type Status = EndingPod["status"]["containerStatuses"][number];

function statusesIn({ status }: EndingPod): readonly Status[] {
  return [...status.initContainerStatuses, ...status.containerStatuses];
}

/** Returns the IDs of a container's ended runs: those that another run has replaced, and with `isLatest` the latest one, too. */
function endedIDs({ containerID, state, lastState }: Status, isLatest: boolean): string[] {
  const [, id] = splitID(containerID);
  const [, lastID] = splitID(lastState?.terminated?.containerID ?? "");
  const isOver = state?.terminated !== undefined || lastID === id;
  return [lastID === id ? "" : lastID, isLatest && isOver ? id : ""].filter((each) => each !== "");
}
