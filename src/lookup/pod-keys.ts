import type { Entry } from "../known/entry.js";
import { type ContainerInstance, INSTANCE_PATHS, instancesOf, splitID } from "../pod/container-instance.js";
import { decodeBy } from "../pod/decode.js";
import { enoughFor, type PodMask, podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import { PodScanner } from "../pod/scan.js";
import { addressOf } from "./address.js";

const KEY_PATHS = [
  "spec.hostNetwork",
  "status.podIP",
  "status.podIPs",
  "status.initContainerStatuses.containerID",
  "status.initContainerStatuses.lastState.terminated.containerID",
  "status.containerStatuses.containerID",
  "status.containerStatuses.lastState.terminated.containerID",
  "status.ephemeralContainerStatuses.containerID",
  "status.ephemeralContainerStatuses.lastState.terminated.containerID",
] as const;
const KEY_MASK: PodMask<(typeof KEY_PATHS)[number]> = podMask(...KEY_PATHS);
const INSTANCE_MASK: PodMask<(typeof INSTANCE_PATHS)[number]> = podMask(...INSTANCE_PATHS);

/** The fields that lookups read: known of each pod wherever an informer is. */
export const LOOKUP_MASK: PodMask = KEY_MASK.union(INSTANCE_MASK);
const isEnough = enoughFor(LOOKUP_MASK);

/** The keys of one version of a pod, beside its UID and its name. */
export interface PodKeys {
  /** Its addresses, each in the one spelling; none where it shares the node's. */
  readonly addresses: readonly string[];
  /** The IDs of its containers, of those before them too. */
  readonly containerIDs: readonly string[];
  /** The bytes that they were read from. */
  readonly bytes: Uint8Array;
}

/** The keys of a pod of which nothing is known. */
export const NO_KEYS: PodKeys = { addresses: [], containerIDs: [], bytes: new Uint8Array() };

/** Picks the bytes with keys out of a pod. */
const scanner = new PodScanner(KEY_MASK.plan, {});

/**
 * Reads the keys of a version of a pod: the ones before where they are the same, which most events leave as they are. Returns undefined
 * where too little is known of it.
 */
export function keysOf({ bytes, retained }: Entry, before: PodKeys): PodKeys | undefined {
  if (!isEnough(retained)) return undefined;
  scanner.scan(bytes);
  const picked = scanner.keep(before.bytes);
  // A buffer of its own: one that is shared with others would be kept whole.
  return picked === before.bytes ? before : readKeys(new Uint8Array(picked));
}

function readKeys(bytes: Uint8Array): PodKeys {
  const { spec, status } = decodeBy(KEY_MASK.plan, bytes) as MaskedPod<typeof KEY_MASK>;
  const addresses: string[] = [];
  if (!spec.hostNetwork) {
    add(addresses, addressOf(status.podIP));
    for (const { ip } of status.podIPs) add(addresses, addressOf(ip));
  }
  const containerIDs: string[] = [];
  for (const list of [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]) {
    for (const { containerID, lastState } of list) {
      add(containerIDs, splitID(containerID)[1]);
      add(containerIDs, splitID(lastState?.terminated?.containerID ?? "")[1]);
    }
  }
  return { addresses, containerIDs, bytes };
}

/** Adds a key that there is, once. */
function add(keys: string[], key: string | undefined): void {
  if (key !== undefined && key !== "" && !keys.includes(key)) keys.push(key);
}

/** Returns whether a container that ran in one version of a pod runs in a later one. */
export function runsOn(before: Entry, after: Entry): boolean {
  const runs = ({ ended, startedAt }: ContainerInstance) => !ended && startedAt !== undefined;
  const ran = instancesIn(before).filter(runs);
  return instancesIn(after).some(
    (each) => runs(each) && ran.some(({ containerID }) => containerID === each.containerID),
  );
}

const instances = new WeakMap<Entry, readonly ContainerInstance[]>();

/** Returns the lives of containers that a version of a pod tells of; made when somebody asks first. */
export function instancesIn(entry: Entry): readonly ContainerInstance[] {
  let known = instances.get(entry);
  if (known === undefined) {
    const pod = decodeBy(INSTANCE_MASK.plan, entry.bytes) as MaskedPod<typeof INSTANCE_MASK>;
    known = isEnough(entry.retained) ? [...instancesOf(pod)] : [];
    instances.set(entry, known);
  }
  return known;
}
