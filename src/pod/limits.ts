import { PodsError } from "../errors/pods-error.js";

/**
 * More than any node has: kubelets are made for 110 pods (maxPods, pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.1), and
 * the largest nodes have some hundred.
 */
export const MAX_PODS = 20_000;

/** The most that may be retained of all of them. At the size that the API server takes at most, 1.5 MiB, that is 170 pods. */
export const MAX_RETAINED_BYTES: number = 256 * 1024 * 1024;

/** Makes the error of a peer that has more pods than any node. */
export function tooManyPods(method: string, socketPath?: string): PodsError {
  const mib = MAX_RETAINED_BYTES / 1024 / 1024;
  return new PodsError({
    code: "too-large",
    message: `more than ${MAX_PODS} pods, or ${mib} MiB of them: no node has so much`,
    hint: "is it the kubelet that listens there?",
    method,
    socketPath,
  });
}
