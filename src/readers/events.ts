import type { PodsError } from "../errors/pods-error.js";
import type { DeleteCause } from "../known/entry.js";
import type { Ledger } from "../known/ledger.js";
import type { UnconfirmedPods } from "../known/unconfirmed.js";
import type { Scope } from "./selection.js";

/**
 * An event of a watch.
 *
 * - `ADDED`: the pod is new to this watch.
 * - `MODIFIED`: it has changed since it was told last; `previous` is what was told then. It is read when it is asked for: `{ ...event }` and
 *   JSON have it not.
 * - `DELETED`: it is one of the watched pods no longer; `pod` is its last known state. `cause` says how that is known:
 *   the kubelet has finished it (`finished`), it is absent from a complete list (`missing`), or it has left the selection
 *   (`deselected`).
 * - `SYNCED`: everything that the last list has was told: once at first (`initial`), when it is proved that this is all there is, and
 *   after each outage. `count` is the number of pods that this watch has told and that are there; `unconfirmed` tells how many of the node's pods are in doubt, and why, and
 *   `unreadable` which ones are there and cannot be read. Who wants to know that a pod is not there asks {@link PodInformer.lacking}:
 *   an event may have been dropped since, and a kubelet that has restarted may not have read a pod that came meanwhile.
 * - `DISCONNECTED`: the kubelet is away, or its answers are in doubt; what was told last still stands until SYNCED says
 *   what has changed. Told again when the reason changes.
 */
export type PodEvent<P> =
  | { readonly type: "ADDED"; readonly pod: P }
  | { readonly type: "MODIFIED"; readonly pod: P; readonly previous: P }
  | { readonly type: "DELETED"; readonly pod: P; readonly cause: DeleteCause }
  | ControlEvent;

/** A control event that waits to be taken; what is the reader's own is filled in then. */
export type WaitingControl =
  | Pick<Extract<ControlEvent, { type: "SYNCED" }>, "type" | "unconfirmed" | "unreadable">
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/** Events that are about no pod. */
export type ControlEvent =
  | {
      readonly type: "SYNCED";
      readonly initial: boolean;
      readonly count: number;
      readonly unconfirmed: UnconfirmedPods;
      /**
       * UIDs of listed pods whose last message cannot be read. They are there: what was told of them, if anything, is older. At most
       * 1,000 are named; an empty text stands for those whose UID cannot be read. Who removes what belongs to pods asks
       * {@link PodInformer.lacking}.
       */
      readonly unreadable: ReadonlySet<string>;
    }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/** Returns the SYNCED that says how the pods are known now. */
export function syncedControl(ledger: Ledger, scope: Scope): WaitingControl {
  const { unconfirmed } = ledger;
  const unreadable = new Set(ledger.unreadable);
  if (!ledger.hasUIDs) unreadable.add("");
  // Of some too little is known to tell them, since what was asked for besides could not be read.
  for (const { entry } of ledger.entries()) if (!scope.knows(entry)) unreadable.add(entry.head.uid);
  return { type: "SYNCED", unconfirmed, unreadable };
}
