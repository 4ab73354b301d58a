/**
 * Why a container or a pod ended, in one word. The table with the kubelets' own words is in docs/kubelet.md.
 *
 * - `OOMKilled`: the kernel killed the container's first process because memory ran out.
 * - `Evicted`: the node, or the pod's own limit, ran short of `resource`.
 * - `exited`: the program ended with `exitCode`.
 * - `signalled`: `signal` ended it, or it ended with a code from 129 to 192, which looks the same to kubelets.
 * - `not-started`: the runtime could not start it.
 * - `deleted`: the pod was being deleted when it ended, whatever its exit code.
 * - `api-evicted`: the same, by the eviction API, as `kubectl drain` uses it.
 * - `taint-evicted`: the same, because of a taint with the effect NoExecute.
 * - `deadline`: the pod's `activeDeadlineSeconds` had passed.
 * - `preempted`: a pod of a higher priority took its place: the scheduler's choice, or the kubelet's for a critical pod.
 * - `shut-down`: the node shut down gracefully.
 * - `rejected`: the kubelet did not admit the pod. One that has just started may reject a pod that runs, and then ends its containers.
 * - `unknown`: nobody saw how it ended.
 */
export type EndReason =
  | "OOMKilled"
  | "Evicted"
  | "exited"
  | "signalled"
  | "not-started"
  | "deleted"
  | "api-evicted"
  | "taint-evicted"
  | "deadline"
  | "preempted"
  | "shut-down"
  | "rejected"
  | "unknown";
