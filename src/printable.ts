/** Control characters, and what has no form of its own: what turns the direction of text around, joins, hides. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Makes a text from outside fit for a terminal or a log line: control characters become escapes such as `\u001b`, and what is
 * longer than `maxLength` characters is cut.
 */
export function printable(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}\u2026` : text;
  return cut.replace(UNPRINTABLE, escaped);
}

/** Writes a character as JSON and JavaScript do: `\u001b`, in two halves if it needs two. */
export function escaped(character: string): string {
  return Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
