import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "../known/absence.js";
import type { DeleteCause, KnownPods, LogEntry } from "../known/log.js";
import { isActive, type PodRecord, type UnconfirmedReason } from "../known/record.js";
import type { Scope } from "./selection.js";

/**
 * An event of a watch.
 *
 * - `ADDED`: the pod is new to this watch.
 * - `MODIFIED`: the pod has changed; `previous` is the pod of the event before. After a kubelet restart, its annotation
 *   `kubernetes.io/config.seen` may be newer than in that event. It is decoded when it is read, so `{ ...event }` and JSON lack it.
 * - `DELETED`: the pod is no longer watched; `pod` is its last known state. `cause` is `finished` (the kubelet reported that it has
 *   terminated), `missing` (a complete list lacks it) or `deselected` (the selector no longer matches it).
 * - `SYNCED`: your copy equals the last list. The first one has `initial`; another one follows each outage. `count` is the number of pods that
 *   this watch has. `unconfirmed` counts those of them that the last list lacks and that may still exist; if there are any, another SYNCED
 *   follows when none is left. `unreadable` names pods that exist but cannot
 *   be decoded. SYNCED does not prove that a pod is absent, because the kubelet can drop events; {@link PodInformer.confirmAbsent} does.
 * - `DISCONNECTED`: the kubelet cannot be reached, or a list is not complete. Keep your pods: before the next SYNCED the watch emits every
 *   change. It is emitted again when the kind of outage changes.
 */
export type PodEvent<P> =
  | { readonly type: "ADDED"; readonly pod: P }
  | { readonly type: "MODIFIED"; readonly pod: P; readonly previous: P }
  | { readonly type: "DELETED"; readonly pod: P; readonly cause: DeleteCause }
  | ControlEvent;

/** A control event in a queue. The values that depend on the reader are set when the event is taken. */
export type WaitingControl =
  | {
      readonly type: "SYNCED";
      readonly unreadable: ReadonlySet<string>;
      /** The unconfirmed pods with their reasons, also those that the reader has not received. */
      readonly unconfirmed: ReadonlyMap<PodRecord, UnconfirmedReason>;
    }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/** Events that are not about a pod. */
export type ControlEvent =
  | {
      readonly type: "SYNCED";
      readonly initial: boolean;
      readonly count: number;
      readonly unconfirmed: UnconfirmedPods;
      /**
       * UIDs of listed pods whose last message cannot be decoded. These pods exist, and their known state is older. At most 1,000 UIDs; an
       * empty string stands for pods whose UID cannot be decoded. Before you remove what belongs to a pod, call {@link
       * PodInformer.confirmAbsent}.
       */
      readonly unreadable: ReadonlySet<string>;
    }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/**
 * The SYNCED events of one reader: the first one, one after each outage, and one when none of its pods is unconfirmed any more, if some were at
 * the SYNCED before.
 */
export class SyncedEvents {
  readonly #scope: Scope;
  readonly #has: (record: PodRecord) => boolean;
  #pods: KnownPods | undefined;
  #isFirst = true;
  #isLost = false;
  /** True if pods were unconfirmed at the last SYNCED. */
  #isOpen = false;

  /** @param has returns true if the reader has received a pod. */
  constructor(scope: Scope, has: (record: PodRecord) => boolean) {
    this.#scope = scope;
    this.#has = has;
  }

  begin(pods: KnownPods): void {
    this.#pods = pods;
  }

  /** Returns the control event to queue behind what an entry of the log changes; undefined if there is none. */
  after(entry: LogEntry): WaitingControl | undefined {
    if (entry.type === "lost") {
      this.#isLost = true;
      return { type: "DISCONNECTED", error: entry.error };
    }
    const pods = this.#pods;
    if (pods === undefined) return undefined;
    const mayDecide = this.#isOpen && !this.#isLost && (entry.type === "changes" || entry.type === "listed");
    if (
      entry.type !== "synced" &&
      !(mayDecide && pods.unconfirmed(this.#scope.includesFinished, this.#has).count === 0)
    )
      return undefined;
    this.#isOpen = this.#isLost = false;
    const unreadable = new Set(pods.unreadable);
    if (!pods.hasUIDs) unreadable.add("");
    // A pod lacks requested fields if its newer version could not be read. It is not emitted, so it is reported as unreadable.
    for (const { uid, version } of pods.records()) if (!this.#scope.knows(version)) unreadable.add(uid);
    const unconfirmed = new Map<PodRecord, UnconfirmedReason>();
    for (const record of pods.records())
      if (record.unconfirmed !== undefined && (this.#scope.includesFinished || isActive(record)))
        unconfirmed.set(record, record.unconfirmed);
    return { type: "SYNCED", unreadable, unconfirmed };
  }

  /** Fills in what the reader has received when it takes the event: a slow one may not have received all pods yet. */
  take(control: WaitingControl, count: number): ControlEvent {
    if (control.type === "DISCONNECTED") return control;
    const initial = this.#isFirst;
    this.#isFirst = false;
    const reasons = [...control.unconfirmed].flatMap(([record, reason]) => (this.#has(record) ? [reason] : []));
    this.#isOpen = reasons.length > 0;
    const unconfirmed = { count: reasons.length, reasons: [...new Set(reasons)] };
    return { ...control, initial, count, unconfirmed };
  }
}
