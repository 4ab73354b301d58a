import type { ContainerState, ContainerStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { type ContainerKind, statusesOf, statusPaths } from "./container-run.js";
import { decodeBy } from "./decode.js";
import { sameSelected } from "./equality.js";
import { podMask } from "./mask.js";
import type { MaskedPod } from "./masked-pod.js";

/** The fields of a container's status that keys and runs are read from. */
export interface StatusFacts
  extends Pick<ContainerStatus, "name" | "restartCount" | "image" | "imageID" | "containerID"> {
  readonly state?: Pick<ContainerState, "running" | "terminated"> | undefined;
  readonly lastState?: Pick<ContainerState, "terminated"> | undefined;
}

/** A container of a pod, with the facts from its status. */
export interface ContainerFacts extends StatusFacts {
  readonly kind: ContainerKind;
}

/** The fields of a pod that keys and runs of containers are read from. Fields that were not retained are empty. */
export interface Facts {
  readonly isOnHost: boolean;
  /** The addresses as the kubelet spells them. `status.podIP` comes first, so an address can occur twice. */
  readonly ips: readonly string[];
  /** Statuses in the order init, regular, ephemeral. If two containers have the same kind and name, the first counts. */
  readonly containers: readonly ContainerFacts[];
}

const ADDRESSES = ["spec.hostNetwork", "status.podIP", "status.podIPs"] as const;
const KEYS = podMask(...ADDRESSES, ...statusPaths("name", "containerID", "lastState.terminated.containerID"));
const FACTS = podMask(
  ...ADDRESSES,
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  ...statusPaths("name", "restartCount", "image", "imageID", "containerID", "state.running"),
  ...statusPaths("state.terminated", "lastState.terminated"),
);

/**
 * The last comparison, and the last facts. All readers of a change compare the same two versions, one after the other. The references are
 * weak, because bytes can be part of a buffer that has a whole list.
 */
let compared:
  | { readonly before: WeakRef<Uint8Array>; readonly bytes: WeakRef<Uint8Array>; readonly isSame: boolean }
  | undefined;
let read: { readonly bytes: WeakRef<Uint8Array>; readonly facts: Facts } | undefined;

/** Returns true if two versions of a pod have the same facts. False does not prove a difference. */
export function sameFacts(before: Uint8Array, bytes: Uint8Array): boolean {
  if (compared?.bytes.deref() !== bytes || compared.before.deref() !== before) {
    const isSame = sameSelected(before, bytes, FACTS.plan);
    compared = { before: new WeakRef(before), bytes: new WeakRef(bytes), isSame };
  }
  return compared.isSame;
}

/** Returns true if two versions of a pod have the same addresses and container IDs. False does not prove a difference. */
export function sameKeyFacts(before: Uint8Array, bytes: Uint8Array): boolean {
  return sameFacts(before, bytes) || sameSelected(before, bytes, KEYS.plan);
}

const STATUS = podMask("status", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds");
const STATE = podMask("status.phase", ...statusPaths("state"));

/** Returns true if two versions of a pod have the same status and deletion. Resources in the spec differ between lists and events. */
export function sameStatus(before: Uint8Array, bytes: Uint8Array): boolean {
  return sameSelected(before, bytes, STATUS.plan);
}

/** Returns true if two versions of a pod have the same phase and container states. */
export function sameState(before: Uint8Array, bytes: Uint8Array): boolean {
  return sameSelected(before, bytes, STATE.plan);
}

/** Returns the facts of a version of a pod. */
export function factsOf(bytes: Uint8Array): Facts {
  if (read?.bytes.deref() !== bytes) read = { bytes: new WeakRef(bytes), facts: readFacts(bytes) };
  return read.facts;
}

function readFacts(bytes: Uint8Array): Facts {
  const { spec, status } = decodeBy(FACTS.plan, bytes) as MaskedPod<typeof FACTS>;
  const containers = new Map<string, ContainerFacts>();
  for (const [kind, each] of statusesOf<StatusFacts>({ spec, status })) {
    const key = `${kind} ${each.name}`;
    if (!containers.has(key)) containers.set(key, { ...each, kind });
  }
  return {
    isOnHost: spec.hostNetwork,
    ips: [status.podIP, ...status.podIPs.map(({ ip }) => ip)],
    containers: [...containers.values()],
  };
}
