import type { Time } from "./anchors.js";
import type { Confidence, UncertainReason } from "./answer.js";
import { isPresent, lacksStatus, mayHaveLost } from "./candidates.js";
import { type KeyInterval, type LearnedEnd, SETTLED_MS, type TimedInterval } from "./key-interval.js";
import { type KeyKind, KINDS, type KindName } from "./pod-key.js";
import type { View } from "./view.js";

/** How sure an answer is, and why it is uncertain. */
export interface Grade {
  readonly confidence: Confidence;
  readonly reason: UncertainReason | undefined;
}

/** Asks how sure it is that a pod has a key now. */
interface NowQuestion {
  readonly interval: KeyInterval;
  readonly kind: KindName;
  /** How many other pods may have the key. */
  readonly others: number;
  readonly view: View;
}

/** Asks how sure it is that a pod had a key at a time. Only keys that can pass to another pod are asked about. */
interface ThenQuestion {
  readonly interval: TimedInterval;
  /** False if other pods may have had the key then. */
  readonly isOnly: boolean;
  readonly of: KeyKind["of"];
  readonly time: Time;
  readonly nowMs: number;
  readonly view: View;
}

/** Asks how sure it is that no pod had a key at a time. */
interface AbsentQuestion {
  readonly time: Time;
  readonly nowMs: number;
  readonly view: View;
}

/** A row of a table of grades. */
export interface GradeRow<Question> {
  readonly is: Exclude<Confidence, "uncertain"> | UncertainReason;
  /** The condition in words, for docs/lookups.md. */
  readonly when: string;
  applies(question: Question): boolean;
}

/** Makes the rows of a table. The first row that applies counts. */
function table<Question>(
  ...rows: readonly [is: GradeRow<Question>["is"], when: string, applies: (question: Question) => boolean][]
): readonly GradeRow<Question>[] {
  return rows.map(([is, when, applies]) => ({ is, when, applies }));
}

const otherwise = () => true;

/** How sure it is that a pod has a key now. */
export const NOW: readonly GradeRow<NowQuestion>[] = table<NowQuestion>(
  ["confirmed", "the key is a UID or a container ID, which no other pod ever has", ({ kind }) => !KINDS[kind].passesOn],
  ["outage", "the informer is not synced", ({ view }) => !view.isSynced],
  [
    "unconfirmed",
    "lists lack the pod, or the key is an address and the status names no container",
    ({ interval, kind }) => interval.entry.record.unconfirmed !== undefined || lacksStatus(interval, kind),
  ],
  [
    "unreadable",
    "the last message about the pod could not be read",
    ({ interval }) => interval.entry.record.isUnreadable,
  ],
  [
    "likely",
    "the pod is active, is not terminating, shows the key, and no other pod claims it",
    ({ others, interval, kind, view }) => others === 0 && isPresent(interval, kind, view),
  ],
  [
    "idle",
    "no other pod claims the address, and no container of the pod runs",
    ({ others, interval, kind, view }) => others === 0 && mayHaveLost(interval, kind, view),
  ],
  ["reused", "otherwise: the pod terminates or has ended, or another pod claims the key", otherwise],
);

/** How sure it is that a pod had a key at a time. */
export const THEN: readonly GradeRow<ThenQuestion>[] = table<ThenQuestion>(
  [
    "idle",
    "the pod had ended at most ten seconds before: its sandbox may still have existed",
    ({ interval, time }) => interval.end !== undefined && lingers(interval.end, time.ms),
  ],
  ["clock", "the clock was set: this time of day occurred twice, or never", ({ time }) => !time.isClear],
  ["reused", "other pods may have had the key then", ({ isOnly }) => !isOnly],
  ["before-start", "before the first complete list", (question) => isBeforeStart(question)],
  [
    "outage",
    "no stream was live, or the stream is lost and changes of that time may be unreported",
    ({ time: { ms }, nowMs, view: { index } }) =>
      index.evidence.outages.touch(ms, ms) || (!index.evidence.isLive && ms > index.evidence.reportedUntilMs(nowMs)),
  ],
  [
    "unreadable",
    "the last message about the pod could not be read, and the time is later than ten seconds before the previous message",
    ({ interval: { entry, end }, time }) =>
      end === undefined && entry.record.isUnreadable && time.ms > entry.reportedMs - SETTLED_MS,
  ],
  [
    "unconfirmed",
    "lists lacked the pod, it could not be read, or its status named no container",
    ({ interval: { entry }, time: { ms } }) => entry.unknown?.touch(ms, ms) === true,
  ],
  [
    "likely",
    "the pod was first reported with the key at most ten seconds later",
    ({ interval, time: { ms } }) => ms < interval.fromMs && interval.fromMs - ms <= SETTLED_MS,
  ],
  ["outage", "it was first reported with the key later than that", ({ interval, time }) => time.ms < interval.fromMs],
  [
    "idle",
    "the key is an address, and no container of the pod ran",
    (question) => idleOf(question)?.touch(question.time.ms, question.time.ms) === true,
  ],
  [
    "confirmed",
    "a list at least five seconds later shows the key, and nothing in between is uncertain",
    (question) => hasRun(question) && isProved(question),
  ],
  [
    "likely",
    "the time is after the last report, or its end was reported at most ten seconds later",
    (question) => isAfterReport(question) && !isLateEnd(question),
  ],
  ["outage", "its end was reported later than that", isAfterReport],
  [
    "likely",
    "the key is an address and no container had run yet, or all had stopped within ten seconds; or the reports may be outdated",
    (question) => !hasRun(question) || isStale(question),
  ],
  ["reported", "otherwise", otherwise],
);

/** How sure it is that no pod had a key at a time. It is never confirmed, because a pod can start and end without an event. */
export const ABSENT: readonly GradeRow<AbsentQuestion>[] = table<AbsentQuestion>(
  ["clock", "the clock was set: this time of day occurred twice, or never", ({ time }) => !time.isClear],
  ["before-start", "before the first complete list", (question) => isBeforeStart(question)],
  [
    "outage",
    "no stream was live, or the stream is lost and changes of that time may be unreported",
    (question) =>
      question.view.index.evidence.outages.touch(question.time.ms, question.time.ms) ||
      (!question.view.isSynced && isUnreported(question)),
  ],
  [
    "unconfirmed",
    "changes of that time may be unreported, and the kubelet may have unread pods",
    (question) => isUnreported(question) && question.view.pods.isUncertain,
  ],
  [
    "unreadable",
    "changes of that time may be unreported, and a pod cannot be read",
    (question) => isUnreported(question) && question.view.pods.hasUnreadable,
  ],
  [
    "unreadable",
    "pods may have existed unreported, and a pod cannot be read",
    (question) => isUnseen(question) && question.view.pods.hasUnreadable,
  ],
  ["unconfirmed", "pods may have existed unreported", isUnseen],
  ["likely", "changes of that time may be unreported", (question) => isUnreported(question)],
  [
    "likely",
    "the reports may be outdated: the kubelet had just started, or its lists are polled",
    ({ time: { ms }, view }) => view.index.evidence.old.touch(ms, ms),
  ],
  ["reported", "otherwise", otherwise],
);

/** Returns how sure it is that a pod has a key now. */
export function gradeNow(question: NowQuestion): Grade {
  return gradeBy(NOW, question);
}

/** Returns how sure it is that a pod had a key at a time. */
export function gradeThen(question: ThenQuestion): Grade {
  return gradeBy(THEN, question);
}

/** Returns how sure it is that no pod had a key at a time. */
export function gradeAbsent(question: AbsentQuestion): Grade {
  return gradeBy(ABSENT, question);
}

function gradeBy<Question>(rows: readonly GradeRow<Question>[], question: Question): Grade {
  const row = rows.find(({ applies }) => applies(question)) as GradeRow<Question>;
  const { is } = row;
  return is === "confirmed" || is === "reported" || is === "likely"
    ? { confidence: is, reason: undefined }
    : { confidence: "uncertain", reason: is };
}

/**
 * Returns true if the time is at most {@link SETTLED_MS} after the reported end of a pod. Its sandbox may still have existed then, because the
 * kubelet reports the end before it removes the sandbox.
 */
export function lingers({ atMs }: LearnedEnd, ms: number): boolean {
  return ms > atMs && ms - atMs <= SETTLED_MS;
}

function isBeforeStart({ time, view }: AbsentQuestion): boolean {
  return time.ms < view.index.evidence.sinceMs;
}

/** Returns true if the kubelet may still report changes of that time. */
function isUnreported({ time, nowMs, view }: AbsentQuestion): boolean {
  return time.ms > view.index.evidence.reportedUntilMs(nowMs);
}

function isUnseen({ time: { ms }, view }: AbsentQuestion): boolean {
  return view.index.evidence.unseen.touch(ms, ms);
}

/** Returns when no container ran, for a key of the sandbox. */
function idleOf({ interval: { entry }, of }: ThenQuestion) {
  return of === "sandbox" ? entry.idle : undefined;
}

/** Returns true if a container had run by then, so that the sandbox was ready. Other keys do not depend on it. */
function hasRun({ interval: { entry }, of, time }: ThenQuestion): boolean {
  return of !== "sandbox" || time.ms >= (entry.ranMs ?? Number.POSITIVE_INFINITY);
}

/** Returns true if a list, at least five seconds after the time, shows that the pod had the key, and nothing in between is uncertain. */
function isProved(question: ThenQuestion): boolean {
  const { entry, end } = question.interval;
  const { evidence } = question.view.index;
  const { ms } = question.time;
  const proofMs = evidence.proofOf(ms);
  const lastMs = Math.min(end?.listedMs ?? evidence.listedMs, entry.listedMs);
  if (proofMs === undefined || proofMs > lastMs) return false;
  const replaced = question.of === "sandbox" ? entry.replaced : undefined;
  const uncertain = [evidence.outages, evidence.old, entry.unknown, idleOf(question), replaced];
  return !uncertain.some((spans) => spans?.touch(ms, proofMs) === true);
}

/** Returns true if a time is after the last one for which it is reported that the pod has the key. */
function isAfterReport({ interval: { entry, end }, of, time, nowMs, view }: ThenQuestion): boolean {
  const untilMs = end?.untilMs ?? view.index.evidence.reportedUntilMs(nowMs);
  // Events may show a pod whose object has been removed. Only a list that has the pod shows that its object still exists.
  return time.ms > (of === "object" ? Math.min(untilMs, entry.listedMs - SETTLED_MS) : untilMs);
}

/** Returns true if the end of the key was reported late. The end of a name does not matter: no other pod can have had it. */
function isLateEnd({ interval: { end }, of, time }: ThenQuestion): boolean {
  return end !== undefined && of !== "object" && end.atMs - time.ms > SETTLED_MS;
}

/** Returns true if reports may have been old, or the sandbox may have been about to end. */
function isStale(question: ThenQuestion): boolean {
  const { ms } = question.time;
  const { evidence } = question.view.index;
  return evidence.old.touch(ms, ms) || idleOf(question)?.touch(ms, ms + SETTLED_MS) === true;
}
