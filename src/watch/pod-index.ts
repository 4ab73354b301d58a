import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodeBy, type Plan } from "../pod/decode.js";
import { type PodMask, planOf } from "../pod/mask.js";
import type { Entry, Ledger } from "./ledger.js";
import { INDEX_MASK } from "./needs.js";
import { Scope, type Selection } from "./selection.js";

/** What of a pod can be looked up. */
interface Keys {
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
  readonly containers: readonly string[];
}

/**
 * Reads of what is known: by UID, name, address and container. Pods are decoded when somebody looks, and kept as long as
 * they are what is known. Reads always see one commit, whole.
 */
export class PodIndex<P> {
  readonly #ledger: Ledger;
  readonly #scope: Scope;
  readonly #plan: Plan;
  readonly #decoded = new WeakMap<Entry, P>();
  readonly #keys = new WeakMap<Entry, Keys>();

  constructor(ledger: Ledger, selection: Selection) {
    this.#ledger = ledger;
    this.#scope = new Scope({ ...selection, lookup: INDEX_MASK });
    this.#plan = planOf(selection.mask);
  }

  /** What has to be known of each pod; everything where it is undefined. */
  get needs(): PodMask | undefined {
    return this.#scope.needs;
  }

  get size(): number {
    return this.#scope.count(this.#ledger);
  }

  get(uid: string): P | undefined {
    const known = this.#ledger.get(uid);
    return known !== undefined && this.#scope.has(known.entry, known.active) ? this.#decode(known.entry) : undefined;
  }

  /** Of several pods of that name, which fast re-creation leaves for a while, the newest that does not terminate. */
  byName(namespace: string, name: string): P | undefined {
    const found = [...this.#entries()].filter(({ head }) => head.name === name && head.namespace === namespace);
    found.sort(
      (a, b) => Number(a.head.terminating) - Number(b.head.terminating) || compare(b.head.created, a.head.created),
    );
    return found[0] && this.#decode(found[0]);
  }

  byIP(ip: string, hostNetwork: boolean): P[] {
    return this.#where((keys) => keys.ips.includes(ip) && (hostNetwork || !keys.hostNetwork));
  }

  byContainerID(id: string): P | undefined {
    const bare = id.replace(/^[a-z-]+:\/\//, "");
    return this.#where((keys) => keys.containers.includes(bare))[0];
  }

  list(filter: ((pod: P) => boolean) | undefined): P[] {
    const pods: P[] = [];
    for (const entry of this.#entries()) {
      const pod = this.#decode(entry);
      if (pod !== undefined && (filter === undefined || filter(pod))) pods.push(pod);
    }
    return pods;
  }

  #where(matches: (keys: Keys) => boolean): P[] {
    const pods: P[] = [];
    for (const entry of this.#entries()) {
      const keys = this.#keysOf(entry);
      const pod = keys !== undefined && matches(keys) ? this.#decode(entry) : undefined;
      if (pod !== undefined) pods.push(pod);
    }
    return pods;
  }

  *#entries(): Generator<Entry, void, undefined> {
    for (const { entry, active } of this.#ledger.entries()) {
      if (this.#scope.has(entry, active)) yield entry;
    }
  }

  /** Undefined for a pod that cannot be decoded; `state.degraded` names it. */
  #decode(entry: Entry): P | undefined {
    let pod = this.#decoded.get(entry);
    if (pod === undefined) {
      try {
        pod = decodeBy(this.#plan, entry.bytes) as P;
      } catch {
        return undefined;
      }
      this.#decoded.set(entry, pod);
    }
    return pod;
  }

  #keysOf(entry: Entry): Keys | undefined {
    let keys = this.#keys.get(entry);
    if (keys === undefined) {
      try {
        keys = keysOf(decodeBy(INDEX_MASK.plan, entry.bytes) as Pod);
      } catch {
        return undefined;
      }
      this.#keys.set(entry, keys);
    }
    return keys;
  }
}

function keysOf({ spec, status }: Pod): Keys {
  const containers = [status?.initContainerStatuses, status?.containerStatuses, status?.ephemeralContainerStatuses];
  return {
    ips: [...new Set([status?.podIP ?? "", ...(status?.podIPs.map(({ ip }) => ip) ?? [])])],
    hostNetwork: spec?.hostNetwork ?? false,
    containers: containers.flatMap((list) => list?.map((c) => c.containerID.replace(/^[a-z-]+:\/\//, "")) ?? []),
  };
}

function compare(a: bigint | undefined, b: bigint | undefined): number {
  const [x, y] = [a ?? 0n, b ?? 0n];
  return x < y ? -1 : Number(x > y);
}
