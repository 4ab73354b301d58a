import { type PodMask, podMask } from "./mask.js";

/** Masks of what agents ask for most. */
export const podMasks: {
  readonly identity: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name">;
  readonly readiness: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.deletionTimestamp"
    | "status.phase"
    | "status.conditions"
  >;
  readonly conditions: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.annotations"
    | "metadata.deletionTimestamp"
    | "status.conditions"
  >;
  readonly network: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.labels"
    | "spec.hostNetwork"
    | "status.podIP"
    | "status.podIPs"
    | "status.hostIP"
  >;
  readonly containers: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "status.initContainerStatuses"
    | "status.containerStatuses"
    | "status.ephemeralContainerStatuses"
  >;
} = {
  /** Who a pod is. */
  identity: podMask("metadata.uid", "metadata.namespace", "metadata.name"),
  /** Whether it works: phase, conditions, whether it is on its way out. */
  readiness: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.deletionTimestamp",
    "status.phase",
    "status.conditions",
  ),
  /** What `podConditions` reads: KEP-4188's PodInfo. Annotations say whether it is static. */
  conditions: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.annotations",
    "metadata.deletionTimestamp",
    "status.conditions",
  ),
  /** Where it is reached. */
  network: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.labels",
    "spec.hostNetwork",
    "status.podIP",
    "status.podIPs",
    "status.hostIP",
  ),
  /** Its containers of all kinds, with their IDs, images and states. */
  containers: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "status.initContainerStatuses",
    "status.containerStatuses",
    "status.ephemeralContainerStatuses",
  ),
};
