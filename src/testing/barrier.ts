import { orAborted } from "../timing/abort.js";

/** A barrier that is open at first. */
export class Barrier {
  #opened: Promise<void> | undefined;
  #open: () => void = () => {};

  get isShut(): boolean {
    return this.#opened !== undefined;
  }

  shut(): void {
    this.#opened ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#opened = undefined;
    this.#open();
  }

  /** Resolves once the barrier is open. Rejects with the signal's reason if the signal aborts first. */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#opened !== undefined) await orAborted(this.#opened, signal);
  }
}
