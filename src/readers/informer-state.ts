import type { ClientCounters } from "../counters.js";
import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "../known/unconfirmed.js";

/** The state of an informer. */
export interface InformerState {
  /**
   * - `connecting`: not all pods are known yet. Reads give nothing before the first list, and then the pods that the kubelet has read so
   *   far.
   * - `synced`: the known pods are those of the kubelet, and the `unconfirmed` ones.
   * - `stale`: the kubelet is away; reads give the last known pods.
   * - `closed`: by {@link PodInformer.close}, or by an error that no retry mends.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** The time of the last change of `phase`. */
  since: Date;
  /** Why it is not synced; undefined if it is. */
  error: PodsError | undefined;
  /** Pods of the node that the last list lacked. Reads give them until their absence is confirmed. */
  unconfirmed: UnconfirmedPods;
  /** UIDs of pods whose last message could not be read, so that their known state is older. */
  unreadable: ReadonlySet<string>;
  /**
   * Where the statuses of the pods come from. `kubelet`: from the kubelet itself. `api-server`: the kubelet's HTTP server shows a pod's
   * status as the API server last confirmed it. Such statuses do not change while the API server is away, and nothing shows that.
   */
  statusSource: "kubelet" | "api-server";
  /** How many ends of pods, addresses and containers are retained, for all informers of the client. */
  retained: number;
  /** How many calls of `waitFor` wait, in all informers of the client. */
  waiting: number;
  /** Counts of the client's work since it was made, over its watches, informers and calls. */
  counters: ClientCounters;
}
