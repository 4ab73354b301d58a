/** Time as clients see it; tests pass one of their own. */
export interface Clock {
  /** Returns milliseconds of the clock that `process.hrtime` reads: they only ever grow, whoever sets the time of day. */
  now(): number;
  /** Returns milliseconds since 1970, for times that are shown or that come from others. */
  wallMs(): number;
  /** Calls `fn` once, `delayMs` from now; the result takes that back. Nobody waits for it where it `isIdle`: the process may end. */
  after(delayMs: number, fn: () => void, options?: { isIdle?: boolean }): () => void;
}

/** The longest delay that Node.js timers take; longer ones fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The time on the clock that `process.hrtime` and eBPF read when the one that is cheaper to read was at 0. */
const BEFORE_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The process's own monotonic clock. Its timers keep the process alive, but for idle ones. */
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
 * Calls `fn` once, `delayMs` from now or later: what has arrived by then is read first. After an event loop has stood still its timers are
 * due before it reads, and an answer that is there would come too late. The result takes it back.
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
  /** Gives numbers from 0 to 1. */
  random(): number;
}

/** The process's own clock and randomness. */
export const systemEnvironment: Environment = { clock: systemClock, random: Math.random };
