import { invalidArgument, type PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";

/** Maximum length of a selector, in characters. */
const MAX_SELECTOR = 10_000;

/** The text of a selector, and errors that point into it. */
export class SelectorText {
  readonly #option: string;
  readonly text: string;

  /**
   * @param option name of the option, for errors.
   * @throws PodsError `invalid-argument` if the text is not a string, or is too long.
   */
  constructor(option: string, text: string) {
    this.#option = option;
    this.text = text;
    if (typeof text !== "string") throw invalidArgument(`${option} must be a string`);
    if (text.length > MAX_SELECTOR) throw invalidArgument(`${option} must have at most ${MAX_SELECTOR} characters`);
  }

  /** Makes the error for the character at this index. The message counts characters from 1. */
  wrong(index: number, what: string, hint?: string): PodsError {
    const place = index < this.text.length ? `at character ${index + 1}` : "at its end";
    return invalidArgument(`${this.#option}: ${quoted(this.text)}: ${place}: ${what}`, hint);
  }
}

export function quoted(text: string): string {
  return `"${printable(text, 200)}"`;
}
