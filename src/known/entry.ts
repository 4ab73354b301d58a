import { isFinishedHead, type PodHead } from "../pod/head.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import type { PodMask } from "../pod/mask.js";
import { isEnoughForEnd, readEnding, type Stop, stopOf } from "../pod/stop.js";

/** The kubelet process that listed or sent an entry. Entries of one process share this object, or its number. */
export interface KubeletProcess {
  number: number;
}

/** Whether a list comes from the same kubelet process as the last list; `unknown` if nothing proves either. */
export type ListProcess = "same" | "another" | "unknown";

/**
 * A pod as it was last seen: its head, and our copy of the retained part of its bytes. An entry is never changed; a new state makes a new
 * entry.
 */
export interface Entry {
  /** The bytes. They may be replaced by another copy of themselves. */
  bytes: Uint8Array;
  readonly head: PodHead;
  /** The mask of the fields in `bytes`; undefined means all fields. */
  readonly retained: PodMask | undefined;
  readonly process: Readonly<KubeletProcess>;
  /**
   * True if the status names no container, though earlier statuses of the pod did. Such a status shows nothing about containers, addresses
   * and the end of the pod, so their last known state is kept. Only the ledger sets it, and takes it back if no better status comes in
   * time.
   */
  isBare?: boolean;
  /**
   * Why the kubelet stops the pod, as this version or an earlier one shows it. The last version may not say it any more: the status of an
   * evicted pod whose containers end well is Succeeded, without a reason. Undefined if it does not stop it, or if the fields are not
   * retained, which they are while somebody reads ends. Only the ledger sets it.
   */
  stop?: Stop | undefined;
}

/** Why a pod is gone: the kubelet finished it, or a complete list lacks it. */
export type LedgerCause = Exclude<DeleteCause, "deselected">;

/** Why a watch emits DELETED: the kubelet finished the pod, a complete list lacks it, or the selector no longer matches it. */
export type DeleteCause = "finished" | "missing" | "deselected";

/** A change of one pod. */
export interface Change {
  readonly uid: string;
  /** The pod as it is now, or as it was last known. */
  readonly entry: Entry;
  /** True until the kubelet has finished the pod. */
  readonly active: boolean;
  /** True if the pod is listed no longer. */
  readonly gone: boolean;
  /** Why it is not active. Without meaning if `active` is true. */
  readonly cause: LedgerCause;
}

/** The known pods, for code that only reads them. */
export interface KnownPods {
  /** Returns every listed pod, and whether it is active. */
  entries(): Iterable<{ entry: Entry; active: boolean }>;
  get(uid: string): { entry: Entry; active: boolean } | undefined;
  /** Returns true if the last list lacked the pod without proving its end. */
  isUnconfirmed(uid: string): boolean;
  /** Returns true if the pod's last message could not be read, so that the known state is older. */
  isUnreadable(uid: string): boolean;
  /** True if there is a pod that cannot be read. */
  readonly hasUnreadable: boolean;
  /** True if the kubelet may not have read all of its pods yet. */
  readonly isInDoubt: boolean;
}

/** Returns why the kubelet stops the pod of a version. `before` is the version before it, if that is known. */
export function stopIn(entry: Entry, before: Entry | undefined): Stop | undefined {
  // A static pod runs on if the kubelet is restarted before it has ended the containers.
  const runsOn = before !== undefined && before.process.number !== entry.process.number && entry.head.running;
  if (before?.stop !== undefined && !(runsOn && !isFinalPhase(entry.head.phase))) return before.stop;
  // The kubelet writes the stop together with a final phase, before it ends the containers.
  if (!isFinalPhase(entry.head.phase) || !isEnoughForEnd(entry.retained)) return undefined;
  const isKnown = before !== undefined && isEnoughForEnd(before.retained);
  return stopOf(readEnding(entry.bytes), isKnown ? readEnding(before.bytes) : undefined);
}

/** Returns true if the status shows that the pod has finished. False if the status names no container. */
export function hasFinished({ head, isBare }: Entry): boolean {
  return isFinishedHead(head) && isBare !== true;
}

/**
 * Returns true if a pod has begun, has not ended, and has no running container now. Its sandbox may have ended, and its address with it,
 * but the kubelet still shows that address (getPodIPs in pkg/kubelet/pleg/generic.go).
 *
 * @param hasRun true if a container of it is known to have run. A pod is Pending until its init containers have ended.
 */
export function isIdle({ head: { running, phase }, isBare }: Entry, hasRun = false): boolean {
  return (phase === "Running" || (phase === "Pending" && hasRun)) && !running && isBare !== true;
}

/**
 * Returns whether a list comes from the kubelet process of an earlier one. Each process stamps the pods when it first sees them: one equal
 * stamp proves the same process, only new stamps prove another one. Without a pod that both have it is unknown.
 *
 * @param before returns the head of a pod in the earlier list.
 */
export function processOf(heads: Iterable<PodHead>, before: (uid: string) => PodHead | undefined): ListProcess {
  let stamps = 0;
  for (const head of heads) {
    const known = before(head.uid);
    if (known === undefined || known === head || known.seen === "" || head.seen === "") continue;
    if (known.seen === head.seen) return "same";
    stamps++;
  }
  return stamps > 0 ? "another" : "unknown";
}

/** Returns a pod's namespace and name with a slash between them. Neither of them can contain a slash. */
export function nameOf({ namespace, name }: PodHead): string {
  return `${namespace}/${name}`;
}

/** Returns true if the same process wrote both entries, so that equal pods have equal bytes. */
export function areWrittenAlike(a: Entry, b: Entry): boolean {
  return a.process.number === b.process.number;
}
