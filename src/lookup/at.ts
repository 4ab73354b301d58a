import { invalidArgument } from "../errors/pods-error.js";
import type { Anchors, Now, Time } from "./anchors.js";
import type { At } from "./answer.js";

/** Kubernetes is from 2014. An earlier time comes from a wrong clock, or is in another unit. */
const FIRST_MS = Date.UTC(2010, 0);
const MONOTONIC_HINT = "times of the monotonic clock are given as { monotonicNs }";

/** The unit of a number can be detected from this time on, in milliseconds since 1970. Some nodes boot with a clock in 1970. */
const EARLIEST_MS = 1e11;

const UNITS: readonly (readonly [string, number])[] = [
  ["seconds", 1e-3],
  ["microseconds", 1e3],
  ["nanoseconds", 1e6],
];

/**
 * Converts a time to the monotonic clock, by the time of day as it was then.
 *
 * @param where the name of the call, for the error.
 * @throws PodsError `invalid-argument` if the time is too early, or seems to be in another unit.
 */
export function readAt(at: At, now: Now, anchors: Anchors, where: string): Time {
  anchors.note(now);
  // If the machine itself does not know the time of day, any time is accepted.
  const notBefore = (ms: number) => {
    if (ms >= FIRST_MS || now.wallMs < FIRST_MS) return ms;
    throw invalidArgument(`${where}: at is ${at}, which is too early`, MONOTONIC_HINT);
  };
  if (typeof at === "bigint") {
    const sinceMs = Number(at / 1_000n) / 1_000;
    return anchors.timeOf(notBefore(sinceMs));
  }
  if (typeof at === "object" && "monotonicNs" in at) return { ms: Number(at.monotonicNs) / 1e6, isClear: true };
  const wallMs = Number(at);
  const unit = unitOf(wallMs, now.wallMs);
  if (unit === undefined) return anchors.timeOf(notBefore(wallMs));
  const instead = unit === "nanoseconds" ? "; nanoseconds are taken as a bigint" : "";
  throw invalidArgument(`${where}: at must be in milliseconds, but ${wallMs} is in ${unit}${instead}`);
}

/** Returns the unit in which a number would be a time near now; undefined if that is milliseconds, or no unit fits. */
function unitOf(value: number, wallMs: number): string | undefined {
  if (wallMs < EARLIEST_MS) return undefined;
  const isNear = (factor: number) => value > 0.5 * factor * wallMs && value < 2 * factor * wallMs;
  return UNITS.find(([, factor]) => isNear(factor))?.[0];
}
