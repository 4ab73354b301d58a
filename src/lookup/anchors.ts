/** The present, on the monotonic clock and as the time of day. */
export interface Now {
  readonly nowMs: number;
  readonly wallMs: number;
}

/** A time on the monotonic clock, and whether it is the one that is meant. */
export interface Time {
  readonly ms: number;
  /** Whether the time of day came once, as far as is known. */
  readonly isClear: boolean;
}

const MAX_ANCHORS = 100;

/** Clocks that nobody sets drift apart by less than this share of the time: NTP slews by half of it at most. */
const DRIFT = 0.001;

/** A difference that is more than this was set. Each reading takes some of it. */
const STEP_MS = 250;

/** Times as near as this are one: times of day are often whole milliseconds. */
const SLACK_MS = 2;

/** Anchors whose differences are as near as this to each other are one line. */
const LINE_MS = 5;

/**
 * The time of day at times on the monotonic clock: a time of day from before the clock was set is read by the difference of then.
 * Pure.
 */
export class Anchors {
  readonly #anchors: Now[] = [];

  /** Notes the present. */
  note(now: Now): void {
    const anchors = this.#anchors;
    const [before, last] = [anchors.at(-2), anchors.at(-1)];
    const isOnLine = (a: Now, b: Now) => Math.abs(differenceOf(a) - differenceOf(b)) <= LINE_MS;
    if (before !== undefined && last !== undefined && isOnLine(before, last) && isOnLine(before, now)) anchors.pop();
    anchors.push(now);
    if (anchors.length > MAX_ANCHORS) anchors.shift();
  }

  /** Returns when a time of day was, as the present has been noted. What was before the first anchor is read by its difference. */
  timeOf(wallMs: number): Time {
    const anchors = this.#anchors;
    const [first, last] = [anchors[0], anchors.at(-1)];
    if (first === undefined || last === undefined) return { ms: wallMs, isClear: false };
    const found: Time[] = [];
    const before = wallMs - differenceOf(first);
    if (before < first.nowMs - SLACK_MS) found.push({ ms: before, isClear: true });
    for (const [i, a] of anchors.entries()) {
      const b = anchors[i + 1];
      if (b === undefined) break;
      const spanMs = b.nowMs - a.nowMs;
      const isStep = Math.abs(differenceOf(a) - differenceOf(b)) > STEP_MS + DRIFT * spanMs;
      if (!isStep) {
        const ms = Math.min(b.nowMs, a.nowMs + (wallMs - a.wallMs));
        const isHere = wallMs >= a.wallMs - SLACK_MS && wallMs <= b.wallMs + SLACK_MS;
        const isSame = Math.abs((found.at(-1)?.ms ?? Number.POSITIVE_INFINITY) - ms) <= 2 * SLACK_MS; // where two lines meet
        if (isHere && !isSame) found.push({ ms, isClear: true });
        continue;
      }
      // It was set at some time between the two: what comes after the one or before the other may have been, or not.
      if (wallMs > a.wallMs && wallMs <= a.wallMs + spanMs + SLACK_MS)
        found.push({ ms: a.nowMs + wallMs - a.wallMs, isClear: false });
      if (wallMs < b.wallMs && wallMs >= b.wallMs - spanMs - SLACK_MS)
        found.push({ ms: b.nowMs - (b.wallMs - wallMs), isClear: false });
    }
    const [only] = found;
    if (found.length === 1 && only !== undefined) return only;
    const ms = wallMs - differenceOf(last);
    // A time to come is the present; one that never was, or was twice, is read by today's difference.
    if (found.length === 0 && ms >= last.nowMs) return { ms: last.nowMs, isClear: true };
    return { ms, isClear: false };
  }
}

function differenceOf({ nowMs, wallMs }: Now): number {
  return wallMs - nowMs;
}
