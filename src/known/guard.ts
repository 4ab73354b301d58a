import type { PodHead } from "../pod/head.js";

/** How far apart two lists must be to prove an absence together. */
const AGREE_AFTER_MS = 5_000;

/** The longest time that pods stay unconfirmed if most pods are missing, which puts the list itself in doubt. */
export const UNCONFIRMED_AT_MOST_MS = 60_000;

/**
 * The longest time that pods stay unconfirmed if their whole source is missing. A kubelet of 1.36 serves only static pods while the API
 * server is away. By this time an outage of a control plane is over, or somebody has looked at the node.
 */
export const SOURCE_UNCONFIRMED_AT_MOST_MS: number = 6 * 60 * 60 * 1_000;

/** Timers and floating point are not exact: a list that is due within this time counts as due. */
export const SLACK_MS = 100;

/** When lists are asked for while pods are unconfirmed, counted from the first. Later ones come at the resync interval. */
export const LISTS_AT_MS: readonly number[] = [2_000, 5_000, 10_000, 20_000, 40_000, UNCONFIRMED_AT_MOST_MS];

/**
 * Doubts absences after a kubelet was replaced by one that has not said that it initializes: a kubelet of 1.36 answers before it has read
 * its pod sources, with an empty or partial list and a sync marker. Listed pods count at once. Absent pods are unconfirmed until two lists
 * agree. If most pods are missing, they stay unconfirmed for up to a minute; if all pods of a source are missing, until the source is back.
 */
export class Guard {
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
  judge(
    known: ReadonlyMap<string, PodHead>,
    absent: ReadonlyMap<string, PodHead>,
    nowMs: number,
  ): ReadonlyMap<string, "absent" | "source"> {
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

  /** Returns in how many milliseconds the next list is due; undefined if the usual resync is soon enough. */
  nextListMs(nowMs: number): number | undefined {
    const elapsedMs = nowMs - this.#agreeingSinceMs;
    const next = LISTS_AT_MS.find((ms) => ms > elapsedMs + SLACK_MS);
    if (next !== undefined) return Math.ceil(next - elapsedMs);
    return this.#agrees ? AGREE_AFTER_MS : undefined;
  }
}

/** Returns the sources of known pods that no pod of the list has. */
function missingSources(
  known: ReadonlyMap<string, PodHead>,
  absent: ReadonlyMap<string, PodHead>,
): ReadonlySet<string | undefined> {
  const sources = new Set([...absent.values()].map(({ source }) => source));
  for (const [uid, { source }] of known) if (!absent.has(uid)) sources.delete(source);
  return sources;
}
