import { decodeBy, type Plan } from "../pod/decode.js";
import { type PodMask, planOf, podMask } from "../pod/mask.js";
import type { MaskedPod } from "../pod/masked-pod.js";
import { inOrder } from "./candidates.js";
import type { Entry, KnownPods } from "./entry.js";
import { Scope, type Selection } from "./selection.js";

/** The facts by which a pod can be looked up. */
interface Keys {
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
  readonly containers: readonly string[];
}

const INDEX_PATHS = [
  "spec.hostNetwork",
  "status.podIP",
  "status.podIPs",
  "status.initContainerStatuses.containerID",
  "status.containerStatuses.containerID",
  "status.ephemeralContainerStatuses.containerID",
] as const;

/** The fields that lookups read, as the compiler checks: retained with what an informer's readers want. */
export const INDEX_MASK: PodMask<(typeof INDEX_PATHS)[number]> = podMask(...INDEX_PATHS);

/**
 * Reads of what is known: by UID, name, address and container. Pods are decoded when somebody looks, and kept as long as
 * they are what is known. Reads always see one commit, whole.
 */
export class PodIndex<P> {
  #pods: KnownPods;
  readonly #scope: Scope;
  readonly #plan: Plan;
  readonly #decoded = new WeakMap<Entry, P>();
  readonly #keys = new WeakMap<Entry, Keys>();

  constructor(pods: KnownPods, selection: Selection) {
    this.#pods = pods;
    this.#scope = new Scope({ ...selection, lookup: INDEX_MASK });
    this.#plan = planOf(selection.mask);
  }

  /** The fields that must be known of each pod; everything where it is undefined. */
  get neededMask(): PodMask | undefined {
    return this.#scope.neededMask;
  }

  get size(): number {
    return this.#scope.count(this.#pods);
  }

  /** Freezes what reads give to what is known now. */
  freeze(): void {
    const known = new Map([...this.#pods.entries()].map((pod) => [pod.entry.head.uid, { ...pod }]));
    const unconfirmed = new Set([...known.keys()].filter((uid) => this.#pods.isUnconfirmed(uid)));
    this.#pods = {
      entries: () => known.values(),
      get: (uid) => known.get(uid),
      isUnconfirmed: (uid) => unconfirmed.has(uid),
    };
  }

  get(uid: string): P | undefined {
    const known = this.#pods.get(uid);
    return known !== undefined && this.#scope.has(known.entry, known.active) ? this.#decode(known.entry) : undefined;
  }

  /** Returns the pod of this name; of several, which fast re-creation leaves for a while, the first in order. */
  byName(namespace: string, name: string): P | undefined {
    const found = [...this.#entries()].filter(({ head }) => head.name === name && head.namespace === namespace);
    const [first] = inOrder(found, this.#pods);
    return first && this.#decode(first);
  }

  byIP(ip: string, hostNetwork: boolean): P[] {
    return this.#where((keys) => keys.ips.includes(ip) && (hostNetwork || !keys.hostNetwork));
  }

  byContainerID(id: string): P | undefined {
    const bare = id.replace(/^[a-z-]+:\/\//, "");
    return this.#where((keys) => keys.containers.includes(bare))[0];
  }

  list(filter: ((pod: P) => boolean) | undefined): P[] {
    const pods = [...this.#entries()].map((entry) => this.#decode(entry));
    return filter === undefined ? pods : pods.filter(filter);
  }

  #where(matches: (keys: Keys) => boolean): P[] {
    const found = [...this.#entries()].filter((entry) => matches(this.#keysOf(entry)));
    return inOrder(found, this.#pods).map((entry) => this.#decode(entry));
  }

  *#entries(): Generator<Entry, void, undefined> {
    for (const { entry, active } of this.#pods.entries()) {
      if (this.#scope.has(entry, active)) yield entry;
    }
  }

  #decode(entry: Entry): P {
    let pod = this.#decoded.get(entry);
    if (pod === undefined) {
      pod = decodeBy(this.#plan, entry.bytes) as P;
      this.#decoded.set(entry, pod);
    }
    return pod;
  }

  #keysOf(entry: Entry): Keys {
    let keys = this.#keys.get(entry);
    if (keys === undefined) {
      keys = keysOf(decodeBy(INDEX_MASK.plan, entry.bytes) as MaskedPod<typeof INDEX_MASK>);
      this.#keys.set(entry, keys);
    }
    return keys;
  }
}

function keysOf({ spec, status }: MaskedPod<typeof INDEX_MASK>): Keys {
  const { podIP, podIPs, initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  const containers = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
  return {
    ips: [...new Set([podIP, ...podIPs.map(({ ip }) => ip)])],
    hostNetwork: spec.hostNetwork,
    containers: containers.map(({ containerID }) => containerID.replace(/^[a-z-]+:\/\//, "")),
  };
}
