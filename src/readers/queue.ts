import type { DeleteCause } from "../known/entry.js";

/** The slot of one pod: it comes, it changed, it goes, or it goes and another of the same UID comes. */
type Slot<P> =
  | { kind: "A" | "M"; pod: P }
  | { kind: "D"; last: P; cause: DeleteCause }
  | { kind: "DA"; last: P; cause: DeleteCause; pod: P };

/** A delivery about a pod. */
export type PodDelivery<P> =
  | { type: "ADDED" | "MODIFIED"; uid: string; pod: P }
  | { type: "DELETED"; uid: string; pod: P; cause: DeleteCause };

/** One item that is taken out of the queue. */
export type Delivery<P, C> = PodDelivery<P> | { type: "CONTROL"; control: C };

/**
 * The queue of a consumer, with at most one slot per pod however many events there were: the newest state wins, an addition
 * and its deletion cancel out, a deletion and an addition stay two. Slots keep their first place, both halves of a deletion
 * and an addition too. Of control events the newest of each name is kept, in its newest place.
 */
export class CoalescingQueue<P, C extends { type: string }> {
  /** The slots of pods by UID, and control events by the symbol of their name: a UID could be anything. */
  readonly #slots = new Map<string | symbol, Slot<P> | { kind: "C"; control: C }>();

  get size(): number {
    return this.#slots.size;
  }

  /** Queues a pod that is there, or has changed. `isEmitted`: the consumer has been told of it. */
  put(uid: string, pod: P, isEmitted: boolean): void {
    const slot = this.#slots.get(uid) as Slot<P> | undefined;
    if (slot === undefined) this.#slots.set(uid, { kind: isEmitted ? "M" : "A", pod });
    else if (slot.kind === "D") this.#slots.set(uid, { ...slot, kind: "DA", pod });
    else this.#slots.set(uid, { ...slot, pod });
  }

  /** Queues the end of a pod; `last` is its last known state. */
  delete(uid: string, last: P, cause: DeleteCause, isEmitted: boolean): void {
    const slot = this.#slots.get(uid) as Slot<P> | undefined;
    if (slot === undefined) {
      if (isEmitted) this.#slots.set(uid, { kind: "D", last, cause });
    } else if (slot.kind === "A") {
      this.#slots.delete(uid);
    } else if (slot.kind === "DA") {
      this.#slots.set(uid, { kind: "D", last: slot.last, cause: slot.cause });
    } else if (slot.kind === "M") {
      this.#slots.set(uid, { kind: "D", last, cause });
    }
  }

  control(control: C): void {
    const key = Symbol.for(control.type);
    this.#slots.delete(key);
    this.#slots.set(key, { kind: "C", control });
  }

  /** Takes what waits longest; undefined where nothing waits. */
  next(): Delivery<P, C> | undefined {
    for (const [key, slot] of this.#slots) {
      if (slot.kind === "C") {
        this.#slots.delete(key);
        return { type: "CONTROL", control: slot.control };
      }
      const uid = key as string;
      if (slot.kind === "DA") {
        // Set where it was: what came after the deletion and the addition stays behind both.
        this.#slots.set(key, { kind: "A", pod: slot.pod });
        return { type: "DELETED", uid, pod: slot.last, cause: slot.cause };
      }
      this.#slots.delete(key);
      if (slot.kind === "D") return { type: "DELETED", uid, pod: slot.last, cause: slot.cause };
      return { type: slot.kind === "A" ? "ADDED" : "MODIFIED", uid, pod: slot.pod };
    }
    return undefined;
  }
}
