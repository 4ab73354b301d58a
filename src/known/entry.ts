import { isFinishedHead, type PodHead } from "../pod/head.js";
import type { PodMask } from "../pod/mask.js";

/** The kubelet process that an entry came from: entries of one process share this object, or its number. */
export interface KubeletProcess {
  number: number;
}

/** Whether a list is of the kubelet process that the last one was of; `unknown` where nothing proves either. */
export type ListProcess = "same" | "another" | "unknown";

/** A pod as it was last seen: the retained part of its bytes, in a copy of our own, and its head. What it says never changes. */
export interface Entry {
  /** The bytes, or another copy of the same ones. */
  bytes: Uint8Array;
  readonly head: PodHead;
  /** The mask of what `bytes` has of the pod; everything where it is undefined. */
  readonly retained: PodMask | undefined;
  readonly process: Readonly<KubeletProcess>;
  /**
   * Whether its status names no container, though statuses of the pod did: it says nothing of containers, addresses and the end of the
   * pod, which stand as they stood. The ledger alone sets it, and takes it back when nothing better has come in time.
   */
  isBare?: boolean;
}

/** Why a pod went: the kubelet finished it, or a complete list lacked it. */
export type LedgerCause = Exclude<DeleteCause, "deselected">;

/** Why a pod leaves a reader. */
export type DeleteCause = "finished" | "missing" | "deselected";

/** A change of one pod. */
export interface Change {
  readonly uid: string;
  /** The pod as it is now, or as it was last known. */
  readonly entry: Entry;
  /** Whether the kubelet has not finished it. */
  readonly active: boolean;
  /** Whether it is listed no longer. */
  readonly gone: boolean;
  /** Why it is not active. */
  readonly cause: LedgerCause;
}

/** The known pods, as those read them who do not change them. */
export interface KnownPods {
  /** Returns every pod that is listed, with whether it is active. */
  entries(): Iterable<{ entry: Entry; active: boolean }>;
  get(uid: string): { entry: Entry; active: boolean } | undefined;
  /** Returns whether the last list lacked the pod, and that does not prove its end. */
  isUnconfirmed(uid: string): boolean;
  /** Returns whether the pod's last message could not be read: what is known is older. */
  isUnreadable(uid: string): boolean;
  /** Whether a pod is there that cannot be read. */
  readonly hasUnreadable: boolean;
  /** Whether the kubelet may not have read all of its pods yet. */
  readonly isInDoubt: boolean;
}

/** Returns whether a pod has finished, as far as its status says anything. */
export function hasFinished({ head, isBare }: Entry): boolean {
  return isFinishedHead(head) && isBare !== true;
}

/**
 * Returns whether a pod has begun, has not ended, and has no container that runs now. Its sandbox may have ended then, and with it its
 * address, which the kubelet goes on showing (getPodIPs in pkg/kubelet/pleg/generic.go).
 */
export function isIdle({ head: { running, phase }, isBare }: Entry): boolean {
  return phase === "Running" && !running && isBare !== true;
}

/** Returns a pod's namespace and name with a slash between them, which neither of them can have. */
export function nameOf({ namespace, name }: PodHead): string {
  return `${namespace}/${name}`;
}

/** Returns whether equal pods have equal bytes in two entries, as one process writes them. */
export function areWrittenAlike(a: Entry, b: Entry): boolean {
  return a.process.number === b.process.number;
}
