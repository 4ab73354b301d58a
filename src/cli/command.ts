import type { ParseArgsConfig } from "node:util";
import type { PodSource } from "../sources/pod-source.js";
import type { Environment } from "../timing/clock.js";

/** The environment of a command. */
export interface Console {
  out(text: string): void;
  err(text: string): void;
  /** Returns a signal that aborts on SIGINT and SIGTERM. After this call these signals no longer end the process. */
  ended(): AbortSignal;
  /** The clock and the randomness of the command and of the clients that it makes. */
  readonly environment: Environment;
  /** The sources of pods instead of a socket. Tests pass their own. */
  readonly sources?: readonly PodSource[] | undefined;
  /** True if the output may have colours. */
  readonly colours: boolean;
}

/** Values of options, as `parseArgs` returns them. */
export type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Options as `parseArgs` takes them. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** Exit codes, which `--help` lists. */
export const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** One command. Its modules are loaded when it is called. */
export interface Command {
  readonly help: string;
  readonly options: Options;
  /**
   * True if the command takes arguments besides options.
   *
   * @default false
   */
  readonly takesNames?: boolean;
  /** Runs the command, and returns the exit code. */
  run(values: Values, console: Console, names: readonly string[]): Promise<number>;
}

/** The error of a wrong command line. The command then prints its usage. */
export class UsageError extends Error {}

/** Returns the number of an option; undefined if it is not given. */
export function numberOf(
  values: Values,
  name: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (typeof text !== "string" || text.trim() === "" || !(number >= min && number <= max)) {
    throw new UsageError(`--${name} must be a number from ${min} to ${max}`);
  }
  return number;
}

/** Returns true for `-o json`, in a command whose `-o` takes only `json`. */
export function wantsJson(values: Values): boolean {
  const output = values["json"] === true ? "json" : textOf(values, "output");
  if (output !== undefined && output !== "json") throw new UsageError("-o must be json");
  return output === "json";
}

/** Returns the text of an option; undefined if it is not given. */
export function textOf(values: Values, name: string): string | undefined {
  const text = values[name];
  return typeof text === "string" ? text : undefined;
}
