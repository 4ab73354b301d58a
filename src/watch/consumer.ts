import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodeBy, type Plan } from "../pod/decode.js";
import { type PodMask, planOf } from "../pod/mask.js";
import { sameContent } from "../pod/same.js";
import type { ControlEvent, PodEvent } from "./events.js";
import type { Change, Entry, Ledger } from "./ledger.js";
import { CoalescingQueue, type PodDelivery } from "./queue.js";
import { Scope, type Selection } from "./selection.js";
import type { Sink } from "./upstream.js";

/**
 * One consumer of the upstream: its selection, what it has been told, and what it has yet to be told. Events are made
 * when they are taken: what is coalesced is never decoded.
 */
export class Consumer<P = Pod> implements Sink {
  readonly #scope: Scope;
  readonly #includeFinished: boolean;
  readonly #plan: Plan;
  readonly #onReady: () => void;
  readonly #told = new Map<string, Entry>();
  readonly #queue = new CoalescingQueue<Entry, ControlEvent>();
  /** Pods that could not be decoded when they were to be told. */
  undecodable = 0;

  /** @param onReady is called when there may be something to take. */
  constructor(selection: Selection, onReady: () => void) {
    this.#scope = new Scope(selection);
    this.#includeFinished = selection.includeFinished;
    this.#plan = planOf(selection.mask);
    this.#onReady = onReady;
  }

  /** What has to be known of each pod; everything where it is undefined. */
  get needs(): PodMask | undefined {
    return this.#scope.needs;
  }

  /** Waiting slots; never more than the pods there are and were. */
  get pending(): number {
    return this.#queue.size;
  }

  /** Everything that is known already, for a consumer that joins late. */
  snapshot(ledger: Ledger): void {
    for (const { entry, active } of ledger.entries()) {
      if (this.#scope.has(entry, active)) this.#queue.put(entry.head.uid, entry, false);
    }
    this.synced(ledger, true);
  }

  /** Takes over what has changed. */
  accept(changes: readonly Change[]): void {
    for (const { uid, entry, active, gone, cause } of changes) {
      const told = this.#told.has(uid);
      if (!(active || (this.#includeFinished && !gone))) {
        this.#queue.delete(uid, entry, cause, told);
        continue;
      }
      const selected = this.#scope.has(entry, active);
      if (selected) this.#queue.put(uid, entry, told);
      else if (selected === false) this.#queue.delete(uid, entry, "deselected", told);
      else this.undecodable++; // what was told last still stands
    }
    if (this.#queue.size > 0) this.#onReady();
  }

  control(event: ControlEvent): void {
    this.#queue.control(event);
    this.#onReady();
  }

  /** SYNCED with this consumer's own count. */
  synced(ledger: Ledger, initial: boolean): void {
    this.control({ type: "SYNCED", initial, count: this.#scope.count(ledger), held: ledger.held });
  }

  /** The next event; undefined where there is none now. */
  take(): PodEvent<P> | undefined {
    for (;;) {
      const delivery = this.#queue.next();
      if (delivery === undefined) return undefined;
      if (delivery.type === "CONTROL") return delivery.control;
      try {
        const event = this.#eventOf(delivery);
        if (event !== undefined) return event;
      } catch {
        this.undecodable++; // what was told last still stands
      }
    }
  }

  #eventOf(delivery: PodDelivery<Entry>): PodEvent<P> | undefined {
    const { uid, pod: entry } = delivery;
    const previous = this.#told.get(uid);
    if (delivery.type === "DELETED") {
      this.#told.delete(uid);
      return { type: "DELETED", pod: this.#decodeLast(entry, previous), cause: delivery.cause };
    }
    if (previous === undefined) {
      const pod = this.#decode(entry);
      this.#told.set(uid, entry);
      return { type: "ADDED", pod };
    }
    if (sameContent(previous.bytes, entry.bytes, this.#plan, previous.epoch === entry.epoch)) {
      this.#told.set(uid, entry);
      return undefined;
    }
    const pod = this.#decode(entry);
    this.#told.set(uid, entry);
    const decode = (older: Entry) => this.#decode(older);
    let before: P | undefined;
    return {
      type: "MODIFIED",
      pod,
      // Decoded when somebody looks.
      get previous() {
        before ??= decode(previous);
        return before;
      },
    };
  }

  #decode(entry: Entry): P {
    return decodeBy(this.#plan, entry.bytes) as P;
  }

  /** The last state that can be decoded: what was told could be. */
  #decodeLast(entry: Entry, told: Entry | undefined): P {
    try {
      return this.#decode(entry);
    } catch (error) {
      if (told === undefined) throw error;
      return this.#decode(told);
    }
  }
}
