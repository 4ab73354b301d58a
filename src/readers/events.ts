import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "../known/absence.js";
import type { DeleteCause, KnownPods } from "../known/log.js";
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
 *   this watch has. `unconfirmed` counts pods that the last list lacks and that may still exist. `unreadable` names pods that exist but cannot
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
  | Pick<Extract<ControlEvent, { type: "SYNCED" }>, "type" | "unconfirmed" | "unreadable">
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

/** Returns a SYNCED event for the known pods. */
export function syncedControl(pods: KnownPods, scope: Scope): WaitingControl {
  const unconfirmed = pods.unconfirmed(scope.includesFinished);
  const unreadable = new Set(pods.unreadable);
  if (!pods.hasUIDs) unreadable.add("");
  // A pod lacks requested fields if its newer version could not be read. It is not emitted, so it is reported as unreadable.
  for (const { uid, version } of pods.records()) if (!scope.knows(version)) unreadable.add(uid);
  return { type: "SYNCED", unconfirmed, unreadable };
}
