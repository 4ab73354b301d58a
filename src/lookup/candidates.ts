import { type Entry, hasFinished, isIdle, type KnownPods } from "../known/entry.js";
import type { PodHead } from "../pod/head.js";

/**
 * Sorts the pods that share a key, the most likely holder first. In this order it prefers pods that are not finished, whose last status
 * can be read and names their containers, that are not unconfirmed, that have a running container, that are not terminating, and that were
 * created later; then it goes by UID.
 */
export function inOrder(entries: readonly Entry[], pods: KnownPods): readonly Entry[] {
  if (entries.length < 2) return entries;
  const ranked = entries.map((entry) => {
    return { entry, rank: rankOf(entry, pods), startMs: startMs(entry.head) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.startMs - a.startMs || (a.entry.head.uid < b.entry.head.uid ? -1 : 1));
  return ranked.map(({ entry }) => entry);
}

/** Returns the rank of a pod, the most likely holder lowest: each of these criteria outweighs all that follow. */
function rankOf(entry: Entry, pods: KnownPods): number {
  const { uid, terminating } = entry.head;
  const isOutdated = entry.isBare === true || pods.isUnreadable(uid);
  const is = [hasFinished(entry), isOutdated, pods.isUnconfirmed(uid), isIdle(entry), terminating];
  return is.reduce((rank, each) => 2 * rank + Number(each), 0);
}

/** Returns true if a pod is neither finished nor terminating, and its absence is not in doubt. */
export function isStaying(entry: Entry, pods: KnownPods): boolean {
  return !hasFinished(entry) && !entry.head.terminating && !pods.isUnconfirmed(entry.head.uid);
}

/** Returns when a pod was created; for a static pod, when the kubelet first saw it. */
export function startMs({ created, seen }: PodHead): number {
  if (created !== undefined) return Number(created) * 1_000;
  const seenMs = Date.parse(seen);
  return Number.isNaN(seenMs) ? 0 : seenMs;
}
