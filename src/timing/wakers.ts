import { orAborted } from "./abort.js";

/** Callers that wait until something changes. */
export class Wakers {
  readonly #wakers = new Set<() => void>();

  /** Wakes all waiting callers. */
  wake(): void {
    for (const wake of this.#wakers) wake();
  }

  /**
   * Resolves at the next {@link wake}; rejects with the signal's reason.
   *
   * @param startTimer starts a timer that may wake this caller earlier, and returns what cancels it.
   */
  async changed(signal: AbortSignal, startTimer: (wake: () => void) => () => void = () => () => {}): Promise<void> {
    let wake = () => {};
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const cancel = startTimer(wake);
    this.#wakers.add(wake);
    try {
      await orAborted(changed, signal);
    } finally {
      cancel();
      this.#wakers.delete(wake);
    }
  }
}
