import type { InformerState } from "./informer-state.js";

/** Options of {@link PodInformer.health}. */
export interface HealthOptions {
  /**
   * Maximum age of the informer's view for `ready`, in milliseconds. At least 1.2 times `resyncIntervalMs`, because on a quiet node no event
   * confirms the view sooner.
   *
   * @default no limit: once synced, it stays ready
   */
  maxAgeMs?: number | undefined;
}

/** The health of an informer, for the probes of an agent. */
export interface Health {
  /** For a liveness probe: false once the informer is closed. True also while the kubelet cannot be reached. */
  readonly live: boolean;
  /** For a readiness probe: true if all pods are known and the view is not older than `maxAgeMs`. */
  readonly ready: boolean;
  /** Time since an event or a list last confirmed the pods, in milliseconds. Undefined before the first list. */
  readonly ageMs: number | undefined;
  /** State and reason in a few words, such as `stale for 12 s (connection-refused)`. */
  readonly reason: string;
}

/** Returns the health of an informer, by its state and the age of its view. Pure. */
export function healthOf(
  { phase, error }: Pick<InformerState, "phase" | "error">,
  ageMs: number | undefined,
  maxAgeMs: number,
): Health {
  const why = error === undefined || error.code === phase ? "" : ` (${error.code})`;
  const age = ageMs === undefined ? "" : ` for ${Math.round(ageMs / 1000)} s`;
  const live = phase !== "closed";
  if (ageMs === undefined || !live) return { live, ready: false, ageMs, reason: `${phase}${why}` };
  const ready = ageMs <= maxAgeMs;
  if (phase === "synced") return { live, ready, ageMs, reason: ready ? phase : `not confirmed${age}` };
  return { live, ready, ageMs, reason: `${phase}${age}${why}` };
}
