import { clone, create } from "@bufbuild/protobuf";
import {
  ContainerStateSchema,
  type ContainerStatus,
  type Pod,
  PodConditionSchema,
  PodSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { ReferenceKubelet } from "./reference-kubelet.js";

/** What {@link churn} does to a pod. */
export type ChurnStep = "none" | "start" | "unready" | "restart" | "terminate" | "finish" | "remove" | "add";

/**
 * One believable change on a node: a pod starts, becomes unready, restarts a container, terminates, finishes, is removed,
 * or a copy of one is added; "none" where there are no pods. Which one, to which pod, is `random`'s choice, so that a seed gives the same story each time.
 */
export function churn(kubelet: ReferenceKubelet, random: () => number, now: Date = new Date()): ChurnStep {
  const entries = kubelet.entries();
  const pod = entries[Math.floor(random() * entries.length)]?.pod;
  if (pod === undefined) return "none";
  const uid = pod.metadata?.uid ?? "";
  const step = nextStep(pod, random);
  if (step === "finish") kubelet.finishPod(uid, random() < 0.8 ? "Succeeded" : "Failed");
  else if (step === "remove") kubelet.removePod(uid);
  else if (step === "add") kubelet.addPod(replica(pod, random, now));
  else kubelet.updatePod(changed(pod, step, now));
  return step;
}

function nextStep(pod: Pod, random: () => number): ChurnStep {
  const { phase = "" } = pod.status ?? {};
  if (phase === "Succeeded" || phase === "Failed") return "remove";
  if (pod.metadata?.deletionTimestamp !== undefined) return "finish";
  if (!isReady(pod)) return "start";
  const owned = (pod.metadata?.ownerReferences.length ?? 0) > 0;
  const draw = random();
  if (owned && draw < 0.25) return "add";
  if (owned && draw < 0.5) return pod.spec?.restartPolicy === "Always" ? "terminate" : "finish";
  return draw < 0.75 ? "restart" : "unready";
}

function isReady({ status }: Pod): boolean {
  return status?.conditions.some((c) => c.type === "Ready" && c.status === "True") ?? false;
}

function changed(pod: Pod, step: ChurnStep, now: Date): Pod {
  const next = clone(PodSchema, pod);
  const { metadata, status } = next;
  if (metadata === undefined || status === undefined) return next;
  if (step === "terminate") {
    metadata.deletionTimestamp = create(TimeSchema, time(now));
    return next;
  }
  const ready = step !== "unready";
  status.phase = "Running";
  status.reason = "";
  for (const container of status.initContainerStatuses) end(container, now);
  for (const container of status.containerStatuses) {
    if (step !== "unready") run(container, now);
    if (step === "restart") container.restartCount++;
    container.ready = ready;
  }
  if (!status.conditions.some(({ type }) => type === "Ready")) {
    status.conditions.push(create(PodConditionSchema, { type: "Ready" }));
  }
  for (const condition of status.conditions) {
    if (ready || condition.type === "Ready" || condition.type === "ContainersReady") {
      condition.status = ready ? "True" : "False";
      condition.reason = ready ? "" : "ContainersNotReady";
    }
  }
  return next;
}

const time = (date: Date) => ({ seconds: BigInt(Math.floor(date.getTime() / 1000)) });

function run(container: ContainerStatus, now: Date): void {
  container.state = create(ContainerStateSchema, { running: { startedAt: time(now) } });
  container.started = true;
}

/** An init container that has not ended ends; a sidecar, which runs beside the others, goes on. */
function end(container: ContainerStatus, now: Date): void {
  if (container.ready || container.state?.terminated !== undefined) return;
  container.state = create(ContainerStateSchema, {
    terminated: { exitCode: 0, reason: "Completed", startedAt: time(now), finishedAt: time(now) },
  });
  container.ready = true;
}

/** A pod like this one under a new name and UID, not started yet. */
function replica(pod: Pod, random: () => number, now: Date): Pod {
  const next = clone(PodSchema, pod);
  const { metadata, status } = next;
  if (metadata === undefined || status === undefined) return next;
  const digits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, "0");
  metadata.name = `${metadata.name.replace(/-[^-]*$/, "")}-${digits().slice(0, 5)}`;
  metadata.uid = `${digits()}-${digits()}-${digits()}`;
  metadata.creationTimestamp = create(PodSchema, {
    metadata: { creationTimestamp: time(now) },
  }).metadata?.creationTimestamp;
  status.phase = "Pending";
  for (const container of status.containerStatuses) {
    container.state = create(ContainerStateSchema, { waiting: { reason: "ContainerCreating" } });
    Object.assign(container, { ready: false, started: false, restartCount: 0, containerID: "" });
  }
  for (const condition of status.conditions) if (condition.type !== "PodScheduled") condition.status = "False";
  return next;
}
