import { type PodMask, podMask } from "./mask.js";

/** Masks of what agents ask for most. */
export const podMasks: {
  /** Who a pod is. */
  readonly identity: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name">;
  /** Whether it works, and whether the kubelet knows: what `isReady`, `isTerminating` and `readinessUnverifiedUntil` read. */
  readonly readiness: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.annotations"
    | "metadata.deletionTimestamp"
    | "spec.initContainers.readinessProbe"
    | "spec.containers.readinessProbe"
    | "status.phase"
    | "status.conditions"
  >;
  /** What `conditionsOf` reads: KEP-4188's PodInfo. Annotations say whether it is static. */
  readonly conditions: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "metadata.annotations"
    | "metadata.deletionTimestamp"
    | "spec.initContainers.readinessProbe"
    | "spec.containers.readinessProbe"
    | "status.conditions"
  >;
  /** Where it is reached. */
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
  /** Its containers of all kinds, with their IDs, images and states. */
  readonly containers: PodMask<
    | "metadata.uid"
    | "metadata.namespace"
    | "metadata.name"
    | "status.initContainerStatuses"
    | "status.containerStatuses"
    | "status.ephemeralContainerStatuses"
  >;
} = {
  identity: podMask("metadata.uid", "metadata.namespace", "metadata.name"),
  readiness: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.annotations",
    "metadata.deletionTimestamp",
    "spec.initContainers.readinessProbe",
    "spec.containers.readinessProbe",
    "status.phase",
    "status.conditions",
  ),
  conditions: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "metadata.annotations",
    "metadata.deletionTimestamp",
    "spec.initContainers.readinessProbe",
    "spec.containers.readinessProbe",
    "status.conditions",
  ),
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
  containers: podMask(
    "metadata.uid",
    "metadata.namespace",
    "metadata.name",
    "status.initContainerStatuses",
    "status.containerStatuses",
    "status.ephemeralContainerStatuses",
  ),
};
