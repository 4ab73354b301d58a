import { clone, create, isMessage, toBinary } from "@bufbuild/protobuf";
import { invalidArgument, type PodsError } from "../errors/pods-error.js";
import { ContainerStateSchema, type ContainerStatus, type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { type FromJsonOptions, fromKubernetesJson } from "../pod/from-json.js";
import type { PodJson } from "../pod/json-types.js";
import { printable } from "../printable.js";

/** A pod as tests and files give it: Kubernetes JSON, or a message. */
export type PodInput = PodJson | Pod;

/** What a kubelet would tell its watchers. */
export interface PodChange {
  type: "ADDED" | "MODIFIED" | "DELETED";
  pod: Pod;
  /** Its bytes are to end too early. */
  corrupt?: boolean;
}

/** How a pod ends. */
export type FinishedPhase = "Succeeded" | "Failed";

const MIRROR = "kubernetes.io/config.mirror";
const HASH = "kubernetes.io/config.hash";

/**
 * The pods a kubelet knows, and what it tells about changes to them: DELETED when it has finished a pod, which stays
 * listed until its object is removed, and nothing when that happens.
 */
export class PodStore {
  readonly #pods = new Map<string, Pod>();
  readonly #json: FromJsonOptions;

  constructor(json: FromJsonOptions = {}) {
    this.#json = json;
  }

  /** All pods, sorted by UID, as kubelets list them. */
  list(): Pod[] {
    return [...this.#pods.values()].sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  add(input: PodInput): PodChange {
    const pod = toPod(input, this.#json);
    if (this.#pods.has(uidOf(pod))) throw refused(pod, "there is a pod with this UID already");
    this.#pods.set(uidOf(pod), pod);
    return { type: "ADDED", pod };
  }

  /** Puts a pod in the place of the one with its UID. */
  update(input: PodInput): PodChange {
    const pod = toPod(input, this.#json);
    if (!this.#pods.has(uidOf(pod))) throw refused(pod, "there is no pod with this UID");
    this.#pods.set(uidOf(pod), pod);
    return { type: "MODIFIED", pod };
  }

  /** Ends all containers and sets the phase. DELETED carries the pod's identity only, as kubelets send it. */
  finish(uid: string, phase: FinishedPhase, now: Date): PodChange {
    if (phase !== "Succeeded" && phase !== "Failed") throw invalidArgument("phase: neither Succeeded nor Failed");
    const pod = clone(PodSchema, this.#known(uid));
    const { status, metadata } = pod;
    if (status === undefined || metadata === undefined) throw new Error("a stored pod has metadata and status");
    status.phase = phase;
    const all = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses].flat();
    for (const container of all) terminate(container, phase, now);
    for (const condition of status.conditions) {
      if (condition.type === "Ready" || condition.type === "ContainersReady") condition.status = "False";
    }
    this.#pods.set(uid, pod);
    const { name, namespace } = metadata;
    return { type: "DELETED", pod: create(PodSchema, { metadata: { name, namespace, uid } }) };
  }

  /** Puts labels in the place of the pod's. */
  label(uid: string, labels: Readonly<Record<string, string>>): void {
    const pod = clone(PodSchema, this.#known(uid));
    if (pod.metadata !== undefined) pod.metadata.labels = { ...labels };
    this.#pods.set(uid, pod);
  }

  /** Forgets a pod, as a kubelet does when its object is gone. */
  remove(uid: string): void {
    this.#known(uid);
    this.#pods.delete(uid);
  }

  #known(uid: string): Pod {
    const pod = this.#pods.get(uid);
    if (pod === undefined) throw invalidArgument("the reference kubelet has no pod with this UID");
    return pod;
  }
}

/** The bytes of a change's pod as they go over the wire. */
export function encodeChange({ pod, corrupt = false }: PodChange): Uint8Array<ArrayBuffer> {
  const bytes = encodePod(pod);
  return corrupt ? bytes.slice(0, Math.ceil((bytes.length * 2) / 3)) : bytes;
}

/** The bytes of a pod as they go over the wire. */
export function encodePod(pod: Pod): Uint8Array<ArrayBuffer> {
  return toBinary(PodSchema, pod);
}

/**
 * A copy of the pod as a kubelet serves it. A mirror pod, which is what the API server has of a static pod, becomes that
 * static pod: its UID is the hash of the manifest.
 */
function toPod(input: PodInput, json: FromJsonOptions): Pod {
  const pod = isMessage(input, PodSchema) ? clone(PodSchema, input) : fromKubernetesJson(input, json);
  pod.metadata ??= create(PodSchema, { metadata: {} }).metadata;
  pod.status ??= create(PodSchema, { status: {} }).status;
  const metadata = pod.metadata as NonNullable<Pod["metadata"]>;
  const hash = metadata.annotations[HASH];
  if (metadata.annotations[MIRROR] !== undefined && hash !== undefined) {
    delete metadata.annotations[MIRROR];
    metadata.uid = hash;
    metadata.ownerReferences = [];
    metadata.resourceVersion = "";
  }
  if (metadata.uid === "")
    throw refused(pod, "metadata.uid is missing", "a pod that runs on a node has one: any text will do");
  return pod;
}

function refused(pod: Pod, why: string, hint?: string): PodsError {
  const { namespace = "", name = "" } = pod.metadata ?? {};
  return invalidArgument(`pod ${printable(`${namespace}/${name}`, 100)}: ${why}`, hint);
}

function uidOf(pod: Pod): string {
  return pod.metadata?.uid ?? "";
}

function terminate(container: ContainerStatus, phase: FinishedPhase, now: Date): void {
  const { state } = container;
  if (state?.terminated !== undefined) return;
  const exitCode = phase === "Succeeded" ? 0 : 137;
  container.state = create(ContainerStateSchema, {
    terminated: {
      exitCode,
      reason: phase === "Succeeded" ? "Completed" : "Error",
      startedAt: state?.running?.startedAt ?? create(TimeSchema),
      finishedAt: { seconds: BigInt(Math.floor(now.getTime() / 1000)) },
      containerID: container.containerID,
    },
  });
  container.ready = false;
  container.started = false;
}
