import { clone, create } from "@bufbuild/protobuf";
import { invalidArgument } from "../errors/pods-error.js";
import { ContainerStateSchema, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { hasReady } from "../pod/lifecycle.js";
import type { Pod } from "../pod/pod.js";
import { isFinished } from "../pod/pod-state.js";
import { isRestarted } from "../pod/restart-policy.js";
import { toTime } from "./container-status.js";
import { addressFor, setAddress } from "./pod-status.js";
import type { ReferenceKubelet } from "./reference-kubelet.js";

/** A change that {@link churn} makes. */
export type ChurnStep = "none" | "start" | "unready" | "restart" | "terminate" | "finish" | "remove" | "add";

/** The pods that were removed from a kubelet and have no replacement yet, and the UIDs of all removed pods. */
interface RemovedPods {
  readonly unreplaced: Pod[];
  readonly uids: Set<string>;
}

/** Pods of the sample node that README and the guides mention. They are never removed; only their containers restart. */
const STAYING: ReadonlySet<string> = new Set(["web-6bf9d8c7d5-2lm8z", "payments-58dd4c7b9-k3vbp", "ledger-1"]);

const removedPodsOf = new WeakMap<ReferenceKubelet, RemovedPods>();

/**
 * Makes one realistic change on a node: a pod starts, becomes unready, restarts its containers, terminates, finishes or is removed, or a
 * new pod replaces a removed one. Returns the change, or "none" if there are no pods. `random` chooses the change and the pod, so a seed
 * always gives the same changes. Ready pods without an owner keep running. Each owner keeps its number of pods: a DaemonSet has one pod,
 * and the pod of a StatefulSet comes back with its name. The pods of {@link sampleNode} that the guides mention are never removed.
 */
export function churn(kubelet: ReferenceKubelet, random: () => number, now: Date = kubelet.now): ChurnStep {
  if (typeof random !== "function") throw invalidArgument("churn: random must be a function", "pass seededRandom(1)");
  const entries = kubelet.entries();
  const pod = entries[Math.floor(random() * entries.length)]?.pod;
  if (pod === undefined) return "none";
  const gone = removedPodsOf.get(kubelet) ?? { unreplaced: [], uids: new Set() };
  removedPodsOf.set(kubelet, gone);
  const step = nextStep(pod, random, gone.unreplaced.length > 0);
  const { uid } = pod.metadata;
  const isKilled = step === "finish" && random() >= 0.8 && hasRunning(pod);
  if (step === "finish") kubelet.finishPod(uid, isKilled ? "Failed" : undefined);
  else if (step === "remove") {
    kubelet.removePod(uid);
    gone.uids.add(uid);
    if (pod.metadata.ownerReferences.length > 0) gone.unreplaced.push(pod);
  } else if (step === "start") kubelet.startPod(uid);
  else if (step === "terminate") kubelet.deletePod(uid);
  else if (step === "add") kubelet.addPod(newReplica(kubelet, gone, random, now));
  else if (step === "unready") kubelet.setReady(uid, false);
  else restart(kubelet, pod, random);
  return step;
}

function nextStep(pod: Pod, random: () => number, isOneLeft: boolean): Exclude<ChurnStep, "none"> {
  if (isFinished(pod)) return "remove";
  if (pod.metadata.deletionTimestamp !== undefined || pod.status.phase === "Failed") return "finish";
  if (!hasReady(pod.status.conditions)) return canStart(pod) ? "start" : "finish";
  const owned = pod.metadata.ownerReferences.length > 0 && !STAYING.has(pod.metadata.name);
  const draw = random();
  if (owned && draw < 0.5) {
    if (isOneLeft) return "add";
    return pod.spec?.restartPolicy === "Always" ? "terminate" : "finish";
  }
  return draw < 0.75 && pod.spec.restartPolicy !== "Never" ? "restart" : "unready";
}

function hasRunning({ status }: Pod): boolean {
  return status.containerStatuses.some(({ state }) => state?.running !== undefined);
}

/** Returns true if a start would make the pod ready, because no container has ended for good. */
function canStart({ spec, status }: Pod): boolean {
  return status.containerStatuses.every(({ name, state }) => {
    const container = spec?.containers.find((each) => each.name === name);
    const ended = state?.terminated;
    return ended === undefined || isRestarted(ended.exitCode, spec?.restartPolicy ?? "", container);
  });
}

/** Restarts those running containers of a pod that may run again. */
function restart(kubelet: ReferenceKubelet, { metadata, spec, status }: Pod, random: () => number): void {
  for (const { name, state } of status.containerStatuses) {
    const exitCode = random() < 0.5 ? 1 : 137;
    const container = spec.containers.find((each) => each.name === name);
    if (state?.running === undefined || !isRestarted(exitCode, spec.restartPolicy, container)) continue;
    kubelet.restartContainer(metadata.uid, name, { exitCode, reason: exitCode === 137 ? "OOMKilled" : "Error" });
  }
}

/**
 * Makes a replacement for the pod that was removed first, with an unused UID and name. A seed can draw a UID again if a kubelet continues
 * with the pods of another one.
 */
function newReplica(kubelet: ReferenceKubelet, gone: RemovedPods, random: () => number, now: Date): Pod {
  const pod = gone.unreplaced.shift() as Pod;
  const pods = kubelet.entries().map((entry) => entry.pod.metadata);
  for (;;) {
    const next = replica(pod, random, now);
    const { uid, namespace, name } = next.metadata;
    const isTaken = pods.some((each) => each.namespace === namespace && each.name === name && !isOfStatefulSet(pod));
    if (!isTaken && !gone.uids.has(uid) && !pods.some((each) => each.uid === uid)) return next;
  }
}

function isOfStatefulSet({ metadata }: Pod): boolean {
  return metadata.ownerReferences.some(({ kind }) => kind === "StatefulSet");
}

/** Makes a copy of a pod with a new name, UID and address, not started yet. The pod of a StatefulSet keeps its name. */
function replica(pod: Pod, random: () => number, now: Date): Pod {
  const next = clone(PodSchema, pod) as Pod;
  const { metadata, status } = next;
  const digits = (count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join("");
  if (!isOfStatefulSet(pod)) metadata.name = `${metadata.name.replace(/-[^-]*$/, "")}-${digits(5)}`;
  metadata.uid = `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
  const time = create(TimeSchema, toTime(now));
  Object.assign(metadata, { creationTimestamp: time });
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  Object.assign(status, { phase: "Pending", startTime: time, reason: "", message: "" });
  for (const container of [...status.initContainerStatuses, ...status.containerStatuses]) {
    container.state = create(ContainerStateSchema, { waiting: { reason: "ContainerCreating" } });
    Object.assign(container, { ready: false, started: false, restartCount: 0, containerID: "" });
    delete container.lastState;
  }
  for (const condition of status.conditions) {
    condition.lastTransitionTime = time;
    if (condition.type !== "PodScheduled") condition.status = "False";
  }
  if (next.spec?.hostNetwork !== true) setAddress(status, addressFor(metadata.uid));
  return next;
}
