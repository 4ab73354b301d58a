import type { ParseArgsConfig } from "node:util";
import type { PodSource } from "../sources/pod-source.js";
import type { Environment } from "../timing/clock.js";

/** The outputs of a command, its clock, and the signal that ends it. */
export interface Console {
  out(text: string): void;
  /** Writes a text as it is, without the end of a line. */
  write(text: string): void;
  err(text: string): void;
  /** Aborts when the process is asked to end, which then does not end by itself. */
  ended(): AbortSignal;
  /** The clock and the randomness of the command and of the clients that it makes. */
  readonly environment: Environment;
  /** Where the pods come from, in the place of a socket: tests have sources of their own. */
  readonly sources?: readonly PodSource[] | undefined;
  /** Whether `out` is a terminal that shows colours, and they are wanted. */
  readonly colours: boolean;
}

/** Values as `parseArgs` gives them. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Options as `parseArgs` takes them. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** Exit codes, as they are in `--help`. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** One command; made when it is asked for, so that its modules are loaded then. */
export interface Command {
  /** The text of `--help`. */
  readonly help: string;
  readonly options: Options;
  /**
   * Whether it takes names beside its options.
   *
   * @default false
   */
  readonly takesNames?: boolean;
  /** Returns the exit code. */
  run(values: Values, console: Console, names: readonly string[]): Promise<number>;
}

/** The error of a command line that cannot be used; the command then prints its usage. */
export class UsageError extends Error {}

/** Returns the number of an option; undefined where it is not given. */
export function numberOf(
  values: Values,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (typeof text !== "string" || text.trim() === "" || !(number >= min && number <= max)) {
    throw new UsageError(`--${name}: not a number from ${min} to ${max}`);
  }
  return number;
}

/** Returns whether JSON is asked for, of a command whose `-o` knows nothing else. */
export function wantsJson(values: Values): boolean {
  const output = values["json"] === true ? "json" : textOf(values, "output");
  if (output !== undefined && output !== "json") throw new UsageError("-o: only json");
  return output === "json";
}

/** Returns the text of an option; undefined where it is not given. */
export function textOf(values: Values, name: string): string | undefined {
  const text = values[name];
  return typeof text === "string" ? text : undefined;
}
