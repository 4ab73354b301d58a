import { isActive, type PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import { covers, type PodMask } from "../pod/mask.js";
import type { PodSelector } from "../pod/selector.js";

/** The pods and fields that a consumer wants. */
export interface Selection {
  includeFinished: boolean;
  /** The fields of its pods; undefined means all fields. */
  mask?: PodMask | undefined;
  /** The selector of its pods; undefined means all pods. */
  selector?: PodSelector | undefined;
}

/** The pods of a consumer, and whether its fields of a pod are known. */
export class Scope {
  readonly #selection: Selection;
  /** The last answer of {@link knows}, for the mask that most versions have. */
  #last: { readonly retained: PodMask | undefined; readonly isKnown: boolean } | undefined;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  get includesFinished(): boolean {
    return this.#selection.includeFinished;
  }

  /**
   * Returns true if all fields of the mask are known of a version. They are not if the pod was last read before the client requested them,
   * because its newer state cannot be read, or because the lists lack the pod since.
   */
  knows({ retained }: Version): boolean {
    if (this.#last === undefined || this.#last.retained !== retained)
      this.#last = { retained, isKnown: covers(retained, this.#selection.mask) };
    return this.#last.isKnown;
  }

  /** Returns true if a pod is selected. */
  has(version: Version, isActive: boolean): boolean {
    const { includeFinished, selector } = this.#selection;
    return (isActive || includeFinished) && (selector?.selects(version.bytes) ?? true);
  }

  /** Returns true if a pod is selected, and all fields of the mask are known. */
  shows(version: Version, isActive: boolean): boolean {
    return this.knows(version) && this.has(version, isActive);
  }

  count(records: Iterable<PodRecord>): number {
    let count = 0;
    for (const record of records) if (this.shows(record.version, isActive(record))) count++;
    return count;
  }
}
