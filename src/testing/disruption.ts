import { create } from "@bufbuild/protobuf";
import { PodConditionSchema, type PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/** The reason for which a kubelet stops a pod, as in `status.reason`. */
export type EvictionReason = "Evicted" | "Preempting" | "Terminated" | "DeadlineExceeded";

/** The reason for which a component other than the kubelet deletes a pod, as in the condition `DisruptionTarget`. */
export type DeletionReason =
  | "EvictionByEvictionAPI"
  | "PreemptionByScheduler"
  | "DeletionByTaintManager"
  | "DeletionByPodGC";

/** The messages that a kubelet (v1.37.1) writes to the status, and to the condition if that message differs. */
export const EVICTIONS: Readonly<Record<EvictionReason, { readonly message: string; readonly condition?: string }>> = {
  Evicted: { message: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90108Ki. " },
  Preempting: {
    message: "Preempted in order to admit critical pod",
    condition: "Pod was preempted by Kubelet to accommodate a critical pod.",
  },
  Terminated: { message: "Pod was terminated in response to imminent node shutdown." },
  DeadlineExceeded: { message: "Pod was active on the node longer than the specified deadline" },
};

/** The messages of the condition `DisruptionTarget` that other components set when they delete a pod. */
export const DELETIONS: Readonly<Record<DeletionReason, string>> = {
  EvictionByEvictionAPI: "Eviction API: evicting",
  PreemptionByScheduler: "default-scheduler: preempting to accommodate a higher priority pod",
  DeletionByTaintManager: "Taint manager: deleting due to NoExecute taint",
  DeletionByPodGC: "PodGC: node no longer exists",
};

/** Prefix of the message of an eviction for lack of a resource on the node. An eviction for a limit of the pod itself sets no condition. */
const NODE_IS_LOW = "The node was low on resource: ";

/** Returns the message of the condition `DisruptionTarget` that a kubelet sets when it stops a pod; undefined if it sets none. */
export function conditionOf(reason: EvictionReason, message: string): string | undefined {
  if (reason === "DeadlineExceeded" || (reason === "Evicted" && !message.startsWith(NODE_IS_LOW))) return undefined;
  return EVICTIONS[reason].condition ?? message;
}

/** Sets the condition `DisruptionTarget`, which states why a pod is stopped or deleted. */
export function disrupt(status: PodStatus, reason: string, message: string): void {
  const type = "DisruptionTarget";
  const condition = create(PodConditionSchema, { type, status: "True", reason, message });
  status.conditions = [...status.conditions.filter((each) => each.type !== type), condition];
}
