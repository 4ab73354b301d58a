import type { InformerState } from "./informer-state.js";

/** Options of {@link PodInformer.health}. */
export interface HealthOptions {
  /**
   * The age of the view up to which the informer is ready, in milliseconds. At least 1.2 times its `resyncIntervalMs`: on a node where
   * nothing happens the view is confirmed no sooner.
   *
   * @default no limit: once it is known it stays ready
   */
  maxAgeMs?: number | undefined;
}

/** The health of an informer, for the probes of an agent. */
export interface Health {
  /** Whether it goes on: for a liveness probe. It is false once the informer is closed, and true while the kubelet is away or starts. */
  readonly live: boolean;
  /** Whether its pods may be acted on: all are known, and not older than `maxAgeMs`. For a readiness probe. */
  readonly ready: boolean;
  /** The time since its pods were last confirmed, by an event or a list, in milliseconds; undefined while they are not known. */
  readonly ageMs: number | undefined;
  /** The state in a few words, and why it is so, as `stale for 12 s (connection-refused)`. */
  readonly reason: string;
}

/** Judges an informer by its state and the age of its view. Pure. */
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
