import type { SelectorOptions } from "../pod/selector.js";
import { printable } from "../printable.js";
import { type Console, EXIT } from "./command.js";

/** Resource names that kubectl accepts between `get` and a name. */
const RESOURCES: ReadonlySet<string> = new Set(["pods", "pod", "po"]);

export interface NamedIdentity {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** The pods that are named by name or UID; all pods if no name is given. */
export class NamedPods<P> {
  readonly #names: readonly string[];
  readonly #identityOf: (pod: P) => NamedIdentity;

  /** @param words the words of the command line: `web-0`, `pod/web-0`, `pods web-0`, `shop/web-0`. */
  constructor(words: readonly string[], identityOf: (pod: P) => NamedIdentity) {
    const names = RESOURCES.has(words[0] ?? "") ? words.slice(1) : words;
    this.#names = names.map((name) => name.replace(/^(?:pods?|po)\//, ""));
    this.#identityOf = identityOf;
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  get isOne(): boolean {
    return this.#names.length === 1;
  }

  /** Returns the pods that are named, sorted by namespace and name. */
  among<Q extends P>(pods: readonly Q[]): Q[] {
    const keyOf = (pod: P) => {
      const { namespace, name } = this.#identityOf(pod);
      return `${namespace}/${name}`;
    };
    return pods.filter((pod) => this.has(pod)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** Returns true if the pod is named. */
  has(pod: P): boolean {
    return this.isEmpty || this.#names.some((name) => this.#isNamed(pod, name));
  }

  /** Returns the names without a pod, made safe for a terminal. */
  missing(pods: readonly P[]): string[] {
    const missing = this.#names.filter((name) => !pods.some((pod) => this.#isNamed(pod, name)));
    return missing.map((name) => printable(name, 253));
  }

  #isNamed(pod: P, name: string): boolean {
    const identity = this.#identityOf(pod);
    return identity.name === name || identity.uid === name || `${identity.namespace}/${identity.name}` === name;
  }
}

/** Reports named pods that are missing, or that there are no pods. Returns the exit code. */
export function sayMissing<P>(
  command: string,
  found: readonly P[],
  names: NamedPods<P>,
  options: SelectorOptions & { console: Console; quiet: boolean; ignoreMissing?: boolean },
): number {
  const { console, namespace, labelSelector, quiet, ignoreMissing = false } = options;
  const missing = ignoreMissing ? [] : names.missing(found);
  const where = namespace === undefined ? "on this node" : `in ${printable(namespace, 253)} on this node`;
  const such = labelSelector === undefined ? "" : " with these labels";
  for (const name of missing) {
    console.err(`kubelet-pods ${command}: no pod ${name}${such} ${where}`);
  }
  if (found.length === 0 && names.isEmpty && !quiet) {
    console.err(`No pods found${namespace === undefined ? " on this node" : ` in ${namespace} on this node`}.`);
  }
  return missing.length > 0 ? EXIT.failed : EXIT.ok;
}
