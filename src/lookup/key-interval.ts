import type { DeleteCause } from "../known/log.js";
import type { PodRecord } from "../known/record.js";
import type { Version } from "../known/version.js";
import type { ContainerRun } from "../pod/container-run.js";
import type { PodKeys } from "./pod-keys.js";
import type { Spans } from "./spans.js";

/**
 * How old the state of a key in a list may be. The kubelet looks at the runtime once a second (PLEG, pkg/kubelet/kubelet.go, v1.37.1), and
 * on a busy node its workers need more time: when 110 pods were deleted at once, the loss of an address was listed at most 3.2 s late.
 */
export const LIST_LAG_MS = 5_000;

/** How long it may take until the gain or the loss of a key is told. A state that has not been contradicted after this time was true. */
export const SETTLED_MS = 10_000;

/**
 * How late the gain of an address may be told. On real nodes it was shown 0.8 s after its first use in 99 of 100, and 1.7 s at most.
 */
export const GAINED_MS = 1_000;

/** An end: of a pod, or of one key of it. Times are on the monotonic clock. */
export interface LearnedEnd {
  /** When it was learned. */
  readonly atMs: number;
  /** The last time at which it had not ended yet, if every change was told in time. */
  readonly untilMs: number;
  /** When the last list before it was complete. */
  readonly listedMs: number;
  readonly cause: DeleteCause;
  /** The number of this end among all learned ones. */
  readonly nth: number;
}

/** A pod under one UID, from when it was first told. */
export interface IndexedPod {
  readonly record: PodRecord;
  keys: PodKeys;
  /** The version that its keys were read from; undefined if none could be read. */
  keysFrom: Version | undefined;
  /** True if its addresses are its own. The node gives the addresses of a finished pod to other pods. */
  hasAddresses: boolean;
  /** When it was first told. */
  readonly fromMs: number;
  /** Whether readers without `includeFinished` ever saw it. */
  wasActive: boolean;
  /** When it was finished, if it was seen before. */
  finished: LearnedEnd | undefined;
  /** When it left the lists. */
  gone: LearnedEnd | undefined;
  /**
   * When its state became unknown: lists lack it without proving its end, or its last status names no container. Undefined if its state is
   * known.
   */
  lostFromMs: number | undefined;
  /** Earlier times in which its state was unknown. */
  readonly gaps: { readonly fromMs: number; toMs: number }[];
  /** When a running container of it was first told; undefined if none was. */
  ranMs: number | undefined;
  /** When no container ran after that; undefined if one always did. */
  idle: Spans | undefined;
  /** When its sandbox may have been replaced, because no container ran on; undefined if that never happened. */
  replaced: Spans | undefined;
  /** When it was told last. */
  reportedMs: number;
  /** When the last list that had it was complete. */
  listedMs: number;
  /** The retained keys that it has lost, as texts with their kinds, each with its last holding. Few pods have any. */
  former: Map<string, KeyInterval> | undefined;
  /** The retained containers that have ended and that its status does not name any more. */
  ended: Set<EndedContainer> | undefined;
  /** The version that shows its containers, if the last one is older. */
  newest: Version | undefined;
}

/** A container that has ended and that its pod's status does not name any more. */
export interface EndedContainer {
  readonly instance: ContainerRun;
  readonly end: LearnedEnd;
}

/** A pod that has a key, or had it. */
export interface KeyInterval {
  readonly entry: IndexedPod;
  end: LearnedEnd | undefined;
  /** The retained holding of the pod that got the key before. */
  before?: KeyInterval | undefined;
}

/**
 * The time for which a pod had a key that can pass to another pod: certainly from `fromMs` to the `untilMs` of its end, and perhaps some
 * time before and after.
 */
export interface TimedInterval extends KeyInterval {
  /** The time before which the pod did not have the key. */
  readonly possibleFromMs: number;
  /** When it was first told. */
  readonly fromMs: number;
}
