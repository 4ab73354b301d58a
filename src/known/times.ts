// How long a kubelet may take to report a change, and how long an absence waits for confirmation. Units: milliseconds.

/** Timers and floating point are not exact: a list that is due within this time counts as due. */
export const SLACK_MS = 100;

/** How long the kubelet may take from the end of a pod's last container to its DELETED event. On a real node it takes about a second. */
export const ENDING_MS = 10_000;

/** How long an empty status is ignored, after the grace period of the pod. */
export const EMPTY_STATUS_MS = 10_000;

/**
 * When lists are asked for after DELETED, because no event reports the removal of a pod's object. The API server usually removes it within
 * half a second.
 */
export const REMOVED_AT_MS: readonly number[] = [500, 2_000, 8_000];

/**
 * How far apart two lists must be that prove together that no more pods come. A kubelet receives its API pods as one set, and has listed
 * all of them half a second after the first (measured with 80 pods on 1.36.4).
 */
export const APART_MS = 2_000;

/** How far apart two lists of one process must be to confirm together that a pod is absent, or that an old status is its last one. */
export const AGREE_AFTER_MS = 5_000;

/** The age at which a kubelet with static pods only has read all of them. */
export const STATIC_READ_MS = 10_000;

/** How long after its first list a kubelet process may list statuses from before: it looks at each pod within seconds. */
export const YOUNG_MS = 15_000;

/** The longest time that pods stay unconfirmed if most pods are missing, because the list itself may be partial. */
export const UNCONFIRMED_AT_MOST_MS = 60_000;

/**
 * The longest time that pods stay unconfirmed if their whole source is missing. A kubelet of 1.36 serves only static pods while the API
 * server is away. By this time an outage of a control plane is over, or somebody has looked at the node.
 */
export const SOURCE_UNCONFIRMED_AT_MOST_MS: number = 6 * 60 * 60 * 1_000;

/** When lists are asked for while pods are unconfirmed, counted from the first. Later ones come at the resync interval. */
export const LISTS_AT_MS: readonly number[] = [2_000, 5_000, 10_000, 20_000, 40_000, UNCONFIRMED_AT_MOST_MS];

/** A pod's grace period if it names none (DefaultTerminationGracePeriodSeconds in k8s.io/api/core/v1). */
const DEFAULT_GRACE_SECONDS = 30;

/** The longest grace period that is waited out. */
const MAX_GRACE_SECONDS = 600;

/** Returns how long containers may still run after the kubelet has asked them to end. */
export function graceMs(graceSeconds: number = DEFAULT_GRACE_SECONDS): number {
  return Math.min(Math.max(graceSeconds, 0), MAX_GRACE_SECONDS) * 1_000;
}
