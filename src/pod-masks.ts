import { CGROUP_PATHS } from "./identity/cgroup-layout.js";
import { LOG_PATHS } from "./identity/log-path.js";
import { VOLUMES_PATHS } from "./identity/volume-path.js";
import { CONTAINERS_PATHS } from "./pod/containers.js";
import { ENDPOINTS_PATHS } from "./pod/endpoints.js";
import { type PodMask, podMask } from "./pod/mask.js";
import { CONDITIONS_PATHS } from "./pod/pod-conditions.js";
import { FINISHED_PATHS, READY_PATHS, STATIC_PATHS, TERMINATING_PATHS } from "./pod/pod-state.js";
import { UNVERIFIED_PATHS } from "./pod/readiness.js";
import { QOS_PATHS, RESOURCES_PATHS } from "./pod/resources.js";
import { WORKLOAD_PATHS } from "./pod/workload.js";

const IDENTITY_PATHS = ["metadata.uid", "metadata.namespace", "metadata.name"] as const;
const NETWORK = ["metadata.labels", "spec.hostNetwork", "status.podIP", "status.podIPs", "status.hostIP"] as const;
const CONTAINER_PATHS = [
  "status.initContainerStatuses",
  "status.containerStatuses",
  "status.ephemeralContainerStatuses",
] as const;

type Identity = (typeof IDENTITY_PATHS)[number];
type Mask<Paths extends readonly string[]> = PodMask<Paths[number]>;

/**
 * Masks for common tasks. A mask that is named after a function selects exactly the fields that the function reads. Combine masks with
 * `union`: `podMasks.identity.union(podMasks.isReady)`.
 */
export const podMasks: {
  /** Selects the identity of a pod. */
  readonly identity: PodMask<Identity>;
  /** Selects the identity of a pod, and the fields of `isReady`, `isTerminating` and `readinessUnverifiedUntil`. */
  readonly readiness: PodMask<
    Identity | (typeof READY_PATHS)[number] | (typeof TERMINATING_PATHS)[number] | (typeof UNVERIFIED_PATHS)[number]
  >;
  /** Selects the identity of a pod, and its addresses. */
  readonly network: PodMask<Identity | (typeof NETWORK)[number]>;
  /** Selects the identity of a pod, and the statuses of all kinds of containers: IDs, images and states. */
  readonly containers: PodMask<Identity | (typeof CONTAINER_PATHS)[number]>;
  /** Selects the fields of `isReady`. */
  readonly isReady: Mask<typeof READY_PATHS>;
  /** Selects the fields of `isFinished`. */
  readonly isFinished: Mask<typeof FINISHED_PATHS>;
  /** Selects the fields of `isStatic`. */
  readonly isStatic: Mask<typeof STATIC_PATHS>;
  /** Selects the fields of `isTerminating`. */
  readonly isTerminating: Mask<typeof TERMINATING_PATHS>;
  /** Selects the fields of `readinessUnverifiedUntil`. */
  readonly readinessUnverifiedUntil: Mask<typeof UNVERIFIED_PATHS>;
  /** Selects the fields of `endpointsOf`. */
  readonly endpointsOf: Mask<typeof ENDPOINTS_PATHS>;
  /** Selects the fields of `containersOf` and `containerOf`. */
  readonly containersOf: Mask<typeof CONTAINERS_PATHS>;
  /** Selects the fields of `cgroupPathOf`. */
  readonly cgroupPathOf: Mask<typeof CGROUP_PATHS>;
  /** Selects the fields of `conditionsOf`. */
  readonly conditionsOf: Mask<typeof CONDITIONS_PATHS>;
  /** Selects the fields of `workloadOf`. */
  readonly workloadOf: Mask<typeof WORKLOAD_PATHS>;
  /** Selects the fields of `resourcesOf`. */
  readonly resourcesOf: Mask<typeof RESOURCES_PATHS>;
  /** Selects the fields of `qosOf`. */
  readonly qosOf: Mask<typeof QOS_PATHS>;
  /** Selects the fields of `logPathOf`. */
  readonly logPathOf: Mask<typeof LOG_PATHS>;
  /** Selects the fields of `logDirectoryOf`. */
  readonly logDirectoryOf: Mask<typeof LOG_PATHS>;
  /** Selects the fields of `volumesDirectoryOf`. */
  readonly volumesDirectoryOf: Mask<typeof VOLUMES_PATHS>;
} = {
  identity: podMask(...IDENTITY_PATHS),
  readiness: podMask(...IDENTITY_PATHS, ...READY_PATHS, ...TERMINATING_PATHS, ...UNVERIFIED_PATHS),
  network: podMask(...IDENTITY_PATHS, ...NETWORK),
  containers: podMask(...IDENTITY_PATHS, ...CONTAINER_PATHS),
  isReady: podMask(...READY_PATHS),
  isFinished: podMask(...FINISHED_PATHS),
  isStatic: podMask(...STATIC_PATHS),
  isTerminating: podMask(...TERMINATING_PATHS),
  readinessUnverifiedUntil: podMask(...UNVERIFIED_PATHS),
  endpointsOf: podMask(...ENDPOINTS_PATHS),
  containersOf: podMask(...CONTAINERS_PATHS),
  cgroupPathOf: podMask(...CGROUP_PATHS),
  conditionsOf: podMask(...CONDITIONS_PATHS),
  workloadOf: podMask(...WORKLOAD_PATHS),
  resourcesOf: podMask(...RESOURCES_PATHS),
  qosOf: podMask(...QOS_PATHS),
  logPathOf: podMask(...LOG_PATHS),
  logDirectoryOf: podMask(...LOG_PATHS),
  volumesDirectoryOf: podMask(...VOLUMES_PATHS),
};
