import { isStaticHead, type PodHead } from "../pod/head.js";
import type { PodMask } from "../pod/mask.js";

/** The kubelet process that listed or sent a version. Versions of one process share this object, or its number. */
export interface KubeletProcess {
  number: number;
}

/** Whether a list comes from the same kubelet process as the last list; `unknown` if nothing proves either. */
export type ListProcess = "same" | "another" | "unknown";

/** A state of a pod, from a list or an event. A new state makes a new version. */
export interface Version {
  /** The encoded pod. An equal copy may replace these bytes. */
  bytes: Uint8Array;
  readonly head: PodHead;
  /** The mask of the fields in `bytes`; undefined means all fields. */
  readonly retained: PodMask | undefined;
  readonly process: Readonly<KubeletProcess>;
  /** Time of day at which it arrived, in milliseconds. */
  readonly wallMs: number;
}

/**
 * Returns whether a list comes from the same kubelet process as an earlier one. Each process stamps a pod when it first reads it. One equal
 * stamp proves the same process; only new stamps prove another one. If the lists have no pod in common, it is unknown.
 *
 * @param before returns the head of a known pod.
 * @param counts returns true if a new stamp of the pod means another process. It does not for pods that the process of the earlier list has not
 *   reported.
 */
export function processOf(
  heads: Iterable<PodHead>,
  before: (uid: string) => PodHead | undefined,
  counts: (head: PodHead) => boolean = () => true,
): ListProcess {
  let stamps = 0;
  for (const head of heads) {
    const known = before(head.uid);
    if (known === undefined || known === head || known.seen === "" || head.seen === "") continue;
    if (known.seen === head.seen) return "same";
    if (counts(head)) stamps++;
  }
  return stamps > 0 ? "another" : "unknown";
}

/** Returns a pod's namespace and name with a slash between them. Neither of them can contain a slash. */
export function nameOf({ namespace, name }: PodHead): string {
  return `${namespace}/${name}`;
}

/** Returns true if the same process wrote both versions, so that equal pods have equal bytes. */
export function areWrittenAlike(a: Version, b: Version): boolean {
  return a.process.number === b.process.number;
}

/**
 * Returns true if a version belongs to another pod with the same UID, which was created after the first one was deleted. Its creation time
 * differs, or one process has stamped it twice, as it does for a static pod whose manifest was removed and added again.
 */
export function isAnother(before: Version, after: Version): boolean {
  const [a, b] = [before.head, after.head];
  if (isStaticHead(b) && areWrittenAlike(before, after)) return a.seen !== "" && isLater(b.seen, a.seen);
  return a.created !== undefined && b.created !== undefined && a.created !== b.created;
}

/** Returns true if one stamp is later than another. An earlier stamp is that of a pod that is still terminating. */
function isLater(stamp: string, before: string): boolean {
  const byMs = Date.parse(stamp) - Date.parse(before);
  return Number.isNaN(byMs) || byMs === 0 ? stamp > before : byMs > 0;
}
