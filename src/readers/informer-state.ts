import type { ClientCounters } from "../counters.js";
import type { PodsError } from "../errors/pods-error.js";
import type { JournalState } from "../journal/journal.js";
import type { UnconfirmedPods } from "../known/unconfirmed.js";

/** The state of an informer. */
export interface InformerState {
  /**
   * - `connecting`: not everything is known yet. Reads give what is: nothing before the first list, then the pods that the kubelet has
   *   read so far.
   * - `synced`: what is known is what the kubelet has, but for those that are `unconfirmed`.
   * - `stale`: the kubelet is away; reads give what was known last.
   * - `closed`: by {@link PodInformer.close}, or by an error that no waiting mends.
   */
  phase: "connecting" | "synced" | "stale" | "closed";
  /** The time of the last change of `phase`. */
  since: Date;
  /** Why it is not synced; undefined where it is. */
  error: PodsError | undefined;
  /** Pods of the node that the last list lacked, and that are told as if they were there. */
  unconfirmed: UnconfirmedPods;
  /** UIDs of pods whose last message could not be read; what is known of them is older. */
  unreadable: ReadonlySet<string>;
  /**
   * Whose statuses the pods have: the kubelet's own; or, of pods of the API server, those that it confirmed last, as the kubelet's HTTP
   * server gives them. Those stand still while the API server is away, and nothing shows it.
   */
  statusesOf: "kubelet" | "api-server";
  /** How many ends are retained of pods, addresses and containers, for all informers of the client. */
  retained: number;
  /**
   * How many containers and directories were not found in the node's files, where `cgroups` or `processes` has them looked at: those that
   * ended before that, and those that are looked for again at the next list. `error` says why the last look failed.
   */
  unresolved: { readonly count: number; readonly error: PodsError | undefined };
  /** The journal; undefined where there is none. */
  journal: JournalState | undefined;
  /** How many wait for a key, in all informers of the client. */
  waiting: number;
  /** Counts of all that the client has done since it was made, with its watches, informers and calls. */
  counters: ClientCounters;
}
