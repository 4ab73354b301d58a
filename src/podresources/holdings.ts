import { type FreeResources, freeCpus, freeDevices, freeMemory, REPLICA } from "./free-resources.js";
import { type Assignment, assignmentsOf, type NamedPod } from "./join.js";
import type { AllocatableResources, PodResources } from "./pod-resources.js";
import type { PodName } from "./reading-plan.js";

/** A pod with the fields by which it is bound to what it has been given. */
export interface IdentifiedPod extends NamedPod {
  /** The metadata that is read. */
  readonly metadata: NonNullable<NamedPod["metadata"]> & { readonly uid: string };
}

/** The pods that are there now, all of the node that have not finished. */
export interface PresentPods<P> {
  /** Returns all of them. */
  list(): P[];
  /** Returns the one with this UID. */
  get(key: { readonly uid: string }): P | undefined;
}

/** The UID of the one pod of each name; undefined where several have the name. */
type Names = ReadonlyMap<string, string | undefined>;

/**
 * The resources that the pods of a node hold, put together from answers that know pods by name alone. An answer is bound to a UID where
 * one pod alone had the name, in the answer and in the view, from when the kubelet was asked until it had answered: of any other it is
 * not known whose it is. A pod that the kubelet lists no more keeps what it had until it leaves the view: its containers may run on.
 * One question is asked at a time. Pure.
 */
export class Holdings<P extends IdentifiedPod> {
  readonly #pods: PresentPods<P>;
  /** The answers that are bound, by UID. */
  #owned = new Map<string, PodResources>();
  /** The others, of which it is not known whose they are: what is in them is not free. */
  #unowned: PodResources[] = [];
  #allocatable: AllocatableResources | undefined;
  /** The names when the kubelet was asked, and those of pods that came or went since. */
  #asked: Names = new Map();
  readonly #touched = new Set<string>();

  constructor(pods: PresentPods<P>) {
    this.#pods = pods;
  }

  /** Notes that the kubelet is asked now. */
  ask(): void {
    this.#asked = namesOf(this.#pods.list());
    this.#touched.clear();
  }

  /** Notes that a pod has come. What another of its name holds may be its own: it is nobody's until it is read again. */
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

  /** Returns whether an answer about this name alone can be bound: nothing is known yet of any other pod that has it. */
  canGet(pod: PodName): boolean {
    const key = nameKey(pod);
    const uid = namesOf(this.#pods.list()).get(key);
    const isOther = ([owner, answer]: readonly [string, PodResources]) => owner !== uid && nameKey(answer) === key;
    return uid !== undefined && ![...this.#owned].some(isOther) && !this.#unowned.some((each) => nameKey(each) === key);
  }

  /** Takes a list, and what there was to give when it was asked for. */
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

  /** Takes the answer about one pod, and returns whether it is bound: else only a list shows whose it is. */
  got(pod: PodName, answer: PodResources): boolean {
    const uid = this.#ownerOf(nameKey(pod), namesOf(this.#pods.list()));
    if (uid === undefined || !this.canGet(pod)) {
      this.#unowned.push(answer);
      return false;
    }
    this.#owned.set(uid, answer);
    return true;
  }

  /** Returns what each container holds, of the pods that are there now. */
  list(): Assignment<P>[] {
    const assignments: Assignment<P>[] = [];
    for (const [uid, answer] of this.#owned) {
      const pod = this.#pods.get({ uid });
      if (pod !== undefined) assignments.push(...assignmentsOf(pod, answer));
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

  /** Returns what can be given and is nobody's: devices and CPUs by NUMA nodes, memory by the nodes that it is given from together. */
  free(nodeOfCpu: ReadonlyMap<number, number>): FreeResources {
    const { devices = [], cpuIds = [], memory = [] } = this.#allocatable ?? {};
    // Where a pod came or went while the kubelet was asked, its memory may count twice until the next list: less is told, and never more.
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

/** Returns which name means which pod now. */
function namesOf(pods: Iterable<IdentifiedPod>): Names {
  const names = new Map<string, string | undefined>();
  for (const { metadata } of pods) {
    const key = nameKey(metadata);
    names.set(key, names.has(key) ? undefined : metadata.uid);
  }
  return names;
}
