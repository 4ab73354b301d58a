import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";
import { isStatic } from "./pod-state.js";
import { readinessUnverifiedUntil } from "./readiness.js";
import { toDate } from "./time.js";

/** The paths that {@link conditionsOf} reads: KEP-4188's PodInfo. */
export const CONDITIONS_PATHS = [
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.annotations",
  "metadata.deletionTimestamp",
  "spec.initContainers.readinessProbe",
  "spec.containers.readinessProbe",
  "status.conditions",
] as const;
export type ConditionsPaths = (typeof CONDITIONS_PATHS)[number];

/** One condition of a pod. Times are undefined if the kubelet has set none. */
export interface ReportedCondition {
  /** `Ready`, `ContainersReady`, `Initialized`, `PodScheduled`, `DisruptionTarget`, or a readiness gate's own. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Time of the last probe. Kubelets do not set it. */
  readonly lastProbeTime: Date | undefined;
  /** Time of the last change of `status`. */
  readonly lastTransitionTime: Date | undefined;
  /** Reason in one word. Empty if there is none. */
  readonly reason: string;
  /** Human-readable message. Empty if there is none. */
  readonly message: string;
}

/** Identity and conditions of a pod, as plain data: the fields of PodInfo in KEP-4188. */
export interface PodConditions {
  /** UID of the pod. For a static pod it is the UID from the kubelet, not that of its mirror pod. */
  readonly uid: string;
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Name of the pod. */
  readonly name: string;
  /** True if the pod is static, see {@link isStatic}. */
  readonly static: boolean;
  /** Conditions in the kubelet's order. Ready=True alone does not make a pod ready, see {@link isReady}. */
  readonly conditions: readonly ReportedCondition[];
  /** Deletion deadline. Undefined if the pod is not being deleted. */
  readonly deletionTimestamp: Date | undefined;
  /** Time until which Ready=False proves nothing, see {@link readinessUnverifiedUntil}. Undefined if Ready counts. */
  readonly readinessUnverifiedUntil: Date | undefined;
}

/** Returns the identity and the conditions of a pod, as plain data. */
export function conditionsOf<P>(pod: Pod | (P & Needs<P, ConditionsPaths>)): PodConditions {
  const facts = needed(pod, CONDITIONS_PATHS, "conditionsOf");
  const { metadata, status } = facts;
  return {
    uid: metadata?.uid ?? "",
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    static: isStatic(facts),
    conditions: (status?.conditions ?? []).map(
      ({ type, status, lastProbeTime, lastTransitionTime, reason, message }) => ({
        type,
        status,
        lastProbeTime: toDate(lastProbeTime),
        lastTransitionTime: toDate(lastTransitionTime),
        reason,
        message,
      }),
    ),
    deletionTimestamp: toDate(metadata?.deletionTimestamp),
    readinessUnverifiedUntil: readinessUnverifiedUntil(facts),
  };
}
