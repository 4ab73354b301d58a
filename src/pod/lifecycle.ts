/** Where the kubelet has a pod from: `api`, `file` or `http` (ConfigSourceAnnotationKey in pkg/kubelet/types). */
export const SOURCE_ANNOTATION = "kubernetes.io/config.source";

/**
 * When a process of the kubelet first saw the pod (ConfigFirstSeenAnnotationKey in pkg/kubelet/types): it differs on every
 * pod after each restart, and says nothing about the pod.
 */
export const SEEN_ANNOTATION = "kubernetes.io/config.seen";

/** Marks a mirror pod, which stands for a static pod in the API server (ConfigMirrorAnnotationKey in pkg/kubelet/types). */
export const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/** The UID of a static pod, also on its mirror pod (ConfigHashAnnotationKey in pkg/kubelet/types). */
export const HASH_ANNOTATION = "kubernetes.io/config.hash";

/** Returns whether a pod comes from a manifest on the node, or a URL: it has a source, and that is not the API server. */
export function isStaticSource(source: string | undefined): boolean {
  return source !== undefined && source !== "api";
}

/** Returns whether a phase is one that no other follows. */
export function isFinalPhase(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/**
 * Returns whether nothing of a pod runs, nor will. Phase alone is no proof: eviction, preemption and a node's shutdown set it
 * before the containers are killed.
 */
export function hasEnded(phase: string, running: boolean): boolean {
  return isFinalPhase(phase) && !running;
}

/** Returns whether one of a pod's conditions is Ready=True. */
export function hasReady(conditions: readonly { readonly type: string; readonly status: string }[] = []): boolean {
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
