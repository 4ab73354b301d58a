import type { PodRecord } from "./record.js";
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
}

/** The known pods, for code that only reads them. */
export interface KnownPods {
  /** Returns the record of every listed pod. */
  records(): Iterable<PodRecord>;
  get(uid: string): PodRecord | undefined;
  /** True if there is a pod that cannot be read. */
  readonly hasUnreadable: boolean;
  /** True if the kubelet may not have read all of its pods yet. */
  readonly isInDoubt: boolean;
}
