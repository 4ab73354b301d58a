import { invalidArgument } from "../errors/pods-error.js";
import type { DeleteCause } from "../known/log.js";
import type { ContainerRun } from "../pod/container-run.js";
import type { End } from "../pod/end.js";
import type { Pod } from "../pod/pod.js";

/**
 * How sure an answer is, best first.
 *
 * - `confirmed`: right even if the kubelet dropped events. The next list confirms an answer, usually within two minutes. A pod that is found
 *   by UID or container ID is confirmed at once: only a static pod that is added again reuses its UID.
 * - `reported`: right if the kubelet sent every change within ten seconds, as it should.
 * - `likely`: nothing contradicts it, but the kubelet may not have sent the latest changes yet: those of the last ten seconds, and those
 *   around the time at which the pod got or lost the key. Answers from the kubelet's HTTP server are at most `likely`, and so are those of
 *   the first fifteen seconds of a kubelet.
 * - `uncertain`: another pod may have had the key, or the state of the pods at that time is not known. {@link Answer.reason} says why.
 */
export type Confidence = "confirmed" | "reported" | "likely" | "uncertain";

/**
 * Why an answer is uncertain.
 *
 * - `reused`: another pod may have had the key then, or may have it by now.
 * - `outage`: the state of the pods at that time is not known: the kubelet was away, or its events were lost.
 * - `unconfirmed`: lists of that time lack the pod without proving its end, or do not show its containers. For a key that no pod has: the
 *   kubelet may not have read all of its pods.
 * - `idle`: no container of the pod was running. Its sandbox, and its address, may be gone although the kubelet still shows the address.
 * - `unreadable`: the pod could not be read at that time. For a key that no pod has: a pod that cannot be read may have it.
 * - `clock`: the clock was set, so that this time of day occurred twice, or never.
 * - `before-start`: the time is before the informer's first sync, or longer ago than the informer retains pods.
 * - `evicted`: more ends than `maxRetained` have been reported since, so the end of a pod that had the key may have been dropped.
 */
export type UncertainReason =
  | "reused"
  | "outage"
  | "unconfirmed"
  | "idle"
  | "unreadable"
  | "clock"
  | "before-start"
  | "evicted";

/** The answer to a key: the pod that has or had it, and how sure that is. */
export interface Answer<P = Pod> {
  /** The pod, as it is or as it was last known. Undefined if no pod of the informer has the key; `confidence` says how sure that is. */
  readonly pod: P | undefined;
  /** The container run that the key names. Undefined if the key names none, or one that no status shows, such as a sandbox. */
  readonly container: ContainerRun | undefined;
  /** How sure the answer is. */
  readonly confidence: Confidence;
  /** Why the answer is uncertain; undefined if it is not. */
  readonly reason: UncertainReason | undefined;
  /** Number of other pods that may have had the key at that time. */
  readonly others: number;
  /** The pod's end; undefined while the pod exists, and if the answer has no pod. */
  readonly gone:
    | {
        /** Time at which the informer learned of the end. */
        readonly at: Date;
        /** Last time at which the pod existed, if every change was sent in time. It ended between `after` and `at`. */
        readonly after: Date;
        /** Evidence of the end: the `cause` of the DELETED event. */
        readonly cause: DeleteCause;
        /** How the pod ended, by its last known state. Undefined if that state names no container, although some may have run. */
        readonly end: End | undefined;
      }
    | undefined;
}

/** An answer that names a pod. */
export type Found<P = Pod> = Answer<P> & { readonly pod: P };

const RANKS: Readonly<Record<Confidence, number>> = { uncertain: 0, likely: 1, reported: 2, confirmed: 3 };

/**
 * Returns true if an answer has at least this confidence.
 *
 * @throws PodsError `invalid-argument` if `least` is not one of the four values.
 * @example
 * ```ts
 * const informer = pods.informer({ retainMs: 120_000 });
 * await informer.synced();
 * const answer = informer.find({ ip: "10.244.1.15" }, { at: Date.now() - 60_000 });
 * if (atLeast(answer, "reported")) console.log(answer.pod?.metadata.name ?? "no pod of this node");
 * ```
 */
export function atLeast(answer: Pick<Answer, "confidence">, least: Confidence): boolean {
  if (!Object.hasOwn(RANKS, answer?.confidence))
    throw invalidArgument("atLeast: the first argument must be an answer of find()");
  if (!Object.hasOwn(RANKS, least))
    throw invalidArgument(
      `atLeast: ${JSON.stringify(least)} must be one of ${Object.keys(RANKS).reverse().join(", ")}`,
    );
  return RANKS[answer.confidence] >= RANKS[least];
}

/**
 * A time: a Date, milliseconds since 1970, nanoseconds since 1970 as a bigint (as in OpenTelemetry), or nanoseconds of the monotonic clock
 * (as returned by `process.hrtime.bigint()` and `bpf_ktime_get_ns`). Setting the clock does not affect monotonic times.
 */
export type At = Date | number | bigint | { readonly monotonicNs: bigint };

/** Options of `PodInformer.find`. */
export interface FindOptions {
  /**
   * Time of the question. It matters for keys that are reused, such as addresses and names. A time in the future counts as now.
   *
   * @default the pod that has the key now, otherwise the last one that had it
   */
  at?: At | undefined;
}

/** Options of `PodInformer.waitFor`. */
export interface WaitOptions<P = Pod> extends FindOptions {
  /** Ends the wait. The promise then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Time limit in milliseconds. 0 and Infinity mean no limit.
   *
   * @default as long as the informer is synced, or has been within the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Returns true if this answer ends the wait. Called again whenever the pod changes. If it throws, the wait rejects with that error.
   *
   * @default the first answer with a pod
   */
  until?: ((found: Found<P>) => boolean) | undefined;
}
