import { printable } from "../../printable.js";
import { UsageError } from "../command.js";
import { plainText } from "../text.js";
import { evaluateTemplate } from "./evaluate.js";
import { JsonPathError, parseTemplate } from "./parse.js";

/**
 * Makes what writes JSON by a template of kubectl's, fit for a terminal.
 *
 * @throws UsageError for a malformed template. The returned function throws it if the template does not fit the JSON.
 */
export function jsonPathText(template: string): (value: unknown) => string {
  const told = <T>(task: () => T): T => {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof JsonPathError)) throw error;
      throw new UsageError(`-o jsonpath: ${printable(error.message, 300)}`);
    }
  };
  const parts = told(() => parseTemplate(template));
  return (value) => plainText(told(() => evaluateTemplate(parts, value)));
}
