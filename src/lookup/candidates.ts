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
    const rank = 2 * rankOf(entry, pods) + 7 * Number(entry.isBare === true) + 3 * Number(isIdle(entry));
    return { entry, rank, startMs: startMs(entry.head) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.startMs - a.startMs || (a.entry.head.uid < b.entry.head.uid ? -1 : 1));
  return ranked.map(({ entry }) => entry);
}

/** Returns how little a key is likely to mean a pod; 0 of one that is there to stay. */
export function rankOf(entry: Entry, pods: KnownPods): number {
  const { head } = entry;
  return 4 * Number(hasFinished(entry)) + 2 * Number(pods.isUnconfirmed(head.uid)) + Number(head.terminating);
}

/** Returns when a pod came to be; of a static pod, when the kubelet first saw it. */
export function startMs({ created, seen }: PodHead): number {
  if (created !== undefined) return Number(created) * 1_000;
  const seenMs = Date.parse(seen);
  return Number.isNaN(seenMs) ? 0 : seenMs;
}
