import { printable } from "../printable.js";
import { UsageError } from "./command.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * Returns a duration in two or three figures, in kubectl's format: HumanDuration in k8s.io/apimachinery/pkg/util/duration. A clock that is
 * wrong by two seconds is tolerated.
 */
export function humanDuration(ms: number): string {
  const whole = (unit: number) => Math.trunc(ms / unit);
  /** A number of units, and the remainder in the next smaller unit, if there is one. */
  const both = (unit: number, name: string, smaller: number, smallerName: string) => {
    const rest = Math.trunc((ms % unit) / smaller);
    return rest === 0 ? `${whole(unit)}${name}` : `${whole(unit)}${name}${rest}${smallerName}`;
  };
  if (whole(SECOND) < -1) return "<invalid>";
  if (ms < 2 * MINUTE) return `${Math.max(0, whole(SECOND))}s`;
  if (ms < 10 * MINUTE) return both(MINUTE, "m", SECOND, "s");
  if (ms < 3 * HOUR) return `${whole(MINUTE)}m`;
  if (ms < 8 * HOUR) return both(HOUR, "h", MINUTE, "m");
  if (ms < 2 * DAY) return `${whole(HOUR)}h`;
  if (ms < 8 * DAY) return both(DAY, "d", HOUR, "h");
  if (ms < 2 * YEAR) return `${whole(DAY)}d`;
  if (ms < 8 * YEAR) return both(YEAR, "y", DAY, "d");
  return `${whole(YEAR)}y`;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR };

const NUMBER = /^\d{1,9}(?:\.\d{1,9})?$/;
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ms|s|m|h)/g;

/** Milliseconds of `10s`, `500ms`, `1.5m` or `1h30m`; a bare number is seconds. @throws UsageError that names the option. */
export function parseDuration(option: string, text: string): number {
  if (NUMBER.test(text)) return Number(text) * SECOND;
  const parts = text.length > 100 ? [] : [...text.matchAll(PART)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === text) {
    return parts.reduce((ms, [, number, unit = ""]) => ms + Number(number) * (UNITS[unit] ?? 0), 0);
  }
  const shown = printable(text, 50);
  throw new UsageError(
    `--${option} must be a duration such as 10s, 500ms or 1m30s, or a number of seconds, not "${shown}"`,
  );
}

/** Returns the time of an option, in milliseconds since 1970: a time, or a duration before now. @throws UsageError */
export function parseTime(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d[\d.]*(?:ms|[smh]|$)/.test(text) ? nowMs - parseDuration(name, text) : Date.parse(text);
  if (Number.isNaN(ms))
    throw new UsageError(`--${name} must be a time such as 2026-11-27T10:00:00Z, or a duration such as 10m`);
  return ms;
}
