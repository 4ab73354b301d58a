import { PodsError } from "../errors/pods-error.js";

/**
 * Maximum number of pods; no node has so many. The default of kubelets is 110 (maxPods, pkg/kubelet/apis/config/v1beta1/defaults.go,
 * v1.37.1), and the largest nodes have several hundred.
 */
export const MAX_PODS = 20_000;

/** Maximum size of all retained pods, in bytes. That is 170 pods of the largest size that the API server accepts, 1.5 MiB. */
export const MAX_RETAINED_BYTES: number = 256 * 1024 * 1024;

/** Makes the error for a peer that sends more pods than any node has. */
export function tooManyPods(method: string, socketPath?: string): PodsError {
  const mib = MAX_RETAINED_BYTES / 1024 / 1024;
  return new PodsError({
    code: "too-large",
    message: `received more than ${MAX_PODS} pods, or more than ${mib} MiB of pods: no node has that many`,
    hint: "check that the kubelet serves this socket",
    method,
    socketPath,
  });
}
