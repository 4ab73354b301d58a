import { isFinalPhase } from "../pod/lifecycle.js";
import { isEnded, type PodRecord, type UnconfirmedReason } from "./record.js";
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
import { type ListProcess, nameOf } from "./version.js";

/** Pods that the last list lacks and that reads return until their absence is confirmed. */
export interface UnconfirmedPods {
  /** Number of the node's pods that are unconfirmed. */
  readonly count: number;
  /** The reasons, each once; empty if no pod is unconfirmed. */
  readonly reasons: readonly UnconfirmedReason[];
}

/** A complete list, and the pods that were known before it. */
export interface Judgement {
  readonly staging: Staging;
  readonly known: ReadonlyMap<string, PodRecord>;
  /** The known pods that the list lacks. */
  readonly absent: readonly PodRecord[];
  /** The sources of the listed pods, known before or not. */
  readonly sources: ReadonlySet<string | undefined>;
  readonly process: ListProcess;
  /** True if the kubelet process of the list has listed all of its pods. */
  readonly isRead: boolean;
  /** Time of the first complete list of that process. */
  readonly processSinceMs: number;
  readonly nowMs: number;
}

/** Decides which of the absent pods are unconfirmed, and why. No other code hides an absence from readers. Pure: no clock, no I/O. */
export class AbsenceJudge {
  #guard: Guard | undefined;
  readonly #unconfirmed = new Set<PodRecord>();
  /** The time at which each ending pod counts as gone, even without a DELETED event. */
  #untilMs = new Map<PodRecord, number>();

  /** The number of all unconfirmed pods. */
  get size(): number {
    return this.#unconfirmed.size;
  }

  /** Returns the number of unconfirmed pods that a reader has, and the reasons. */
  summary(has: (record: PodRecord) => boolean): UnconfirmedPods {
    const those = [...this.#unconfirmed].filter(has);
    const reasons = those.flatMap(({ unconfirmed }) => unconfirmed ?? []);
    return { count: those.length, reasons: [...new Set(reasons)] };
  }

  /** True if the kubelet may not have read all of its pods yet. */
  get isUncertain(): boolean {
    return this.#guard !== undefined;
  }

  /** Returns true if the last list had no pod of this source, although pods of it are known. */
  lacks(source: string | undefined): boolean {
    return this.#guard?.lacks(source) ?? false;
  }

  /** Returns the delay in milliseconds until the next list is due; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    const dues = [...this.#untilMs.values()].filter((dueMs) => dueMs > nowMs);
    const endMs = dues.length > 0 ? Math.ceil(Math.min(...dues) - nowMs) : undefined;
    const guardMs = this.#guard?.nextListMs(nowMs);
    return endMs === undefined || (guardMs !== undefined && guardMs < endMs) ? guardMs : endMs;
  }

  /** Called when the kubelet has sent an event of a pod. The pod is then no longer unconfirmed. */
  release(record: PodRecord): void {
    this.#set(record, undefined);
    this.#untilMs.delete(record); // a later absence is a new one
  }

  /** Decides anew which pods are unconfirmed after a complete list. */
  judge(list: Judgement): void {
    const { staging, absent, nowMs } = list;
    const isTouched = ({ uid }: PodRecord) => staging.touched?.has(uid) === true;
    for (const record of this.#unconfirmed) if (!isTouched(record)) this.#set(record, undefined);
    // The containers that an earlier process left running have not been stopped. The process of this list stops them.
    if (isOfAnother(list)) this.#untilMs.clear();
    // A pod that this process has reported before is not missing because the process has just started.
    const unread = new Set(absent.filter(({ version }) => version.process.number !== staging.process.number));
    const guarded = this.#guarded(list, unread);
    const untilMs = new Map([...this.#untilMs].filter(([record]) => isTouched(record)));
    // A kubelet stops unknown containers once it has read all of its sources.
    const isYoung = nowMs - list.processSinceMs < SOURCE_UNCONFIRMED_AT_MOST_MS;
    const isReading = (!list.isRead && isYoung) || [...guarded.values()].includes("source");
    const reasonOf = (record: PodRecord): UnconfirmedReason | undefined => {
      if (staging.unnamed || staging.named.has(nameOf(record.version.head))) return "no-uid";
      if (isReading && unread.has(record) && mayRun(record)) return "ending";
      if (isEnded(record.standing)) return undefined;
      const isReported = staging.facts.reportsDeletions && !unread.has(record);
      const dueMs = this.#untilMs.get(record) ?? nowMs + endingMs(record, isReported);
      if (nowMs >= dueMs - SLACK_MS) return undefined;
      untilMs.set(record, dueMs);
      return "ending";
    };
    for (const [record, reason] of guarded) this.#set(record, reason);
    for (const record of absent) if (!guarded.has(record)) this.#set(record, reasonOf(record));
    this.#untilMs = untilMs;
  }

  #set(record: PodRecord, reason: UnconfirmedReason | undefined): void {
    record.unconfirmed = reason;
    if (reason === undefined) this.#unconfirmed.delete(record);
    else this.#unconfirmed.add(record);
  }

  #guarded(list: Judgement, unread: ReadonlySet<PodRecord>): ReadonlyMap<PodRecord, UnconfirmedReason> {
    const { staging, known, sources, process, nowMs } = list;
    if (staging.facts.trust === "complete") this.#guard = undefined;
    else if (process !== "same") this.#guard = (isOfAnother(list) ? undefined : this.#guard) ?? new Guard(nowMs);
    if (this.#guard === undefined) return new Map();
    const unconfirmed = this.#guard.judge(known.size, unread, sources, nowMs);
    if (unconfirmed.size === 0) this.#guard = undefined;
    return unconfirmed;
  }
}

/**
 * Returns true if a list may come from another process than the last one. For a source without connections, lists without stamps leave this
 * unknown. Then two such lists in a row can agree.
 */
function isOfAnother({ process, staging }: Judgement): boolean {
  return process === "another" || (process === "unknown" && staging.facts.connection !== undefined);
}

/**
 * Keeps absent pods unconfirmed after a kubelet restart, because a 1.36 kubelet lists only the pods that it has read so far. An absence counts
 * once two lists agree, 5 s apart. If most pods are missing, they stay unconfirmed for up to a minute. If a whole source is missing, its pods
 * stay unconfirmed for up to six hours; once the source is back, two lists must agree again.
 */
class Guard {
  readonly #startMs: number;
  /** The time of the first of the lists that have to agree: the start, or when a source came back. */
  #agreeingSinceMs: number;
  /** Since when each absent pod has been missing. */
  #absentSince = new Map<PodRecord, number>();
  #missingSources: ReadonlySet<string | undefined> = new Set();
  /** True if two lists can confirm the absence of an unconfirmed pod. */
  #agrees = false;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#agreeingSinceMs = nowMs;
  }

  /** Returns true if the last list had no pod of this source, although pods of it are known. */
  lacks(source: string | undefined): boolean {
    return this.#missingSources.has(source);
  }

  /**
   * Judges a complete list. Returns the unconfirmed pods with their reasons. If there are none, the guard is no longer needed.
   *
   * @param knownCount the number of pods that were known before.
   * @param sources the sources of the listed pods.
   */
  judge(
    knownCount: number,
    absent: ReadonlySet<PodRecord>,
    sources: ReadonlySet<string | undefined>,
    nowMs: number,
  ): ReadonlyMap<PodRecord, "absent" | "source"> {
    const absentSources = [...absent].map(({ version }) => version.head.source);
    const missing = new Set(absentSources.filter((source) => !sources.has(source)));
    // The first list after a source is back may be partial, so absences before it do not count.
    const isBack = [...this.#missingSources].some((source) => !missing.has(source));
    if (isBack) {
      this.#absentSince.clear();
      this.#agreeingSinceMs = nowMs;
    }
    this.#missingSources = missing;
    const overdue = (sinceMs: number, mostMs: number) => nowMs - sinceMs >= mostMs - SLACK_MS;
    const most = absent.size * 2 > knownCount && !overdue(this.#agreeingSinceMs, UNCONFIRMED_AT_MOST_MS);
    const unconfirmed = new Map<PodRecord, "absent" | "source">();
    const absentSince = new Map<PodRecord, number>();
    for (const record of absent) {
      const sinceMs = this.#absentSince.get(record) ?? nowMs;
      if (missing.has(record.version.head.source)) {
        if (!overdue(this.#startMs, SOURCE_UNCONFIRMED_AT_MOST_MS)) unconfirmed.set(record, "source");
      } else if (most || !overdue(sinceMs, AGREE_AFTER_MS)) unconfirmed.set(record, "absent");
      absentSince.set(record, sinceMs);
    }
    this.#absentSince = absentSince;
    this.#agrees = [...unconfirmed.values()].includes("absent");
    return unconfirmed;
  }

  /** Returns the delay in milliseconds until the next list is due; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    const elapsedMs = nowMs - this.#agreeingSinceMs;
    const next = LISTS_AT_MS.find((ms) => ms > elapsedMs + SLACK_MS);
    if (next !== undefined) return Math.ceil(next - elapsedMs);
    return this.#agrees ? AGREE_AFTER_MS : undefined;
  }
}

/**
 * Returns how long it may take until the containers of a pod that has left the lists have ended, and the kubelet has sent DELETED.
 *
 * @param isReported true if a DELETED event is expected. A kubelet that never listed the pod, or a source without events, may send none.
 */
function endingMs(record: PodRecord, isReported: boolean): number {
  if (mayRun(record)) return graceMs(record.version.head.graceSeconds) + ENDING_MS;
  return isReported ? ENDING_MS : 0;
}

/**
 * Returns true if a container of the pod may be running. The kubelet restarts ended containers, except in finished pods. Even a terminating
 * pod may have had a start that was not reported. A status without containers does not show what is running.
 */
function mayRun({ version, hasEmptyStatus }: PodRecord): boolean {
  const { running, phase, hasStatuses } = version.head;
  return running || hasEmptyStatus || !hasStatuses || !isFinalPhase(phase);
}
