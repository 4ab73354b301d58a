import type { PodsError } from "../errors/pods-error.js";
import type { Pod } from "../gen/pod-types.js";
import { areWrittenAlike, type Change, type Entry } from "../known/entry.js";
import type { Ledger } from "../known/ledger.js";
import { decodeBy } from "../pod/decode.js";
import { sameContent } from "../pod/equality.js";
import { type PodMask, planOf } from "../pod/mask.js";
import type { Sink } from "../stream/upstream.js";
import { type PodEvent, syncedControl, type WaitingControl } from "./events.js";
import { CoalescingQueue, type PodDelivery } from "./queue.js";
import { Scope, type Selection } from "./selection.js";

/** Makes of entries what a consumer is told. */
export interface Reading<P> {
  read(entry: Entry): P;
  /** Returns whether both give the same. */
  same(before: Entry, now: Entry): boolean;
}

/** Returns what decodes pods by a mask, and whole pods without one. */
export function decoding<P>(mask: PodMask | undefined): Reading<P> {
  const plan = planOf(mask);
  return {
    read: ({ bytes }) => decodeBy(plan, bytes) as P,
    same: (before, now) => sameContent(before.bytes, now.bytes, plan, areWrittenAlike(before, now)),
  };
}

/**
 * One consumer of the upstream: its selection, what was emitted to it, and its queue. Events are made when they are taken:
 * what is coalesced is never decoded.
 */
export class Consumer<P = Pod> implements Sink {
  readonly #scope: Scope;
  readonly #keepsFinished: boolean;
  readonly #reading: Reading<P>;
  readonly #onReady: () => void;
  readonly #emitted = new Map<string, Entry>();
  readonly #queue = new CoalescingQueue<Entry, WaitingControl>();
  /** Whether its first SYNCED has been taken. */
  #synced = false;

  /**
   * @param onReady is called when there may be something to take.
   * @param reading makes what is told of each pod; by default what its mask selects.
   */
  constructor(selection: Selection, onReady: () => void, reading: Reading<P> = decoding(selection.mask)) {
    this.#scope = new Scope(selection);
    this.#keepsFinished = selection.includeFinished && selection.endsFinished !== true;
    this.#reading = reading;
    this.#onReady = onReady;
  }

  /** The fields that must be known of each pod; everything where it is undefined. */
  get neededMask(): PodMask | undefined {
    return this.#scope.neededMask;
  }

  /** Waiting slots; never more than the pods there are and were. */
  get pending(): number {
    return this.#queue.size;
  }

  /** Queues everything that is known already, for a consumer that joins late. */
  snapshot(ledger: Ledger): void {
    for (const { entry, active } of ledger.entries()) {
      if (this.#scope.has(entry, active)) this.#queue.put(entry.head.uid, entry, false);
    }
    this.#onReady();
  }

  /** Takes over what has changed. */
  accept(changes: readonly Change[]): boolean {
    for (const { uid, entry, active, gone, cause } of changes) {
      const isEmitted = this.#emitted.has(uid);
      if (!(active || (this.#keepsFinished && !gone))) {
        this.#queue.delete(uid, entry, cause, isEmitted);
        continue;
      }
      const selected = this.#scope.has(entry, active);
      if (selected) this.#queue.put(uid, entry, isEmitted);
      else if (selected === false) this.#queue.delete(uid, entry, "deselected", isEmitted); // undefined: what was emitted stands
    }
    if (this.#queue.size > 0) this.#onReady();
    return false;
  }

  /** Queues SYNCED behind everything that there is. */
  synced(ledger: Ledger): void {
    this.#control(syncedControl(ledger, this.#scope));
  }

  /** Queues DISCONNECTED: the kubelet is away. */
  lost(error: PodsError): void {
    this.#control({ type: "DISCONNECTED", error });
  }

  /** Takes the next event out of the queue; undefined where there is none now. */
  take(): PodEvent<P> | undefined {
    for (;;) {
      const delivery = this.#queue.next();
      if (delivery === undefined) return undefined;
      if (delivery.type === "CONTROL") return this.#controlOf(delivery.control);
      const event = this.#eventOf(delivery);
      if (event !== undefined) return event;
    }
  }

  #control(control: WaitingControl): void {
    this.#queue.control(control);
    this.#onReady();
  }

  /** Fills in `initial` and `count`, which are the consumer's own: a slow one may have been told less than there is, or was. */
  #controlOf(control: WaitingControl): PodEvent<P> {
    if (control.type === "DISCONNECTED") return control;
    const initial = !this.#synced;
    this.#synced = true;
    return { ...control, initial, count: this.#emitted.size };
  }

  #eventOf(delivery: PodDelivery<Entry>): PodEvent<P> | undefined {
    const { uid, pod: entry } = delivery;
    const previous = this.#emitted.get(uid);
    if (delivery.type === "DELETED") {
      this.#emitted.delete(uid);
      return { type: "DELETED", pod: this.#reading.read(entry), cause: delivery.cause };
    }
    if (previous === undefined) {
      const pod = this.#reading.read(entry);
      this.#emitted.set(uid, entry);
      return { type: "ADDED", pod };
    }
    if (this.#reading.same(previous, entry)) {
      this.#emitted.set(uid, entry);
      return undefined;
    }
    const pod = this.#reading.read(entry);
    this.#emitted.set(uid, entry);
    return new Modified(pod, this.#reading, previous);
  }
}

/** An event whose older pod is decoded when somebody looks. */
class Modified<P> {
  readonly type = "MODIFIED";
  readonly pod: P;
  readonly #reading: Reading<P>;
  readonly #entry: Entry;
  #previous: P | undefined;

  constructor(pod: P, reading: Reading<P>, previous: Entry) {
    this.pod = pod;
    this.#reading = reading;
    this.#entry = previous;
  }

  get previous(): P {
    this.#previous ??= this.#reading.read(this.#entry);
    return this.#previous;
  }
}
