/**
 * The kubelet limits ListPods and GetPod to 100 per second, burst 10, for all its clients together (DefaultQPS and DefaultBurstTokens in
 * pkg/kubelet/apis/pods/constants.go, v1.36 and v1.37). A client leaves room for others, and slows down when it meets the limit.
 */
export const PACING: Readonly<{
  /** The highest rate, in calls per second. */
  ratePerSecond: number;
  /** How many calls may be sent at once after a pause. */
  burst: number;
  /** The lowest rate, in calls per second. */
  floorPerSecond: number;
  /** The factor by which the rate grows each second. */
  recovery: number;
}> = { ratePerSecond: 80, burst: 8, floorPerSecond: 1, recovery: 1.1 };

/** A token bucket whose rate halves when the kubelet rejects a call, and recovers by 10 % per second. */
export interface Pacing {
  readonly ratePerSecond: number;
  readonly tokens: number;
  /** The time that `tokens` is given for. */
  readonly atMs: number;
  /** The time at which the rate was last halved. */
  readonly halvedMs: number;
}

/** One token, less the error of adding up fractions. */
const A_TOKEN = 1 - 1e-9;

/** Makes a full bucket at the full rate. */
export function startPacing(nowMs: number): Pacing {
  return { ratePerSecond: PACING.ratePerSecond, tokens: PACING.burst, atMs: nowMs, halvedMs: Number.NEGATIVE_INFINITY };
}

/** Takes a token. If there is none, takes nothing, and `waitMs` is the time until there is one. */
export function take(pacing: Pacing, nowMs: number): { pacing: Pacing; waitMs: number } {
  const now = advance(pacing, nowMs);
  if (now.tokens >= A_TOKEN) return { pacing: { ...now, tokens: Math.max(0, now.tokens - 1) }, waitMs: 0 };
  return { pacing: now, waitMs: Math.ceil(((1 - now.tokens) / now.ratePerSecond) * 1000) };
}

/**
 * Slows down after the kubelet has rejected a call that was sent at `sentMs`. Concurrent calls are rejected together, and halve the rate
 * only once.
 */
export function reject(pacing: Pacing, sentMs: number, nowMs: number): Pacing {
  const now = advance(pacing, nowMs);
  if (sentMs <= now.halvedMs) return now;
  const ratePerSecond = Math.max(PACING.floorPerSecond, now.ratePerSecond / 2);
  return { ...now, ratePerSecond, tokens: Math.min(now.tokens, 0), halvedMs: nowMs };
}

function advance(pacing: Pacing, nowMs: number): Pacing {
  const seconds = Math.max(0, nowMs - pacing.atMs) / 1000;
  return {
    ...pacing,
    ratePerSecond: Math.min(PACING.ratePerSecond, pacing.ratePerSecond * PACING.recovery ** seconds),
    tokens: Math.min(PACING.burst, pacing.tokens + pacing.ratePerSecond * seconds),
    atMs: Math.max(nowMs, pacing.atMs),
  };
}
