import type { Entry, KnownPods } from "../known/entry.js";
import { enoughFor, type PodMask } from "../pod/mask.js";
import { neededFor, type PodSelector } from "../pod/selector.js";

/** The pods and fields that one consumer asks for. */
export interface Selection {
  includeFinished: boolean;
  /** The fields that it is told; everything where it is undefined. */
  mask?: PodMask | undefined;
  /** The pods that it is told; all where it is undefined. */
  selector?: PodSelector | undefined;
  /**
   * Whether pods that have finished are told at first, and a pod is DELETED as soon as it has finished though it is listed on: so kubelets
   * tell it. Has no effect without `includeFinished`.
   */
  endsFinished?: boolean | undefined;
  /** The namespaces whose pods it is told; all where it is undefined. */
  namespaces?: ReadonlySet<string> | undefined;
  /** Fields that pods are looked up by, beside the mask: known of each pod by the time it is told, and in no event. */
  lookup?: PodMask | undefined;
}

/** The pods of a consumer, and the fields that must be known of each. */
export class Scope {
  readonly #selection: Selection;
  readonly #isEnough: (retained: PodMask | undefined) => boolean;
  /** The fields that must be known of each pod; everything where it is undefined. */
  readonly neededMask: PodMask | undefined;

  constructor(selection: Selection) {
    const { mask, selector, lookup } = selection;
    const needed = neededFor(mask, selector);
    this.#selection = selection;
    this.neededMask = lookup === undefined ? needed : needed?.union(lookup);
    this.#isEnough = enoughFor(this.neededMask);
  }

  /** Returns whether enough is known of a pod to say whether it is the consumer's, and to tell it. */
  knows({ retained }: Entry): boolean {
    return this.#isEnough(retained);
  }

  /**
   * Returns whether a pod is the consumer's; undefined where too little is known of it, as of one that could not be read
   * since.
   */
  has(entry: Entry, active: boolean): boolean | undefined {
    const { includeFinished, namespaces, selector } = this.#selection;
    if (!(active || includeFinished)) return false;
    if (namespaces?.has(entry.head.namespace) === false) return false;
    if (!this.knows(entry)) return undefined;
    return selector?.selects(entry.bytes) ?? true;
  }

  /** Returns whether a pod is in a namespace that is not shown. */
  hides({ head }: Entry): boolean {
    return this.#selection.namespaces?.has(head.namespace) === false;
  }

  /** Counts the pods that are the consumer's. */
  count(pods: KnownPods): number {
    let count = 0;
    for (const { entry, active } of pods.entries()) if (this.has(entry, active)) count++;
    return count;
  }
}
