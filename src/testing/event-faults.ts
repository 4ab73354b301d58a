import { invalidArgument } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import type { Corruption, PodChange } from "./pod-store.js";
import { seededRandom } from "./random.js";

/** The probability of each fault of an event, from 0 (never, the default) to 1. */
export interface FaultRates {
  /** The event is dropped. */
  drop?: number | undefined;
  /** The event is sent twice. */
  duplicate?: number | undefined;
  /** The event is sent after the next one. */
  swap?: number | undefined;
  /** The event is sent with a truncated pod. */
  corrupt?: number | undefined;
}

type Kind = keyof FaultRates;

/** Injects faults into events before they reach the watchers: a given number of each kind, or at random with a seed. */
export class EventFaults {
  readonly #ordered: Record<Kind, number> = { drop: 0, duplicate: 0, swap: 0, corrupt: 0 };
  #corruption: Corruption = "after-identity";
  #rates: FaultRates = {};
  #random: () => number = () => 1;
  #swapped: PodChange | undefined;

  order(kind: Kind, count: number): void {
    if (!Number.isInteger(count) || count < 0) throw invalidArgument("count must be a whole number of events");
    this.#ordered[kind] += count;
  }

  set corruption(corruption: Corruption) {
    this.#corruption = corruption;
  }

  byChance(rates: FaultRates, seed: number): void {
    for (const [kind, rate] of Object.entries(rates)) {
      if (!(kind in this.#ordered))
        throw invalidArgument(`rates: unknown fault ${printable(kind, 50)}`, `faults: ${FAULT_KINDS.join(", ")}`);
      if (rate !== undefined && !(rate >= 0 && rate <= 1))
        throw invalidArgument(`${kind} must be a number from 0 to 1`);
    }
    this.#rates = { ...rates };
    this.#random = seededRandom(seed);
  }

  /** Ends all faults. Returns the event that is still waiting for its swap, if any. */
  clear(): PodChange[] {
    for (const kind of FAULT_KINDS) this.#ordered[kind] = 0;
    this.#rates = {};
    return this.release();
  }

  /** Returns the events to send in place of this one. */
  apply(change: PodChange): PodChange[] {
    if (this.#happens("drop")) return [];
    const corrupt = this.#happens("corrupt") ? { ...change, corrupt: this.#corruption } : change;
    const events = this.#happens("duplicate") ? [corrupt, corrupt] : [corrupt];
    if (this.#swapped === undefined && this.#happens("swap")) {
      this.#swapped = events.pop();
      return events;
    }
    return [...events, ...this.release()];
  }

  #happens(kind: Kind): boolean {
    if (this.#ordered[kind] > 0) {
      this.#ordered[kind]--;
      return true;
    }
    const rate = this.#rates[kind] ?? 0;
    return rate > 0 && this.#random() < rate;
  }

  /** Returns the event that is still waiting for its swap, if any. */
  release(): PodChange[] {
    const swapped = this.#swapped;
    this.#swapped = undefined;
    return swapped === undefined ? [] : [swapped];
  }
}

const FAULT_KINDS = ["drop", "duplicate", "swap", "corrupt"] as const;
