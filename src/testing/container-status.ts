import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import {
  type Container,
  ContainerStateSchema,
  type ContainerStatus,
  ContainerStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ContainerExit, ContainerKind } from "../pod/container-instance.js";
import type { Pod } from "../pod/pod.js";

/** How a container ends in the reference kubelet. What is left out is made up: exit code 0, and the reason that goes with the code. */
export type GivenExit = Partial<Pick<ContainerExit, "exitCode" | "signal" | "reason" | "message">>;

/** A container of a pod: what its spec says, and its status, which is made where there is none. */
export interface Place {
  readonly kind: ContainerKind;
  readonly container: Container | undefined;
  readonly status: ContainerStatus;
}

/** Returns where a container stands in a pod; undefined where the pod has none of the name. */
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

/** Starts a container, again where it ran before: with a new ID, one restart more, and its last end as last state. It is ready. */
export function run(status: ContainerStatus, uid: string, now: Date): void {
  const { state } = status;
  status.ready = true;
  status.started = true;
  if (state?.running !== undefined) return;
  if (state?.terminated !== undefined || status.lastState?.terminated !== undefined) status.restartCount++;
  if (state?.terminated !== undefined)
    status.lastState = create(ContainerStateSchema, { terminated: state.terminated });
  status.containerID = `containerd://${idOf(uid, status.name, status.restartCount)}`;
  status.imageID ||= `${status.image}@sha256:${sha256(status.image)}`;
  status.state = create(ContainerStateSchema, { running: { startedAt: toTime(now) } });
}

/** Ends a container that runs. */
export function stop(
  status: ContainerStatus,
  { exitCode = 0, signal, reason, message = "" }: GivenExit,
  now: Date,
): void {
  const { state } = status;
  if (state?.terminated !== undefined) return;
  status.state = create(ContainerStateSchema, {
    terminated: {
      exitCode,
      signal: signal ?? 0,
      reason: reason ?? (exitCode === 0 ? "Completed" : "Error"),
      message,
      ...(state?.running?.startedAt && { startedAt: state.running.startedAt }),
      finishedAt: toTime(now),
      containerID: status.containerID,
    },
  });
  status.ready = false;
  status.started = false;
}

/** Returns whether a container that has ended may not run again. */
export function isOver({ spec }: Pod, { kind, container, status }: Place): boolean {
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
