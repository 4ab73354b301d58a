import { isStaticHead, type PodHead } from "../pod/head.js";
import { ENDING_MS } from "./times.js";

/** The number of lists after which no event of a deleted pod can follow. */
const LISTS = 2;

interface Tombstone {
  /** Number of lists since. */
  lists: number;
  /** The stamp of the pod; empty if unknown. A static pod that is added again has its UID and another stamp. */
  readonly seen: string;
  /** Until when the current stream may repeat a DELETED event of the previous stream; 0 if it cannot. */
  repeatsUntilMs: number;
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

  /** Adds a pod that has ended. Without a stamp, the pod keeps the one that is known. */
  add(uid: string, seen: string = this.#tombstones.get(uid)?.seen ?? ""): void {
    this.#tombstones.set(uid, { lists: 0, seen, repeatsUntilMs: 0 });
  }

  /** Notes that the current stream may repeat a pod's DELETED event of the previous stream soon. */
  awaitRepeat(uid: string, nowMs: number): void {
    const tombstone = this.#tombstones.get(uid);
    if (tombstone !== undefined) tombstone.repeatsUntilMs = nowMs + ENDING_MS;
  }

  /** Returns true if a DELETED event repeats one of the previous stream, so that it is not about the next pod. True once for each pod. */
  takeRepeat(uid: string, nowMs: number): boolean {
    const tombstone = this.#tombstones.get(uid);
    if (tombstone === undefined || nowMs >= tombstone.repeatsUntilMs) return false;
    tombstone.repeatsUntilMs = 0;
    return true;
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

  /** Notes that a list was committed. */
  age(): void {
    for (const [uid, tombstone] of this.#tombstones) if (++tombstone.lists > LISTS) this.#tombstones.delete(uid);
  }

  clear(): void {
    this.#tombstones.clear();
  }
}
