import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import {
  type Container,
  ContainerStateSchema,
  type ContainerStatus,
  ContainerStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ContainerExit, ContainerKind } from "../pod/container-instance.js";
import type { PodMessage } from "../pod/pod.js";

/** How a container ends in the reference kubelet. What is left out is made up: exit code 0, and the reason that goes with the code. */
export type GivenExit = Partial<Pick<ContainerExit, "exitCode" | "signal" | "reason" | "message">>;

/** The options of an end, as they are checked. */
export const EXIT_OPTIONS = { exitCode: "number", signal: "number", reason: "string", message: "string" } as const;

/** A container of a pod: what its spec says, and its status, which is made where there is none. */
export interface Place {
  readonly kind: ContainerKind;
  readonly container: Container | undefined;
  readonly status: ContainerStatus;
}

/** Returns where a container stands in a pod; undefined where the pod has none of the name. */
export function placeOf({ spec, status }: PodMessage, name: string): Place | undefined {
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
 * Creates the next container of a place, which does not run yet: it waits, with an ID. Where one ran before, it has one restart more,
 * and that one's end as its last state.
 */
export function prepare(status: ContainerStatus, uid: string): void {
  const { state } = status;
  if (state?.running !== undefined || isCreated(status)) return;
  // A container that was lost has been counted as a restart already.
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

/** Starts a container, which is created where it is not. It is ready. */
export function run(status: ContainerStatus, uid: string, now: Date): void {
  prepare(status, uid);
  status.ready = true;
  status.started = true;
  if (status.state?.running !== undefined) return;
  status.state = create(ContainerStateSchema, { running: { startedAt: toTime(now) } });
}

const COMPLETED = { exitCode: 0 };
const START_ERROR = { exitCode: 128, reason: "StartError" };

/** Ends a container that runs, or one that could not be started, of which kubelets write that it began in 1970. */
export function stop(status: ContainerStatus, given: GivenExit, now: Date): void {
  const { state } = status;
  if (state?.terminated !== undefined) return;
  const isUnstarted = isCreated(status);
  const { exitCode, signal, reason, message = "" } = { ...(isUnstarted ? START_ERROR : COMPLETED), ...given };
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

/** Lets a container that has ended wait for its next start: it bears the ID of the one that has ended. */
export function backOff(status: ContainerStatus): void {
  if (status.state?.terminated === undefined) return;
  status.lastState = status.state;
  const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };
  status.state = create(ContainerStateSchema, { waiting });
}

/**
 * Lets the runtime lose a container that ran: the kubelet finds none, infers that it has ended, and counts a restart, which it does
 * not of a pod that is being deleted. A last state that there is stays (pkg/kubelet/kubelet_pods.go:2655).
 */
export function lose(status: ContainerStatus, isDeleted: boolean): void {
  const hasLast = status.lastState?.terminated !== undefined;
  setWaiting(status, { reason: "ContainerCreating" });
  if (hasLast) return;
  status.lastState = create(ContainerStateSchema, { terminated: UNKNOWN });
  if (!isDeleted) status.restartCount++;
}

/** Lets a container that was lost end with its pod: nobody knows how (pkg/kubelet/kubelet_pods.go:2415). */
export function forgo(status: ContainerStatus): void {
  if (!isLost(status)) return;
  status.state = create(ContainerStateSchema, { terminated: UNKNOWN });
  delete status.lastState;
}

/** Removes a container, whether it runs or has ended, as RestartAllContainers does before it makes another one (:2609). */
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

/** Returns whether a container was lost: it waits without an ID, and the end before has none. */
export function isLost({ containerID, state, lastState }: ContainerStatus): boolean {
  return containerID === "" && state?.waiting !== undefined && lastState?.terminated?.containerID === "";
}

/** The end of a container of which nothing is known: without an ID and without times. */
const UNKNOWN = {
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

/** Returns whether a container is created and has not started: what waits for its next start bears the ID of the dead one. */
export function isCreated({ containerID, state, lastState }: ContainerStatus): boolean {
  if (containerID === "" || state?.running !== undefined || state?.terminated !== undefined) return false;
  return lastState?.terminated?.containerID !== containerID;
}

/** Returns whether a container that has ended may not run again. */
export function isOver({ spec }: PodMessage, { kind, container, status }: Place): boolean {
  const ended = status.state?.terminated;
  if (ended === undefined) return false;
  return kind === "ephemeral" || (kind !== "sidecar" && !mayRestart(spec.restartPolicy, container, ended.exitCode));
}

/** Returns whether a container may run again, by its own policy or its pod's (ContainerShouldRestart in pkg/api/v1/pod). */
export function mayRestart(podPolicy: string, container: Container | undefined, exitCode: number): boolean {
  if ((container?.restartPolicyRules.length ?? 0) > 0) return true; // whatever they say: a test's affair
  const policy = container?.restartPolicy ?? podPolicy;
  return policy === "Always" || policy === "" || (policy === "OnFailure" && exitCode !== 0);
}

/** Converts a time to whole seconds, as Kubernetes writes them. */
export function toTime(date: Date): { seconds: bigint } {
  return { seconds: BigInt(Math.floor(date.getTime() / 1000)) };
}

function idOf(uid: string, name: string, restartCount: number): string {
  return sha256(restartCount === 0 ? `${uid}/${name}` : `${uid}/${name}/${restartCount}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
