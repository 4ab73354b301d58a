import { invalidArgument } from "../errors/pods-error.js";
import type { PodChange } from "./pod-store.js";

/** Ways in which a kubelet's events go wrong, to be ordered by tests. Each counts the events to come. */
export class Faults {
  #dropped = 0;
  #corrupted = 0;

  /** The next `count` events are told to nobody, as when a kubelet's broadcaster overflows; no stream is closed. */
  dropEvents(count = 1): void {
    this.#dropped += checked(count);
  }

  /** The next `count` events arrive with a pod whose bytes end too early. */
  corruptEvents(count = 1): void {
    this.#corrupted += checked(count);
  }

  /** @internal What becomes of an event: undefined where it is dropped. */
  apply(change: PodChange): PodChange | undefined {
    if (this.#dropped > 0) {
      this.#dropped--;
      return undefined;
    }
    if (this.#corrupted === 0) return change;
    this.#corrupted--;
    return { ...change, corrupt: true };
  }
}

function checked(count: number): number {
  if (!Number.isInteger(count) || count < 0) throw invalidArgument("count: not a whole number of events");
  return count;
}
