import type { Console } from "../../src/cli/command.js";

/** A console that keeps what is written. */
export function consoleOf(signal: AbortSignal = new AbortController().signal, colours = false) {
  const console = {
    output: "",
    errors: "",
    ended: () => signal,
    colours,
    out(text: string) {
      console.output += `${text}\n`;
    },
    err(text: string) {
      console.errors += `${text}\n`;
    },
  };
  return console satisfies Console;
}
