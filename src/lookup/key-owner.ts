import { isActive } from "../known/record.js";
import type { Time } from "./anchors.js";
import { inOrder, isPresent } from "./candidates.js";
import type { Evidence } from "./evidence.js";
import { type Grade, gradeAbsent, gradeNow, gradeThen, lingers } from "./grade.js";
import { GAINED_MS, type KeyInterval, type LearnedEnd, SETTLED_MS, type TimedInterval } from "./key-interval.js";
import type { PodIndex } from "./pod-index.js";
import { KINDS, type LookupKey } from "./pod-key.js";
import type { View } from "./view.js";

/** Whose a key is, or was, and how sure that is. */
export interface KeyOwner extends Grade {
  /** The holding; undefined if no pod had the key. */
  readonly interval: KeyInterval | undefined;
  /** How many other pods may have had it. */
  readonly others: number;
}

/** Returns the current holding of a key: of several pods the most likely one; if no pod has it, the last one that lost it. */
export function currentInterval(lookupKey: LookupKey, view: View): KeyInterval | undefined {
  const { kind, text } = lookupKey;
  const intervals = view.index.intervals(kind, text);
  return KINDS[kind].passesOn ? latest(intervals) : exactly(lookupKey, intervals, view.index);
}

/**
 * Decides which pod has a key, or had it at a time, and how sure that is, for all pods of the node and by {@link Evidence}. No other code
 * decides this. What one informer does not know, PodFinder takes off: it answers `before-start` for what the informer does not retain, and is
 * never `confirmed` about a pod that the informer does not select.
 *
 * @param at undefined means now.
 */
export function ownerOf(lookupKey: LookupKey, at: Time | undefined, view: View): KeyOwner {
  const { passesOn } = KINDS[lookupKey.kind];
  const nowMs = view.now().nowMs;
  const time = at === undefined ? undefined : { ms: Math.min(at.ms, nowMs), isClear: at.isClear };
  if (passesOn && time !== undefined) return hadAt(lookupKey, time, nowMs, view);
  const interval = currentInterval(lookupKey, view);
  if (interval === undefined)
    return { interval, others: 0, ...gradeAbsent({ time: time ?? { ms: nowMs, isClear: true }, nowMs, view }) };
  const { kind, text } = lookupKey;
  const isOther = (each: KeyInterval) => passesOn && each !== interval && isPresent(each, kind, view);
  const others = view.index.intervals(kind, text).filter(isOther).length;
  return { interval, others, ...gradeNow({ interval, kind, others, view }) };
}

/**
 * Returns the holding of a key that never passes to another pod. Static pods can share a UID over time: then the one with the named
 * container is taken.
 */
function exactly(
  { kind, containerID }: LookupKey,
  intervals: readonly KeyInterval[],
  index: PodIndex,
): KeyInterval | undefined {
  const last = intervals.at(-1);
  if (kind !== "uid" || containerID === undefined) return last;
  const owner = index.intervals("container", containerID).at(-1)?.entry;
  return intervals.find(({ entry }) => entry === owner) ?? last;
}

/** Returns the current holding of a key that can pass to another pod. */
function latest(intervals: readonly KeyInterval[]): KeyInterval | undefined {
  const [only] = intervals;
  if (intervals.length < 2) return only;
  const there = intervals.filter(({ end }) => end === undefined);
  const active = there.filter(({ entry }) => isActive(entry.record));
  const present = active.length > 0 ? active : there;
  if (present.length === 0)
    return intervals.reduce((a, b) => ((b.end as LearnedEnd).nth >= (a.end as LearnedEnd).nth ? b : a));
  const [first] = inOrder(present.map(({ entry }) => entry.record));
  return present.find(({ entry }) => entry.record === first);
}

/** Returns the holding at a time of a key that can pass to another pod. */
function hadAt({ kind, text }: LookupKey, time: Time, nowMs: number, view: View): KeyOwner {
  const { ms } = time;
  const { of } = KINDS[kind];
  const asked = { of, time, nowMs, view };
  const isOfObject = of === "object";
  const intervals = view.index.intervals(kind, text) as readonly TimedInterval[];
  // Two objects never have one name at once: if a later one is told, the one before has gone. The creation time decides, since the older
  // one may be told later.
  const createdOf = ({ entry }: TimedInterval) => (isOfObject ? entry.record.version.head.created : undefined);
  const isNext = (each: TimedInterval, interval: TimedInterval) =>
    each.entry.gone === undefined &&
    each.fromMs > interval.fromMs &&
    (createdOf(each) ?? Number.NaN) >= (createdOf(interval) ?? Number.NaN);
  const successorOf = (interval: TimedInterval) => intervals.find((each) => isNext(each, interval));
  const isPossible = (interval: TimedInterval) =>
    ms >= interval.possibleFromMs &&
    (interval.end === undefined || ms <= interval.end.atMs) &&
    ms < (successorOf(interval)?.fromMs ?? Number.POSITIVE_INFINITY);
  const possible = intervals.filter(isPossible);
  const [only] = possible;
  if (only === undefined) {
    const left = of === "sandbox" ? intervals.findLast(({ end }) => end !== undefined && lingers(end, ms)) : undefined;
    if (left !== undefined)
      return { interval: left, others: 0, ...gradeThen({ ...asked, interval: left, isOnly: true }) };
    return { interval: undefined, others: 0, ...gradeAbsent({ time, nowMs, view }) };
  }
  const isSure = (interval: TimedInterval) =>
    ["reported", "confirmed"].includes(gradeThen({ ...asked, interval, isOnly: true }).confidence);
  const sure = possible.length > 1 ? possible.filter(isSure) : possible;
  const interval = (sure.length === 1 ? sure[0] : undefined) ?? likeliest(possible, ms, view.index.evidence) ?? only;
  const others = new Set(possible.map(({ entry }) => entry)).size - 1;
  return { interval, others, ...gradeThen({ ...asked, interval, isOnly: possible.length === 1 }) };
}

/**
 * Returns the holding that most likely was in effect at a time: the last one told before it, or the first one told after it if that one may
 * have begun later. While a stream was live, that one was told within the second in which the gain of an address is told. One that was told
 * with the first list after an outage may have begun during the outage.
 */
function likeliest(possible: readonly TimedInterval[], ms: number, evidence: Evidence): TimedInterval | undefined {
  let known: TimedInterval | undefined;
  let next: TimedInterval | undefined;
  for (const interval of possible) {
    const { possibleFromMs, fromMs } = interval;
    if (ms < fromMs) {
      if (next === undefined || fromMs < next.fromMs) next = interval;
    } else if (known === undefined || possibleFromMs >= known.possibleFromMs) known = interval;
  }
  if (known === undefined) return next;
  if (next === undefined || next.possibleFromMs < known.possibleFromMs) return known;
  const gainedMs = next.fromMs - GAINED_MS;
  // A span of an outage begins as long before the loss as a gain may be reported late at most.
  const beginMs = evidence.outages.beginOf(gainedMs, next.fromMs) ?? Number.POSITIVE_INFINITY;
  return ms >= gainedMs || ms >= beginMs + SETTLED_MS - GAINED_MS ? next : known;
}
