import { isActive } from "../known/record.js";
import type { Time } from "./anchors.js";
import { inOrder, isPresent } from "./candidates.js";
import type { Evidence } from "./evidence.js";
import { type Grade, gradeAbsent, gradeNow, gradeThen, lingers } from "./grade.js";
import { GAINED_MS, type KeyInterval, type LearnedEnd, SETTLED_MS, type TimedInterval } from "./key-interval.js";
import type { PodIndex } from "./pod-index.js";
import { KINDS, type LookupKey } from "./pod-key.js";
import type { View } from "./view.js";

/** The owner of a key now or at a time, and how sure that is. */
export interface KeyOwner extends Grade {
  /** The owner's interval; undefined if no pod had the key. */
  readonly interval: KeyInterval | undefined;
  /** The number of other pods that may have had the key. */
  readonly others: number;
}

/** Returns the interval of the most likely current owner. If no pod has the key, returns the interval that ended last. */
export function currentInterval(lookupKey: LookupKey, view: View): KeyInterval | undefined {
  const { kind, text } = lookupKey;
  const intervals = view.index.intervals(kind, text);
  return KINDS[kind].passesOn ? latest(intervals) : exactly(lookupKey, intervals, view.index);
}

/**
 * Decides which pod of the node has a key, or had it at a time, and how sure that is. No other code decides this. PodFinder then limits the
 * answer to what one informer knows: it returns `before-start` for ends that the informer does not retain, and never `confirmed` for a pod
 * that it does not select.
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
 * Returns the interval of a key that never passes to another pod. Static pods can share a UID over time. Then the container ID of the key
 * decides between them.
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

/** Returns the current interval of a key that can pass to another pod. */
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

/** Returns the owner, at a time, of a key that can pass to another pod. */
function hadAt({ kind, text }: LookupKey, time: Time, nowMs: number, view: View): KeyOwner {
  const { ms } = time;
  const { of } = KINDS[kind];
  const asked = { of, time, nowMs, view };
  const isOfObject = of === "object";
  const intervals = view.index.intervals(kind, text) as readonly TimedInterval[];
  // Two objects never have the same name at once: the creation of the later one ends the earlier one. The creation time decides which is
  // later, because the kubelet may report the older one last.
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
  // The sandbox of an ended pod may still have existed, unless another pod was reported with its address by then.
  const isTaken = (interval: TimedInterval) =>
    intervals.some((each) => each.fromMs <= ms && (each.fromMs > interval.fromMs || isPossible(each)));
  const isLeft = (interval: TimedInterval) =>
    interval.end !== undefined && lingers(interval.end, ms) && !isTaken(interval);
  const left = of === "sandbox" ? intervals.filter(isLeft) : [];
  const candidates = possible.length > 0 ? possible : left;
  const [only] = candidates;
  if (only === undefined) return { interval: undefined, others: 0, ...gradeAbsent({ time, nowMs, view }) };
  const isSure = (interval: TimedInterval) =>
    ["reported", "confirmed"].includes(gradeThen({ ...asked, interval, isOnly: true }).confidence);
  const sure = candidates.length > 1 ? candidates.filter(isSure) : candidates;
  const interval = (sure.length === 1 ? sure[0] : undefined) ?? likeliest(candidates, ms, view.index.evidence) ?? only;
  const others = new Set([...possible, ...left].map(({ entry }) => entry)).size - 1;
  return { interval, others, ...gradeThen({ ...asked, interval, isOnly: others === 0 }) };
}

/**
 * Returns the interval of the likeliest owner at a time: the last one reported before it, or the first one reported after it if that one may
 * have begun by then. The kubelet usually reports a new address within a second. If the first list after an outage reports it, it may have
 * begun at any time during the outage.
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
  // The span of an outage begins SETTLED_MS before the loss of the stream.
  const beginMs = evidence.outages.beginOf(gainedMs, next.fromMs) ?? Number.POSITIVE_INFINITY;
  return ms >= gainedMs || ms >= beginMs + SETTLED_MS - GAINED_MS ? next : known;
}
