import { hasEnded, hasReady, isStaticSource, SOURCE_ANNOTATION } from "./lifecycle.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";

export const READY_PATHS = ["metadata.deletionTimestamp", "status.phase", "status.conditions"] as const;
type ReadyPaths = (typeof READY_PATHS)[number];

export const FINISHED_PATHS = [
  "status.phase",
  "status.initContainerStatuses",
  "status.containerStatuses",
  "status.ephemeralContainerStatuses",
] as const;
type FinishedPaths = (typeof FINISHED_PATHS)[number];

export const STATIC_PATHS = ["metadata.annotations"] as const;
type StaticPaths = (typeof STATIC_PATHS)[number];

export const TERMINATING_PATHS = ["metadata.deletionTimestamp"] as const;
type TerminatingPaths = (typeof TERMINATING_PATHS)[number];

/** The part of a container's status that is read here. */
interface StateFacts {
  readonly state?: { readonly running?: object | undefined } | undefined;
}

/**
 * Returns true if the pod can receive traffic: its condition Ready is True, its phase is Running, and it is not being deleted. This equals
 * `ready` of EndpointSlices. The condition alone is not enough: it stays True during the grace period of a deletion, and for a moment after
 * an eviction has set the phase to Failed.
 * @example
 * ```ts
 * const ready = (await pods.listPods({ mask: podMasks.isReady })).filter(isReady);
 * console.log(ready.length);
 * ```
 */
export function isReady<P>(pod: Pod | (P & Needs<P, ReadyPaths>)): boolean {
  const { metadata, status } = needed(pod, READY_PATHS, "isReady");
  return metadata?.deletionTimestamp === undefined && status?.phase === "Running" && hasReady(status.conditions);
}

/**
 * Returns true if no container of the pod is running or will run: the phase is Succeeded or Failed, and no container is running. The phase
 * alone does not prove that: eviction, preemption and a node shutdown set it before the containers are killed. A kubelet that has just
 * started can reject a running pod. It then reports the pod without container statuses, and this function returns true about a second
 * before the containers end.
 */
export function isFinished<P>(pod: Pod | (P & Needs<P, FinishedPaths>)): boolean {
  const { status } = needed(pod, FINISHED_PATHS, "isFinished");
  if (status === undefined) return false;
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  const runs = ({ state }: StateFacts) => state?.running !== undefined;
  const lists = [initContainerStatuses, containerStatuses, ephemeralContainerStatuses];
  return hasEnded(
    status.phase,
    lists.some((list) => list.some(runs)),
  );
}

/**
 * Returns true if the pod comes from a manifest on the node or a URL, and not from the API server (kubetypes.IsStaticPod). Only static pods
 * can return with the same UID.
 */
export function isStatic<P>(pod: Pod | (P & Needs<P, StaticPaths>)): boolean {
  const { metadata } = needed(pod, STATIC_PATHS, "isStatic");
  return isStaticSource(metadata?.annotations[SOURCE_ANNOTATION]);
}

/** Returns true if the pod is being deleted: its containers are ending, or have ended. */
export function isTerminating<P>(pod: Pod | (P & Needs<P, TerminatingPaths>)): boolean {
  const { metadata } = needed(pod, TERMINATING_PATHS, "isTerminating");
  return metadata?.deletionTimestamp !== undefined;
}
