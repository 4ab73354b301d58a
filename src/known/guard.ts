import type { PodHead } from "../pod/head.js";

/** How far apart two lists must be for an absence in both to count. */
const AGREE_AFTER_MS = 5_000;

/** The longest time that an absence stays unconfirmed where most pods are missing: the list itself is in doubt then. */
export const UNCONFIRMED_AT_MOST_MS = 60_000;

/**
 * The longest time that pods stay unconfirmed whose whole source is missing. A kubelet of 1.36 serves static pods alone as long as
 * the API server is away; outages of a control plane are over by then, or somebody has seen to the node.
 */
const SOURCE_UNCONFIRMED_AT_MOST_MS = 6 * 60 * 60 * 1_000;

/** Timers and floating point are not exact: what is due within this time is due. */
export const SLACK_MS = 100;

/** When the next lists come while pods are unconfirmed, after the first. Later ones come at the resync interval. */
export const LISTS_AT_MS: readonly number[] = [2_000, 5_000, 10_000, 20_000, 40_000, UNCONFIRMED_AT_MOST_MS];

/**
 * Doubts absences after a kubelet was replaced by one that has not said that it initializes: a kubelet of 1.36 answers before
 * it has read its pod sources, with an empty or partial list and a sync marker. What is there counts at once; what is absent
 * is unconfirmed until two lists agree. Where most pods are missing they stay so for up to a minute, and where all pods of a source
 * are, until the source is there again.
 */
export class Guard {
  readonly #startMs: number;
  /** When two lists began to agree: at the start, and anew when a source came back. */
  #agreeingSinceMs: number;
  /** Since when each pod is absent. */
  #absentSince = new Map<string, number>();
  #missingSources: ReadonlySet<string | undefined> = new Set();
  /** Whether a pod is unconfirmed whose absence two lists can agree on. */
  #agrees = false;

  constructor(nowMs: number) {
    this.#startMs = nowMs;
    this.#agreeingSinceMs = nowMs;
  }

  /** Returns whether the last list had no pod of this source, though there were some. */
  lacks(source: string | undefined): boolean {
    return this.#missingSources.has(source);
  }

  /**
   * Judges a complete list. Returns which of the absent pods are unconfirmed, and why; the guard has done its work when there
   * are none.
   */
  judge(
    known: ReadonlyMap<string, PodHead>,
    absent: ReadonlyMap<string, PodHead>,
    nowMs: number,
  ): ReadonlyMap<string, "absent" | "source"> {
    const missing = missingSources(known, absent);
    // The first list after a source has come back may be partial: nothing that was absent before it counts.
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
    for (const [uid, { source }] of absent) {
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

  /** Returns how long from now the next list is due while pods are unconfirmed; undefined where the usual one will do. */
  nextListMs(nowMs: number): number | undefined {
    const elapsedMs = nowMs - this.#agreeingSinceMs;
    const next = LISTS_AT_MS.find((ms) => ms > elapsedMs + SLACK_MS);
    if (next !== undefined) return Math.ceil(next - elapsedMs);
    return this.#agrees ? AGREE_AFTER_MS : undefined;
  }
}

/** Returns the sources that some known pods have, and no pod of the list. */
function missingSources(
  known: ReadonlyMap<string, PodHead>,
  absent: ReadonlyMap<string, PodHead>,
): ReadonlySet<string | undefined> {
  const sources = new Set([...absent.values()].map(({ source }) => source));
  for (const [uid, { source }] of known) if (!absent.has(uid)) sources.delete(source);
  return sources;
}
