import { performance } from "node:perf_hooks";

/** Clock and timers of a client. Tests pass their own. */
export interface Clock {
  /** Returns milliseconds of the monotonic clock that `process.hrtime` reads. Setting the time of day does not change it. */
  now(): number;
  /** Returns the time of day in milliseconds since 1970, for times that are displayed or that come from other systems. */
  wallMs(): number;
  /** Returns the time for which this process's event loop was not waiting, in milliseconds since its start. */
  busyMs(): number;
  /** Calls `fn` once, `delayMs` from now. Returns a function that cancels it. With `isIdle` the timer does not keep the process alive. */
  after(delayMs: number, fn: () => void, options?: { isIdle?: boolean }): () => void;
}

/** Maximum delay of Node.js timers; longer ones fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Node.js rounds times to milliseconds, so timers may fire this much too early. */
const EARLY_MS = 2;

/** Value of the clock of `process.hrtime` and eBPF at the zero of `performance.now()`, which is cheaper to read. */
const BEFORE_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The process's own clocks. Timers keep the process alive, except idle ones. */
export const systemClock: Clock = {
  now: () => performance.now() + BEFORE_MS,
  wallMs: () => Date.now(),
  busyMs: () => performance.eventLoopUtilization().active,
  after(delayMs, fn, { isIdle = false } = {}) {
    const endMs = performance.now() + delayMs;
    let timer: NodeJS.Timeout;
    const start = (leftMs: number) => {
      timer = setTimeout(fire, Math.min(leftMs, MAX_DELAY_MS));
      if (isIdle) timer.unref();
    };
    // Long delays are cut. And with Node.js 26.10, a deadline of 30 s was seen to fire after 0.2 s.
    const fire = () => {
      const leftMs = endMs - performance.now();
      if (leftMs > EARLY_MS) start(leftMs);
      else fn();
    };
    start(delayMs);
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `fn` once, `delayMs` from now, and after the data that has arrived by then is read. After a blocked event loop resumes,
 * timers fire before reads, so an answer that arrived in time would otherwise count as late. Returns a function that cancels the call.
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
