import { enoughFor, type PodMask } from "../pod/mask.js";
import { neededFor, type PodSelector } from "../pod/selector.js";
import type { Entry, Ledger } from "./ledger.js";

/** What one consumer asks for. */
export interface Selection {
  includeFinished: boolean;
  /** What it is told of each pod; everything where it is undefined. */
  mask?: PodMask | undefined;
  /** Which pods it is told of; all where it is undefined. */
  selector?: PodSelector | undefined;
  /** Fields that pods are looked up by, beside the mask: known of each pod by the time it is told, and in no event. */
  lookup?: PodMask | undefined;
}

/** Which pods are a consumer's, and what has to be known of each. */
export class Scope {
  readonly #selection: Selection;
  readonly #isEnough: (kept: PodMask | undefined) => boolean;
  /** What has to be known of each pod; everything where it is undefined. */
  readonly needs: PodMask | undefined;

  constructor(selection: Selection) {
    const { mask, selector, lookup } = selection;
    const needs = neededFor(mask, selector);
    this.#selection = selection;
    this.needs = lookup === undefined ? needs : needs?.union(lookup);
    this.#isEnough = enoughFor(this.needs);
  }

  /** Whether a pod is one of those; undefined where too little is known of it, or what is known cannot be read. */
  has(entry: Entry, active: boolean): boolean | undefined {
    const { includeFinished, selector } = this.#selection;
    if (!(active || includeFinished)) return false;
    // Of a pod that was illegible since more is wanted of it, less is known.
    if (!this.#isEnough(entry.kept)) return undefined;
    try {
      return selector?.selects(entry.bytes) ?? true;
    } catch {
      return undefined;
    }
  }

  /** How many there are. */
  count(ledger: Ledger): number {
    let count = 0;
    for (const { entry, active } of ledger.entries()) if (this.has(entry, active)) count++;
    return count;
  }
}
