import type { KnownPods } from "../known/log.js";
import { isActive, isIdle } from "../known/record.js";
import type { Now, Time } from "./anchors.js";
import type { Confidence, UncertainReason } from "./answer.js";
import { inOrder, isStaying } from "./candidates.js";
import type { Evidence } from "./evidence.js";
import { type Departure, GAINED_MS, type Holding, type PodLife, SETTLED_MS, type TimedHolding } from "./holding.js";
import type { LookupKey } from "./pod-key.js";
import { type KeyKind, KINDS, type KindName } from "./pod-key.js";
import type { PodLives } from "./pod-lives.js";
import type { Spans } from "./spans.js";

/** The known pods of a node and their keys. */
export interface View {
  readonly pods: Pick<KnownPods, "records" | "hasUnreadable" | "isInDoubt">;
  readonly lives: PodLives;
  readonly now: () => Now;
  /** True if the known pods are those of the kubelet. */
  readonly isSynced: boolean;
}

/** How sure an answer is, and why it is contested. */
interface Grade {
  readonly confidence: Confidence;
  readonly reason: UncertainReason | undefined;
}

/** Whose a key is, or was, and how sure that is. */
export interface Whose extends Grade {
  /** The holding; undefined if no pod had the key. */
  readonly holding: Holding | undefined;
  /** How many other pods may have had it. */
  readonly others: number;
}

const PROVED: Grade = { confidence: "confirmed", reason: undefined };
const TOLD: Grade = { confidence: "reported", reason: undefined };
const RECENT: Grade = { confidence: "likely", reason: undefined };

/** For keys that do not belong to a sandbox, and so do not end with one. */
const NO_SPANS = { idle: undefined, remade: undefined };

function contested(reason: UncertainReason): Grade {
  return { confidence: "uncertain", reason };
}

/** Returns the current holding of a key: of several pods the most likely one; if no pod has it, the last one that lost it. */
export function holderOf(lookupKey: LookupKey, view: View): Holding | undefined {
  const { kind, text } = lookupKey;
  const holdings = view.lives.holdings(kind, text);
  return KINDS[kind].passesOn ? latest(holdings) : exactly(lookupKey, holdings, view.lives);
}

/**
 * Decides which pod has a key, or had it at a time, and how sure that is, for all pods of the node and by {@link Evidence}. No other code
 * decides this, with one exception: an informer that does not retain the answer any more, or has no list yet, answers `before-start`.
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
    return { holding, others: 0, ...untold(time ?? { ms: nowMs, isClear: true }, nowMs, view) };
  if (!passesOn) return { holding, others: 0, ...PROVED };
  const others = view.lives
    .holdings(lookupKey.kind, lookupKey.text)
    .filter((each) => each !== holding && isPresent(each, lookupKey.kind, view));
  return { holding, others: others.length, ...gradeNow(holding, lookupKey.kind, others.length, view) };
}

/** Returns true if the pod holds the key, is neither terminating nor unconfirmed, and shows the key: then a wait may end with it. */
export function isPresent(holding: Holding, kind: KindName, view: View): boolean {
  const { life, end } = holding;
  const isShown = !isUnshown(holding, kind) && !isLoose(holding, kind, view);
  return end === undefined && isActive(life.record) && isStaying(life.record) && isShown;
}

/** Returns true if the pod's last status names no container, and so does not show a key of its sandbox: it may have another one by now. */
function isUnshown({ life: { record } }: Holding, kind: KindName): boolean {
  return record.hasEmptyStatus && KINDS[kind].of === "sandbox";
}

/**
 * Returns true if a pod may have lost a key that its status shows: the key belongs to its sandbox, and no container of the pod runs. If an
 * event shows the key first, the sandbox was ready; if a list does, the sandbox may have ended already.
 */
function isLoose(holding: Holding, kind: KindName, { lives: { evidence } }: View): boolean {
  const { life, fromMs } = holding as TimedHolding;
  if (KINDS[kind].of !== "sandbox" || !isIdle(life.record, life.ranMs !== undefined)) return false;
  return fromMs !== life.toldMs || fromMs <= evidence.sinceMs || fromMs === evidence.listedMs;
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

/** Returns how sure it is that a pod has a key now. */
function gradeNow(holding: Holding, kind: KindName, others: number, view: View): Grade {
  const { record } = holding.life;
  if (!view.isSynced) return contested("outage");
  if (record.unconfirmed !== undefined || isUnshown(holding, kind)) return contested("unconfirmed");
  if (record.isUnreadable) return contested("unreadable");
  // It is neither terminating nor unconfirmed, and no other pod claims the key. Only untold changes of the last seconds are left.
  if (others === 0 && isPresent(holding, kind, view)) return RECENT;
  return contested(others === 0 && isLoose(holding, kind, view) ? "idle" : "reused");
}

/**
 * Returns how sure it is that no unknown pod had a key at a time: that the kubelet has sent every change until then. This is never proved,
 * since a pod may have existed between two lists without an event.
 */
function untold(time: Time, nowMs: number, { pods, lives: { evidence }, isSynced }: View): Grade {
  const { ms, isClear } = time;
  if (!isClear) return contested("clock");
  if (ms < evidence.sinceMs) return contested("before-start");
  if (evidence.outages.touch(ms, ms) || (!isSynced && ms > evidence.toldUntilMs(nowMs))) return contested("outage");
  if (ms > evidence.toldUntilMs(nowMs)) {
    if (pods.isInDoubt) return contested("unconfirmed");
    if (pods.hasUnreadable) return contested("unreadable");
    return RECENT;
  }
  if (evidence.unseen.touch(ms, ms)) return contested(pods.hasUnreadable ? "unreadable" : "unconfirmed");
  return evidence.old.touch(ms, ms) ? RECENT : TOLD;
}

/** Returns the holding at a time of a key that can pass to another pod. */
function hadAt({ kind, text }: LookupKey, time: Time, nowMs: number, view: View): Whose {
  const { ms } = time;
  const { of } = KINDS[kind];
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
    if (left !== undefined) return { holding: left, others: 0, ...contested("idle") };
    return { holding: undefined, others: 0, ...untold(time, nowMs, view) };
  }
  const graded = (holding: TimedHolding) => gradeAt(holding, time, nowMs, of, view);
  if (possible.length === 1) return { holding: only, others: 0, ...graded(only) };
  const sure = possible.filter((holding) => ["reported", "confirmed"].includes(graded(holding).confidence));
  const holding = (sure.length === 1 ? sure[0] : undefined) ?? likeliest(possible, ms, view.lives.evidence);
  const grade = time.isClear ? contested("reused") : contested("clock");
  return { holding, others: new Set(possible.map(({ life }) => life)).size - 1, ...grade };
}

/** Returns true if the sandbox may still have existed: the kubelet tells that a pod has finished before it removes the sandbox. */
function lingers({ atMs }: Departure, ms: number): boolean {
  return ms > atMs && ms - atMs <= SETTLED_MS;
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

/** Returns how sure it is that a pod had a key at a time, if no other pod may have had it. */
function gradeAt({ life, fromMs, end }: TimedHolding, time: Time, nowMs: number, of: KeyKind["of"], view: View): Grade {
  const { evidence } = view.lives;
  const { ms } = time;
  const isOfObject = of === "object";
  const { idle, remade } = of === "sandbox" ? life : NO_SPANS;
  if (!time.isClear) return contested("clock");
  if (ms < evidence.sinceMs) return contested("before-start");
  const isOut = evidence.outages.touch(ms, ms) || (!evidence.isLive && ms > evidence.toldUntilMs(nowMs));
  if (isOut) return contested("outage");
  const isWithin = (gap: { readonly fromMs: number; readonly toMs: number }) => gap.fromMs <= ms && ms <= gap.toMs;
  const lostFromMs = life.lostFromMs ?? Number.POSITIVE_INFINITY;
  if (end === undefined && life.record.isUnreadable && ms > life.toldMs - SETTLED_MS) return contested("unreadable");
  if (ms > lostFromMs - SETTLED_MS || life.gaps.some(isWithin)) return contested("unconfirmed");
  // If it was told that late, its event was lost.
  if (ms < fromMs) return fromMs - ms <= SETTLED_MS ? RECENT : contested("outage");
  if (idle?.touch(ms, ms) === true) return contested("idle");
  const hasRun = of !== "sandbox" || ms >= (life.ranMs ?? Number.POSITIVE_INFINITY);
  if (hasRun && isProved(life, end, ms, [evidence.outages, evidence.old, idle, remade], evidence)) return PROVED;
  const toldMs = end?.untilMs ?? evidence.toldUntilMs(nowMs);
  // Events may show a pod whose object has been removed. Only a list that has the pod shows that its object still exists.
  const untilMs = isOfObject ? Math.min(toldMs, life.listedMs - SETTLED_MS) : toldMs;
  // No other pod can have had the name: it was this pod's, or nobody's.
  if (ms > untilMs)
    return end === undefined || isOfObject || end.atMs - ms <= SETTLED_MS ? RECENT : contested("outage");
  return !hasRun || evidence.old.touch(ms, ms) || idle?.touch(ms, ms + SETTLED_MS) === true ? RECENT : TOLD;
}

/** Returns true if a list, at least five seconds after the time, shows that the pod had the key, and nothing in between is in doubt. */
function isProved(
  life: PodLife,
  end: Departure | undefined,
  ms: number,
  doubts: readonly (Spans | undefined)[],
  evidence: Evidence,
): boolean {
  const proofMs = evidence.proofOf(ms);
  const lastMs = Math.min(end?.listedMs ?? evidence.listedMs, life.listedMs);
  if (proofMs === undefined || proofMs > lastMs || proofMs >= (life.lostFromMs ?? Number.POSITIVE_INFINITY))
    return false;
  const isBroken = doubts.some((spans) => spans?.touch(ms, proofMs) === true);
  return !isBroken && !life.gaps.some(({ fromMs, toMs }) => fromMs <= proofMs && ms <= toMs);
}
