import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import {
  type Container,
  ContainerStateSchema,
  type ContainerStatus,
  ContainerStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ContainerExit, ContainerKind } from "../pod/container-run.js";
import type { Pod } from "../pod/pod.js";
import { isRestarted } from "../pod/restart-policy.js";

/**
 * The exit of a container in the reference kubelet. The default exit code is 0, or 137 if the reason is OOMKilled. The default reason is
 * Completed for exit code 0, and Error otherwise.
 */
export type GivenExit = Partial<Pick<ContainerExit, "exitCode" | "signal" | "reason" | "message">>;

export const EXIT_OPTIONS = { exitCode: "number", signal: "number", reason: "string", message: "string" } as const;

/** A container of a pod: its spec, and its status, which is created if it is missing. */
export interface Place {
  readonly kind: ContainerKind;
  readonly container: Container | undefined;
  readonly status: ContainerStatus;
}

/** Returns a container of a pod; undefined if the pod has no container of this name. */
export function placeOf({ spec, status }: Pod, name: string): Place | undefined {
  const lists = [
    [spec.initContainers, status.initContainerStatuses],
    [spec.containers, status.containerStatuses],
    [
      spec.ephemeralContainers.map(({ ephemeralContainerCommon: common }) => common as unknown as Container),
      status.ephemeralContainerStatuses,
    ],
  ] as const;
  for (const [nth, [containers, statuses]] of lists.entries()) {
    const container = containers.find((each) => each?.name === name);
    let known = statuses.find((each) => each.name === name);
    if (container === undefined && known === undefined) continue;
    if (known === undefined) {
      known = create(ContainerStatusSchema, { name, image: container?.image ?? "" });
      statuses.push(known);
    }
    const init: ContainerKind = container?.restartPolicy === "Always" ? "sidecar" : "init";
    return { kind: nth === 0 ? init : nth === 1 ? "regular" : "ephemeral", container, status: known };
  }
  return undefined;
}

/**
 * Creates the next run of a container. The container waits, with a new ID, and is not running yet. If it ran before, the restart count
 * grows by one, and the last state is the end of that run.
 */
export function prepare(status: ContainerStatus, uid: string): void {
  const { state } = status;
  if (state?.running !== undefined || isCreated(status)) return;
  // The loss of a container has already been counted as a restart.
  const last = status.lastState?.terminated;
  if (state?.terminated !== undefined || (last !== undefined && last.containerID !== "")) status.restartCount++;
  if (state?.terminated !== undefined)
    status.lastState = create(ContainerStateSchema, { terminated: state.terminated });
  status.containerID = `containerd://${idOf(uid, status.name, status.restartCount)}`;
  status.imageID ||= `${status.image}@sha256:${sha256(status.image)}`;
  status.state = create(ContainerStateSchema, { waiting: {} });
  status.ready = false;
  status.started = false;
}

/** Starts a container and makes it ready. Creates it first if needed. */
export function run(status: ContainerStatus, uid: string, now: Date): void {
  prepare(status, uid);
  status.ready = true;
  status.started = true;
  if (status.state?.running !== undefined) return;
  status.state = create(ContainerStateSchema, { running: { startedAt: toTime(now) } });
}

const COMPLETED = { exitCode: 0 };
const START_ERROR = { exitCode: 128, reason: "StartError" };
const KILLED_EXIT = { exitCode: 137 };

/** Ends a running container, or one that could not be started. For the latter, kubelets write a start time in 1970. */
export function stop(status: ContainerStatus, given: GivenExit, now: Date): void {
  const { state } = status;
  if (state?.terminated !== undefined) return;
  const isUnstarted = isCreated(status);
  const usual = given.reason === "OOMKilled" ? KILLED_EXIT : COMPLETED;
  const { exitCode, signal, reason, message = "" } = { ...(isUnstarted ? START_ERROR : usual), ...given };
  const startedAt = isUnstarted ? { seconds: 0n } : state?.running?.startedAt;
  status.state = create(ContainerStateSchema, {
    terminated: {
      exitCode,
      signal: signal ?? 0,
      reason: reason ?? (exitCode === 0 ? "Completed" : "Error"),
      message,
      ...(startedAt && { startedAt }),
      finishedAt: toTime(now),
      containerID: status.containerID,
    },
  });
  status.ready = false;
  status.started = false;
}

/** Puts an ended container into CrashLoopBackOff. It keeps the ID of the ended run. */
export function backOff(status: ContainerStatus): void {
  if (status.state?.terminated === undefined) return;
  status.lastState = status.state;
  const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };
  status.state = create(ContainerStateSchema, { waiting });
}

/**
 * Makes the runtime lose a running container. The kubelet infers that the container has ended, and counts a restart unless the pod is being
 * deleted. If there is a last state, it stays, and no restart is counted (pkg/kubelet/kubelet_pods.go:2655).
 */
export function lose(status: ContainerStatus, isDeleted: boolean): void {
  const hasLast = status.lastState?.terminated !== undefined;
  setWaiting(status, { reason: "ContainerCreating" });
  if (hasLast) return;
  status.lastState = create(ContainerStateSchema, { terminated: UNKNOWN_EXIT });
  if (!isDeleted) status.restartCount++;
}

/** Ends a container with the reason ContainerStatusUnknown, because its pod has ended. */
export function forgo(status: ContainerStatus): void {
  if (status.state?.terminated !== undefined) return;
  const message = "The container could not be located when the pod was terminated";
  status.state = create(ContainerStateSchema, { terminated: { ...UNKNOWN_EXIT, message } });
}

/** Removes a running or ended container, as RestartAllContainers does before it creates the next one (pkg/kubelet/kubelet_pods.go:2609). */
export function removeToRestart(status: ContainerStatus): void {
  if (status.state?.running === undefined && status.state?.terminated === undefined) return;
  const why = {
    reason: "RestartingAllContainers",
    message: "The container is removed because RestartAllContainers in place",
  };
  setWaiting(status, why);
  status.lastState = create(ContainerStateSchema, { terminated: { ...why, exitCode: 137 } });
  status.restartCount++;
}

/** The exit of a container about which nothing is known. It has no ID and no times. */
const UNKNOWN_EXIT = {
  reason: "ContainerStatusUnknown",
  message: "The container could not be located when the pod was deleted.  The container used to be Running",
  exitCode: 137,
};

function setWaiting(status: ContainerStatus, waiting: { reason: string; message?: string }): void {
  status.state = create(ContainerStateSchema, { waiting });
  status.containerID = "";
  status.ready = false;
  status.started = false;
}

/** Returns true if a container has been created but not started. A container in CrashLoopBackOff has the ID of its ended run instead. */
export function isCreated({ containerID, state, lastState }: ContainerStatus): boolean {
  if (containerID === "" || state?.running !== undefined || state?.terminated !== undefined) return false;
  return lastState?.terminated?.containerID !== containerID;
}

/** Returns true if an ended container may not run again. */
export function isOver({ spec }: Pod, { kind, container, status }: Place): boolean {
  const ended = status.state?.terminated;
  if (ended === undefined) return false;
  return kind === "ephemeral" || (kind !== "sidecar" && !isRestarted(ended.exitCode, spec.restartPolicy, container));
}

/** Converts a time to whole seconds, as Kubernetes writes times. */
export function toTime(date: Date): { seconds: bigint } {
  return { seconds: BigInt(Math.floor(date.getTime() / 1000)) };
}

function idOf(uid: string, name: string, restartCount: number): string {
  return sha256(restartCount === 0 ? `${uid}/${name}` : `${uid}/${name}/${restartCount}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
