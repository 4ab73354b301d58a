import { isFinalPhase } from "../pod/lifecycle.js";
import { type Entry, type ListProcess, nameOf } from "./entry.js";
import { isEnded, type PodRecord } from "./record.js";
import type { Staging } from "./staging.js";
import {
  AGREE_AFTER_MS,
  ENDING_MS,
  graceMs,
  LISTS_AT_MS,
  SLACK_MS,
  SOURCE_UNCONFIRMED_AT_MOST_MS,
  UNCONFIRMED_AT_MOST_MS,
} from "./times.js";

/**
 * Why a pod that the last list lacks is unconfirmed, and not deleted yet.
 *
 * - `absent`: the kubelet has just started, and may not have read all its pods yet. DELETED follows after two lists, five seconds apart, that
 *   agree; if more than half of the pods are missing, within a minute.
 * - `source`: the kubelet has just started, and lists no pod of one of its sources, for example while the API server cannot be reached.
 *   DELETED follows once the source is back, and after at most six hours.
 * - `ending`: the pod left the list, and its containers may still run for its grace period. DELETED follows when the kubelet reports the end,
 *   otherwise at a list ten seconds after that time. A kubelet that has started since may not report it.
 * - `no-uid`: the list has an entry without a UID, which may be this pod.
 */
export type UnconfirmedReason = "absent" | "source" | "ending" | "no-uid";

/** Pods that the last list lacks. Reads return them until their absence is confirmed. */
export interface UnconfirmedPods {
  /** Number of the node's pods that are unconfirmed. */
  readonly count: number;
  /** The reasons, each once; empty if no pod is unconfirmed. */
  readonly reasons: readonly UnconfirmedReason[];
}

/** Known pods, by UID. */
type Pods = ReadonlyMap<string, Pick<PodRecord, "entry" | "standing">>;

/** A complete list, and the pods that were known before it. */
export interface Judgement {
  readonly staging: Staging;
  readonly known: Pods;
  /** The known pods that the list lacks. */
  readonly absent: Pods;
  readonly process: ListProcess;
  /** True if the kubelet process of the list has listed all of its pods. */
  readonly isRead: boolean;
  /** When the first list of that process was complete. */
  readonly processSinceMs: number;
  readonly nowMs: number;
}

/** Decides which of the absent pods are unconfirmed, and why. No other code keeps an absence from readers. Pure: no clock, no I/O. */
export class AbsenceJudge {
  #guard: Guard | undefined;
  #why = new Map<string, UnconfirmedReason>();
  /** The time at which each ending pod counts as gone, even without a DELETED event. */
  #untilMs = new Map<string, number>();

  /** The number of all unconfirmed pods. */
  get size(): number {
    return this.#why.size;
  }

  /** Returns the number of unconfirmed pods that a reader has, and the reasons. */
  summary(has: (uid: string) => boolean): UnconfirmedPods {
    const reasons = [...this.#why].flatMap(([uid, why]) => (has(uid) ? [why] : []));
    return { count: reasons.length, reasons: [...new Set(reasons)] };
  }

  /** Returns whether a pod is unconfirmed. */
  has(uid: string): boolean {
    return this.#why.has(uid);
  }

  /** Whether the kubelet may not have read all of its pods yet. */
  get isInDoubt(): boolean {
    return this.#guard !== undefined;
  }

  /** Returns whether the last list had no pod of this source, though there were some. */
  lacks(source: string | undefined): boolean {
    return this.#guard?.lacks(source) ?? false;
  }

  /** Returns in how many milliseconds the next list is due because of these pods; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    const dues = [...this.#untilMs.values()].filter((dueMs) => dueMs > nowMs);
    const endMs = dues.length > 0 ? Math.ceil(Math.min(...dues) - nowMs) : undefined;
    const guardMs = this.#guard?.nextListMs(nowMs);
    return endMs === undefined || (guardMs !== undefined && guardMs < endMs) ? guardMs : endMs;
  }

  /** Releases a pod that the kubelet has sent an event of: it exists, or its end is known. */
  release(uid: string): void {
    this.#why.delete(uid);
    this.#untilMs.delete(uid); // a later absence is a new one
  }

  /** Decides anew which pods are unconfirmed after a complete list. */
  judge(list: Judgement): void {
    const { staging, absent, nowMs } = list;
    // Nobody has ended the containers that an earlier process left running. The process of this list does it.
    if (isOfAnother(list)) this.#untilMs.clear();
    // Pods that this process has told of before, it has read: it does not lack them because it has just started.
    const unread = new Map([...absent].filter(([, pod]) => pod.entry.process.number !== staging.process.number));
    const unconfirmed = new Map<string, UnconfirmedReason>(this.#doubt(list, unread));
    const untilMs = new Map<string, number>();
    // A kubelet ends unknown containers once it has read all of its sources.
    const isYoung = nowMs - list.processSinceMs < SOURCE_UNCONFIRMED_AT_MOST_MS;
    const isReading = (!list.isRead && isYoung) || [...unconfirmed.values()].includes("source");
    for (const [uid, { entry, standing }] of absent) {
      if (unconfirmed.has(uid)) continue;
      if (staging.unnamed || staging.named.has(nameOf(entry.head))) unconfirmed.set(uid, "no-uid");
      else if (isReading && unread.has(uid) && mayRun(entry)) unconfirmed.set(uid, "ending");
      else if (!isEnded(standing)) {
        const isTold = staging.facts.reportsDeletions && !unread.has(uid);
        const dueMs = this.#untilMs.get(uid) ?? nowMs + endingMs(entry, isTold);
        untilMs.set(uid, dueMs);
        if (nowMs < dueMs - SLACK_MS) unconfirmed.set(uid, "ending");
      }
    }
    this.#why = unconfirmed;
    this.#untilMs = untilMs;
  }

  #doubt(list: Judgement, unread: Pods): ReadonlyMap<string, UnconfirmedReason> {
    const { staging, known, process, nowMs } = list;
    if (staging.facts.complete) this.#guard = undefined;
    else if (process !== "same") this.#guard = (isOfAnother(list) ? undefined : this.#guard) ?? new Guard(nowMs);
    if (this.#guard === undefined) return new Map();
    const unconfirmed = this.#guard.judge(known, unread, nowMs);
    if (unconfirmed.size === 0) this.#guard = undefined;
    return unconfirmed;
  }
}

/**
 * Returns true if a list may come from another process than the last one. If a source names no connection, this stays unknown for lists
 * without stamps; then two of them in a row may agree.
 */
function isOfAnother({ process, staging }: Judgement): boolean {
  return process === "another" || (process === "unknown" && staging.facts.connection !== undefined);
}

/**
 * Doubts absences after a kubelet was replaced by one that has not said that it initializes: a kubelet of 1.36 answers before it has read
 * its pod sources, with an empty or partial list and a sync marker. Listed pods count at once. Absent pods are unconfirmed until two lists
 * agree. If most pods are missing, they stay unconfirmed for up to a minute; if all pods of a source are missing, until the source is back.
 */
class Guard {
  readonly #startMs: number;
  /** The time of the first of the lists that have to agree: the start, or when a source came back. */
  #agreeingSinceMs: number;
  /** When each absent pod was first missing. */
  #absentSince = new Map<string, number>();
  #missingSources: ReadonlySet<string | undefined> = new Set();
  /** True if two lists can confirm the absence of an unconfirmed pod. */
  #agrees = false;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#agreeingSinceMs = nowMs;
  }

  /** Returns true if the last list had no pod of this source, though pods of it are known. */
  lacks(source: string | undefined): boolean {
    return this.#missingSources.has(source);
  }

  /** Judges a complete list. Returns the unconfirmed pods, and why they are. If there are none, the guard is not needed any more. */
  judge(known: Pods, absent: Pods, nowMs: number): ReadonlyMap<string, "absent" | "source"> {
    const missing = missingSources(known, absent);
    // The first list after a source has come back may be partial. Absences before it do not count.
    const isBack = [...this.#missingSources].some((source) => !missing.has(source));
    if (isBack) {
      this.#absentSince.clear();
      this.#agreeingSinceMs = nowMs;
    }
    this.#missingSources = missing;
    const overdue = (sinceMs: number, mostMs: number) => nowMs - sinceMs >= mostMs - SLACK_MS;
    const most = absent.size * 2 > known.size && !overdue(this.#agreeingSinceMs, UNCONFIRMED_AT_MOST_MS);
    const unconfirmed = new Map<string, "absent" | "source">();
    const absentSince = new Map<string, number>();
    for (const [uid, { entry }] of absent) {
      const { source } = entry.head;
      const sinceMs = this.#absentSince.get(uid) ?? nowMs;
      if (missing.has(source)) {
        if (!overdue(this.#startMs, SOURCE_UNCONFIRMED_AT_MOST_MS)) unconfirmed.set(uid, "source");
      } else if (most || !overdue(sinceMs, AGREE_AFTER_MS)) unconfirmed.set(uid, "absent");
      absentSince.set(uid, sinceMs);
    }
    this.#absentSince = absentSince;
    this.#agrees = [...unconfirmed.values()].includes("absent");
    return unconfirmed;
  }

  /** Returns in how many milliseconds the next list is due; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    const elapsedMs = nowMs - this.#agreeingSinceMs;
    const next = LISTS_AT_MS.find((ms) => ms > elapsedMs + SLACK_MS);
    if (next !== undefined) return Math.ceil(next - elapsedMs);
    return this.#agrees ? AGREE_AFTER_MS : undefined;
  }
}

/** Returns the sources of known pods that no pod of the list has. */
function missingSources(known: Pods, absent: Pods): ReadonlySet<string | undefined> {
  const sources = new Set([...absent.values()].map(({ entry }) => entry.head.source));
  for (const [uid, { entry }] of known) if (!absent.has(uid)) sources.delete(entry.head.source);
  return sources;
}

/**
 * Returns how long a pod that has left the lists may take to end, and the kubelet to send DELETED.
 *
 * @param isTold true if a DELETED event is expected. A kubelet that never listed the pod, or a source without events, may send none.
 */
function endingMs(entry: Entry, isTold: boolean): number {
  if (mayRun(entry)) return graceMs(entry.head.graceSeconds) + ENDING_MS;
  return isTold ? ENDING_MS : 0;
}

/**
 * Returns true if a container of the pod may run by now. Ended containers are started again, except in finished pods. Even a pod that is
 * being deleted may have had a start that nobody told. A status without containers does not show what runs.
 */
function mayRun({ head: { running, phase, hasStatuses }, isBare }: Entry): boolean {
  return running || isBare === true || !hasStatuses || !isFinalPhase(phase);
}
