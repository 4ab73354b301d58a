import type { Pod } from "../gen/pod-types.js";
import { isStaticSource, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "./lifecycle.js";
import { type Needs, needed } from "./needs.js";
import { toDate } from "./time.js";

/** The paths that {@link readinessUnverifiedUntil} reads. */
export const UNVERIFIED_PATHS = [
  "metadata.annotations",
  "spec.initContainers.readinessProbe",
  "spec.containers.readinessProbe",
  "status.conditions",
] as const;
type UnverifiedPaths = (typeof UNVERIFIED_PATHS)[number];

/** A container's readiness probe; figures that are 0 have the defaults of Kubernetes. */
interface ReadinessProbe {
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds: number;
}

/** Defaults of a probe (SetDefaults_Probe in k8s.io/kubernetes/pkg/apis/core/v1/defaults.go). */
const PERIOD_SECONDS = 10;
const FAILURE_THRESHOLD = 3;
const TIMEOUT_SECONDS = 1;

/** The message of Ready where a kubelet of 1.37 has no status of its own for a pod yet (pkg/kubelet/apis/pods/server.go). */
export const UNVERIFIED = "Kubelet is initializing pod containers";

/**
 * How long a kubelet that starts may take from seeing a pod until its prober begins: its sources, its runtime and the pod's
 * worker come first. On a real, busy node it was up to two seconds.
 */
const START_MS = 10_000;

/** A worker has its first status long before that, or something is wrong with the pod. */
const FIRST_STATUS_MS = 60_000;

/**
 * Returns the time until which Ready=False says nothing of a pod, because its kubelet has started again and has not probed it
 * yet; undefined where Ready is what the kubelet has found out. Pure: it has no clock, so compare with now, and look again
 * when the time has come, since nothing is told then.
 *
 * A kubelet that starts sets each static pod with a readiness probe not ready, kube-apiserver and etcd among them, and probes it
 * within a period. What the pod was before is the better guess until a probe could have failed: `config.seen` + 10 s for the
 * kubelet's own start + periodSeconds × failureThreshold + timeoutSeconds + a period, which is how long a prober waits at most
 * (pkg/kubelet/prober/worker.go). A static pod that truly fails in that time is told to be unverified.
 *
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
  // Transition times are in whole seconds. Before this process it was not ready for a reason that an earlier one found.
  const isOfStart = sinceMs === undefined || sinceMs >= Math.floor(seenMs / 1_000) * 1_000;
  return probedMs > 0 && isOfStart ? new Date(seenMs + START_MS + probedMs) : undefined;
}

/** Returns how long it takes at most until a probe that fails has failed as often as it has to. */
function probeMs({ periodSeconds, failureThreshold, timeoutSeconds }: ReadinessProbe): number {
  const period = periodSeconds || PERIOD_SECONDS;
  return (period * (failureThreshold || FAILURE_THRESHOLD) + (timeoutSeconds || TIMEOUT_SECONDS) + period) * 1_000;
}
