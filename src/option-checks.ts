import { invalidArgument } from "./errors/pods-error.js";
import { printable } from "./printable.js";

/** Names have 253 characters at most, UIDs 36: what is longer is a mistake, and is not sent. */
const MAX_TEXT = 1_000;

/** Checks a name or a UID that is asked for. @throws PodsError `invalid-argument`. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT) {
    throw invalidArgument(`${what} must be a text of 1 to ${MAX_TEXT} characters`);
  }
}

/** Returns the result of a caller's predicate. @throws PodsError `invalid-argument` if it returns a promise, which would always be true. */
export function isTrue(answer: unknown, where: string): boolean {
  if (typeof (answer as { then?: unknown } | null | undefined)?.then === "function")
    throw invalidArgument(`${where} gives a promise`, "it has to answer at once");
  return Boolean(answer);
}

/** The kinds of values that options take. */
export type OptionTypes<T> = Readonly<
  Record<
    keyof T,
    "string" | "number" | "boolean" | "object" | "function" | "list" | "time" | "signal" | "mask" | "pods" | "sources"
  >
>;

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  signal: (value) => value instanceof AbortSignal,
  list: Array.isArray,
  time: (value) => {
    if (value instanceof Date || typeof value === "number") return !Number.isNaN(Number(value));
    return typeof value === "bigint" || typeof (value as { monotonicNs?: unknown } | null)?.monotonicNs === "bigint";
  },
};
const WORDS: Readonly<Record<string, string>> = {
  signal: "an AbortSignal",
  time: "a Date, milliseconds since 1970, nanoseconds since 1970 as a bigint, or { monotonicNs } as a bigint",
};

/**
 * Checks options that no compiler has seen: a misspelt key or a signal in the wrong place would else be ignored.
 *
 * @throws PodsError `invalid-argument`, naming the option.
 */
export function checkOptions<T extends object>(options: T, types: OptionTypes<T>, where: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalidArgument(`${where}: the options are no object`);
  }
  if (options instanceof AbortSignal) throw invalidArgument(`${where}: a signal is passed as { signal }`);
  if (options instanceof Date) throw invalidArgument(`${where}: a time is passed by its name, as { at }`);
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(types, key));
  if (unknown !== undefined) {
    throw invalidArgument(
      `${where}: no such option: ${printable(unknown, 50)}`,
      `there are ${Object.keys(types).join(", ")}`,
    );
  }
  // Also those that are inherited, as of a class: they are read all the same.
  for (const [key, type] of Object.entries<OptionTypes<T>[keyof T]>(types)) {
    const value: unknown = options[key as keyof T];
    if (value === undefined || type === "mask" || type === "pods" || type === "sources") continue; // they are checked where they are read
    if (!(CHECKS[type]?.(value) ?? typeof value === type)) {
      throw invalidArgument(`${where}: ${key} must be ${WORDS[type] ?? `a ${type}`}`);
    }
  }
}

/** The largest timeout that a gRPC header can carry: eight digits of milliseconds. */
const MAX_TIMEOUT_MS = 99_999_999;

/** Returns a timeout that gRPC can carry; undefined for no limit. @throws PodsError `invalid-argument` for NaN and below 0. */
export function resolveTimeoutMs(timeoutMs: number): number | undefined {
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw invalidArgument("timeoutMs: not a number of milliseconds", "0 or Infinity stand for no limit");
  }
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return Math.min(Math.ceil(timeoutMs), MAX_TIMEOUT_MS);
}
