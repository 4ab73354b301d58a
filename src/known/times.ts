// How long a kubelet may take to report a change, and how long an absence waits for confirmation. Units: milliseconds.

/** Timers and floating point are not exact: a list that is due within this time counts as due. */
export const SLACK_MS = 100;

/** Maximum time from the end of a pod's last container to the kubelet's DELETED event. On a real node it is about a second. */
export const ENDING_MS = 10_000;

/** How long an empty status is ignored, after the grace period of the pod. */
export const EMPTY_STATUS_MS = 10_000;

/**
 * Delays of lists after DELETED. No event reports the removal of a pod's object, and the API server usually removes it within half a second.
 */
export const REMOVED_AT_MS: readonly number[] = [500, 2_000, 8_000];

/**
 * Minimum time between two lists that together prove that the kubelet has read all of its pods. A kubelet receives its API pods as one set,
 * and lists all of them half a second after the first (measured with 80 pods on 1.36.4).
 */
export const APART_MS = 2_000;

/** Minimum time between two lists of one process that together confirm that a pod is absent, or that an old status is its last one. */
export const AGREE_AFTER_MS = 5_000;

/** The age at which a kubelet with static pods only has read all of them. */
export const STATIC_READ_MS = 10_000;

/** How long after its first list a kubelet process may list older statuses. It looks at each pod within seconds. */
export const YOUNG_MS = 15_000;

/** Maximum time that pods stay unconfirmed if most pods are missing, because the list may be partial. */
export const UNCONFIRMED_AT_MOST_MS = 60_000;

/**
 * Maximum time that pods stay unconfirmed if their whole source is missing. A 1.36 kubelet serves only static pods while the API server is
 * unreachable. By this time an outage of the control plane is over, or an operator has looked at the node.
 */
export const SOURCE_UNCONFIRMED_AT_MOST_MS: number = 6 * 60 * 60 * 1_000;

/**
 * Times of lists while pods are unconfirmed, counted from the first one: when a list can prove or confirm something, and two more. Later lists
 * come at the resync interval.
 */
export const LISTS_AT_MS: readonly number[] = [
  APART_MS,
  AGREE_AFTER_MS,
  STATIC_READ_MS,
  20_000,
  40_000,
  UNCONFIRMED_AT_MOST_MS,
];

/** A pod's grace period if it names none (DefaultTerminationGracePeriodSeconds in k8s.io/api/core/v1). */
const DEFAULT_GRACE_SECONDS = 30;

/** Upper limit of the grace periods that the client waits for. */
const MAX_GRACE_SECONDS = 600;

/** Returns how long containers may still run after the kubelet has stopped them. */
export function graceMs(graceSeconds: number = DEFAULT_GRACE_SECONDS): number {
  return Math.min(Math.max(graceSeconds, 0), MAX_GRACE_SECONDS) * 1_000;
}
