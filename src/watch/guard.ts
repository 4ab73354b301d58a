import type { PodHead } from "../pod/head.js";

/** How far apart two bursts must be for an absence in both to count. */
const AGREE_AFTER_MS = 5_000;

/** How long an absence is held at most, where so much is missing that the burst itself is in doubt. */
const HOLD_AT_MOST_MS = 60_000;

/** Timers and floating point are not exact: what is due within this time is due. */
const SLACK_MS = 100;

/** When the next bursts come while something is held, after the first. */
const BURSTS_AT_MS: readonly number[] = [2_000, 5_000, 10_000, 20_000, 40_000, HOLD_AT_MOST_MS];

/**
 * Doubts absences after a kubelet of 1.36 was replaced: such a kubelet answers before it has read its pod sources, with
 * an empty or partial list and a sync marker. What is there counts at once; what is absent is held until two bursts agree,
 * or, where a whole source or most of the pods are missing, for up to a minute.
 */
export class Guard {
  readonly #startMs: number;
  /** Since when each pod is absent. */
  #absentSince = new Map<string, number>();

  constructor(nowMs: number) {
    this.#startMs = nowMs;
  }

  /** How many absences are held. */
  get held(): number {
    return this.#absentSince.size;
  }

  /**
   * Judges a complete burst. Returns those of the absent pods that are to be held; the guard has done its work when there
   * are none.
   */
  judge(known: ReadonlyMap<string, PodHead>, absent: ReadonlySet<string>, nowMs: number): ReadonlySet<string> {
    const since = new Map([...absent].map((uid) => [uid, this.#absentSince.get(uid) ?? nowMs]));
    const overdue = nowMs - this.#startMs >= HOLD_AT_MOST_MS - SLACK_MS;
    const doubtful = isDoubtful(known, absent);
    const held = [...since].filter(
      ([, sinceMs]) => !overdue && (doubtful || nowMs - sinceMs < AGREE_AFTER_MS - SLACK_MS),
    );
    this.#absentSince = new Map(held);
    return new Set(this.#absentSince.keys());
  }

  /** How long from now the next burst is due while something is held. */
  nextBurstMs(nowMs: number): number {
    const elapsed = nowMs - this.#startMs;
    const next = BURSTS_AT_MS.find((ms) => ms > elapsed + SLACK_MS) ?? elapsed + AGREE_AFTER_MS;
    return Math.ceil(next - elapsed);
  }
}

function isDoubtful(known: ReadonlyMap<string, PodHead>, absent: ReadonlySet<string>): boolean {
  if (absent.size * 2 > known.size) return true;
  const sources = new Set([...absent].map((uid) => known.get(uid)?.source));
  for (const [uid, { source }] of known) if (!absent.has(uid)) sources.delete(source);
  return sources.size > 0;
}
