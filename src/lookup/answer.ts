import type { Pod } from "../gen/pod-types.js";
import type { DeleteCause } from "../known/entry.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import type { End } from "../pod/end.js";

/**
 * How sure an answer is, best first.
 *
 * - `proved`: true whatever the kubelet left untold. It is known after the next list, within two minutes as a rule. A UID or a container ID
 *   that is found is proved at once: they never pass to another pod.
 * - `told`: true if the kubelet told all that it should have, within ten seconds.
 * - `recent`: nothing speaks against it, and something is yet to be told: what happened in the last ten seconds, or around the time at
 *   which the pod got the key or lost it. The kubelet's HTTP server proves no more than this, and so does a kubelet for fifteen seconds
 *   after its start.
 * - `contested`: another pod may have had the key then, or nobody said how things were. `doubt` says why.
 */
export type Certainty = "proved" | "told" | "recent" | "contested";

/**
 * Why an answer is contested.
 *
 * - `reused`: another pod may have had the key then, or may have it by now.
 * - `outage`: nobody said then how the pods were: the kubelet was away, or what it told was lost.
 * - `unconfirmed`: lists of that time lack the pod, which proves nothing, or say nothing of its containers. For a key that nobody has: the
 *   kubelet may not have read all of its pods.
 * - `idle`: no container of the pod ran. Its sandbox may have ended, and with it the address, which the kubelet shows on.
 * - `unresolved`: for a cgroup or a namespace that nobody has: the files of a container have not been looked at, or could not be.
 * - `unreadable`: the pod could not be read then. For a key that nobody has: a pod cannot be read, and may have it.
 * - `clock`: the clock was set, so that this time of day has come twice, or never.
 * - `before-start`: it was before the informer knew the pods, or longer ago than it retains.
 */
export type Doubt =
  | "reused"
  | "outage"
  | "unconfirmed"
  | "idle"
  | "unresolved"
  | "unreadable"
  | "clock"
  | "before-start";

/** The answer to a key: the pod that has it, or had it, and how sure that is. */
export interface Answer<P = Pod> {
  /** The pod as it is, or as it was last known. Undefined: no pod that the informer was asked for has the key, as surely as it says. */
  readonly pod: P | undefined;
  /** The container that the key names; undefined where it names none, or one that is not known, as a sandbox. */
  readonly container: ContainerInstance | undefined;
  /** How sure this is. */
  readonly certainty: Certainty;
  /** Why it is contested; undefined where it is not. */
  readonly doubt: Doubt | undefined;
  /** How many other pods may have had the key then. */
  readonly others: number;
  /** Undefined while the pod is there, and where there is none. */
  readonly gone:
    | {
        /** When it was learned. */
        readonly at: Date;
        /** When it was still there, if all was told that should have been: it went between the two. */
        readonly after: Date;
        /** Why it is known to be gone, as in DELETED. */
        readonly cause: DeleteCause;
        /** How it ended, by its last version; undefined where too little is known of it, as without `retainMs`. */
        readonly end: End | undefined;
      }
    | undefined;
}

/** An answer that names a pod. */
export type Found<P = Pod> = Answer<P> & { readonly pod: P };

const RANKS: Readonly<Record<Certainty, number>> = { contested: 0, recent: 1, told: 2, proved: 3 };

/**
 * Returns whether an answer is at least that sure.
 *
 * @throws TypeError where `least` is none of the four.
 * @example
 * ```ts
 * const informer = pods.informer({ retainMs: 120_000 });
 * await informer.synced();
 * const answer = informer.find({ ip: "10.244.1.15" }, { at: Date.now() - 60_000 });
 * if (reaches(answer, "told")) console.log(answer.pod?.metadata.name ?? "no pod of this node");
 * ```
 */
export function reaches(answer: Pick<Answer, "certainty">, least: Certainty): boolean {
  if (!Object.hasOwn(RANKS, answer?.certainty)) throw new TypeError("reaches: what find gives is expected");
  if (!Object.hasOwn(RANKS, least)) throw new TypeError(`reaches: ${JSON.stringify(least)} is no certainty`);
  return RANKS[answer.certainty] >= RANKS[least];
}

/**
 * A time: a date, milliseconds since 1970, nanoseconds since 1970 as a bigint (as OpenTelemetry writes them), or nanoseconds of the
 * monotonic clock (as `process.hrtime.bigint()` and `bpf_ktime_get_ns` give them), which no setting of the clock touches.
 */
export type At = Date | number | bigint | { readonly monotonicNs: bigint };

/** Options of `PodInformer.find`. */
export interface FindOptions {
  /**
   * The time at which it was the pod's. It makes a difference for addresses and names alone. A time to come is the present.
   *
   * @default the pod that has the key now, else the one that lost it last
   */
  at?: At | undefined;
}

/** Options of `PodInformer.waitFor`. */
export interface WaitOptions<P = Pod> extends FindOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * How long to wait, in milliseconds.
   *
   * @default 0, which is for ever, as Infinity is
   */
  timeoutMs?: number | undefined;
  /**
   * Returns whether what was found is what is waited for. It is asked again whenever the pod changes; what it throws, the wait
   * rejects with.
   *
   * @default the first that is found
   */
  until?: ((found: Found<P>) => boolean) | undefined;
}
