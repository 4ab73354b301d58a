import { clone, create } from "@bufbuild/protobuf";
import { ContainerStateSchema, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { hasReady } from "../pod/lifecycle.js";
import type { Pod } from "../pod/pod.js";
import { isFinished } from "../pod/pod-state.js";
import { mayRestart, setAddress, toTime } from "./pod-status.js";
import type { ReferenceKubelet } from "./reference-kubelet.js";

/** A change that {@link churn} makes. */
export type ChurnStep = "none" | "start" | "unready" | "restart" | "terminate" | "finish" | "remove" | "add";

/** The number of pods that each kubelet had when its churn began; churn stays about there. */
const targets = new WeakMap<ReferenceKubelet, number>();

/**
 * Makes one believable change on a node: a pod starts, becomes unready, restarts a container, terminates, finishes, is
 * removed, or a copy of one is added; "none" where there are no pods. Which one, to which pod, is `random`'s choice, so that
 * a seed gives the same story each time. Pods with an owner come and go, so that there are about as many as at first.
 */
export function churn(kubelet: ReferenceKubelet, random: () => number, now: Date = new Date()): ChurnStep {
  const entries = kubelet.entries();
  const pod = entries[Math.floor(random() * entries.length)]?.pod;
  if (pod === undefined) return "none";
  const target = targets.get(kubelet) ?? entries.length;
  targets.set(kubelet, target);
  const step = nextStep(pod, random, 1 / 2 + (target - entries.length) / target);
  const { uid } = pod.metadata;
  if (step === "finish") kubelet.finishPod(uid, random() < 0.8 ? "Succeeded" : "Failed");
  else if (step === "remove") kubelet.removePod(uid);
  else if (step === "start") kubelet.startPod(uid);
  else if (step === "terminate") kubelet.deletePod(uid);
  else if (step === "add") kubelet.addPod(replica(pod, random, now));
  else kubelet.updatePod(changed(pod, step, now));
  return step;
}

function nextStep(pod: Pod, random: () => number, growth: number): Exclude<ChurnStep, "none"> {
  if (isFinished(pod)) return "remove";
  if (pod.metadata.deletionTimestamp !== undefined || pod.status.phase === "Failed") return "finish";
  if (!hasReady(pod.status.conditions)) return canStart(pod) ? "start" : "finish";
  const owned = pod.metadata.ownerReferences.length > 0;
  const draw = random();
  if (owned && draw < 0.5) {
    if (random() < growth) return "add";
    return pod.spec?.restartPolicy === "Always" ? "terminate" : "finish";
  }
  return draw < 0.75 ? "restart" : "unready";
}

/** Returns whether starting it would make it ready: no container has ended for good. */
function canStart({ spec, status }: Pod): boolean {
  return status.containerStatuses.every(({ name, state }) => {
    const container = spec?.containers.find((each) => each.name === name);
    const ended = state?.terminated;
    return ended === undefined || mayRestart(spec?.restartPolicy ?? "", container, ended.exitCode);
  });
}

function changed(pod: Pod, step: "restart" | "unready", now: Date): Pod {
  const next = clone(PodSchema, pod) as Pod;
  for (const container of next.status.containerStatuses) {
    if (step === "restart" && container.state?.running !== undefined) {
      container.restartCount++;
      container.state = create(ContainerStateSchema, { running: { startedAt: toTime(now) } });
    }
    container.ready = step === "restart" && container.state?.running !== undefined;
  }
  for (const condition of next.status.conditions) {
    if (step === "restart" || (condition.type !== "Ready" && condition.type !== "ContainersReady")) continue;
    condition.status = "False";
    condition.reason = "ContainersNotReady";
  }
  return next;
}

/** Makes a pod like this one under a new name and UID, with an address of its own, not started yet. */
function replica(pod: Pod, random: () => number, now: Date): Pod {
  const next = clone(PodSchema, pod) as Pod;
  const { metadata, status } = next;
  const digits = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, "0");
  metadata.name = `${metadata.name.replace(/-[^-]*$/, "")}-${digits().slice(0, 5)}`;
  metadata.uid = `${digits()}-${digits()}-${digits()}`;
  metadata.creationTimestamp = create(PodSchema, {
    metadata: { creationTimestamp: toTime(now) },
  }).metadata?.creationTimestamp;
  status.phase = "Pending";
  for (const container of [...status.initContainerStatuses, ...status.containerStatuses]) {
    container.state = create(ContainerStateSchema, { waiting: { reason: "ContainerCreating" } });
    Object.assign(container, { ready: false, started: false, restartCount: 0, containerID: "" });
  }
  for (const condition of status.conditions) if (condition.type !== "PodScheduled") condition.status = "False";
  if (next.spec?.hostNetwork !== true) setAddress(status, metadata.uid);
  return next;
}
