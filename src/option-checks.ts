import { invalidArgument } from "./errors/pods-error.js";
import { printable } from "./printable.js";
import { closest } from "./suggestion.js";

/** Names have at most 253 characters, UIDs 36. Longer input is rejected. */
const MAX_TEXT_OPTION = 1_000;

/** Checks a name or a UID that the caller passed. @throws PodsError `invalid-argument`. */
export function checkText(value: unknown, what: string): void {
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT_OPTION) {
    throw invalidArgument(`${what} must be a string of 1 to ${MAX_TEXT_OPTION} characters`);
  }
}

/** Returns the result of a caller's predicate. @throws PodsError `invalid-argument` if it returns a promise, which is always truthy. */
export function isTrue(answer: unknown, where: string): boolean {
  if (typeof (answer as { then?: unknown } | null | undefined)?.then === "function")
    throw invalidArgument(`${where} must not return a promise`, "return true or false");
  return Boolean(answer);
}

/** Type of an option. The code that reads a `checked elsewhere` option checks it. */
type OptionType =
  | "string"
  | "number"
  | "boolean"
  | "object"
  | "function"
  | "list"
  | "time"
  | "signal"
  | "date"
  | "checked elsewhere";

/** Type of an option, its default, and the limits of a number. Each number with limits has a minimum. */
type OptionRule = { readonly type: OptionType; readonly default?: unknown } & (
  | { readonly least: number; readonly most?: number; readonly whole?: boolean }
  | { readonly least?: never; readonly most?: never; readonly whole?: never }
);

/** Type of each option. */
export type OptionTypes<T> = Readonly<Record<keyof T, OptionType>>;

/** One row for each option. Options in `D` have a default. */
export type OptionRows<T, D extends keyof T = never> = {
  readonly [K in keyof T]-?: K extends D
    ? OptionRule & { readonly default: NonNullable<T[K]> }
    : OptionType | (OptionRule & { readonly default?: never });
};

/** Checked options with their defaults. Options in `D` are never undefined. */
export type Resolved<T, D extends keyof T> = { [K in keyof T]-?: K extends D ? NonNullable<T[K]> : T[K] };

const TYPE_CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  signal: (value) => value instanceof AbortSignal,
  list: Array.isArray,
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  time: (value) => {
    if (value instanceof Date || typeof value === "number") return !Number.isNaN(Number(value));
    return typeof value === "bigint" || typeof (value as { monotonicNs?: unknown } | null)?.monotonicNs === "bigint";
  },
};
const TYPE_WORDS: Readonly<Record<string, string>> = {
  signal: "an AbortSignal",
  date: "a Date",
  time: "a Date, milliseconds since 1970, nanoseconds since 1970 as a bigint, or { monotonicNs } as a bigint",
};

/**
 * Checks options at run time, for callers without a compiler: a misspelt key or a misplaced signal would otherwise be ignored.
 *
 * @throws PodsError `invalid-argument` with the name of the option.
 */
export function checkOptions<T extends object>(options: T, types: OptionTypes<T>, where: string): void {
  const wrong = options instanceof AbortSignal ? "signal" : options instanceof Date ? "at" : undefined;
  if (wrong !== undefined && Object.hasOwn(types, wrong))
    throw invalidArgument(`${where}: pass the ${wrong === "at" ? "time" : wrong} as { ${wrong} }`);
  if (typeof options !== "object" || options === null || Array.isArray(options) || wrong !== undefined)
    throw invalidArgument(`${where}: the options must be an object`, `options: ${Object.keys(types).join(", ")}`);
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(types, key));
  if (unknown !== undefined) {
    const [close] = closest(unknown, Object.keys(types));
    const all = `options: ${Object.keys(types).join(", ")}`;
    throw invalidArgument(
      `${where}: unknown option ${printable(unknown, 50)}`,
      close === undefined ? all : `did you mean ${close}? ${all}`,
    );
  }
  // Inherited options, such as those of a class, are read as well, so they are checked, too.
  for (const [key, type] of Object.entries<OptionType>(types)) {
    const value: unknown = options[key as keyof T];
    if (value === undefined || type === "checked elsewhere") continue;
    if (!(TYPE_CHECKS[type]?.(value) ?? typeof value === type)) {
      throw invalidArgument(`${where}: ${key} must be ${TYPE_WORDS[type] ?? `a ${type}`}`);
    }
  }
}

/** Checks options, and fills in the defaults. @throws PodsError `invalid-argument` with the name of the option. */
export function resolve<T extends object, D extends keyof T>(
  options: T,
  rows: OptionRows<T, D>,
  where: string,
): Resolved<T, D> {
  const rules = Object.entries<OptionType | OptionRule>(rows).map(([key, row]) => {
    return [key as keyof T & string, typeof row === "string" ? { type: row } : row] as [keyof T & string, OptionRule];
  });
  checkOptions(options, Object.fromEntries(rules.map(([key, { type }]) => [key, type])) as OptionTypes<T>, where);
  const entries = rules.map(([key, rule]) => {
    const value = options[key] ?? rule.default;
    if (rule.least !== undefined && value !== undefined) checkLimits(Number(value), rule, `${where}: ${key}`);
    return [key, value];
  });
  return Object.fromEntries(entries) as Resolved<T, D>;
}

function checkLimits(value: number, { least, most, whole }: OptionRule, what: string): void {
  if (value >= (least ?? value) && value <= (most ?? value) && (!whole || Number.isInteger(value))) return; // NaN is refused
  const range = most === undefined ? `at least ${least}` : `from ${least} to ${most}`;
  throw invalidArgument(`${what} must be ${whole ? "a whole number, " : ""}${range}`);
}

/** Largest timeout that a gRPC header can carry: eight digits of milliseconds. */
const MAX_TIMEOUT_MS = 99_999_999;

/** Returns a timeout that gRPC can carry; undefined for no limit. @throws PodsError `invalid-argument` for NaN and negative numbers. */
export function resolveTimeoutMs(timeoutMs: number): number | undefined {
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs) || timeoutMs < 0) {
    throw invalidArgument("timeoutMs must be a number of milliseconds", "0 and Infinity mean no limit");
  }
  if (timeoutMs === 0 || timeoutMs === Number.POSITIVE_INFINITY) return undefined;
  return Math.min(Math.ceil(timeoutMs), MAX_TIMEOUT_MS);
}
