import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Go's zero time, 1 January of the year 1: Kubernetes writes it as `null`, and on the wire as an empty message. */
const GO_ZERO_SECONDS = -62_135_596_800;

/** The last second of the year 9999, the last that RFC 3339 can write. */
const MAX_SECONDS = 253_402_300_799;

/** A Kubernetes time as a `Date`; `undefined` where there is none, or where it is zero (which Kubernetes calls unset). */
export function toDate(time: Time | undefined): Date | undefined {
  if (time === undefined || isZeroTime(time)) return undefined;
  return new Date(Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6));
}

export function isZeroTime(time: Time): boolean {
  return (time.seconds === 0n && time.nanos === 0) || time.seconds === BigInt(GO_ZERO_SECONDS);
}

/** RFC 3339 in seconds, as Kubernetes writes it; `undefined` for a time that RFC 3339 cannot write. */
export function formatTime(time: Time): string | undefined {
  const seconds = Number(time.seconds);
  if (seconds < GO_ZERO_SECONDS || seconds > MAX_SECONDS) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** Seconds since 1970 of an RFC 3339 text, fractions cut off as Kubernetes does; 0n for Go's zero time. */
export function parseTime(text: string): bigint | undefined {
  const [, year, month, day] = RFC3339.exec(text) ?? [];
  const millis = Date.parse(text.toUpperCase());
  if (year === undefined || Number.isNaN(millis)) return undefined;
  const daysInMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  if (Number(day) > daysInMonth) return undefined; // Date.parse rolls 30 February over
  const seconds = Math.floor(millis / 1000);
  return seconds === GO_ZERO_SECONDS ? 0n : BigInt(seconds);
}
