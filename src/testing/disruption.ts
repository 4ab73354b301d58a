import { create } from "@bufbuild/protobuf";
import { PodConditionSchema, type PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/** Why a kubelet stops a pod, as in `status.reason`. */
export type EvictionReason = "Evicted" | "Preempting" | "Terminated" | "DeadlineExceeded";

/** Why others than the kubelet delete a pod, as in the condition `DisruptionTarget`. */
export type DeletionReason =
  | "EvictionByEvictionAPI"
  | "PreemptionByScheduler"
  | "DeletionByTaintManager"
  | "DeletionByPodGC";

/** The messages that a kubelet writes: in the status, and in the condition if that has another one (v1.37.1). */
export const EVICTIONS: Readonly<Record<EvictionReason, { readonly message: string; readonly condition?: string }>> = {
  Evicted: { message: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90108Ki. " },
  Preempting: {
    message: "Preempted in order to admit critical pod",
    condition: "Pod was preempted by Kubelet to accommodate a critical pod.",
  },
  Terminated: { message: "Pod was terminated in response to imminent node shutdown." },
  DeadlineExceeded: { message: "Pod was active on the node longer than the specified deadline" },
};

/** The messages of the conditions that others set when they delete a pod. */
export const DELETIONS: Readonly<Record<DeletionReason, string>> = {
  EvictionByEvictionAPI: "Eviction API: evicting",
  PreemptionByScheduler: "default-scheduler: preempting to accommodate a higher priority pod",
  DeletionByTaintManager: "Taint manager: deleting due to NoExecute taint",
  DeletionByPodGC: "PodGC: node no longer exists",
};

/** The start of the message of an eviction because the node runs short. For a limit of the pod's own there is no condition. */
const NODE_IS_LOW = "The node was low on resource: ";

/** Returns the message of the condition that a kubelet sets when it stops a pod; undefined if it sets none. */
export function conditionOf(reason: EvictionReason, message: string): string | undefined {
  if (reason === "DeadlineExceeded" || (reason === "Evicted" && !message.startsWith(NODE_IS_LOW))) return undefined;
  return EVICTIONS[reason].condition ?? message;
}

/** Sets the condition that says who stops a pod. */
export function disrupt(status: PodStatus, reason: string, message: string): void {
  const type = "DisruptionTarget";
  const condition = create(PodConditionSchema, { type, status: "True", reason, message });
  status.conditions = [...status.conditions.filter((each) => each.type !== type), condition];
}
