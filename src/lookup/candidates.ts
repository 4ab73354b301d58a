import { hasFinished, isIdle, type PodRecord } from "../known/record.js";
import type { PodHead } from "../pod/head.js";

/**
 * Sorts the pods that share a key, the most likely holder first. In this order it prefers pods that are not finished, whose last status
 * can be read and names their containers, that are not unconfirmed, that have a running container, that are not terminating, and that were
 * created later; then it goes by UID.
 */
export function inOrder(records: readonly PodRecord[]): readonly PodRecord[] {
  if (records.length < 2) return records;
  const ranked = records.map((record) => {
    return { record, rank: rankOf(record), startMs: startMs(record.version.head) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.startMs - a.startMs || (a.record.uid < b.record.uid ? -1 : 1));
  return ranked.map(({ record }) => record);
}

/** Returns the rank of a pod, the most likely holder lowest: each of these criteria outweighs all that follow. */
function rankOf(record: PodRecord): number {
  const isOutdated = record.hasEmptyStatus || record.isUnreadable;
  const isUnconfirmed = record.unconfirmed !== undefined;
  const is = [hasFinished(record), isOutdated, isUnconfirmed, isIdle(record), record.version.head.terminating];
  return is.reduce((rank, each) => 2 * rank + Number(each), 0);
}

/** Returns true if a pod is neither finished nor terminating, and its absence is not in doubt. */
export function isStaying(record: PodRecord): boolean {
  return !hasFinished(record) && !record.version.head.terminating && record.unconfirmed === undefined;
}

/** Returns when a pod was created; for a static pod, when the kubelet first saw it. */
export function startMs({ created, seen }: PodHead): number {
  if (created !== undefined) return Number(created) * 1_000;
  const seenMs = Date.parse(seen);
  return Number.isNaN(seenMs) ? 0 : seenMs;
}
