import type { Entry } from "../known/entry.js";
import { Facet } from "../known/facet.js";
import { type ContainerRun, instancesOf, splitID, statusPaths } from "../pod/container-run.js";
import { decodeBy } from "../pod/decode.js";
import { enoughFor, type PodMask, podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import { addressOf } from "./address.js";

const KEY_MASK = podMask(
  "spec.hostNetwork",
  "status.podIP",
  "status.podIPs",
  ...statusPaths("containerID", "lastState.terminated.containerID"),
);

/** The fields that lives of containers are read from. Of states it has only the times: messages and reasons may have kilobytes. */
const INSTANCE_MASK = podMask(
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  ...statusPaths("name", "restartCount", "image", "imageID", "containerID"),
  ...statusPaths("state.running.startedAt", "state.terminated.startedAt"),
  ...statusPaths("lastState.terminated.containerID", "lastState.terminated.startedAt"),
);

/** The fields that lookups read. They are known of each pod while there is an informer. */
export const LOOKUP_MASK: PodMask = KEY_MASK.union(INSTANCE_MASK);
const isEnough = enoughFor(LOOKUP_MASK);

/** The keys of one state of a pod, except its UID and its name. */
export interface PodKeys {
  /** Its addresses, in the canonical spelling; none if it shares the node's network. */
  readonly addresses: readonly string[];
  /** The IDs of its containers, and of the runs before them. */
  readonly containerIDs: readonly string[];
  /** True if it shares the node's network. */
  readonly isOnHost: boolean;
}

/** The keys of a pod that nothing is known about. */
export const NO_KEYS: PodKeys = { addresses: [], containerIDs: [], isOnHost: false };

const facet = new Facet(KEY_MASK, readKeys);

/** Reads the keys of an entry; undefined if the entry lacks fields. `known` was read from the earlier entry `from`. */
export function keysOf(entry: Entry, known: PodKeys, from: Entry | undefined): PodKeys | undefined {
  return isEnough(entry.retained) ? facet.of(entry, known, from) : undefined;
}

function readKeys({ spec, status }: MaskedPod<typeof KEY_MASK>): PodKeys {
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
  return { addresses, containerIDs, isOnHost: spec.hostNetwork };
}

/** Adds a key, unless it is undefined or already there. */
function add(keys: string[], key: string | undefined): void {
  if (key !== undefined && key !== "" && !keys.includes(key)) keys.push(key);
}

/** Returns true if a container that ran in one state of a pod still runs in a later state. */
export function runsOn(before: Entry, after: Entry): boolean {
  const runs = ({ ended, startedAt }: ContainerRun) => !ended && startedAt !== undefined;
  const ran = instancesIn(before).filter(runs);
  return instancesIn(after).some(
    (each) => runs(each) && ran.some(({ containerID }) => containerID === each.containerID),
  );
}

/** Returns true if one state of a pod shows an earlier run of a container than another one does. Without a start that is not known. */
export function isEarlier(entry: Entry, than: Entry): boolean {
  const isBefore = (a: ContainerRun, b: ContainerRun) =>
    a.restartCount < b.restartCount && (a.startedAt?.getTime() ?? Number.NaN) < (b.startedAt?.getTime() ?? Number.NaN);
  return instancesIn(than).some((last) => {
    const same = instancesIn(entry).filter(({ kind, name }) => kind === last.kind && name === last.name);
    return same.length > 0 && same.every((each) => isBefore(each, last));
  });
}

const instances = new WeakMap<Entry, readonly ContainerRun[]>();

/** Returns the lives of containers that an entry tells of. They are computed at the first call. */
export function instancesIn(entry: Entry): readonly ContainerRun[] {
  let known = instances.get(entry);
  if (known === undefined) {
    const pod = decodeBy(INSTANCE_MASK.plan, entry.bytes) as MaskedPod<typeof INSTANCE_MASK>;
    known = isEnough(entry.retained) ? [...instancesOf(pod)] : [];
    instances.set(entry, known);
  }
  return known;
}
