import { hasFinished, isActive, isIdle, type PodRecord } from "../known/record.js";
import { startMs } from "../pod/head.js";
import type { KeyInterval, TimedInterval } from "./key-interval.js";
import { KINDS, type KindName } from "./pod-key.js";
import type { View } from "./view.js";

/**
 * Sorts the pods that share a key, the most likely owner first. Criteria, the strongest first: not finished; a last status that is readable
 * and names containers; confirmed; a running container; not terminating; created later; the UID.
 */
export function inOrder(records: readonly PodRecord[]): readonly PodRecord[] {
  if (records.length < 2) return records;
  const ranked = records.map((record) => {
    return { record, rank: rankOf(record), startMs: startMs(record.version.head) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.startMs - a.startMs || (a.record.uid < b.record.uid ? -1 : 1));
  return ranked.map(({ record }) => record);
}

/** Returns the rank of a pod; the most likely owner has the lowest. Each criterion outweighs all that follow. */
function rankOf(record: PodRecord): number {
  const isOutdated = record.hasEmptyStatus || record.isUnreadable;
  const isUnconfirmed = record.unconfirmed !== undefined;
  const is = [hasFinished(record), isOutdated, isUnconfirmed, isIdle(record), record.version.head.terminating];
  return is.reduce((rank, each) => 2 * rank + Number(each), 0);
}

/** Returns true if a pod is neither finished nor terminating nor unconfirmed. */
function isStaying(record: PodRecord): boolean {
  return !hasFinished(record) && !record.version.head.terminating && record.unconfirmed === undefined;
}

/** Returns true if the pod has the key, its status shows it, and the pod is neither terminating nor unconfirmed. Then a wait can end. */
export function isPresent(interval: KeyInterval, kind: KindName, view: View): boolean {
  const { entry, end } = interval;
  const isShown = !lacksStatus(interval, kind) && !mayHaveLost(interval, kind, view);
  return end === undefined && isActive(entry.record) && isStaying(entry.record) && isShown;
}

/** Returns true if the key belongs to the sandbox and the pod's last status names no container, so that it shows no such key. */
export function lacksStatus({ entry: { record } }: KeyInterval, kind: KindName): boolean {
  return record.hasEmptyStatus && KINDS[kind].of === "sandbox";
}

/**
 * Returns true if a pod may have lost a key that its status shows, because the key belongs to its sandbox and no container is running. If an
 * event was the first to show the key, the sandbox was ready then. If a list was, the sandbox may have ended already.
 */
export function mayHaveLost(interval: KeyInterval, kind: KindName, { index: { evidence } }: View): boolean {
  const { entry, fromMs } = interval as TimedInterval;
  if (KINDS[kind].of !== "sandbox" || !isIdle(entry.record, entry.ranMs !== undefined)) return false;
  return fromMs !== entry.reportedMs || fromMs <= evidence.sinceMs || fromMs === evidence.listedMs;
}
