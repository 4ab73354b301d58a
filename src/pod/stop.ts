import { type ContainerExit, endedIDOf, splitID } from "./container-run.js";
import { decodeBy } from "./decode.js";
import type { EndReason } from "./end-reason.js";
import { type PodMask, podMask } from "./mask.js";
import type { MaskedPod } from "./masked-pod.js";
import { toDate } from "./time.js";

/** The start of a stop or a deletion: which container runs had ended before. */
export interface EndingStart {
  /** IDs of the runs that an earlier version showed ended. */
  readonly ended: ReadonlySet<string>;
  /**
   * Second of the start, in milliseconds; runs that ended in an earlier second had ended before. Undefined if times do not count: the clock of
   * this machine, which the times of containers come from, was before that second when a later version arrived.
   */
  readonly atMs: number | undefined;
}

/** Why the kubelet stopped a pod. For a stop without a condition, and if no container is running in its first version, times do not count. */
export interface Stop extends EndingStart {
  readonly reason: EndReason;
  /** For an eviction, the resource that ran short. Undefined if the message does not name it. */
  readonly resource: string | undefined;
}

/** Fields that the end of a pod and the ends of its containers are read from. */
const END_PATHS = [
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "spec.restartPolicy",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.initContainers.restartPolicyRules",
  "spec.containers.name",
  "spec.containers.restartPolicy",
  "spec.containers.restartPolicyRules",
  "status.startTime",
  "status.phase",
  "status.reason",
  "status.message",
  "status.conditions.type",
  "status.conditions.status",
  "status.conditions.reason",
  "status.conditions.message",
  "status.conditions.lastTransitionTime",
  "status.initContainerStatuses.name",
  "status.initContainerStatuses.containerID",
  "status.initContainerStatuses.state",
  "status.initContainerStatuses.lastState.terminated",
  "status.containerStatuses.name",
  "status.containerStatuses.containerID",
  "status.containerStatuses.state",
  "status.containerStatuses.lastState.terminated",
] as const;
const ENDING_MASK: PodMask<(typeof END_PATHS)[number]> = podMask(...END_PATHS);
/** A pod with {@link END_PATHS}. */
export type EndingPod = MaskedPod<typeof ENDING_MASK>;

/** Decodes the fields that the end of a pod is read from. */
export function readEnding(bytes: Uint8Array): EndingPod {
  return decodeBy(ENDING_MASK.plan, bytes) as EndingPod;
}

/** One way in which the reason of a stop is written into a pod. */
export interface StopRow {
  readonly reason: EndReason;
  /**
   * Place of the reason.
   *
   * - `status`: `status.reason` of a failed pod. The kubelet sets it before it ends the containers, and removes it if they exit with 0.
   * - `condition`: the condition DisruptionTarget, set by the kubelet. It stays, and its message has the cause.
   * - `deletion`: the same condition, set by another component before it deletes the pod. The deletion can fail, so the condition counts
   *   only together with a deletion.
   */
  readonly in: "status" | "condition" | "deletion";
  /** The required reason. Undefined if any reason fits. */
  readonly word?: string;
  /** Start of the message, if `word` alone does not decide. */
  readonly message?: string;
  /** Source file or directory that writes the reason, in Kubernetes 1.37.1. */
  readonly where: string;
}

const BY_KUBELET = "TerminationByKubelet";
const SHUTDOWN = "pkg/kubelet/nodeshutdown/nodeshutdown_manager.go";
const PREEMPTION = "pkg/kubelet/preemption/preemption.go";

/** All ways in which the reason of a stop is written (Kubernetes 1.36.4 and 1.37.1). The first row that fits applies. */
export const STOPS: readonly StopRow[] = [
  // A kubelet that has just started can reject a pod whose containers are running. It then stops them.
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

/** Start of the message of an eviction (pkg/kubelet/eviction/helpers.go). It names the resource, unless the resource is storage. */
const LOW = /^The node was low on resource: ([a-z.-]+)\. /;
const STORAGE = /^(?:Container \S+ exceeded its local ephemeral storage|Pod ephemeral local storage|Usage of EmptyDir)/;

/**
 * Returns why the kubelet stops a pod, according to this version of the pod. Undefined if it does not stop the pod. The version that shows
 * the stop can arrive after the exits that it caused.
 *
 * @param before the previous version; undefined if this is the first known one.
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
  // If no container is running any more, the stop ended all containers that were running in the previous version.
  const ended = statuses.flatMap((status) => endedIDs(status, runs));
  if (before !== undefined) {
    const lost = new Set(runs ? statuses.filter(hasLostRun).map(({ name }) => name) : []);
    for (const status of statusesIn(before)) {
      if (!runs) ended.push(...endedIDs(status, true));
      else if (lost.has(status.name)) ended.push(splitID(status.containerID)[1]);
    }
  }
  const atMs = runs ? toDate(condition?.lastTransitionTime)?.getTime() : undefined;
  return { reason: row.reason, resource, ended: new Set(ended), atMs };
}

/** Returns true if a container run had ended before a stop or deletion. */
export function endedBefore(
  { ended, atMs }: EndingStart,
  { containerID, exit }: { readonly containerID: string; readonly exit: ContainerExit | undefined },
): boolean {
  if (ended.has(containerID)) return true;
  return atMs !== undefined && exit?.finishedAt !== undefined && exit.finishedAt.getTime() < atMs;
}

/** Returns the start of a stop or deletion after one more version, which arrived at this time of day. */
export function afterVersion<Start extends EndingStart>(start: Start, wallMs: number): Start {
  // The clock of this machine was set, or differs from that of the API server.
  return start.atMs !== undefined && wallMs < start.atMs ? { ...start, atMs: undefined } : start;
}

/**
 * Returns why a pod is being deleted: the reason of its condition DisruptionTarget, otherwise `deleted`. Undefined if it is not being
 * deleted.
 */
export function deletionOf(pod: Pick<EndingPod, "metadata" | "status">): EndReason | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  return STOPS.find((each) => isDeletedBy(each, pod))?.reason ?? "deleted";
}

/** Returns true if the pod's condition DisruptionTarget fits a row with `deletion`. */
export function isDeletedBy(row: StopRow, pod: Pick<EndingPod, "status">): boolean {
  return isWritten(row, "deletion", disruptionOf(pod));
}

/**
 * Returns the start of the deletion of a pod: `deletionTimestamp` less the grace period. Undefined if the pod is not being deleted.
 *
 * @param before the previous version; undefined if this is the first known one.
 */
export function deletionStart({ metadata }: Pick<EndingPod, "metadata">, before?: EndingPod): EndingStart | undefined {
  const lastMs = toDate(metadata.deletionTimestamp)?.getTime();
  if (lastMs === undefined) return undefined;
  const ended = before === undefined ? [] : statusesIn(before).flatMap((status) => endedIDs(status, true));
  return { ended: new Set(ended), atMs: lastMs - 1_000 * Number(metadata.deletionGracePeriodSeconds ?? 0) };
}

/** A condition or a status. Both have a reason and a message. */
type WrittenReason = Pick<EndingPod["status"]["conditions"][number], "reason" | "message">;

function disruptionOf({ status }: Pick<EndingPod, "status">): EndingPod["status"]["conditions"][number] | undefined {
  return status.conditions.find(({ type, status }) => type === "DisruptionTarget" && status === "True");
}

function isWritten({ in: place, word, message = "" }: StopRow, where: StopRow["in"], written?: WrittenReason): boolean {
  if (place !== where || written === undefined) return false;
  return (word === undefined || word === written.reason) && written.message.startsWith(message);
}

function resourceOf(message: string): string | undefined {
  return LOW.exec(message)?.[1] ?? (STORAGE.test(message) ? "ephemeral-storage" : undefined);
}

type EndedStatus = EndingPod["status"]["containerStatuses"][number];

function statusesIn({ status }: EndingPod): readonly EndedStatus[] {
  return [...status.initContainerStatuses, ...status.containerStatuses];
}

/** Returns true if the runtime no longer has the container's last run, so that the kubelet writes an end without an ID. */
function hasLostRun({ containerID, state, lastState }: EndedStatus): boolean {
  const id = splitID(containerID)[1];
  const end = state?.terminated ?? (state?.running === undefined ? lastState?.terminated : undefined);
  return end !== undefined && endedIDOf(end, id) === "";
}

/** Returns the IDs of a container's ended runs: that of the previous run and, with `isLatest`, that of the latest one. */
function endedIDs({ containerID, state, lastState }: EndedStatus, isLatest: boolean): string[] {
  const [, id] = splitID(containerID);
  const [, lastID] = splitID(lastState?.terminated?.containerID ?? "");
  const isOver = state?.terminated !== undefined || lastID === id;
  return [lastID === id ? "" : lastID, isLatest && isOver ? id : ""].filter((each) => each !== "");
}
