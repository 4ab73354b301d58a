import { PodsError } from "../errors/pods-error.js";

/**
 * More pods than any node has: kubelets are made for 110 pods (maxPods, pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.1), and the
 * largest nodes have several hundred.
 */
export const MAX_PODS = 20_000;

/** The most bytes of all pods that may be retained. That is 170 pods of the largest size that the API server takes, 1.5 MiB. */
export const MAX_RETAINED_BYTES: number = 256 * 1024 * 1024;

/** Makes the error of a peer that sends more pods than any node has. */
export function tooManyPods(method: string, socketPath?: string): PodsError {
  const mib = MAX_RETAINED_BYTES / 1024 / 1024;
  return new PodsError({
    code: "too-large",
    message: `more than ${MAX_PODS} pods, or ${mib} MiB of them, which no node has`,
    hint: "does the kubelet serve this socket?",
    method,
    socketPath,
  });
}
