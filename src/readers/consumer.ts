import type { Change, KnownPods, LogEntry } from "../known/log.js";
import { isActive } from "../known/record.js";
import { areWrittenAlike, type Version } from "../known/version.js";
import { decodeBy } from "../pod/decode.js";
import { sameContent } from "../pod/equality.js";
import { type PodMask, planOf } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import type { EventQueue } from "./event-stream.js";
import { type PodEvent, SyncedEvents, type WaitingControl } from "./events.js";
import { CoalescingQueue, type PodDelivery } from "./queue.js";
import { Scope, type Selection } from "./selection.js";

/** Turns versions into the pods that a consumer receives. */
interface Reading<P> {
  read(version: Version): P;
  /** Returns true if both versions make equal pods. */
  same(before: Version, now: Version): boolean;
}

/** Returns a reading that decodes the fields of a mask; without a mask, whole pods. */
export function decoding<P>(mask: PodMask | undefined): Reading<P> {
  const plan = planOf(mask);
  return {
    read: ({ bytes }) => decodeBy(plan, bytes) as P,
    same: (before, now) => sameContent(before.bytes, now.bytes, plan, areWrittenAlike(before, now)),
  };
}

/**
 * A consumer of the upstream: its selection, the pods that it has received, and its queue. Makes each event when it is taken, so that
 * coalesced states are never decoded.
 */
export class Consumer<P = Pod> implements EventQueue<PodEvent<P>> {
  readonly #scope: Scope;
  readonly #keepsFinished: boolean;
  readonly #reading: Reading<P>;
  readonly #onReady: () => void;
  readonly #emitted = new Map<string, Version>();
  readonly #queue = new CoalescingQueue<Version, WaitingControl>();
  readonly #synced: SyncedEvents;

  /** @param onReady is called when an event may be ready. */
  constructor(selection: Selection, onReady: () => void) {
    this.#scope = new Scope(selection);
    this.#keepsFinished = selection.includeFinished;
    this.#reading = decoding(selection.mask);
    this.#onReady = onReady;
    this.#synced = new SyncedEvents(this.#scope, ({ uid }) => this.#emitted.has(uid));
  }

  /** The number of waiting slots. It never exceeds the number of pods that exist or existed. */
  get pending(): number {
    return this.#queue.size;
  }

  begin(pods: KnownPods): void {
    this.#synced.begin(pods);
    for (const record of pods.records()) {
      if (this.#scope.shows(record.version, isActive(record))) this.#queue.put(record.uid, record.version, false);
    }
    this.#onReady();
  }

  accept(entry: LogEntry): void {
    if (entry.type === "changes") this.#changed(entry.changes);
    // SYNCED and DISCONNECTED follow all waiting events.
    const control = this.#synced.after(entry);
    if (control === undefined) return;
    this.#queue.control(control);
    this.#onReady();
  }

  #changed(changes: readonly Change[]): void {
    for (const { record, version, isActive, isGone, cause } of changes) {
      const { uid } = record;
      const isEmitted = this.#emitted.has(uid);
      if (!(isActive || (this.#keepsFinished && !isGone))) {
        this.#queue.delete(uid, version, cause, isEmitted);
        continue;
      }
      if (!this.#scope.has(version, isActive)) this.#queue.delete(uid, version, "deselected", isEmitted);
      else if (this.#scope.knows(version)) this.#queue.put(uid, version, isEmitted);
    }
    if (this.#queue.size > 0) this.#onReady();
  }

  /** Removes and returns the next event; undefined if the queue is empty. */
  take(): PodEvent<P> | undefined {
    for (;;) {
      const delivery = this.#queue.next();
      if (delivery === undefined) return undefined;
      if (delivery.type === "CONTROL") return this.#synced.take(delivery.control, this.#emitted.size);
      const event = this.#eventOf(delivery);
      if (event !== undefined) return event;
    }
  }

  #eventOf(delivery: PodDelivery<Version>): PodEvent<P> | undefined {
    const { uid, pod: version } = delivery;
    const previous = this.#emitted.get(uid);
    if (delivery.type === "DELETED") {
      this.#emitted.delete(uid);
      return { type: "DELETED", pod: this.#reading.read(version), cause: delivery.cause };
    }
    if (previous === undefined) {
      const pod = this.#reading.read(version);
      this.#emitted.set(uid, version);
      return { type: "ADDED", pod };
    }
    if (this.#reading.same(previous, version)) {
      this.#emitted.set(uid, version);
      return undefined;
    }
    const pod = this.#reading.read(version);
    this.#emitted.set(uid, version);
    return new Modified(pod, this.#reading, previous);
  }
}

/** A MODIFIED event whose previous pod is decoded when it is read. */
class Modified<P> {
  readonly type = "MODIFIED";
  readonly pod: P;
  readonly #reading: Reading<P>;
  readonly #version: Version;
  #previous: P | undefined;

  constructor(pod: P, reading: Reading<P>, previous: Version) {
    this.pod = pod;
    this.#reading = reading;
    this.#version = previous;
  }

  get previous(): P {
    this.#previous ??= this.#reading.read(this.#version);
    return this.#previous;
  }
}
