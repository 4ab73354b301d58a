import type { PodsError } from "../errors/pods-error.js";
import type { DeleteCause } from "../known/entry.js";
import type { Ledger } from "../known/ledger.js";
import type { UnconfirmedPods } from "../known/unconfirmed.js";
import type { Scope } from "./selection.js";

/**
 * An event of a watch.
 *
 * - `ADDED`: the pod is new to this watch.
 * - `MODIFIED`: it has changed since it was told last; `previous` is the pod as it was told then. `previous` is decoded when it is read, so
 *   `{ ...event }` and JSON lack it.
 * - `DELETED`: it is not one of the watched pods any more; `pod` is its last known state. `cause` says why: the kubelet has finished it
 *   (`finished`), a complete list lacks it (`missing`), or the selector does not match it any more (`deselected`).
 * - `SYNCED`: all pods of the last list have been told. It comes first when a list is taken as complete (`initial`), and again after each
 *   outage. `count` is the number of existing pods that this watch has told; `unconfirmed` has how many of the node's pods are in doubt,
 *   and why; `unreadable` names the pods that exist and cannot be read. SYNCED does not prove that a pod is absent: an event may have been
 *   dropped since, and a kubelet that has restarted may not have read a new pod. For a proof call {@link PodInformer.confirmAbsent}.
 * - `DISCONNECTED`: the kubelet is away, or its answers are in doubt. The told pods still count until SYNCED, before which all changes are
 *   told. It is told again when the reason changes.
 */
export type PodEvent<P> =
  | { readonly type: "ADDED"; readonly pod: P }
  | { readonly type: "MODIFIED"; readonly pod: P; readonly previous: P }
  | { readonly type: "DELETED"; readonly pod: P; readonly cause: DeleteCause }
  | ControlEvent;

/** A control event that waits in a queue. The values that depend on the reader are filled in when it is taken. */
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
       * UIDs of listed pods whose last message cannot be read. These pods exist; their told state, if any, is older. At most 1,000 are
       * named; an empty text stands for pods whose UID cannot be read. Before you remove what belongs to a pod, call {@link
       * PodInformer.confirmAbsent}.
       */
      readonly unreadable: ReadonlySet<string>;
    }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/** Returns a SYNCED event for the current state of the ledger. */
export function syncedControl(ledger: Ledger, scope: Scope): WaitingControl {
  const unconfirmed = ledger.unconfirmed(scope.includesFinished);
  const unreadable = new Set(ledger.unreadable);
  if (!ledger.hasUIDs) unreadable.add("");
  // Some known pods lack wanted fields and cannot be told, because their newer state could not be read.
  for (const { entry } of ledger.entries()) if (!scope.knows(entry)) unreadable.add(entry.head.uid);
  return { type: "SYNCED", unconfirmed, unreadable };
}
