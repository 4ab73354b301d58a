import { type FreeResources, freeCpus, freeDevices, freeMemory, REPLICA } from "./free-resources.js";
import { type Assignment, assignmentsOf, type NamedPod } from "./join.js";
import type { AllocatableResources, PodResources } from "./pod-resources.js";
import type { PodName } from "./reading-plan.js";

/** A pod with the fields that bind resources to it. */
export interface IdentifiedPod extends NamedPod {
  /** The metadata that is read. */
  readonly metadata: NonNullable<NamedPod["metadata"]> & { readonly uid: string };
}

/** The present pods: all unfinished pods of the node. */
export interface PresentPods<P> {
  /** Returns all of them. */
  list(): P[];
  /** Returns the one with this UID. */
  get(key: { readonly uid: string }): P | undefined;
}

/** The UID of the pod of each name; undefined if several pods have the name. */
type Names = ReadonlyMap<string, string | undefined>;

/**
 * The resources that the pods of a node hold, joined from answers that know only names of pods. An answer is bound to a UID if exactly one
 * pod had the name, in the answer and in the view, from the request to the answer. The owner of any other answer is unknown. A pod that the
 * kubelet does not list any more keeps its resources until it leaves the view, since its containers may still run. Only one request is
 * under way at a time. Pure.
 */
export class Holdings<P extends IdentifiedPod> {
  readonly #pods: PresentPods<P>;
  /** The bound answers, by UID. */
  #owned = new Map<string, PodResources>();
  /** Answers with an unknown owner. Their resources are not free. */
  #unowned: PodResources[] = [];
  #allocatable: AllocatableResources | undefined;
  /** The names at the time of the request, and those of pods that came or went since. */
  #asked: Names = new Map();
  readonly #touched = new Set<string>();

  constructor(pods: PresentPods<P>) {
    this.#pods = pods;
  }

  /** Notes that a request is sent now. */
  ask(): void {
    this.#asked = namesOf(this.#pods.list());
    this.#touched.clear();
  }

  /**
   * Notes that a pod has come. The resources of another pod of its name may be its own, so their owner is unknown until the next reading.
   */
  came({ namespace, name, uid }: IdentifiedPod["metadata"]): void {
    const key = nameKey({ namespace, name });
    this.#touched.add(key);
    for (const [owner, answer] of this.#owned) {
      if (owner === uid || nameKey(answer) !== key) continue;
      this.#owned.delete(owner);
      this.#unowned.push(answer);
    }
  }

  /** Notes that a pod has gone. */
  went(pod: PodName): void {
    this.#touched.add(nameKey(pod));
  }

  /** Returns true if an answer about this name can be bound, because no other pod of this name has resources. */
  canGet(pod: PodName): boolean {
    const key = nameKey(pod);
    const uid = namesOf(this.#pods.list()).get(key);
    const isOther = ([owner, answer]: readonly [string, PodResources]) => owner !== uid && nameKey(answer) === key;
    return uid !== undefined && ![...this.#owned].some(isOther) && !this.#unowned.some((each) => nameKey(each) === key);
  }

  /** Takes a list, and the allocatable resources at the time of its request. */
  listed(allocatable: AllocatableResources, resources: readonly PodResources[]): void {
    this.#allocatable = allocatable;
    const before = this.#owned;
    const byName = new Map<string, PodResources[]>();
    for (const answer of resources) {
      const key = nameKey(answer);
      byName.set(key, [...(byName.get(key) ?? []), answer]);
    }
    this.#owned = new Map();
    this.#unowned = [];
    const names = namesOf(this.#pods.list());
    for (const [key, answers] of byName) {
      const uid = this.#ownerOf(key, names);
      if (uid !== undefined && answers.length === 1) this.#owned.set(uid, answers[0] as PodResources);
      else this.#unowned.push(...answers);
    }
    for (const [uid, answer] of before) {
      if (!this.#owned.has(uid) && this.#pods.get({ uid }) !== undefined) this.#owned.set(uid, answer);
    }
  }

  /** Takes the answer about one pod. Returns false if it cannot be bound, so that only a list can show its owner. */
  got(pod: PodName, answer: PodResources): boolean {
    const uid = this.#ownerOf(nameKey(pod), namesOf(this.#pods.list()));
    if (uid === undefined || !this.canGet(pod)) {
      this.#unowned.push(answer);
      return false;
    }
    this.#owned.set(uid, answer);
    return true;
  }

  /** Returns the resources of each container of the present pods. */
  list(): Assignment<P>[] {
    const assignments: Assignment<P>[] = [];
    for (const [uid, answer] of this.#owned) {
      const pod = this.#pods.get({ uid });
      if (pod !== undefined) assignments.push(...assignmentsOf(pod, answer));
    }
    return assignments;
  }

  /** Returns the containers that hold a device, or a replica of it. */
  byDevice(deviceID: string, resourceName: string | undefined): Assignment<P>[] {
    const isMeant = (id: string) => id === deviceID || id.startsWith(`${deviceID}${REPLICA}`);
    return this.list().filter(({ devices }) =>
      devices.some(
        (group) => (resourceName === undefined || group.resourceName === resourceName) && group.deviceIDs.some(isMeant),
      ),
    );
  }

  /** Returns the free resources: devices and CPUs by NUMA nodes, memory by the nodes that it is assigned from together. */
  free(nodeOfCpu: ReadonlyMap<number, number>): FreeResources {
    const { devices = [], cpuIds = [], memory = [] } = this.#allocatable ?? {};
    // If a pod came or went during a request, its memory may count twice until the next list: too little is free then, and never too much.
    const given = [...this.#owned.values(), ...this.#unowned];
    return {
      devices: freeDevices(devices, given),
      cpus: freeCpus(cpuIds, given, nodeOfCpu),
      memory: freeMemory(memory, given),
    };
  }

  /** Returns the UID of the one pod that had this name all the time. */
  #ownerOf(key: string, names: Names): string | undefined {
    const uid = names.get(key);
    return uid === this.#asked.get(key) && !this.#touched.has(key) ? uid : undefined;
  }
}

/** Returns the key of a name. */
function nameKey({ namespace, name }: PodName): string {
  return `${namespace}/${name}`;
}

/** Returns the pod of each name now. */
function namesOf(pods: Iterable<IdentifiedPod>): Names {
  const names = new Map<string, string | undefined>();
  for (const { metadata } of pods) {
    const key = nameKey(metadata);
    names.set(key, names.has(key) ? undefined : metadata.uid);
  }
  return names;
}
