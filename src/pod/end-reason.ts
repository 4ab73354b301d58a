/**
 * Why a container or a pod ended, in one word. docs/kubelet.md has the exact conditions.
 *
 * - `OOMKilled`: the kernel killed the container's first process because memory ran out.
 * - `Evicted`: the kubelet evicted the pod because `resource` ran short on the node, or the pod exceeded its own limit.
 * - `exited`: the program exited with `exitCode`.
 * - `signalled`: `signal` killed it, or it exited with a code from 129 to 192. The kubelet does not distinguish the two.
 * - `not-started`: the runtime could not start the container.
 * - `deleted`: the pod was being deleted when it ended, whatever its exit code.
 * - `api-evicted`: deleted through the Eviction API, for example by `kubectl drain`.
 * - `taint-evicted`: deleted because of a taint with the effect NoExecute.
 * - `deadline`: the pod's `activeDeadlineSeconds` had passed.
 * - `preempted`: stopped for a pod with a higher priority, by the scheduler, or by the kubelet for a critical pod.
 * - `shut-down`: the node shut down gracefully.
 * - `rejected`: the kubelet did not admit the pod. A kubelet that has just started can reject a running pod, and then stops its containers.
 * - `restarted`: the kubelet restarted all containers of the pod, because of the rule RestartAllContainers of one of them.
 * - `unknown`: the kubelet did not report how it ended.
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
  | "restarted"
  | "unknown";
