import { hasFinished, isActive, isIdle, type PodRecord } from "../known/record.js";
import { startMs } from "../pod/head.js";
import type { KeyInterval, TimedInterval } from "./key-interval.js";
import { KINDS, type KindName } from "./pod-key.js";
import type { View } from "./view.js";

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
function isStaying(record: PodRecord): boolean {
  return !hasFinished(record) && !record.version.head.terminating && record.unconfirmed === undefined;
}

/** Returns true if the pod holds the key, is neither terminating nor unconfirmed, and shows the key: then a wait may end with it. */
export function isPresent(interval: KeyInterval, kind: KindName, view: View): boolean {
  const { entry, end } = interval;
  const isShown = !lacksStatus(interval, kind) && !mayHaveLost(interval, kind, view);
  return end === undefined && isActive(entry.record) && isStaying(entry.record) && isShown;
}

/** Returns true if the pod's last status names no container, and so does not show a key of its sandbox: it may have another one by now. */
export function lacksStatus({ entry: { record } }: KeyInterval, kind: KindName): boolean {
  return record.hasEmptyStatus && KINDS[kind].of === "sandbox";
}

/**
 * Returns true if a pod may have lost a key that its status shows: the key belongs to its sandbox, and no container of the pod runs. If an
 * event shows the key first, the sandbox was ready; if a list does, the sandbox may have ended already.
 */
export function mayHaveLost(interval: KeyInterval, kind: KindName, { index: { evidence } }: View): boolean {
  const { entry, fromMs } = interval as TimedInterval;
  if (KINDS[kind].of !== "sandbox" || !isIdle(entry.record, entry.ranMs !== undefined)) return false;
  return fromMs !== entry.reportedMs || fromMs <= evidence.sinceMs || fromMs === evidence.listedMs;
}
