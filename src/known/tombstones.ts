import { dropOldest } from "../drop-oldest.js";
import { isStaticHead, type PodHead } from "../pod/head.js";

/** The number of lists for which an event of a deleted pod can still follow. */
const FORGOTTEN_AFTER_LISTS = 2;

/** Maximum number of remembered pods, several times those of a large node. Late events come within seconds. */
const MAX_TOMBSTONES = 10_000;

interface Tombstone {
  /** Number of lists since the deletion. */
  lists: number;
  /** The stamp of the pod; empty if unknown. A static pod that is added again has its UID and another stamp. */
  readonly seen: string;
}

/** Deleted pods that are not known any more, or never were, by UID. A late event must not bring them back. */
export class Tombstones {
  readonly #tombstones = new Map<string, Tombstone>();

  get size(): number {
    return this.#tombstones.size;
  }

  has(uid: string): boolean {
    return this.#tombstones.has(uid);
  }

  /**
   * Adds a deleted pod.
   *
   * @param seen its stamp. By default, that of an earlier tombstone.
   */
  add(uid: string, seen: string = this.#tombstones.get(uid)?.seen ?? ""): void {
    this.#tombstones.delete(uid);
    this.#tombstones.set(uid, { lists: 0, seen });
    dropOldest(this.#tombstones, MAX_TOMBSTONES);
  }

  /** Returns true if the pod was deleted before. A static pod can come back with its UID: a list shows that, and an event with another stamp. */
  covers(head: PodHead, by: "event" | "list"): boolean {
    const tombstone = this.#tombstones.get(head.uid);
    if (tombstone === undefined || !isStaticHead(head)) return tombstone !== undefined;
    return by === "event" && head.seen !== "" && head.seen === tombstone.seen;
  }

  /** Removes a pod that a list has again. The tombstone of a static pod still stops late events of the pod before this one. */
  remove(head: PodHead): void {
    if (!isStaticHead(head) || head.seen === this.#tombstones.get(head.uid)?.seen) this.#tombstones.delete(head.uid);
  }

  /** Counts a list, and removes the pods of which no event can follow any more. */
  age(): void {
    for (const [uid, tombstone] of this.#tombstones)
      if (++tombstone.lists > FORGOTTEN_AFTER_LISTS) this.#tombstones.delete(uid);
  }

  /** Removes all pods, because another kubelet process may run them again. */
  clear(): void {
    this.#tombstones.clear();
  }
}
