import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Go's zero time, 1 January of the year 1. Kubernetes writes it as `null` in JSON, and as an empty message on the wire. 1970 has no special
 * meaning.
 */
const GO_ZERO_SECONDS = -62_135_596_800;

/** The last second of the year 9999, the latest that RFC 3339 can represent. */
const MAX_SECONDS = 253_402_300_799;

/**
 * Converts a Kubernetes time to a `Date`. Returns undefined if there is no time, if it is zero (which Kubernetes calls unset), or if a
 * `Date` cannot represent it.
 */
export function toDate(time: Time | undefined): Date | undefined {
  if (time === undefined || isZeroTime(time)) return undefined;
  const date = new Date(secondsOf(time) * 1000 + Math.floor((time.nanos ?? 0) / 1e6));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export function isZeroTime(time: Time): boolean {
  if (time.seconds === undefined && time.nanos === undefined) return true;
  return secondsOf(time) === GO_ZERO_SECONDS && (time.nanos ?? 0) === 0;
}

/** Formats a time as Kubernetes does: RFC 3339 in whole seconds. Returns undefined for a time that RFC 3339 cannot represent. */
export function formatTime(time: Time): string | undefined {
  const seconds = secondsOf(time);
  return inRange(seconds) ? `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` : undefined;
}

/** Parses an RFC 3339 time. Cuts off fractions of seconds, as Kubernetes does. Returns undefined if the text is not a time. */
export function parseTime(text: string): Pick<Time, "seconds" | "nanos"> | undefined {
  const [, year, month, day] = RFC3339.exec(text) ?? [];
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (year === undefined || !inRange(seconds)) return undefined;
  const daysInMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  if (Number(day) > daysInMonth) return undefined; // Date.parse rolls 30 February over
  if (seconds !== GO_ZERO_SECONDS) return { seconds: BigInt(seconds), nanos: 0 };
  // In Go only the exact zero time is unset. A fraction of that second is a time.
  const [, fraction = "0"] = /\.(\d+)/.exec(text) ?? [];
  const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
  return nanos === 0 ? {} : { seconds: BigInt(seconds), nanos };
}

function secondsOf(time: Time): number {
  return Number(time.seconds ?? 0n);
}

function inRange(seconds: number): boolean {
  return seconds >= GO_ZERO_SECONDS && seconds <= MAX_SECONDS;
}
