import type { DeleteCause } from "../known/entry.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import type { End } from "../pod/end.js";
import type { Pod } from "../pod/pod.js";

/**
 * How sure an answer is, best first.
 *
 * - `proved`: true even if the kubelet left events untold. The next list proves it, usually within two minutes. A UID or a container ID
 *   that is found is proved at once, because it never passes to another pod.
 * - `told`: true if the kubelet told every change within ten seconds, as it should.
 * - `recent`: nothing contradicts it, but changes may still be untold: those of the last ten seconds, or those around the time at which the
 *   pod got or lost the key. Answers by the kubelet's HTTP server are never better, nor are those in the first fifteen seconds of a
 *   kubelet.
 * - `contested`: another pod may have had the key then, or nobody told the pods' state at that time. `doubt` says why.
 */
export type Certainty = "proved" | "told" | "recent" | "contested";

/**
 * Why an answer is contested.
 *
 * - `reused`: another pod may have had the key then, or may have it by now.
 * - `outage`: nobody told the pods' state at that time: the kubelet was away, or its events were lost.
 * - `unconfirmed`: lists of that time lack the pod without proving its end, or do not show its containers. For a key that no pod has: the
 *   kubelet may not have read all of its pods.
 * - `idle`: no container of the pod ran. Its sandbox may have ended, and its address with it, though the kubelet still shows the address.
 * - `unreadable`: the pod could not be read at that time. For a key that no pod has: a pod that cannot be read may have it.
 * - `clock`: somebody set the clock, so that this time of day has come twice, or never.
 * - `before-start`: the time is before the informer knew the pods, or longer ago than it retains.
 */
export type Doubt = "reused" | "outage" | "unconfirmed" | "idle" | "unreadable" | "clock" | "before-start";

/** The answer to a key: the pod that has it, or had it, and how sure that is. */
export interface Answer<P = Pod> {
  /** The pod as it is, or as it was last known. Undefined if none of the informer's pods has the key; `certainty` says how sure that is. */
  readonly pod: P | undefined;
  /** The container that the key names; undefined if it names none, or one that no status names, such as a sandbox. */
  readonly container: ContainerInstance | undefined;
  /** How sure the answer is. */
  readonly certainty: Certainty;
  /** Why the answer is contested; undefined if it is not. */
  readonly doubt: Doubt | undefined;
  /** How many other pods may have had the key then. */
  readonly others: number;
  /** The end of the pod; undefined while the pod exists, and if the answer has no pod. */
  readonly gone:
    | {
        /** When the end was learned. */
        readonly at: Date;
        /** When the pod still existed, if every change was told in time. It ended between `after` and `at`. */
        readonly after: Date;
        /** Why it is known to be gone: the `cause` of its DELETED event. */
        readonly cause: DeleteCause;
        /** How it ended, by its last known state; undefined if too little is known, for example without `retainMs`. */
        readonly end: End | undefined;
      }
    | undefined;
}

/** An answer that names a pod. */
export type Found<P = Pod> = Answer<P> & { readonly pod: P };

const RANKS: Readonly<Record<Certainty, number>> = { contested: 0, recent: 1, told: 2, proved: 3 };

/**
 * Returns true if an answer is at least this sure.
 *
 * @throws TypeError if `least` is none of the four.
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
   * The time that is asked about. It matters only for keys that pass from pod to pod, such as addresses and names. A time in the future
   * counts as now.
   *
   * @default the pod that has the key now, else the one that lost it last
   */
  at?: At | undefined;
}

/** Options of `PodInformer.waitFor`. */
export interface WaitOptions<P = Pod> extends FindOptions {
  /** Ends the wait, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * How long to wait, in milliseconds. 0 and Infinity mean no limit.
   *
   * @default as long as the informer is synced, or has been within the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Returns true if this answer ends the wait. It is called again whenever the pod changes. If it throws, the wait rejects with that error.
   *
   * @default the first that is found
   */
  until?: ((found: Found<P>) => boolean) | undefined;
}
