import type { DeleteCause } from "../known/log.js";

/** The slot of one pod: an addition, a change, a deletion, or a deletion and the addition of another pod with the same UID. */
type Slot<P> =
  | { kind: "A" | "M"; pod: P }
  | { kind: "D"; last: P; cause: DeleteCause }
  | { kind: "DA"; last: P; cause: DeleteCause; pod: P };

/** A delivery about a pod. */
export type PodDelivery<P> =
  | { type: "ADDED" | "MODIFIED"; uid: string; pod: P }
  | { type: "DELETED"; uid: string; pod: P; cause: DeleteCause };

/** An item of the queue. */
export type Delivery<P, C> = PodDelivery<P> | { type: "CONTROL"; control: C };

/**
 * The queue of a consumer, with at most one slot per pod, regardless of the number of events. The newest state wins, an addition and its
 * deletion cancel out, and a deletion followed by an addition stays two events. Slots keep their first position. Of control events, the queue
 * has only the newest of each type, in its newest position.
 */
export class CoalescingQueue<P, C extends { type: string }> {
  /** The slots of pods by UID, and control events by a symbol, because a UID can be any string. */
  readonly #slots = new Map<string | symbol, Slot<P> | { kind: "C"; control: C }>();

  get size(): number {
    return this.#slots.size;
  }

  /** Queues a new or changed pod. `isEmitted`: the consumer has received the pod before. */
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

  /** Removes and returns the item that has waited longest; undefined if the queue is empty. */
  next(): Delivery<P, C> | undefined {
    for (const [key, slot] of this.#slots) {
      if (slot.kind === "C") {
        this.#slots.delete(key);
        return { type: "CONTROL", control: slot.control };
      }
      const uid = key as string;
      if (slot.kind === "DA") {
        // The addition stays at the position of the deletion, before later items.
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
