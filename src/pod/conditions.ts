import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { hasEnded, isStaticSource, SOURCE_ANNOTATION } from "./lifecycle.js";
import { type PodWithReadiness, readinessUnverifiedUntil } from "./readiness.js";
import { toDate } from "./time.js";

/** What is read here of a pod's condition. */
interface ConditionFacts {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** What is read here of a container's status. */
interface ContainerFacts {
  readonly state?: { readonly running?: object | undefined } | undefined;
}

/** A pod with its phase and conditions: a whole one, or one of a mask that has both, as `podMasks.readiness` does. */
export interface PodWithConditions {
  /** What is read of its status. */
  readonly status?: { readonly phase: string; readonly conditions: readonly ConditionFacts[] } | undefined;
}

/** A pod with its phase and its containers' statuses. */
export interface PodWithContainers {
  /** What is read of its status. */
  readonly status?:
    | {
        readonly phase: string;
        readonly initContainerStatuses: readonly ContainerFacts[];
        readonly containerStatuses: readonly ContainerFacts[];
        readonly ephemeralContainerStatuses: readonly ContainerFacts[];
      }
    | undefined;
}

/** A pod with its annotations. */
export interface PodWithAnnotations {
  /** What is read of its metadata. */
  readonly metadata?: { readonly annotations: Readonly<Record<string, string>> } | undefined;
}

/** A pod with its deletion timestamp. */
export interface PodWithDeletion {
  /** What is read of its metadata. */
  readonly metadata?: { readonly deletionTimestamp?: Time | undefined } | undefined;
}

/**
 * Whether the pod can be sent traffic: its condition Ready is True, and its phase Running. A pod that is evicted has phase
 * Failed and stays Ready for a moment; it is not ready.
 */
export function isReady({ status }: PodWithConditions): boolean {
  return status?.phase === "Running" && status.conditions.some((c) => c.type === "Ready" && c.status === "True");
}

/**
 * Whether nothing of the pod runs, nor will: phase Succeeded or Failed, and no container running. Phase alone is no proof:
 * eviction, preemption and a node's shutdown set it before the containers are killed.
 */
export function isFinished({ status }: PodWithContainers): boolean {
  if (status === undefined) return false;
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  const runs = ({ state }: ContainerFacts) => state?.running !== undefined;
  const lists = [initContainerStatuses, containerStatuses, ephemeralContainerStatuses];
  return hasEnded(
    status.phase,
    lists.some((list) => list.some(runs)),
  );
}

/**
 * Whether the pod comes from a manifest on the node, or a URL, and not from the API server (kubetypes.IsStaticPod). Only
 * such a pod's UID comes again when the pod does.
 */
export function isStatic({ metadata }: PodWithAnnotations): boolean {
  return isStaticSource(metadata?.annotations[SOURCE_ANNOTATION]);
}

/** Whether somebody has deleted the pod, and its containers are on their way out, or gone. */
export function isTerminating({ metadata }: PodWithDeletion): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

/** One condition of a pod. Times are undefined where the kubelet has set none. */
export interface ReportedCondition {
  /** `Ready`, `ContainersReady`, `Initialized`, `PodScheduled`, `DisruptionTarget`, or a readiness gate's own. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When it was probed last; kubelets set none. */
  readonly lastProbeTime: Date | undefined;
  /** Since when the status is what it is. */
  readonly lastTransitionTime: Date | undefined;
  /** Why, in one word; empty where there is none. */
  readonly reason: string;
  /** Why, for people; empty where there is none. */
  readonly message: string;
}

/** Who a pod is and how it stands: the fields of KEP-4188's PodInfo. Plain data, also for `JSON.stringify`. */
export interface PodConditions {
  /** For a static pod the UID that the kubelet gave it, and not its mirror pod's. */
  readonly uid: string;
  /** The namespace of the pod. */
  readonly namespace: string;
  /** The name of the pod. */
  readonly name: string;
  /** As {@link isStatic}. */
  readonly static: boolean;
  /** As the kubelet has them, in its order. Ready=True alone does not make a pod ready, see {@link isReady}. */
  readonly conditions: readonly ReportedCondition[];
  /** When the pod is to be gone; undefined where nobody has deleted it. */
  readonly deletionTimestamp: Date | undefined;
  /** Until when Ready=False says nothing of the pod, as {@link readinessUnverifiedUntil}; undefined where it counts. */
  readonly readinessUnverifiedUntil: Date | undefined;
}

/** What {@link conditionsOf} reads of a pod: a whole one has it, or one of the mask `podMasks.conditions`. */
export interface PodWithPodConditions {
  /** What is read of its metadata. */
  readonly metadata?:
    | {
        readonly uid: string;
        readonly namespace: string;
        readonly name: string;
        readonly annotations: Readonly<Record<string, string>>;
        readonly deletionTimestamp?: Time | undefined;
      }
    | undefined;
  /** What is read of its spec. */
  readonly spec?: PodWithReadiness["spec"];
  /** What is read of its status. */
  readonly status?: { readonly conditions: readonly (ConditionFacts & ConditionTimes)[] } | undefined;
}

interface ConditionTimes {
  readonly lastProbeTime?: Time | undefined;
  readonly lastTransitionTime?: Time | undefined;
}

/** Who a pod is and how it stands, of a whole pod or of one of the mask `podMasks.conditions`. */
export function conditionsOf(pod: PodWithPodConditions): PodConditions {
  const { metadata, status } = pod;
  return {
    uid: metadata?.uid ?? "",
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    static: isStatic(pod),
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
    readinessUnverifiedUntil: readinessUnverifiedUntil(pod),
  };
}
