import type { ContainerStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { isSidecar } from "../pod/container-run.js";
import { hasReady, isFinalPhase } from "../pod/lifecycle.js";
import { type PodMask, podMask } from "../pod/mask.js";
import type { PodOf } from "../pod/masked-pod.js";
import type { CheckedPath } from "../pod/path-types.js";
import type { Pod } from "../pod/pod.js";
import { toDate } from "../pod/time.js";
import { humanDuration } from "./duration.js";
import { type Column, type Mood, NONE } from "./table.js";

export interface PodColumn extends Column<Pod> {
  /** The fields that it reads. */
  readonly mask: PodMask;
}

/** Makes a column from the fields that it reads. The compiler checks that `show` reads no others. */
function column<P extends string>(
  header: string,
  reads: readonly CheckedPath<P>[],
  show: (pod: PodOf<P>, nowMs: number) => string,
  mood?: (text: string, pod: PodOf<P>) => Mood,
): PodColumn {
  // Every pod of a table has these fields, since the tables' masks include them.
  return { header, mask: podMask<P>(...reads), show, mood } as PodColumn;
}

const STATUS = ["name", "ready", "started", "restartCount", "state", "lastState"] as const;

/** The fields that READY, STATUS and RESTARTS are computed from. */
const SUMMARY = [
  "metadata.deletionTimestamp",
  "spec.containers.name",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "status.phase",
  "status.reason",
  "status.conditions",
  ...STATUS.map((field) => `status.initContainerStatuses.${field}` as const),
  ...STATUS.map((field) => `status.containerStatuses.${field}` as const),
] as const;
type Summarised = PodOf<(typeof SUMMARY)[number]>;
type ColumnStatus = Summarised["status"]["containerStatuses"][number];

export const NAMESPACE: PodColumn = column("NAMESPACE", ["metadata.namespace"], ({ metadata }) => metadata.namespace);

export const NAME: PodColumn = column("NAME", ["metadata.name"], ({ metadata }) => metadata.name);

/** The labels in kubectl's form: sorted by key. */
export const LABELS: PodColumn = column("LABELS", ["metadata.labels"], ({ metadata }) => {
  const labels = Object.entries(metadata.labels).map(([key, value]) => `${key}=${value}`);
  return labels.sort().join(",") || NONE;
});

/** The columns of `kubectl get pods`: printPod in k8s.io/kubernetes/pkg/printers/internalversion/printers.go. */
export const NARROW: readonly PodColumn[] = [
  NAME,
  column("READY", SUMMARY, (pod) => summaryOf(pod).ready),
  column("STATUS", SUMMARY, statusOf, (status, pod) => moodOf(summaryOf(pod).ready, status)),
  column("RESTARTS", SUMMARY, (pod, nowMs) => {
    const { restarts, lastRestart } = summaryOf(pod);
    const isDated = restarts > 0 && toDate(lastRestart) !== undefined;
    return `${restarts}${isDated ? ` (${age(lastRestart, nowMs)} ago)` : ""}`;
  }),
  column("AGE", ["metadata.creationTimestamp"], ({ metadata }, nowMs) => age(metadata.creationTimestamp, nowMs)),
];

/** The additional columns of `-o wide`. */
export const WIDE: readonly PodColumn[] = [
  column("IP", ["status.podIP", "status.podIPs"], ({ status }) => status.podIP || status.podIPs[0]?.ip || NONE),
  column("NODE", ["spec.nodeName"], ({ spec }) => spec.nodeName || NONE),
  column("NOMINATED NODE", ["status.nominatedNodeName"], ({ status }) => status.nominatedNodeName || NONE),
  column("READINESS GATES", ["spec.readinessGates", "status.conditions"], ({ spec, status }) => {
    const isOpen = (gate: string) => status.conditions.some(({ type, status }) => type === gate && status === "True");
    const open = spec.readinessGates.filter(({ conditionType }) => isOpen(conditionType));
    return spec.readinessGates.length === 0 ? NONE : `${open.length}/${spec.readinessGates.length}`;
  }),
];

/** Returns an age in kubectl's form. Static pods have no creation time. */
export function age(time: Time | Date | undefined, nowMs: number): string {
  const date = time instanceof Date ? time : toDate(time);
  return date === undefined ? "<unknown>" : humanDuration(nowMs - date.getTime());
}

/** The columns that are computed from the containers, before the deletion of the pod counts. */
interface ContainersSummary {
  ready: string;
  reason: string;
  restarts: number;
  lastRestart: Time | undefined;
}

/** The number of restarts, and the time of the last one. */
class Restarts {
  count = 0;
  last: Time | undefined;

  add({ restartCount, lastState }: ColumnStatus): void {
    this.count += restartCount;
    const finishedAt = lastState?.terminated?.finishedAt;
    const [last, next] = [toDate(this.last), toDate(finishedAt)];
    if (next !== undefined && (last === undefined || last < next)) this.last = finishedAt;
  }
}

function summaryOf(pod: Summarised): ContainersSummary {
  const { spec, status } = pod;
  const sidecars = new Set(spec.initContainers.filter(isSidecar).map(({ name }) => name));
  const regular = [...status.containerStatuses];
  const total = spec.containers.length + spec.initContainers.filter(isSidecar).length;
  let readyCount = 0;
  let initializing: string | undefined;
  const allInits = new Restarts();
  const others = new Restarts(); // of sidecars and regular containers
  for (const [i, container] of status.initContainerStatuses.entries()) {
    const isSide = sidecars.has(container.name);
    allInits.add(container);
    if (isSide) others.add(container);
    const started = isSide && container.started;
    if (container.state?.terminated?.exitCode === 0) continue;
    if (started) {
      if (container.ready) readyCount++;
      continue;
    }
    initializing = initReason(container, i, spec.initContainers.length);
    break;
  }
  const initialized = status.conditions.some((c) => c.type === "Initialized" && c.status === "True") ?? false;
  const phaseReason = schedulingGated(status.conditions) ?? (status.reason || status.phase);
  if (initializing !== undefined && !initialized) {
    return {
      ready: `${readyCount}/${total}`,
      reason: initializing,
      restarts: allInits.count,
      lastRestart: allInits.last,
    };
  }
  for (const container of regular.reverse()) {
    others.add(container);
    if (isServing(container)) readyCount++;
  }
  const reason = regularReason(status, initializing ?? phaseReason);
  return { ready: `${readyCount}/${total}`, reason, restarts: others.count, lastRestart: others.last };
}

function schedulingGated(conditions: readonly { type: string; reason: string }[] | undefined): string | undefined {
  const gated = conditions?.some(({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated");
  return gated ? "SchedulingGated" : undefined;
}

/** Returns why the pod waits for this init container. */
function initReason({ state }: Pick<ContainerStatus, "state">, index: number, total: number): string {
  if (state?.terminated !== undefined) return `Init:${endOf(state.terminated)}`;
  const waiting = state?.waiting?.reason ?? "";
  return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${total}`;
}

/** Returns the reason from the regular containers. As in kubectl the first container with a reason wins. */
function regularReason(status: Summarised["status"], before: string): string {
  let reason = before;
  let failure = "";
  let serving = false;
  for (const container of [...status.containerStatuses].reverse()) {
    const { waiting, terminated } = container.state ?? {};
    if (waiting !== undefined && waiting.reason !== "") reason = waiting.reason;
    else if (terminated !== undefined) {
      reason = endOf(terminated);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (isServing(container)) serving = true;
  }
  if (reason !== "Completed") return reason;
  // Some containers have completed, and others still run.
  if (serving && hasReady(status.conditions)) return "Running";
  if (failure !== "") return failure;
  return serving ? "NotReady" : reason;
}

function isServing({ ready, state }: Pick<ContainerStatus, "ready" | "state">): boolean {
  const waits = state?.waiting !== undefined && state.waiting.reason !== "";
  return ready && state?.running !== undefined && !waits && state.terminated === undefined;
}

function endOf({ reason, signal, exitCode }: { reason: string; signal: number; exitCode: number }): string {
  if (reason !== "") return reason;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** Returns Terminating for a deleted pod that has not ended, otherwise the reason. */
function statusOf(pod: Summarised): string {
  const { metadata, status } = pod;
  const { reason } = summaryOf(pod);
  if (metadata.deletionTimestamp === undefined) return reason;
  if (status.reason === "NodeLost") return "Unknown";
  return isFinalPhase(status.phase) ? reason : "Terminating";
}

/** Returns the colour of a status, by its text and by the number of ready containers. */
function moodOf(ready: string, status: string): Mood {
  if (status === "Completed" || status === "Succeeded") return "over";
  const [some, all] = ready.split("/");
  if (status === "Running" && some === all) return "good";
  return /Error|BackOff|Err|OOM|Evicted|Failed|Unknown|ExitCode|Signal|Invalid|Cannot|Deadline/.test(status)
    ? "bad"
    : "uncertain";
}
