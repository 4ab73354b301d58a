/** The current time, on the monotonic clock and as a time of day. */
export interface Now {
  readonly nowMs: number;
  readonly wallMs: number;
}

/** A time on the monotonic clock, and whether it is certain. */
export interface Time {
  readonly ms: number;
  /** True if the time of day occurred exactly once, as far as is known. */
  readonly isClear: boolean;
}

const MAX_ANCHORS = 100;

/** Maximum drift between the two clocks, as a share of the time, if neither is set. NTP slews by at most half of it. */
const DRIFT = 0.001;

/** A larger change of the difference means that the clock was set. Reading both clocks takes a part of it. */
const STEP_MS = 250;

/** Times that are this close count as equal: times of day are often whole milliseconds. */
const CLOCK_SLACK_MS = 2;

/** Anchors whose differences are this close to each other belong to one line. */
const LINE_MS = 5;

/**
 * Converts times of day to the monotonic clock, by pairs of both times that were noted before. So a time of day from before the clock was
 * set is converted by the difference of that time. Pure.
 */
export class Anchors {
  readonly #anchors: Now[] = [];

  note(now: Now): void {
    const anchors = this.#anchors;
    const [before, last] = [anchors.at(-2), anchors.at(-1)];
    const isOnLine = (a: Now, b: Now) => Math.abs(differenceOf(a) - differenceOf(b)) <= LINE_MS;
    if (before !== undefined && last !== undefined && isOnLine(before, last) && isOnLine(before, now)) anchors.pop();
    anchors.push(now);
    if (anchors.length > MAX_ANCHORS) anchors.shift();
  }

  /**
   * Converts a time of day to the monotonic clock. The current time must have been noted. Times before the first anchor are converted by
   * its difference.
   */
  timeOf(wallMs: number): Time {
    const anchors = this.#anchors;
    const [first, last] = [anchors[0], anchors.at(-1)];
    if (first === undefined || last === undefined) return { ms: wallMs, isClear: false };
    const found: Time[] = [];
    const before = wallMs - differenceOf(first);
    if (before < first.nowMs - CLOCK_SLACK_MS) found.push({ ms: before, isClear: true });
    for (const [i, a] of anchors.entries()) {
      const b = anchors[i + 1];
      if (b === undefined) break;
      const spanMs = b.nowMs - a.nowMs;
      const isStep = Math.abs(differenceOf(a) - differenceOf(b)) > STEP_MS + DRIFT * spanMs;
      if (!isStep) {
        const ms = Math.min(b.nowMs, a.nowMs + (wallMs - a.wallMs));
        const isHere = wallMs >= a.wallMs - CLOCK_SLACK_MS && wallMs <= b.wallMs + CLOCK_SLACK_MS;
        const isSame = Math.abs((found.at(-1)?.ms ?? Number.POSITIVE_INFINITY) - ms) <= 2 * CLOCK_SLACK_MS; // the same time, found on two lines that meet
        if (isHere && !isSame) found.push({ ms, isClear: true });
        continue;
      }
      // The clock was set between these two anchors, so it is unknown which times of day in between occurred.
      if (wallMs > a.wallMs && wallMs <= a.wallMs + spanMs + CLOCK_SLACK_MS)
        found.push({ ms: a.nowMs + wallMs - a.wallMs, isClear: false });
      if (wallMs <= b.wallMs + CLOCK_SLACK_MS && wallMs >= b.wallMs - spanMs - CLOCK_SLACK_MS)
        found.push({ ms: b.nowMs - (b.wallMs - wallMs), isClear: false });
    }
    const [only] = found;
    if (found.length === 1 && only !== undefined) return only;
    const ms = wallMs - differenceOf(last);
    // A time in the future counts as now. A time that never occurred, or occurred twice, is converted by the current difference.
    if (found.length === 0 && ms >= last.nowMs) return { ms: last.nowMs, isClear: true };
    return { ms, isClear: false };
  }
}

function differenceOf({ nowMs, wallMs }: Now): number {
  return wallMs - nowMs;
}
