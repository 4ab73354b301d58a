import { isActive, type PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import { enoughFor, type PodMask } from "../pod/mask.js";
import { neededFor, type PodSelector } from "../pod/selector.js";

/** The pods and fields that a consumer wants. */
export interface Selection {
  includeFinished: boolean;
  /** The fields of its pods; undefined means all fields. */
  mask?: PodMask | undefined;
  /** The selector of its pods; undefined means all pods. */
  selector?: PodSelector | undefined;
  /** Fields for lookups. They are known of each pod, but events do not contain them. */
  lookup?: PodMask | undefined;
}

/** The pods of a consumer, and the fields that must be known of each. */
export class Scope {
  readonly #selection: Selection;
  readonly #isEnough: (retained: PodMask | undefined) => boolean;
  /** The fields that must be known of each pod; undefined means all fields. */
  readonly neededMask: PodMask | undefined;

  constructor(selection: Selection) {
    const { mask, selector, lookup } = selection;
    const needed = neededFor(mask, selector);
    this.#selection = selection;
    this.neededMask = lookup === undefined ? needed : needed?.union(lookup);
    this.#isEnough = enoughFor(this.neededMask);
  }

  get includesFinished(): boolean {
    return this.#selection.includeFinished;
  }

  /** Returns true if enough fields of a pod are known to select and emit it. */
  knows({ retained }: Version): boolean {
    return this.#isEnough(retained);
  }

  /** Returns whether a pod is selected; undefined if too few fields are known, for example because its newer state could not be read. */
  has(version: Version, isActive: boolean): boolean | undefined {
    const { includeFinished, selector } = this.#selection;
    if (!(isActive || includeFinished)) return false;
    if (!this.knows(version)) return undefined;
    return selector?.selects(version.bytes) ?? true;
  }

  count(records: Iterable<PodRecord>): number {
    let count = 0;
    for (const record of records) if (this.has(record.version, isActive(record))) count++;
    return count;
  }
}
