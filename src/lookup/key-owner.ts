import { isActive } from "../known/record.js";
import type { Time } from "./anchors.js";
import { inOrder, isPresent } from "./candidates.js";
import type { Evidence } from "./evidence.js";
import { type Grade, gradeAbsent, gradeNow, gradeThen, lingers } from "./grade.js";
import { type Departure, GAINED_MS, type Holding, SETTLED_MS, type TimedHolding } from "./key-interval.js";
import type { PodLives } from "./pod-index.js";
import { KINDS, type LookupKey } from "./pod-key.js";
import type { View } from "./view.js";

/** Whose a key is, or was, and how sure that is. */
export interface Whose extends Grade {
  /** The holding; undefined if no pod had the key. */
  readonly holding: Holding | undefined;
  /** How many other pods may have had it. */
  readonly others: number;
}

/** Returns the current holding of a key: of several pods the most likely one; if no pod has it, the last one that lost it. */
export function holderOf(lookupKey: LookupKey, view: View): Holding | undefined {
  const { kind, text } = lookupKey;
  const holdings = view.lives.holdings(kind, text);
  return KINDS[kind].passesOn ? latest(holdings) : exactly(lookupKey, holdings, view.lives);
}

/**
 * Decides which pod has a key, or had it at a time, and how sure that is, for all pods of the node and by {@link Evidence}. No other code
 * decides this. What one informer does not know, PodFinder takes off: it answers `before-start` for what the informer does not retain, and is
 * never `confirmed` about a pod that the informer does not select.
 *
 * @param at undefined means now.
 */
export function whose(lookupKey: LookupKey, at: Time | undefined, view: View): Whose {
  const { passesOn } = KINDS[lookupKey.kind];
  const nowMs = view.now().nowMs;
  const time = at === undefined ? undefined : { ms: Math.min(at.ms, nowMs), isClear: at.isClear };
  if (passesOn && time !== undefined) return hadAt(lookupKey, time, nowMs, view);
  const holding = holderOf(lookupKey, view);
  if (holding === undefined)
    return { holding, others: 0, ...gradeAbsent({ time: time ?? { ms: nowMs, isClear: true }, nowMs, view }) };
  const { kind, text } = lookupKey;
  const isOther = (each: Holding) => passesOn && each !== holding && isPresent(each, kind, view);
  const others = view.lives.holdings(kind, text).filter(isOther).length;
  return { holding, others, ...gradeNow({ holding, kind, others, view }) };
}

/**
 * Returns the holding of a key that never passes to another pod. Static pods can share a UID over time: then the one with the named
 * container is taken.
 */
function exactly({ kind, containerID }: LookupKey, holdings: readonly Holding[], lives: PodLives): Holding | undefined {
  const last = holdings.at(-1);
  if (kind !== "uid" || containerID === undefined) return last;
  const holder = lives.holdings("container", containerID).at(-1)?.life;
  return holdings.find(({ life }) => life === holder) ?? last;
}

/** Returns the current holding of a key that can pass to another pod. */
function latest(holdings: readonly Holding[]): Holding | undefined {
  const [only] = holdings;
  if (holdings.length < 2) return only;
  const there = holdings.filter(({ end }) => end === undefined);
  const active = there.filter(({ life }) => isActive(life.record));
  const present = active.length > 0 ? active : there;
  if (present.length === 0)
    return holdings.reduce((a, b) => ((b.end as Departure).nth >= (a.end as Departure).nth ? b : a));
  const [first] = inOrder(present.map(({ life }) => life.record));
  return present.find(({ life }) => life.record === first);
}

/** Returns the holding at a time of a key that can pass to another pod. */
function hadAt({ kind, text }: LookupKey, time: Time, nowMs: number, view: View): Whose {
  const { ms } = time;
  const { of } = KINDS[kind];
  const asked = { of, time, nowMs, view };
  const isOfObject = of === "object";
  const holdings = view.lives.holdings(kind, text) as readonly TimedHolding[];
  // Two objects never have one name at once: if a later one is told, the one before has gone. The creation time decides, since the older
  // one may be told later.
  const createdOf = ({ life }: TimedHolding) => (isOfObject ? life.record.version.head.created : undefined);
  const isNext = (each: TimedHolding, holding: TimedHolding) =>
    each.life.gone === undefined &&
    each.fromMs > holding.fromMs &&
    (createdOf(each) ?? Number.NaN) >= (createdOf(holding) ?? Number.NaN);
  const successorOf = (holding: TimedHolding) => holdings.find((each) => isNext(each, holding));
  const isPossible = (holding: TimedHolding) =>
    ms >= holding.possibleFromMs &&
    (holding.end === undefined || ms <= holding.end.atMs) &&
    ms < (successorOf(holding)?.fromMs ?? Number.POSITIVE_INFINITY);
  const possible = holdings.filter(isPossible);
  const [only] = possible;
  if (only === undefined) {
    const left = of === "sandbox" ? holdings.findLast(({ end }) => end !== undefined && lingers(end, ms)) : undefined;
    if (left !== undefined)
      return { holding: left, others: 0, ...gradeThen({ ...asked, holding: left, isOnly: true }) };
    return { holding: undefined, others: 0, ...gradeAbsent({ time, nowMs, view }) };
  }
  const isSure = (holding: TimedHolding) =>
    ["reported", "confirmed"].includes(gradeThen({ ...asked, holding, isOnly: true }).confidence);
  const sure = possible.length > 1 ? possible.filter(isSure) : possible;
  const holding = (sure.length === 1 ? sure[0] : undefined) ?? likeliest(possible, ms, view.lives.evidence) ?? only;
  const others = new Set(possible.map(({ life }) => life)).size - 1;
  return { holding, others, ...gradeThen({ ...asked, holding, isOnly: possible.length === 1 }) };
}

/**
 * Returns the holding that most likely was in effect at a time: the last one told before it, or the first one told after it if that one may
 * have begun later. While a stream was live, that one was told within the second in which the gain of an address is told. One that was told
 * with the first list after an outage may have begun during the outage.
 */
function likeliest(possible: readonly TimedHolding[], ms: number, evidence: Evidence): TimedHolding | undefined {
  let known: TimedHolding | undefined;
  let next: TimedHolding | undefined;
  for (const holding of possible) {
    const { possibleFromMs, fromMs } = holding;
    if (ms < fromMs) {
      if (next === undefined || fromMs < next.fromMs) next = holding;
    } else if (known === undefined || possibleFromMs >= known.possibleFromMs) known = holding;
  }
  if (known === undefined) return next;
  if (next === undefined || next.possibleFromMs < known.possibleFromMs) return known;
  const gainedMs = next.fromMs - GAINED_MS;
  // A span of an outage begins as long before the loss as a gain may be reported late at most.
  const beginMs = evidence.outages.beginOf(gainedMs, next.fromMs) ?? Number.POSITIVE_INFINITY;
  return ms >= gainedMs || ms >= beginMs + SETTLED_MS - GAINED_MS ? next : known;
}
