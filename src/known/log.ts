import type { PodsError } from "../errors/pods-error.js";
import type { UnconfirmedPods } from "./absence.js";
import type { PodRecord } from "./record.js";
import type { RunFact } from "./run-fold.js";
import type { Version } from "./version.js";

/** Why a pod is gone: the kubelet finished it, or a complete list lacks it. */
export type GoneCause = Exclude<DeleteCause, "deselected">;

/** Why a watch emits DELETED: the kubelet finished the pod, a complete list lacks it, or the selector no longer matches it. */
export type DeleteCause = "finished" | "missing" | "deselected";

/** A change of one pod. The record may change again before a reader uses this, so the change has copies of what counts. */
export interface Change {
  readonly record: PodRecord;
  /** The version before. Undefined if the pod is new. */
  readonly before: Version | undefined;
  /** The pod as it is now, or as it was last known. */
  readonly version: Version;
  /** True until the kubelet has finished the pod. */
  readonly isActive: boolean;
  /** True if the pod is listed no longer. */
  readonly isGone: boolean;
  /** Why it is not active. Without meaning if `isActive` is true. */
  readonly cause: GoneCause;
  /** Facts about runs that the change shows. Undefined while no reader wants runs. Only the RunBook sets it. */
  runs?: readonly RunFact[];
}

/** Facts about the runs of a pod, besides a change of it. */
export interface PodFacts {
  readonly record: PodRecord;
  readonly runs: readonly RunFact[];
}

/** Facts of the last list besides its pods. Times are on the monotonic clock. */
export interface ListFacts {
  /** When it was committed. */
  readonly atMs: number;
  /** When the first list of its kubelet process was committed. */
  readonly processSinceMs: number;
  /** False while the kubelet may not have read all of its pods. */
  readonly isComplete: boolean;
  /** True if lists come by polling. They may be older than the time at which they come. */
  readonly isPolled: boolean;
  /** True if a pod may exist that was not reported: the kubelet may not have read it, or it cannot be read. */
  readonly mayLackPods: boolean;
}

/** An entry of the log. All readers get the same entries in the same order. */
export type LogEntry =
  /**
   * Pods have changed. Of a list: first what is gone, then the rest. Of an event: one change, or two if a UID has another pod. At the
   * end of an overlap of two streams: the last change and the end of each pod that ended in it.
   */
  | { readonly type: "changes"; readonly by: "event" | "list"; readonly changes: readonly Change[] }
  /** A list is committed, after its changes. `settled`: what it shows of container statuses that waited for it. */
  | {
      readonly type: "listed";
      readonly list: ListFacts;
      readonly changes: number;
      readonly settled: readonly PodFacts[];
    }
  /** All pods are known, for the first time or again. */
  | { readonly type: "synced" }
  /** The kubelet is away, or its answers cannot be relied on. */
  | { readonly type: "lost"; readonly error: PodsError }
  /** No stream is live: one was closed or is asked for, or a list is not complete. */
  | { readonly type: "quiet" }
  /** A stream has failed. The next one comes in `delayMs`, or when the socket changes. */
  | { readonly type: "retry"; readonly error: PodsError; readonly delayMs: number }
  /** This many messages could not be read, or have an unknown type. */
  | { readonly type: "malformed"; readonly count: number };

/** Reads the log. */
export interface LogReader {
  /** Called once with all known pods, before the first changes. A loss may be reported before. */
  begin(pods: KnownPods): void;
  accept(entry: LogEntry): void;
}

/** A reader that gets each entry before all others. */
export interface LogIndex extends LogReader {
  /** Called when all readers have the entries of one step. Code of users runs then, and not earlier. */
  flush(): void;
}

/** The known pods, for code that only reads them. */
export interface KnownPods {
  /** Returns the record of every listed pod. */
  records(): Iterable<PodRecord>;
  get(uid: string): PodRecord | undefined;
  /** Returns the pods that the last list lacked without proving their end, of those that readers see, with finished pods or without. */
  unconfirmed(includeFinished: boolean): UnconfirmedPods;
  /** UIDs of pods whose last message could not be read, so that their known state is older. */
  readonly unreadable: ReadonlySet<string>;
  /** True if each entry of the last list, and each that has left the lists lately, has a known UID. */
  readonly hasUIDs: boolean;
  /** True if there is a pod that cannot be read. */
  readonly hasUnreadable: boolean;
  /** True if the kubelet may not have read all of its pods yet. */
  readonly isUncertain: boolean;
}
