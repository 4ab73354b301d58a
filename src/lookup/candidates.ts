import { type Entry, hasFinished, isIdle, type KnownPods } from "../known/entry.js";
import type { PodHead } from "../pod/head.js";

/**
 * Sorts pods that one key leads to, the one first that it most likely means: not finished, then with a status that shows what
 * it has, then not unconfirmed (its absence is in doubt), then with a container that runs, then not terminating, then started later,
 * then by UID.
 */
export function inOrder(entries: readonly Entry[], pods: KnownPods): readonly Entry[] {
  if (entries.length < 2) return entries;
  const ranked = entries.map((entry) => {
    return { entry, rank: rankOf(entry, pods), startMs: startMs(entry.head) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.startMs - a.startMs || (a.entry.head.uid < b.entry.head.uid ? -1 : 1));
  return ranked.map(({ entry }) => entry);
}

/** Returns how little a key is likely to mean a pod: each of these counts for more than all behind it. */
function rankOf(entry: Entry, pods: KnownPods): number {
  const { uid, terminating } = entry.head;
  const is = [hasFinished(entry), entry.isBare === true, pods.isUnconfirmed(uid), isIdle(entry), terminating];
  return is.reduce((rank, each) => 2 * rank + Number(each), 0);
}

/** Returns true if a pod is neither finished nor terminating, and its absence is not in doubt. */
export function isStaying(entry: Entry, pods: KnownPods): boolean {
  return !hasFinished(entry) && !entry.head.terminating && !pods.isUnconfirmed(entry.head.uid);
}

/** Returns when a pod came to be; of a static pod, when the kubelet first saw it. */
export function startMs({ created, seen }: PodHead): number {
  if (created !== undefined) return Number(created) * 1_000;
  const seenMs = Date.parse(seen);
  return Number.isNaN(seenMs) ? 0 : seenMs;
}
