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
/** The paths of {@link CONDITIONS_PATHS}. */
export type ConditionsPaths = (typeof CONDITIONS_PATHS)[number];

/** One condition of a pod. Times are undefined if the kubelet has set none. */
export interface ReportedCondition {
  /** `Ready`, `ContainersReady`, `Initialized`, `PodScheduled`, `DisruptionTarget`, or a readiness gate's own. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** The time of the last probe; kubelets set none. */
  readonly lastProbeTime: Date | undefined;
  /** The time of the last change of the status. */
  readonly lastTransitionTime: Date | undefined;
  /** The reason in one word; empty if there is none. */
  readonly reason: string;
  /** The explanation for people; empty if there is none. */
  readonly message: string;
}

/** A pod's identity and its conditions: the fields of KEP-4188's PodInfo. Plain data, also for `JSON.stringify`. */
export interface PodConditions {
  /** For a static pod the UID that the kubelet gave it, and not its mirror pod's. */
  readonly uid: string;
  /** The namespace of the pod. */
  readonly namespace: string;
  /** The name of the pod. */
  readonly name: string;
  /** True if the pod is static, see {@link isStatic}. */
  readonly static: boolean;
  /** The conditions as the kubelet has them, in its order. Ready=True alone does not make a pod ready, see {@link isReady}. */
  readonly conditions: readonly ReportedCondition[];
  /** The time until which a deleted pod may take to end; undefined if nobody has deleted it. */
  readonly deletionTimestamp: Date | undefined;
  /** The time until which Ready=False proves nothing, see {@link readinessUnverifiedUntil}; undefined if Ready counts. */
  readonly readinessUnverifiedUntil: Date | undefined;
}

/** Returns a pod's identity and its conditions, as plain data. */
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
