/** Time as clients see it; tests pass one of their own. */
export interface Clock {
  /** Returns milliseconds of the monotonic clock that `process.hrtime` reads. Setting the time of day does not change it. */
  now(): number;
  /** Returns the time of day in milliseconds since 1970, for times that are shown or that come from others. */
  wallMs(): number;
  /** Calls `fn` once, `delayMs` from now; the result takes that back. With `isIdle` the timer does not keep the process alive. */
  after(delayMs: number, fn: () => void, options?: { isIdle?: boolean }): () => void;
}

/** The longest delay that Node.js timers take; longer ones fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time on the clock of `process.hrtime` and eBPF when `performance.now()`, which is cheaper to read, was 0. */
const BEFORE_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The process's own clocks. Timers keep the process alive, except idle ones. */
export const systemClock: Clock = {
  now: () => performance.now() + BEFORE_MS,
  wallMs: () => Date.now(),
  after(delayMs, fn, { isIdle = false } = {}) {
    const timer = setTimeout(fn, Math.min(delayMs, MAX_DELAY_MS));
    if (isIdle) timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `fn` once, at least `delayMs` from now, and after reading data that has arrived by then. When a blocked event loop goes on, its
 * timers fire before it reads, so that an answer that has arrived in time would count as late. The result takes it back.
 */
export function afterReads(clock: Clock, delayMs: number, fn: () => void): () => void {
  let cancel = clock.after(delayMs, () => {
    const immediate = setImmediate(fn);
    cancel = () => clearImmediate(immediate);
  });
  return () => cancel();
}

/** The clock and the randomness of a client. */
export interface Environment {
  readonly clock: Clock;
  /** Returns numbers from 0 to 1. */
  random(): number;
}

/** The process's own clock and randomness. */
export const systemEnvironment: Environment = { clock: systemClock, random: Math.random };
