import type { Clock } from "../timing/clock.js";
import { Pacing } from "./pacing.js";

/** Hands out the tokens of one client's pacing, first come first served. */
export class Pacer {
  readonly #clock: Clock;
  readonly #queue = new Set<() => void>();
  readonly #pacing: Pacing;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pacing = new Pacing(clock.now());
  }

  get ratePerSecond(): number {
    return this.#pacing.ratePerSecond;
  }

  /** Resolves when the caller may send. Rejects with the signal's reason, and then uses no token. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#queue.size === 0 && this.#pacing.take(this.#clock.now()) === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener("abort", give);
        resolve();
      };
      const give = () => {
        this.#queue.delete(go);
        reject(signal.reason);
        if (this.#queue.size === 0) this.#stopTimer();
      };
      signal.addEventListener("abort", give, { once: true });
      this.#queue.add(go);
      this.#serve();
    });
  }

  /** Slows down after the kubelet rejected a call that was sent at `sentMs`, a time of the clock. */
  rejected(sentMs: number): void {
    this.#pacing.reject(sentMs, this.#clock.now());
    this.#stopTimer();
    this.#serve();
  }

  #serve(): void {
    if (this.#cancelTimer !== undefined) return;
    for (const go of this.#queue) {
      const waitMs = this.#pacing.take(this.#clock.now());
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => {
          this.#cancelTimer = undefined;
          this.#serve();
        });
        return;
      }
      this.#queue.delete(go);
      go();
    }
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
