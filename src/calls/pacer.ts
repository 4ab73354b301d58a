import type { Clock } from "../timing/clock.js";
import { Pacing } from "./pacing.js";

/** Hands out the tokens of one client's pacing, to watches before calls, otherwise first come first served. */
export class Pacer {
  readonly #clock: Clock;
  readonly #watches = new Set<() => void>();
  readonly #calls = new Set<() => void>();
  readonly #pacing: Pacing;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pacing = new Pacing(clock.now());
  }

  get ratePerSecond(): number {
    return this.#pacing.ratePerSecond;
  }

  /**
   * Resolves when the caller may send a request; undefined if it may now. Rejects with the signal's reason, and then uses no token.
   */
  take(signal: AbortSignal, { isWatch = false }: { isWatch?: boolean } = {}): Promise<void> | undefined {
    if (signal.aborted) return Promise.reject(signal.reason);
    const queue = isWatch ? this.#watches : this.#calls;
    if (this.#waiting === 0 && this.#pacing.take(this.#clock.now()) === 0) return undefined;
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", give);
        resolve();
      };
      const give = () => {
        queue.delete(go);
        reject(signal.reason);
        if (this.#waiting === 0) this.#stopTimer();
      };
      signal.addEventListener("abort", give, { once: true });
      queue.add(go);
      this.#serve();
    });
  }

  /** Slows down after the kubelet rejected a request that was sent at `sentMs`, a time of the clock. */
  rejected(sentMs: number): void {
    this.#pacing.reject(sentMs, this.#clock.now());
    this.#stopTimer();
    this.#serve();
  }

  get #waiting(): number {
    return this.#watches.size + this.#calls.size;
  }

  #serve(): void {
    if (this.#cancelTimer !== undefined) return;
    for (const queue of [this.#watches, this.#calls]) {
      for (const go of queue) {
        const waitMs = this.#pacing.take(this.#clock.now());
        if (waitMs > 0) {
          this.#cancelTimer = this.#clock.after(waitMs, () => {
            this.#cancelTimer = undefined;
            this.#serve();
          });
          return;
        }
        queue.delete(go);
        go();
      }
    }
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
