import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { CGROUP_PATHS, type CgroupLayout, cgroupLayout, cgroupPathOf } from "../identity/cgroup-layout.js";
import { lookAtPod, type PodLook } from "../identity/pod-look.js";
import { decodeBy } from "../pod/decode.js";
import { enoughFor, type PodMask, podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import type { PodLife } from "./holding.js";
import { KINDS, type KindName } from "./pod-key.js";
import { instancesIn, type PodKeys } from "./pod-keys.js";

/** The node's files that are looked at: the same for all informers of a client. */
export interface LookOptions {
  /** True if cgroups are keys. */
  readonly cgroups: boolean;
  /** Where the cgroup file system is mounted. */
  readonly cgroupRoot: string;
  /** Where `/proc` is; undefined if namespaces are no keys. */
  readonly procRoot: string | undefined;
}

/** The fields of a pod by which its files are found. */
export const LOOK_MASK: PodMask<(typeof CGROUP_PATHS)[number]> = podMask(...CGROUP_PATHS);
const isEnough = enoughFor(LOOK_MASK);

/** How many pods are looked at concurrently. */
const MAX_AT_ONCE = 8;

/** How many containers that ended before the look are remembered by their IDs. */
const MAX_LOST = 1_000;

/** A pod that is looked at. */
interface Looked {
  life: PodLife;
  /** Its keys when it was told last, and its keys when it was looked at. */
  keys: PodKeys;
  with: PodKeys | undefined;
  /** True if an event has told it, and it has not been looked at since. */
  isNews: boolean;
  /** The IDs of running containers whose directories did not exist. */
  missing: readonly string[];
  /** How many of its directories were left out, as too many or too deep. */
  beyond: number;
}

/**
 * Looks at the files of pods when they are told, and of all pods at each list. Only some are looked at concurrently, since a list tells all
 * at once.
 */
export class Looks {
  readonly options: LookOptions;
  readonly #onLook: (life: PodLife, look: PodLook, isLike: boolean) => void;
  readonly #pods = new Map<string, Looked>();
  readonly #asked = new Set<string>();
  #running = 0;
  #layout: CgroupLayout | undefined;
  #isStopped = false;
  /** Why the last look failed; undefined if it did not. */
  error: PodsError | undefined;
  /** The latest containers that ended before the look, and the number of those before them. */
  readonly #lost = new Set<string>();
  #lostBefore = 0;

  /** @param onLook receives the result, and whether the pod still has the keys that it had then. */
  constructor(options: LookOptions, onLook: (life: PodLife, look: PodLook, isLike: boolean) => void) {
    this.options = options;
    this.#onLook = onLook;
  }

  /** How many containers ended before the look. */
  get lost(): number {
    return this.#lostBefore + this.#lost.size;
  }

  /** How many containers and directories were not found. A key may belong to one of them. */
  get unresolved(): number {
    let count = this.lost;
    for (const { missing, beyond } of this.#pods.values()) count += missing.length + beyond;
    return count;
  }

  /** True if the files of an existing container have not been looked at yet, or did not exist. */
  get isBehind(): boolean {
    for (const each of this.#pods.values()) {
      if (each.with !== each.keys || each.missing.length > 0 || each.beyond > 0) return true;
    }
    return false;
  }

  /** @throws PodsError if no pod can have a key of this kind. */
  check(kind: KindName, where: string): void {
    if (kind === "cgroup" && this.#layout?.version === 1) {
      const message = `${where}: cgroupID does not exist with cgroup version 1, nor where the two are mixed`;
      throw new PodsError({ code: "unsupported-platform", message, hint: "containerID, by parseCgroupPath" });
    }
  }

  /**
   * Called with each new state of a pod.
   *
   * @param isNews true if an event tells it. Containers that have ended by then without a look are lost.
   * @param isNew true if the pod came after the first complete list.
   */
  note(life: PodLife, isNews: boolean, isNew: boolean): void {
    const { uid, entry, keys, active, gone } = life;
    if (gone !== undefined || !active) {
      const known = this.#pods.get(uid);
      this.#pods.delete(uid);
      for (const id of known?.missing ?? []) this.#lose(id);
      if (known === undefined ? !isNew : known.with === keys) return;
      // The pod ended before its look. The result of a running look is still taken.
      for (const { startedAt, containerID } of instancesIn(entry)) {
        if (startedAt !== undefined && !this.#sees(life, containerID)) this.#lose(containerID);
      }
      return;
    }
    if (!isEnough(entry.retained) || entry.isBare === true) return;
    const known = this.#pods.get(uid);
    if (known?.life === life && known.keys === keys) return;
    if (isNews) {
      const isFresh = (id: string) => known?.life !== life || !known.keys.containerIDs.includes(id);
      const isLost = (id: string) => (isFresh(id) && !this.#sees(life, id)) || known?.missing.includes(id) === true;
      for (const { ended, containerID } of instancesIn(entry))
        if (ended && isLost(containerID)) this.#lose(containerID);
    }
    const missing = known?.missing ?? [];
    this.#pods.set(uid, { life, keys, with: undefined, isNews, missing, beyond: known?.beyond ?? 0 });
    this.#ask(uid);
  }

  /** Asks for a look at all pods, at each complete list, since containers may make directories of their own. */
  noteAll(): void {
    for (const uid of this.#pods.keys()) this.#ask(uid);
  }

  /** Ends all looks. The results of running ones are ignored. */
  stop(): void {
    this.#isStopped = true;
    this.#asked.clear();
    this.#pods.clear();
  }

  /** Counts the containers that ended before the look. */
  #loseEnded(life: PodLife, { containerIDs }: PodLook): void {
    for (const { ended, startedAt, containerID } of instancesIn(life.entry)) {
      const isSeen = containerIDs.has(containerID) || this.#sees(life, containerID);
      if (ended && startedAt !== undefined && !isSeen) this.#lose(containerID);
    }
  }

  #lose(id: string): void {
    this.#lost.add(id);
    if (this.#lost.size <= MAX_LOST) return;
    for (const oldest of this.#lost) {
      this.#lost.delete(oldest);
      this.#lostBefore++;
      break;
    }
  }

  #sees({ looked }: PodLife, id: string): boolean {
    return looked !== undefined && [...looked.cgroups.values()].includes(id);
  }

  #ask(uid: string): void {
    this.#asked.add(uid);
    if (this.#running >= MAX_AT_ONCE) return;
    this.#running++;
    void this.#run();
  }

  async #run(): Promise<void> {
    for (const uid of this.#asked) {
      this.#asked.delete(uid);
      const pod = this.#pods.get(uid);
      if (pod !== undefined) await this.#look(uid, pod);
      if (this.#isStopped) break;
    }
    this.#running--;
  }

  async #look(uid: string, asked: Looked): Promise<void> {
    const { life, keys } = asked;
    const { cgroupRoot, procRoot, cgroups: isWanted } = this.options;
    try {
      this.#layout ??= await cgroupLayout({ cgroupRoot });
      const cgroups = isWanted && this.#layout.version === 2;
      const pod = decodeBy(LOOK_MASK.plan, life.entry.bytes) as MaskedPod<typeof LOOK_MASK>;
      const path = cgroupPathOf(pod, undefined, this.#layout);
      const want = { cgroups, procRoot: keys.isOnHost ? undefined : procRoot };
      const look = await lookAtPod(path, (id) => keys.containerIDs.includes(id), want);
      const present = this.#pods.get(uid);
      if (this.#isStopped) return;
      if (present?.life !== life) {
        for (const id of look.containerIDs) this.#lost.delete(id);
        // A static pod has come back under its UID: directories in it that belong to no container are the new pod's.
        const cgroups = new Map([...look.cgroups].filter(([, id]) => id !== undefined));
        this.#onLook(life, present === undefined ? look : { ...look, cgroups }, false);
        return;
      }
      this.error = look.error;
      const runs = instancesIn(life.entry).filter(({ ended, startedAt }) => !ended && startedAt !== undefined);
      const isNameless = want.procRoot !== undefined && look.netns === undefined;
      const lacks = (id: string) => isNameless || !look.containerIDs.has(id);
      present.missing = runs.flatMap(({ containerID }) => (lacks(containerID) ? containerID : []));
      present.beyond = look.beyond;
      if (asked.isNews) this.#loseEnded(life, look);
      asked.isNews = false;
      const isLike = present.keys === keys;
      if (isLike) present.with = keys;
      this.#onLook(life, look, isLike);
    } catch (error) {
      this.error = PodsError.from(error);
    }
  }
}

/** @throws PodsError `invalid-argument` if the kind of key needs an option of the informer that was not given. */
export function checkLooked(kind: KindName, options: LookOptions | undefined, where: string): void {
  const { needs } = KINDS[kind];
  const has = needs === "cgroups" ? options?.cgroups : options?.procRoot !== undefined;
  if (needs === undefined || has === true) return;
  const name = needs === "cgroups" ? "cgroupID" : "netns";
  throw invalidArgument(`${where}: ${name}: the informer was made without ${needs}`, `informer({ ${needs}: {} })`);
}
