import { isFinalPhase } from "../pod/lifecycle.js";
import { type Assignment, assignmentsOf, type NamedPod } from "./join.js";
import type { AllocatableResources, DeviceGroup, PodResources } from "./pod-resources.js";

/** A pod with the fields by which it is bound to what it has been given. */
export interface IdentifiedPod extends NamedPod {
  /** The metadata that is read. */
  readonly metadata: NonNullable<NamedPod["metadata"]> & { readonly uid: string };
}

/** The UID of the one pod of each name; undefined where several have the name. */
export type Names = ReadonlyMap<string, string | undefined>;

/** The pods that are there now. */
export interface PresentPods<P> {
  list(): P[];
  get(uid: string): P | undefined;
}

/** Returns the key of a name. */
function nameKey({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

/** Returns which name means which pod now. Pods that have ended hold nothing. */
export function namesOf(pods: Iterable<IdentifiedPod>): Names {
  const names = new Map<string, string | undefined>();
  for (const { metadata, status } of pods) {
    if (isFinalPhase(status?.phase)) continue;
    const key = nameKey(metadata);
    names.set(key, names.has(key) ? undefined : metadata.uid);
  }
  return names;
}

/**
 * The resources that the pods of a node hold, put together from answers that know pods by name alone. An answer is bound to a UID where one pod
 * alone had the name, in the answer and in the view, both when the kubelet was asked and when it had answered: of any other it is
 * not known whose it is. Pure.
 */
export class Holdings<P extends IdentifiedPod> {
  readonly #pods: PresentPods<P>;
  /** Every answer, those too that are nobody's: what they hold is not free. Several where the kubelet has several of one name. */
  #answers = new Map<string, readonly PodResources[]>();
  /** The UIDs that they are bound to. */
  #owners = new Map<string, string>();
  #allocatable: AllocatableResources | undefined;

  constructor(pods: PresentPods<P>) {
    this.#pods = pods;
  }

  /** Takes what there is to give, and a list that was asked for after it: no device is in both and free by that alone. */
  listed(allocatable: AllocatableResources, resources: readonly PodResources[], before: Names, after: Names): void {
    this.#allocatable = allocatable;
    this.#answers = new Map();
    this.#owners = new Map();
    for (const answer of resources) {
      const key = nameKey(answer);
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), answer]);
    }
    for (const key of this.#answers.keys()) this.#bind(key, before, after);
  }

  /** Takes the answer about one pod; undefined where the kubelet has none of this name. */
  got(pod: { namespace: string; name: string }, answer: PodResources | undefined, before: Names, after: Names): void {
    const key = nameKey(pod);
    this.#owners.delete(key);
    if (answer === undefined) {
      this.#answers.delete(key);
      return;
    }
    this.#answers.set(key, [answer]);
    this.#bind(key, before, after);
  }

  /** Returns what each container holds, of the pods that are there now. */
  list(): Assignment<P>[] {
    const assignments: Assignment<P>[] = [];
    for (const [key, uid] of this.#owners) {
      const pod = this.#pods.get(uid);
      const answer = this.#answers.get(key)?.[0];
      if (pod !== undefined && answer !== undefined) assignments.push(...assignmentsOf(pod, answer));
    }
    return assignments;
  }

  /** Returns who holds a device, or a replica of it. */
  byDevice(deviceID: string, resourceName: string | undefined): Assignment<P>[] {
    const isMeant = (id: string) => id === deviceID || id.startsWith(`${deviceID}${REPLICA}`);
    return this.list().filter(({ devices }) =>
      devices.some(
        (group) => (resourceName === undefined || group.resourceName === resourceName) && group.deviceIDs.some(isMeant),
      ),
    );
  }

  /** Returns the devices that can be given and are nobody's, by resource and NUMA nodes. */
  freeDevices(): DeviceGroup[] {
    const taken = new Set<string>();
    for (const answers of this.#answers.values()) {
      for (const { containers } of answers) {
        for (const { devices } of containers)
          for (const group of devices) for (const key of keysOf(group)) taken.add(key);
      }
    }
    const groups = new Map<string, { resourceName: string; numaNodes: readonly number[]; deviceIDs: Set<string> }>();
    for (const group of this.#allocatable?.devices ?? []) {
      const { resourceName } = group;
      const numaNodes = [...new Set(group.numaNodes)].sort((a, b) => a - b);
      const name = JSON.stringify([resourceName, numaNodes]);
      const free = groups.get(name) ?? { resourceName, numaNodes, deviceIDs: new Set() };
      for (const [i, key] of keysOf(group).entries())
        if (!taken.has(key)) free.deviceIDs.add(group.deviceIDs[i] as string);
      groups.set(name, free);
    }
    return [...groups.values()].flatMap(({ resourceName, numaNodes, deviceIDs }) =>
      deviceIDs.size === 0 ? [] : [{ resourceName, deviceIDs: [...deviceIDs], numaNodes }],
    );
  }

  #bind(key: string, before: Names, after: Names): void {
    const uid = after.get(key);
    if (uid === undefined || uid !== before.get(key) || this.#answers.get(key)?.length !== 1) return;
    this.#owners.set(key, uid);
  }
}

/** The text between a device's ID and the number of a replica, in NVIDIA's plugin (internal/rm/devices.go of k8s-device-plugin). */
const REPLICA = "::";

function keysOf({ resourceName, deviceIDs }: DeviceGroup): string[] {
  return deviceIDs.map((id) => `${resourceName}\0${id}`);
}
