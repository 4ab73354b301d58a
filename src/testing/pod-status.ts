import { createHash } from "node:crypto";
import { clone, create, equals } from "@bufbuild/protobuf";
import {
  type Container,
  ContainerStateSchema,
  type ContainerStatus,
  ContainerStatusSchema,
  HostIPSchema,
  PodConditionSchema,
  PodIPSchema,
  type PodStatus,
  PodStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { Pod } from "../pod/pod.js";
import { isStatic } from "../pod/pod-state.js";
import { UNVERIFIED } from "../pod/readiness.js";
import { isRestarted } from "../pod/restart-policy.js";
import { forgo, run, stop, toTime } from "./container-status.js";
import { conditionOf, disrupt, type EvictionReason } from "./disruption.js";

/** Phase of a finished pod. */
export type FinishedPhase = "Succeeded" | "Failed";

/** The conditions that the kubelet sets itself (kubetypes.PodConditionByKubelet, PodConditionSharedByKubelet). */
const KUBELET_REASONS: ReadonlySet<string> = new Set([
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

/** Returns true if the kubelet's status manager treats two statuses as equal, and so sends no event (isPodStatusByKubeletEqual). */
export function sameStatus(a: PodStatus, b: PodStatus): boolean {
  return equals(PodStatusSchema, comparable(a), comparable(b));
}

function comparable(status: PodStatus): PodStatus {
  const copy = clone(PodStatusSchema, status);
  copy.conditions = copy.conditions
    .filter(({ type }) => KUBELET_REASONS.has(type))
    .map(({ type, status, reason, message }) => create(PodConditionSchema, { type, status, reason, message }))
    .sort((x, y) => (x.type < y.type ? -1 : 1));
  copy.resourceClaimStatuses = [];
  delete copy.extendedResourceClaimStatus;
  copy.nodeAllocatableResourceClaimStatuses = [];
  return copy;
}

/**
 * Returns the name of an ended container that would run again despite its restart policy; undefined if there is none. The kubelet's status
 * manager rejects such a status (checkContainerStateTransition).
 */
export function illegalRestart(before: PodStatus, { spec, status }: Pod): string | undefined {
  const policy = spec?.restartPolicy ?? "";
  if (policy === "Always" || policy === "") return undefined;
  const lists = [
    [before.containerStatuses, status.containerStatuses, spec?.containers],
    [before.initContainerStatuses, status.initContainerStatuses, spec?.initContainers],
  ] as const;
  for (const [old, next, containers = []] of lists) {
    for (const { name, state } of old) {
      const container = containers.find((each) => each.name === name);
      if (state?.terminated === undefined || isRestarted(state.terminated.exitCode, policy, container)) continue;
      const now = next.find((each) => each.name === name);
      if (now !== undefined && now.state?.terminated === undefined) return name;
    }
  }
  return undefined;
}

/** Normalizes a status as the status manager does before it compares or sends it (updateStatusInternal, normalizeStatus). */
export function settle(status: PodStatus, before: PodStatus, { metadata, spec }: Pod, now: Date): void {
  for (const condition of status.conditions) {
    if (!KUBELET_REASONS.has(condition.type)) continue;
    const old = before.conditions.find(({ type }) => type === condition.type);
    if (old === condition) continue;
    const since = old?.status === condition.status ? old.lastTransitionTime : create(TimeSchema, toTime(now));
    if (since !== undefined) condition.lastTransitionTime = since;
  }
  const startTime = before.startTime ?? status.startTime ?? create(TimeSchema, toTime(now));
  status.startTime = startTime;
  if (metadata.generation > status.observedGeneration) status.observedGeneration = metadata.generation;
  if (before.observedGeneration > status.observedGeneration) status.observedGeneration = before.observedGeneration;
  const byName = (a: ContainerStatus, b: ContainerStatus) => (a.name < b.name ? -1 : 1);
  status.containerStatuses.sort(byName);
  status.ephemeralContainerStatuses.sort(byName);
  const place = new Map(spec?.initContainers.map(({ name }, i) => [name, i]));
  status.initContainerStatuses.sort((a, b) => (place.get(a.name) ?? -1) - (place.get(b.name) ?? -1));
}

/**
 * Sets the first container statuses of a new pod, as a kubelet does: all containers wait, with the reason PodInitializing if there are init
 * containers (defaultWaitingState in pkg/kubelet/kubelet_pods.go). Returns false if the pod already has container statuses, or is past
 * Pending.
 */
export function begin(status: PodStatus, { spec }: Pod): boolean {
  if (status.phase !== "" && status.phase !== "Pending") return false;
  if (status.initContainerStatuses.length + status.containerStatuses.length > 0) return false;
  status.phase = "Pending";
  addWaiting(status, spec, spec.initContainers.length > 0 ? "PodInitializing" : "ContainerCreating");
  return true;
}

/** Adds a waiting status for each container that has no status. */
function addWaiting(status: PodStatus, spec: Pod["spec"], reason: string): void {
  for (const [containers, statuses] of [
    [spec.initContainers, status.initContainerStatuses],
    [spec.containers, status.containerStatuses],
  ] as const) {
    for (const { name, image } of containers) {
      if (statuses.some((each) => each.name === name)) continue;
      const state = create(ContainerStateSchema, { waiting: { reason } });
      statuses.push(create(ContainerStatusSchema, { name, image, state }));
    }
  }
}

/**
 * Runs all containers that may run, and makes them ready. Init containers run and complete. Containers that have ended for good stay ended.
 * Sets the container statuses, container IDs and addresses of a running pod; the caller sets the phase and conditions. If `ip` differs from
 * the address of the pod, the pod has a new sandbox, and so new containers.
 */
export function start(status: PodStatus, pod: Pod, now: Date, ip?: string): void {
  const { metadata, spec } = pod;
  const policy = spec?.restartPolicy ?? "";
  const isMoved = ip !== undefined && status.podIP !== "" && status.podIP !== ip;
  const lists = [
    [spec?.initContainers ?? [], status.initContainerStatuses, true],
    [spec?.containers ?? [], status.containerStatuses, false],
  ] as const;
  for (const [containers, statuses, init] of lists) {
    for (const container of containers) {
      let known = statuses.find(({ name }) => name === container.name);
      if (known === undefined) {
        known = create(ContainerStatusSchema, { name: container.name, image: container.image });
        statuses.push(known);
      }
      if (isMoved && known.state?.running !== undefined) stop(known, SANDBOX_CHANGED, now);
      const { state } = known;
      if (init && container.restartPolicy !== "Always") {
        if (state?.terminated === undefined) {
          run(known, metadata.uid, now);
          stop(known, {}, now);
        }
      } else if (state?.terminated === undefined || isRestarted(state.terminated.exitCode, policy, container)) {
        run(known, metadata.uid, now);
      } else known.ready = false;
    }
  }
  for (const each of status.ephemeralContainerStatuses) {
    if (each.state?.terminated === undefined) run(each, metadata.uid, now);
    else if (isMoved) each.ready = false;
  }
  setAddresses(status, pod, ip);
}

/** Sets the host address, the pod address and the QoS class of a running pod, if they are missing. `ip` replaces the pod address. */
export function setAddresses(status: PodStatus, { metadata, spec }: Pod, ip?: string): void {
  status.hostIP ||= NODE_IP;
  if (status.hostIPs.length === 0) status.hostIPs = [create(HostIPSchema, { ip: status.hostIP })];
  status.qosClass ||= "BestEffort";
  if (ip !== undefined) setAddress(status, ip);
  else if (spec?.hostNetwork === true) setAddress(status, status.hostIP);
  else if (status.podIP === "") setAddress(status, addressFor(metadata.uid));
}

/** The exit of a container whose sandbox was replaced. */
const SANDBOX_CHANGED = { exitCode: 137, reason: "Error" };

export const NODE_IP = "10.0.0.11";

export function setAddress(status: PodStatus, ip: string): void {
  status.podIP = ip;
  status.podIPs = [create(PodIPSchema, { ip })];
}

/** Returns an address for a pod that depends on its UID: one of 62,500 addresses in 10.245.0.0/16. */
export function addressFor(uid: string): string {
  const number = Number.parseInt(createHash("sha256").update(uid).digest("hex").slice(0, 8), 16);
  return `10.245.${number % 250}.${2 + (Math.floor(number / 250) % 250)}`;
}

/** Ends all running containers, with exit code 0, or 137 if they are killed. */
export function end(status: PodStatus, isKilled: boolean, now: Date): void {
  for (const container of containersOf(status))
    if (container.state?.running !== undefined) stop(container, isKilled ? { exitCode: 137 } : {}, now);
}

/**
 * Sets the last status of a pod that the kubelet has finished (TerminatePod in pkg/kubelet/status/status_manager.go). Containers without a
 * known exit end with the reason ContainerStatusUnknown. The phase becomes Failed, unless it is Succeeded or the pod is static.
 */
export function terminate(status: PodStatus, pod: Pod): void {
  const { initContainerStatuses: init, containerStatuses: regular } = status;
  const moved = ({ state, lastState }: ContainerStatus) =>
    state?.waiting === undefined || lastState?.terminated !== undefined;
  const isInitialized = init.every(({ ready, started }) => ready || started === true) || regular.some(moved);
  const last = Math.max(0, init.findLastIndex(moved));
  for (const each of [...init.slice(0, last + 1), ...(isInitialized ? regular : [])]) forgo(each);
  if (status.phase !== "Succeeded" && !isStatic(pod)) status.phase = "Failed";
}

/** Sets the status of a pod that the kubelet stops: Failed while the containers are still running. */
export function evict(status: PodStatus, reason: EvictionReason, message: string): void {
  Object.assign(status, { phase: "Failed", reason, message });
  const condition = conditionOf(reason, message);
  if (condition !== undefined) disrupt(status, "TerminationByKubelet", condition);
}

/**
 * Returns the status that 1.37 serves for a pod whose status this process has not reported yet: Ready=True becomes False
 * (getEffectivePodStatus in pkg/kubelet/apis/pods/server.go).
 */
export function unverified(status: PodStatus): PodStatus {
  const copy = clone(PodStatusSchema, status);
  if (copy.phase === "") copy.phase = "Pending";
  const ready = copy.conditions.find(({ type, status }) => type === "Ready" && status === "True");
  if (ready !== undefined) {
    ready.status = "False";
    ready.reason = "ContainersNotReady";
    ready.message = UNVERIFIED;
  }
  return copy;
}

/**
 * Returns the containers that are not ready until a new process has probed them. Those of a static pod with a readiness probe (observed on
 * real kubelets). API pods keep the readiness that they have in the API server; with 1.38 only for containers with the same ID as there
 * (canInheritProbeState in pkg/kubelet/prober/prober_manager.go).
 */
export function probedAnew(pod: Pod, lastIDs: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const isKnown = (name: string) => {
    const id = pod.status.containerStatuses.find((each) => each.name === name)?.containerID ?? "";
    return lastIDs === undefined || id === "" || lastIDs.has(id);
  };
  const isProbed = ({ name, readinessProbe, startupProbe }: Container) =>
    isStatic(pod) ? readinessProbe !== undefined : (readinessProbe ?? startupProbe) !== undefined && !isKnown(name);
  return new Set(pod.spec.containers.filter(isProbed).map(({ name }) => name));
}

/** Sets the first status of a pod in a new process, with containers that are not ready until they have been probed. */
export function unprobed(status: PodStatus, { spec }: Pod, names: ReadonlySet<string>): void {
  const unready = status.containerStatuses.filter(({ name, ready }) => ready && names.has(name));
  if (unready.length === 0) return;
  for (const container of unready) {
    container.ready = false;
    const { startupProbe } = spec.containers.find(({ name }) => name === container.name) ?? {};
    if (startupProbe !== undefined) container.started = false;
  }
  const message = `containers with unready status: [${unready.map(({ name }) => name).join(" ")}]`;
  for (const condition of status.conditions) {
    if (condition.type !== "Ready" && condition.type !== "ContainersReady") continue;
    Object.assign(condition, { status: "False", reason: "ContainersNotReady", message });
  }
}

/** Makes a pod ready after its probes have succeeded. */
export function probed(status: PodStatus): void {
  for (const container of status.containerStatuses) {
    const isRunning = container.state?.running !== undefined;
    container.ready ||= isRunning;
    container.started ||= isRunning;
  }
  if (!status.containerStatuses.every(({ ready }) => ready)) return;
  for (const condition of status.conditions) {
    if (condition.type !== "Ready" && condition.type !== "ContainersReady") continue;
    Object.assign(condition, { status: "True", reason: "", message: "" });
  }
}

function containersOf(status: PodStatus): ContainerStatus[] {
  return [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses].flat();
}
