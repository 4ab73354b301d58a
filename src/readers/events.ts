import type { PodsError } from "../errors/pods-error.js";
import type { DeleteCause } from "../known/entry.js";
import type { UnconfirmedPods } from "../known/unconfirmed.js";

/**
 * An event of a watch.
 *
 * - `ADDED`: the pod is new to this watch.
 * - `MODIFIED`: it has changed since it was told last; `previous` is what was told then.
 * - `DELETED`: it is one of the watched pods no longer; `pod` is its last known state. `cause` says how that is known:
 *   the kubelet has finished it (`finished`), it is absent from a complete list (`missing`), or it has left the selection
 *   (`deselected`).
 * - `SYNCED`: everything there is has been told: once at first (`initial`), and after each outage. `count` is the number of
 *   pods that this watch has told and that are there; `unconfirmed` tells how many of the node's pods are in doubt, and why.
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
  | { readonly type: "SYNCED"; readonly unconfirmed: UnconfirmedPods }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };

/** Events that are about no pod. */
export type ControlEvent =
  | {
      readonly type: "SYNCED";
      readonly initial: boolean;
      readonly count: number;
      readonly unconfirmed: UnconfirmedPods;
    }
  | { readonly type: "DISCONNECTED"; readonly error: PodsError };
