import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

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
  readonly status?: { readonly phase: string; readonly conditions: readonly ConditionFacts[] } | undefined;
}

/** A pod with its phase and its containers' statuses. */
export interface PodWithContainers {
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
  readonly metadata?: { readonly annotations: Readonly<Record<string, string>> } | undefined;
}

/** A pod with its deletion timestamp. */
export interface PodWithDeletion {
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
 * Whether Ready=False is not yet anything that the kubelet has found out: it has started again and has not looked at the
 * pod, so it does not vouch for it (1.37; getEffectivePodStatus in pkg/kubelet/apis/pods/server.go). What the pod was
 * before is the better guess.
 */
export function readinessUnverified({ status }: PodWithConditions): boolean {
  const ready = status?.conditions.find(({ type }) => type === "Ready");
  return ready?.status === "False" && ready.reason === "ContainersNotReady" && ready.message === UNVERIFIED;
}

/** The message of the condition that the kubelet puts in the place of the last one it had. */
export const UNVERIFIED = "Kubelet is initializing pod containers";

/**
 * Whether nothing of the pod runs, nor will: phase Succeeded or Failed, and no container running. Phase alone is no proof:
 * eviction, preemption and a node's shutdown set it before the containers are killed.
 */
export function isFinished({ status }: PodWithContainers): boolean {
  if (status === undefined || (status.phase !== "Succeeded" && status.phase !== "Failed")) return false;
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  const runs = ({ state }: ContainerFacts) => state?.running !== undefined;
  return ![initContainerStatuses, containerStatuses, ephemeralContainerStatuses].some((list) => list.some(runs));
}

/**
 * Whether the pod comes from a manifest on the node, or a URL, and not from the API server (kubetypes.IsStaticPod). Only
 * such a pod's UID comes again when the pod does.
 */
export function isStatic({ metadata }: PodWithAnnotations): boolean {
  const source = metadata?.annotations[SOURCE];
  return source !== undefined && source !== "api";
}

/** Where the kubelet has a pod from: `api`, `file` or `http` (kubetypes.ConfigSourceAnnotationKey). */
const SOURCE = "kubernetes.io/config.source";

/** Whether somebody has deleted the pod, and its containers are on their way out, or gone. */
export function isTerminating({ metadata }: PodWithDeletion): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
