import { isStaticSource, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "./lifecycle.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";
import { toDate } from "./time.js";

export const UNVERIFIED_PATHS = [
  "metadata.annotations",
  "spec.initContainers.readinessProbe",
  "spec.containers.readinessProbe",
  "status.conditions",
] as const;
type UnverifiedPaths = (typeof UNVERIFIED_PATHS)[number];

/** A container's readiness probe. A value of 0 means Kubernetes' default. */
interface ReadinessProbe {
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds: number;
}

/** Defaults of a probe (SetDefaults_Probe in k8s.io/kubernetes/pkg/apis/core/v1/defaults.go). */
const PERIOD_SECONDS = 10;
const FAILURE_THRESHOLD = 3;
const TIMEOUT_SECONDS = 1;

/** Message of the condition Ready while a kubelet of 1.37 has no status of its own for a pod (pkg/kubelet/apis/pods/server.go). */
export const UNVERIFIED = "Kubelet is initializing pod containers";

/**
 * Maximum time from the moment a starting kubelet sees a pod until its prober begins. The kubelet first needs its sources, its runtime and
 * the pod's worker. On a busy real node this took up to two seconds.
 */
const START_MS = 10_000;

/** Maximum time until the kubelet has a status of its own for a pod. A healthy pod has one long before. */
const FIRST_STATUS_MS = 60_000;

/**
 * Returns the time until which Ready=False proves nothing, because the kubelet has restarted and has not probed the pod yet. Undefined if
 * Ready is a result of probes. Compare the result with the current time. No event is sent at that time, so check the pod again then.
 *
 * When the kubelet starts, it sets each static pod with a readiness probe to not ready, for example kube-apiserver and etcd, and probes it
 * within a period. Until a probe can have failed, the pod is more likely as ready as before. That time is `config.seen` + 10 s for the
 * start of the kubelet + periodSeconds × failureThreshold + timeoutSeconds + a period, the longest wait of a prober
 * (pkg/kubelet/prober/worker.go). A static pod that fails in that time counts as unverified, too.
 * @example
 * ```ts
 * const [pod] = await pods.listPods({ mask: podMasks.readiness });
 * const until = pod && readinessUnverifiedUntil(pod);
 * console.log(until === undefined || until < new Date()); // whether isReady(pod) counts
 * ```
 */
export function readinessUnverifiedUntil<P>(pod: Pod | (P & Needs<P, UnverifiedPaths>)): Date | undefined {
  const { metadata, spec, status } = needed(pod, UNVERIFIED_PATHS, "readinessUnverifiedUntil");
  const ready = status?.conditions.find(({ type }) => type === "Ready");
  const annotations = metadata?.annotations;
  const seenMs = Date.parse(annotations?.[SEEN_ANNOTATION] ?? "");
  if (ready?.status !== "False" || Number.isNaN(seenMs)) return undefined;
  if (ready.message === UNVERIFIED) return new Date(seenMs + FIRST_STATUS_MS);
  if (!isStaticSource(annotations?.[SOURCE_ANNOTATION])) return undefined;
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const probedMs = Math.max(
    0,
    ...containers.map(({ readinessProbe }) => (readinessProbe ? probeMs(readinessProbe) : 0)),
  );
  const sinceMs = toDate(ready.lastTransitionTime)?.getTime();
  // Transition times are in whole seconds. If the pod was not ready before this process started, an earlier process found the reason.
  const isOfStart = sinceMs === undefined || sinceMs >= Math.floor(seenMs / 1_000) * 1_000;
  return probedMs > 0 && isOfStart ? new Date(seenMs + START_MS + probedMs) : undefined;
}

/** Returns the longest time until a failing probe has failed `failureThreshold` times. */
function probeMs({ periodSeconds, failureThreshold, timeoutSeconds }: ReadinessProbe): number {
  const period = periodSeconds || PERIOD_SECONDS;
  return (period * (failureThreshold || FAILURE_THRESHOLD) + (timeoutSeconds || TIMEOUT_SECONDS) + period) * 1_000;
}
