import type { DeleteCause } from "../known/log.js";
import type { PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import type { ContainerRun } from "../pod/container-run.js";
import type { PodKeys } from "./pod-keys.js";
import type { Spans } from "./spans.js";

/**
 * The maximum age of the state of a key in a list. The kubelet polls the runtime once a second (PLEG, pkg/kubelet/kubelet.go, v1.37.1). On
 * a busy node its workers take longer: when 110 pods were deleted at once, lists showed lost addresses for at most 3.2 s.
 */
export const LIST_LAG_MS = 5_000;

/** The maximum delay until the kubelet reports the gain or loss of a key. A state that no report has contradicted by then was true. */
export const SETTLED_MS = 10_000;

/**
 * The usual delay until the kubelet reports a new address. On real nodes the 99th percentile was 0.8 s, and the maximum 1.7 s.
 */
export const GAINED_MS = 1_000;

/** The end of a pod, or of its ownership of a key. Times are on the monotonic clock. */
export interface LearnedEnd {
  /** Time at which the kubelet reported it. */
  readonly atMs: number;
  /** The end is later than this time, if the kubelet reported it in time. */
  readonly untilMs: number;
  /** Time of the last complete list before it. */
  readonly listedMs: number;
  readonly cause: DeleteCause;
  /** Sequence number among all ends. */
  readonly nth: number;
}

/** A pod of the index, from the first report of its UID. */
export interface IndexedPod {
  readonly record: PodRecord;
  keys: PodKeys;
  /** The version that its keys and containers are read from: the last one that names containers and is not older. Undefined if there is none. */
  shown: Version | undefined;
  /** True if its addresses are its own. The node gives the addresses of a finished pod to other pods. */
  hasAddresses: boolean;
  /** Time of its first report. */
  readonly fromMs: number;
  /** The last time for which readers without `includeFinished` receive it; undefined if they never have. */
  active: { readonly end: LearnedEnd | undefined } | undefined;
  /** The report that it no longer exists. */
  gone: LearnedEnd | undefined;
  /**
   * Times at which its state was unknown, because lists lacked it without proving its end, it could not be read, or its status named no
   * container. Undefined if there were none. It may have lost its keys then, and got them again.
   */
  unknown: Spans | undefined;
  /** Time of the first report of a running container; undefined if there was none. */
  ranMs: number | undefined;
  /** Times after that at which no container was running; undefined if there were none. */
  idle: Spans | undefined;
  /** Times at which its sandbox may have been replaced, because no container kept running; undefined if there were none. */
  replaced: Spans | undefined;
  /** Time of its last report. */
  reportedMs: number;
  /** Time of the last complete list that had it. */
  listedMs: number;
  /** The last interval of each retained key that it has lost, by the kind and text of the key. Few pods have any. */
  former: Map<string, KeyInterval> | undefined;
  /** The retained ended containers that its status no longer shows; undefined if there are none. */
  ended: Set<EndedContainer> | undefined;
}

/** A container that has ended and is no longer in its pod's status. */
export interface EndedContainer {
  readonly instance: ContainerRun;
  readonly end: LearnedEnd;
}

/** The time for which a pod has, or had, a key. */
export interface KeyInterval {
  readonly entry: IndexedPod;
  end: LearnedEnd | undefined;
  /** The interval before this one, if it is retained. */
  before?: KeyInterval | undefined;
}

/**
 * The interval of a key that can pass to another pod. The pod had the key from `fromMs` to the `untilMs` of the end, and perhaps some time
 * before and after.
 */
export interface TimedInterval extends KeyInterval {
  /** Before this time the pod did not have the key. */
  readonly possibleFromMs: number;
  /** Time of the first report. */
  readonly fromMs: number;
}
