import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "./absence.js";
import type { PodRecord } from "./record.js";
import type { RunFact } from "./run-fold.js";
import type { Version } from "./version.js";

/** Why a pod is gone: the kubelet reported that it has terminated, or a complete list lacks it. */
export type GoneCause = Exclude<DeleteCause, "deselected">;

/** Why a watch emits DELETED: the kubelet reported that the pod has terminated, a complete list lacks it, or the selector no longer matches it. */
export type DeleteCause = "finished" | "missing" | "deselected";

/** A change of one pod. The record may change again before a reader uses the change, so the change has copies of some properties. */
export interface Change {
  readonly record: PodRecord;
  /** The version before; undefined if the pod is new. */
  readonly before: Version | undefined;
  /** The pod as it is now, or as it was last known. */
  readonly version: Version;
  /** True until the pod has terminated. */
  readonly isActive: boolean;
  /** True if the pod has left the lists. */
  readonly isGone: boolean;
  /** Why it is not active. Meaningless if `isActive` is true. */
  readonly cause: GoneCause;
  /** Facts about runs that the change shows. Undefined until a reader reads runs. Only the RunBook sets it. */
  runs?: readonly RunFact[];
}

/** Facts about the runs of a pod, besides a change of it. */
export interface PodFacts {
  readonly record: PodRecord;
  readonly runs: readonly RunFact[];
}

/** Facts of the last list besides its pods. Times are on the monotonic clock. */
export interface ListFacts {
  /** Time of the commit. */
  readonly atMs: number;
  /** Time of the commit of the first list of its kubelet process. */
  readonly processSinceMs: number;
  /** False while the kubelet may not have read all of its pods. */
  readonly isAccepted: boolean;
  /** True if the source polls. Its lists may show an older state. */
  readonly isPolled: boolean;
  /** True if a pod may exist that was not reported, because the kubelet has not read it, or the client cannot. */
  readonly mayLackPods: boolean;
  /** UIDs of pods about which the list says nothing, because events came after its request. */
  readonly touched: ReadonlySet<string>;
}

/** An entry of the log. All readers get the same entries in the same order. */
export type LogEntry =
  /**
   * Pods have changed. The changes of a list begin with removed pods. An event makes one change, or two if another pod has the UID.
   */
  | { readonly type: "changes"; readonly by: "event" | "list"; readonly changes: readonly Change[] }
  /** A list was committed. Follows its changes. `settled`: facts about container statuses that waited for it. */
  | {
      readonly type: "listed";
      readonly list: ListFacts;
      readonly changes: number;
      readonly settled: readonly PodFacts[];
    }
  /** A list with all pods was committed, for the first time or after an outage. Resyncs do not add this entry. */
  | { readonly type: "synced" }
  /** The kubelet cannot be reached, or its responses may be incomplete. */
  | { readonly type: "lost"; readonly error: PodsError }
  /** No stream is live: it was closed or requested, or its list is not complete. */
  | { readonly type: "quiet" }
  /** A stream has failed. The next one is opened in `delayMs`, or when the socket changes. */
  | { readonly type: "retry"; readonly error: PodsError; readonly delayMs: number }
  /** Lists have news that the stream lacks. It is replaced. */
  | { readonly type: "wedged" }
  /** This many messages could not be read, or have an unknown type. */
  | { readonly type: "malformed"; readonly count: number };

/** Reads the log. */
export interface LogReader {
  /** Called once with all known pods, before the first changes. `lost` may come earlier. */
  begin(pods: KnownPods): void;
  accept(entry: LogEntry): void;
}

/** A reader that receives each entry before all others. */
export interface LogIndex extends LogReader {
  /** Called when all readers have received the entries of one step. User code runs then, not earlier. */
  flush(): void;
}

/** The known pods, for code that only reads them. */
export interface KnownPods {
  /** Derives the container runs of all pods from now on. Until then, changes have no facts about runs. */
  readRuns(): void;
  /** Returns the record of every listed pod. */
  records(): Iterable<PodRecord>;
  get(uid: string): PodRecord | undefined;
  /** Returns the unconfirmed pods, with or without finished ones, of those that `has` selects. By default it selects all. */
  unconfirmed(includeFinished: boolean, has?: (record: PodRecord) => boolean): UnconfirmedPods;
  /** UIDs of pods whose last message could not be read. Their known state is older. */
  readonly unreadable: ReadonlySet<string>;
  /** True if every entry of the last list, and every entry that has left the lists lately, has a known UID. */
  readonly hasUIDs: boolean;
  /** True if there is a pod that cannot be read. */
  readonly hasUnreadable: boolean;
  /** True if the kubelet may not have read all of its pods yet. */
  readonly isUncertain: boolean;
}
