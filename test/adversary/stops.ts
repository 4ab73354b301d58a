// The ways in which a pod is stopped, as kubelets and the API server write them, and the reason that is to be reported for each.

/** A way in which the kubelet stops a pod. */
export interface Stop {
  /** The reason that is to be reported of a container that it ends. */
  readonly is: string;
  /** `status.reason` and `status.message`, while the containers run. */
  readonly reason: string;
  readonly message: string;
  /** The message of the condition DisruptionTarget; undefined where none is set. */
  readonly condition?: string;
}

export const STOPS: readonly Stop[] = [
  {
    is: "Evicted",
    reason: "Evicted",
    message: "The node was low on resource: memory. ",
    condition: "The node was low on resource: memory. ",
  },
  {
    is: "Evicted",
    reason: "Evicted",
    message: "Pod ephemeral local storage usage exceeds the total limit of containers 5Mi. ",
  },
  {
    is: "preempted",
    reason: "Preempting",
    message: "Preempted in order to admit critical pod",
    condition: "Pod was preempted by Kubelet to accommodate a critical pod.",
  },
  {
    is: "shut-down",
    reason: "Terminated",
    message: "Pod was terminated in response to imminent node shutdown.",
    condition: "Pod was terminated in response to imminent node shutdown.",
  },
  {
    is: "deadline",
    reason: "DeadlineExceeded",
    message: "Pod was active on the node longer than the specified deadline",
  },
];

/** The kubelet does not admit a pod that runs. */
export const REJECTED: Stop = {
  is: "rejected",
  reason: "UnexpectedAdmissionError",
  message: "Pod was rejected: Allocate failed due to no healthy devices present",
};

/** Who deletes a pod, by the reason of the condition that is set before; without one it is a user. */
export const DELETIONS: Readonly<Record<string, string>> = {
  "": "deleted",
  EvictionByEvictionAPI: "api-evicted",
  PreemptionByScheduler: "preempted",
  DeletionByTaintManager: "taint-evicted",
  DeletionByPodGC: "deleted",
};

/** The condition of a kubelet's own stop. */
export const BY_KUBELET = "TerminationByKubelet";
