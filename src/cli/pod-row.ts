import type { ContainerStatus, Pod, Time } from "../gen/pod-types.js";
import { isSidecar, statusesOf } from "../pod/container-instance.js";
import { hasReady, isFinalPhase } from "../pod/lifecycle.js";
import { type PodMask, podMask } from "../pod/mask.js";
import { toDate } from "../pod/time.js";
import { humanDuration } from "./duration.js";

/** The columns of `kubectl get pods -o wide` for one pod. */
export interface PodRow {
  namespace: string;
  name: string;
  ready: string;
  status: string;
  restarts: string;
  age: string;
  ip: string;
  node: string;
  nominatedNode: string;
  readinessGates: string;
}

/** The fields that a row is computed from. */
export const ROW_MASK: PodMask = podMask(
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "spec.nodeName",
  "spec.containers.name",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.readinessGates",
  "status.phase",
  "status.reason",
  "status.conditions",
  "status.podIP",
  "status.podIPs",
  "status.nominatedNodeName",
  ...containerFacts("status.initContainerStatuses"),
  ...containerFacts("status.containerStatuses"),
);

function containerFacts<List extends "status.initContainerStatuses" | "status.containerStatuses">(list: List) {
  return [
    `${list}.name`,
    `${list}.ready`,
    `${list}.started`,
    `${list}.restartCount`,
    `${list}.state`,
    `${list}.lastState`,
  ] as const;
}

/**
 * Computes a pod's row as kubectl does: printPod in k8s.io/kubernetes/pkg/printers/internalversion/printers.go. `nowMs` is
 * what ages are counted to.
 */
export function podRow(pod: Pod, nowMs: number): PodRow {
  const { metadata, spec, status } = pod;
  const since = (time: Time | undefined) => age(time, nowMs);
  const { ready, reason, restarts, lastRestart } = summaryOf(pod);
  const ago = restarts > 0 && toDate(lastRestart) !== undefined ? ` (${since(lastRestart)} ago)` : "";
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    ready,
    status: statusOf(pod, reason),
    restarts: `${restarts}${ago}`,
    age: since(metadata?.creationTimestamp),
    ip: status?.podIP || status?.podIPs[0]?.ip || NONE,
    node: spec?.nodeName || NONE,
    nominatedNode: status?.nominatedNodeName || NONE,
    readinessGates: gatesOf(pod),
  };
}

const NONE = "<none>";

/** Writes how long ago something was, as kubectl does; static pods have no creation time. */
export function age(time: Time | Date | undefined, nowMs: number): string {
  const date = time instanceof Date ? time : toDate(time);
  return date === undefined ? "<unknown>" : humanDuration(nowMs - date.getTime());
}

/** The columns that follow from the containers, before the pod's own end counts. */
interface ContainersSummary {
  ready: string;
  reason: string;
  restarts: number;
  lastRestart: Time | undefined;
}

/** Restarts and when the last one was. */
class Restarts {
  count = 0;
  last: Time | undefined;

  add({ restartCount, lastState }: ContainerStatus): void {
    this.count += restartCount;
    const finishedAt = lastState?.terminated?.finishedAt;
    const [last, next] = [toDate(this.last), toDate(finishedAt)];
    if (next !== undefined && (last === undefined || last < next)) this.last = finishedAt;
  }
}

function summaryOf(pod: Pod): ContainersSummary {
  const { spec, status } = pod;
  const statuses = [...statusesOf<ContainerStatus>(pod)];
  const ofInit = statuses.filter(([kind]) => kind === "init" || kind === "sidecar");
  const regular = statuses.filter(([kind]) => kind === "regular").map(([, container]) => container);
  const total = spec.containers.length + spec.initContainers.filter(isSidecar).length;
  let readyCount = 0;
  let initializing: string | undefined;
  const allInits = new Restarts();
  const others = new Restarts(); // sidecars, then regular containers
  for (const [i, [kind, container]] of ofInit.entries()) {
    allInits.add(container);
    if (kind === "sidecar") others.add(container);
    const started = kind === "sidecar" && container.started;
    if (container.state?.terminated?.exitCode === 0) continue;
    if (started) {
      if (container.ready) readyCount++;
      continue;
    }
    initializing = initReason(container, i, spec.initContainers.length);
    break;
  }
  const initialized = status?.conditions.some((c) => c.type === "Initialized" && c.status === "True") ?? false;
  const phaseReason = schedulingGated(status?.conditions) ?? (status?.reason || status?.phase || "");
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

/** Says why the pod is not past this init container. */
function initReason({ state }: ContainerStatus, index: number, total: number): string {
  if (state?.terminated !== undefined) return `Init:${endOf(state.terminated)}`;
  const waiting = state?.waiting?.reason ?? "";
  return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${total}`;
}

/** Returns the reason that regular containers give: the first one that has something to say has the last word. */
function regularReason(status: Pod["status"], before: string): string {
  let reason = before;
  let failure = "";
  let serving = false;
  for (const container of [...(status?.containerStatuses ?? [])].reverse()) {
    const { waiting, terminated } = container.state ?? {};
    if (waiting !== undefined && waiting.reason !== "") reason = waiting.reason;
    else if (terminated !== undefined) {
      reason = endOf(terminated);
      if (terminated.exitCode !== 0) failure = reason;
    } else if (isServing(container)) serving = true;
  }
  if (reason !== "Completed") return reason;
  // Some have ended well, and others may go on.
  if (serving && hasReady(status?.conditions)) return "Running";
  if (failure !== "") return failure;
  return serving ? "NotReady" : reason;
}

function isServing({ ready, state }: ContainerStatus): boolean {
  const waits = state?.waiting !== undefined && state.waiting.reason !== "";
  return ready && state?.running !== undefined && !waits && state.terminated === undefined;
}

function endOf({ reason, signal, exitCode }: { reason: string; signal: number; exitCode: number }): string {
  if (reason !== "") return reason;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

/** Returns Terminating for a pod that is to go and has not ended, and else the reason. */
function statusOf({ metadata, status }: Pod, reason: string): string {
  if (metadata?.deletionTimestamp === undefined) return reason;
  if (status?.reason === "NodeLost") return "Unknown";
  return isFinalPhase(status?.phase) ? reason : "Terminating";
}

function gatesOf({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType }) => {
    const condition = status?.conditions.find(({ type }) => type === conditionType);
    return condition?.status === "True";
  });
  return `${open.length}/${gates.length}`;
}
