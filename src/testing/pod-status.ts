import { clone, create, equals } from "@bufbuild/protobuf";
import {
  ContainerStateSchema,
  type ContainerStatus,
  type PodCondition,
  PodConditionSchema,
  type PodStatus,
  PodStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { KnownPod } from "./pod-input.js";

/** How a pod ends. */
export type FinishedPhase = "Succeeded" | "Failed";

/** The conditions that the kubelet sets itself (kubetypes.PodConditionByKubelet, PodConditionSharedByKubelet). */
const BY_KUBELET: ReadonlySet<string> = new Set([
  "PodScheduled",
  "Ready",
  "Initialized",
  "ContainersReady",
  "PodReadyToStartContainers",
  "PodResizePending",
  "PodResizeInProgress",
  "AllContainersRestarting",
  "DisruptionTarget",
]);

/** Whether the kubelet's status manager takes two statuses for the same, and tells nobody (isPodStatusByKubeletEqual). */
export function sameStatus(a: PodStatus, b: PodStatus): boolean {
  return equals(PodStatusSchema, comparable(a), comparable(b));
}

function comparable(status: PodStatus): PodStatus {
  const copy = clone(PodStatusSchema, status);
  copy.conditions = copy.conditions
    .filter(({ type }) => BY_KUBELET.has(type))
    .map(({ type, status, reason, message }) => create(PodConditionSchema, { type, status, reason, message }))
    .sort((x, y) => (x.type < y.type ? -1 : 1));
  copy.resourceClaimStatuses = [];
  delete copy.extendedResourceClaimStatus;
  copy.nodeAllocatableResourceClaimStatuses = [];
  return copy;
}

/**
 * The name of a container that has ended and is to run again against its pod's restart policy; undefined where there is
 * none. The kubelet's status manager throws such a status away (checkContainerStateTransition).
 */
export function illegalRestart(before: PodStatus, { spec, status }: KnownPod): string | undefined {
  const policy = spec?.restartPolicy ?? "Always";
  if (policy === "Always" || policy === "") return undefined;
  const sidecars = new Set(
    spec?.initContainers.filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name),
  );
  const lists = [
    [before.containerStatuses, status.containerStatuses],
    [before.initContainerStatuses, status.initContainerStatuses],
  ] as const;
  for (const [old, next] of lists) {
    for (const { name, state } of old) {
      const ended = state?.terminated;
      if (ended === undefined || sidecars.has(name)) continue;
      if (ended.exitCode !== 0 && policy === "OnFailure") continue;
      const now = next.find((container) => container.name === name);
      if (now !== undefined && now.state?.terminated === undefined) return name;
    }
  }
  return undefined;
}

/** Ends all containers and sets the phase. */
export function end(status: PodStatus, phase: FinishedPhase, now: Date): void {
  status.phase = phase;
  for (const container of containersOf(status)) terminate(container, phase, now);
  setReady(status, now, phase === "Succeeded" ? "PodCompleted" : "PodFailed");
}

/** What the kubelet tells of a pod that it is about to evict: Failed, while the containers run. */
export function evict(status: PodStatus, { reason, message }: { reason: string; message: string }, now: Date): void {
  Object.assign(status, { phase: "Failed", reason, message });
  const condition = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message };
  status.conditions = [
    ...status.conditions.filter(({ type }) => type !== condition.type),
    create(PodConditionSchema, { ...condition, lastTransitionTime: toTime(now) }),
  ];
}

/**
 * The status of a pod that this process has not looked at yet, as 1.37 serves it: Ready=True is not passed on
 * (getEffectivePodStatus in pkg/kubelet/apis/pods/server.go).
 */
export function unverified(status: PodStatus): PodStatus {
  const copy = clone(PodStatusSchema, status);
  if (copy.phase === "") copy.phase = "Pending";
  const ready = copy.conditions.find(({ type, status }) => type === "Ready" && status === "True");
  if (ready !== undefined) {
    ready.status = "False";
    ready.reason = "ContainersNotReady";
    ready.message = "Kubelet is initializing pod containers";
  }
  return copy;
}

/** The order in which the status manager keeps container statuses (normalizeStatus). */
export function sortContainers(status: PodStatus): void {
  const byName = (a: ContainerStatus, b: ContainerStatus) => (a.name < b.name ? -1 : 1);
  status.containerStatuses.sort(byName);
  status.ephemeralContainerStatuses.sort(byName);
}

/** Whether nothing of the pod runs, nor will. */
export function isFinished(status: PodStatus): boolean {
  const ended = status.phase === "Succeeded" || status.phase === "Failed";
  return ended && containersOf(status).every(({ state }) => state?.running === undefined);
}

/** A time in seconds, as Kubernetes writes them. */
export function toTime(date: Date): { seconds: bigint } {
  return { seconds: BigInt(Math.floor(date.getTime() / 1000)) };
}

function containersOf(status: PodStatus): ContainerStatus[] {
  return [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses].flat();
}

function setReady(status: PodStatus, now: Date, reason: string): void {
  const turns = ({ type, status }: PodCondition) =>
    (type === "Ready" || type === "ContainersReady") && status !== "False";
  for (const condition of status.conditions.filter(turns)) {
    condition.status = "False";
    condition.reason = reason;
    condition.lastTransitionTime = create(TimeSchema, toTime(now));
  }
}

function terminate(container: ContainerStatus, phase: FinishedPhase, now: Date): void {
  const { state } = container;
  if (state?.terminated !== undefined) return;
  container.state = create(ContainerStateSchema, {
    terminated: {
      exitCode: phase === "Succeeded" ? 0 : 137,
      reason: phase === "Succeeded" ? "Completed" : "Error",
      startedAt: state?.running?.startedAt ?? create(TimeSchema),
      finishedAt: toTime(now),
      containerID: container.containerID,
    },
  });
  container.ready = false;
  container.started = false;
}
