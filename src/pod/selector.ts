import { invalidArgument } from "../errors/pods-error.js";
import type { Pod } from "../gen/pod-types.js";
import { decodeBy } from "./decode.js";
import { type FieldTest, parseFieldSelector } from "./field-selector.js";
import { type LabelTest, parseLabelSelector } from "./label-selector.js";
import { type PodMask, parsePodMask } from "./mask.js";
import { quoted } from "./selector-text.js";

/** The pods that are wanted; all of the node's where none of these is given. */
export interface SelectorOptions {
  /**
   * The namespace of the pods that are wanted.
   *
   * @default all namespaces
   */
  namespace?: string | undefined;
  /**
   * The labels of the pods that are wanted, as `kubectl -l` takes them: `app=web,tier notin (cache, db),!legacy`. A watch learns
   * of a change of labels alone at its next resync, since kubelets tell nobody of it.
   *
   * @default all pods
   */
  labelSelector?: string | undefined;
  /**
   * The fields of the pods that are wanted, as `kubectl --field-selector` takes them: `status.phase=Running,spec.nodeName!=a`, of
   * those that the API server knows. A watch of phase Succeeded or Failed needs `includeFinished`.
   *
   * @default all pods
   */
  fieldSelector?: string | undefined;
}

/** A namespace is a DNS label: k8s.io/apimachinery/pkg/api/validate/content. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Selects pods, and knows the fields that it reads for it. */
export class PodSelector {
  readonly #namespace: string | undefined;
  readonly #labels: LabelTest | undefined;
  readonly #fields: FieldTest | undefined;
  /** The fields that it reads of a pod. */
  readonly mask: PodMask;
  /** Answers for pods that are retained: an informer asks at each read. */
  readonly #found = new WeakMap<Uint8Array, boolean>();

  /** @throws PodsError `invalid-argument` that names the option, and the character where it is a selector. */
  constructor({ namespace, labelSelector, fieldSelector }: SelectorOptions) {
    if (namespace !== undefined && !NAMESPACE.test(namespace)) {
      const hint =
        namespace === "" ? "leave it out for all namespaces" : "lower-case letters, digits and -, at most 63";
      throw invalidArgument(`namespace: ${quoted(namespace)} is no namespace's name`, hint);
    }
    this.#namespace = namespace;
    this.#labels = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
    this.#fields = fieldSelector === undefined ? undefined : parseFieldSelector(fieldSelector);
    const labels = this.#labels === undefined ? [] : ["metadata.labels"];
    this.mask = parsePodMask(["metadata.namespace", ...labels, ...(this.#fields?.paths ?? [])].join(","));
  }

  /** Whether it asks for a phase that only finished pods have. */
  get wantsFinished(): boolean {
    return this.#fields?.wantsFinished ?? false;
  }

  /**
   * Returns whether a serialized pod is selected. Its bytes must never change.
   *
   * @throws Error or RangeError where that cannot be read of it.
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
    if (this.#labels?.(labels) === false) return false;
    return this.#fields?.matches(pod) ?? true;
  }
}

/** Reads the selectors of options; undefined where they ask for all pods. @throws PodsError `invalid-argument`. */
export function resolveSelector(options: SelectorOptions): PodSelector | undefined {
  const { namespace, labelSelector, fieldSelector } = options;
  if (namespace === undefined && labelSelector === undefined && fieldSelector === undefined) return undefined;
  return new PodSelector(options);
}

/**
 * Returns the mask of what has to be known of each pod: what a mask selects, and what the selector reads. Undefined is
 * everything.
 */
export function neededFor(mask: PodMask | undefined, selector: PodSelector | undefined): PodMask | undefined {
  return selector === undefined ? mask : mask?.union(selector.mask);
}
