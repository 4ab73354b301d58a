/** Time as the calls see it; tests pass one of their own. */
export interface Clock {
  /** Milliseconds that only ever grow: a clock that somebody sets back moves no timer of ours. */
  now(): number;
  /** Calls `fn` once, `delayMs` from now; the result takes that back. */
  after(delayMs: number, fn: () => void): () => void;
}

/** The longest delay that Node.js timers take; longer ones fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The process's own monotonic clock. Its timers keep the process alive: somebody waits for each. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, Math.min(delayMs, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};
