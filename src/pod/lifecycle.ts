/** Annotation with the source of a pod: `api`, `file` or `http` (ConfigSourceAnnotationKey in pkg/kubelet/types). */
export const SOURCE_ANNOTATION = "kubernetes.io/config.source";

/**
 * Annotation with the time at which a kubelet process first saw the pod (ConfigFirstSeenAnnotationKey in pkg/kubelet/types). Each process
 * sets another value, which does not describe the pod itself.
 */
export const SEEN_ANNOTATION = "kubernetes.io/config.seen";

/** Annotation of a mirror pod, which stands for a static pod in the API server (ConfigMirrorAnnotationKey in pkg/kubelet/types). */
export const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/** Annotation with the UID of a static pod, also on its mirror pod (ConfigHashAnnotationKey in pkg/kubelet/types). */
export const HASH_ANNOTATION = "kubernetes.io/config.hash";

/** Returns true if a pod is static: it comes from a manifest on the node or a URL, so its source is not the API server. */
export function isStaticSource(source: string | undefined): boolean {
  return source !== undefined && source !== "api";
}

/** Returns true if no other phase follows this one. */
export function isFinalPhase(phase: string | undefined): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/**
 * Returns true if no container of a pod is running or will run. The phase alone does not prove it: eviction, preemption and a node shutdown
 * set it before the containers are killed.
 */
export function hasEnded(phase: string, running: boolean): boolean {
  return isFinalPhase(phase) && !running;
}

/** Returns true if a pod has the condition Ready=True. */
export function hasReady(conditions: readonly { readonly type: string; readonly status: string }[] = []): boolean {
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
