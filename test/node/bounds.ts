// How soon everything has to be told: one number for each promise, and the page that makes it. The node has two busy cores: each number
// has seconds for that, which the page has not.

/** The resync interval of the suite's clients, with its jitter of a fifth. */
export const RESYNC_MS = 30_000;
const RESYNC_AT_MOST_MS = RESYNC_MS * 1.2;

export const BOUNDS = {
  /** Two processes note the same thing at different times. */
  near: 3_000,
  /** Two readers of one kubelet take the same message at different times. */
  lag: 1_000,
  /** What the kubelet sends an event for is told at once (docs/watch.md, "No lost delete", "Convergence"). */
  event: 8_000,
  /** What it sends no event for is told with the next list (docs/watch.md, "Figures"). */
  list: RESYNC_AT_MOST_MS + 10_000,
  /** A pod that the lists lack, without a DELETED: the second resync, and its grace period of 30 s at most here (docs/watch.md, "Figures"). */
  missing: 2 * RESYNC_AT_MOST_MS + 30_000 + 10_000,
  /** After a restart that may have lost it: two lists that agree, within a minute (docs/watch.md, "Unconfirmed pods"). */
  restart: 75_000,
  /** A static pod that ran and left, while a kubelet that has not proved to have read all pods may let it run (docs/guides/operating.md). */
  unread: 6 * 3_600_000,
  /** A pod that had ended is told gone with `includeFinished` once its object is: two seconds (finding A6), and a list of the recorder. */
  removed: 2_000 + 5_000,
  /** A container's start and end are told with the status that shows them (docs/guides/containers.md). */
  life: 8_000,
  /** The end of a container is told with the end of its pod, if no status shows it (docs/guides/containers.md, `removal`). */
  gone: 5_000,
  /** An address is told, and its loss, within five seconds (docs/lookups.md, "Which pod had a key at a time"). */
  address: 5_000,
  /** What is recent may be wrong for so long before and after a key was told (docs/lookups.md, "Confidence of an answer"). */
  recent: 10_000,
  /** waitFor answers when the kubelet tells the key: it looks at the runtime once a second (docs/lookups.md, "Waiting"). */
  waitFor: 20_000,
  /** Clocks of the runtime, the kernel and this process are one; what they stamp is not. */
  clock: 250,
} as const;
