import { orAborted } from "./abort.js";

/** Callers that wait until something changes. */
export class Wakers {
  readonly #wakers = new Set<() => void>();

  wake(): void {
    for (const wake of this.#wakers) wake();
  }

  /** Resolves at the next {@link wake}; rejects with the signal's reason. */
  async changed(signal: AbortSignal): Promise<void> {
    let wake = () => {};
    const changed = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#wakers.add(wake);
    try {
      await orAborted(changed, signal);
    } finally {
      this.#wakers.delete(wake);
    }
  }
}
