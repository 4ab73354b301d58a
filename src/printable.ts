/** Control characters, and invisible characters that change the direction of text, join characters or hide them. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Makes external text safe for a terminal or a log line: replaces control characters by escapes such as `\u001b`, and cuts text that is
 * longer than `maxLength` characters.
 */
export function printable(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}\u2026` : text;
  return cut.replace(UNPRINTABLE, escaped);
}

/** Returns the escape of a character in JSON and JavaScript, such as `\u001b`; two escapes for a surrogate pair. */
export function escaped(character: string): string {
  return Array.from(character.split(""), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
