import type { ClientCounters } from "../counters.js";
import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "../known/absence.js";

/** The state of an informer. */
export interface InformerState {
  /**
   * - `connecting`: not all pods are known yet. Reads return nothing before the first list.
   * - `synced`: the informer has the kubelet's pods, and the `unconfirmed` ones.
   * - `stale`: the kubelet cannot be reached. Reads return the last known pods.
   * - `closed`: closed by {@link PodInformer.close}, or by an error that a retry cannot fix.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** Time of the last change of `phase`. */
  since: Date;
  /** Time since the last complete list, in milliseconds. Undefined before the first one. */
  listAgeMs: number | undefined;
  /** Error that keeps the informer from being synced. Undefined if it is synced. */
  error: PodsError | undefined;
  /** Pods that the last list lacks and that may still exist. Reads return them until their absence is confirmed. */
  unconfirmed: UnconfirmedPods;
  /** UIDs of pods whose last message could not be decoded, so that their known state is older. */
  unreadable: ReadonlySet<string>;
  /**
   * Source of the pods' statuses. `kubelet`: the kubelet itself. `api-server`: the status that the API server last confirmed, which the
   * kubelet's HTTP server returns. It does not change while the API server cannot be reached.
   */
  statusSource: "kubelet" | "api-server";
  /** Number of retained ends of pods, addresses and containers, for all informers of the client. */
  retained: number;
  /** Number of such ends that were dropped before their time, because more than `maxRetained` were retained. */
  evicted: number;
  /** Number of pending `waitFor` calls, in all informers of the client. */
  waiting: number;
  /** Counters of the client since it was made, over its watches, informers and calls. */
  counters: ClientCounters;
}
