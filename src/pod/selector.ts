import { invalidArgument } from "../errors/pods-error.js";
import { decodeBy } from "./decode.js";
import { type LabelTest, parseLabelSelector } from "./label-selector.js";
import { type PodMask, podMask } from "./mask.js";
import type { Pod } from "./pod.js";
import { quoted } from "./selector-text.js";

/** Options that select pods. Without any of them, all pods of the node are selected. */
export interface SelectorOptions {
  /**
   * Namespace of the pods.
   *
   * @default all namespaces
   */
  namespace?: string | undefined;
  /**
   * Labels of the pods, in the syntax of `kubectl -l`: `app=web,tier notin (cache, db),!legacy`. The kubelet sends no event if only labels
   * change, so a watch notices such a change at its next resync.
   *
   * @default all pods
   */
  labelSelector?: string | undefined;
}

/** A namespace is a DNS label: k8s.io/apimachinery/pkg/api/validate/content. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Tests pods against the selectors of options. */
export class PodSelector {
  readonly #namespace: string | undefined;
  readonly #labels: LabelTest | undefined;
  /** Mask of the fields that the selector reads. */
  readonly mask: PodMask;
  /** Results for retained pods, because an informer tests them at each read. */
  readonly #found = new WeakMap<Uint8Array, boolean>();

  /** @throws PodsError `invalid-argument` that names the option and, for a label selector, the position of the error. */
  constructor({ namespace, labelSelector }: SelectorOptions) {
    if (namespace !== undefined && !NAMESPACE.test(namespace)) {
      const hint =
        namespace === "" ? "leave it out for all namespaces" : "lower-case letters, digits and -, at most 63";
      throw invalidArgument(`namespace must be the name of a namespace, not ${quoted(namespace)}`, hint);
    }
    this.#namespace = namespace;
    this.#labels = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
    this.mask = podMask("metadata.namespace", ...(this.#labels === undefined ? [] : (["metadata.labels"] as const)));
  }

  /**
   * Returns true if a serialized pod is selected. The result is cached, so the bytes must never change.
   *
   * @throws Error or RangeError if the needed fields cannot be read.
   */
  selects(bytes: Uint8Array): boolean {
    let selected = this.#found.get(bytes);
    if (selected === undefined) {
      selected = this.#matches(bytes);
      this.#found.set(bytes, selected);
    }
    return selected;
  }

  #matches(bytes: Uint8Array): boolean {
    const pod = decodeBy(this.mask.plan, bytes) as Pod;
    const { namespace = "", labels = {} } = pod.metadata ?? {};
    if (this.#namespace !== undefined && namespace !== this.#namespace) return false;
    return this.#labels?.(labels) ?? true;
  }
}

/** Returns the selector of the options; undefined if they select all pods. @throws PodsError `invalid-argument`. */
export function resolveSelector(options: SelectorOptions): PodSelector | undefined {
  const { namespace, labelSelector } = options;
  if (namespace === undefined && labelSelector === undefined) return undefined;
  return new PodSelector(options);
}

/**
 * Returns the mask of the fields that must be known of each pod: those of `mask` and those that the selector reads. Undefined means all
 * fields.
 */
export function neededFor(mask: PodMask | undefined, selector: PodSelector | undefined): PodMask | undefined {
  return selector === undefined ? mask : mask?.union(selector.mask);
}
