/** Maximum nesting depth, deeper than any pod. managedFields nest deepest, with about thirty levels. */
const MAX_ANSWER_DEPTH = 200;

/** Maximum number of values, more than the pods of any node have. A large pod has about two thousand. */
const MAX_ANSWER_VALUES = 1_500_000;

/** Maximum number of values in one entry. Each can become a message of about one kilobyte. */
const MAX_ENTRY_VALUES = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Depth of the entries of a list: the list object has depth 1, the array of its items 2. */
const ENTRIES = 2;

/**
 * Returns the limit that a JSON text exceeds, before it is parsed: nesting depth, number of values, or number of list entries. Undefined if
 * it exceeds none. Parsers allocate hundreds of bytes for two bytes of text (`[]`), and for each entry.
 */
export function excessOf(body: Uint8Array, maxEntries: number): string | undefined {
  let depth = 0;
  let values = 0;
  let entries = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      at++;
      while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA) {
      if (++values > MAX_ANSWER_VALUES) return `more than ${MAX_ANSWER_VALUES} values`;
      if (depth === ENTRIES && ++entries > maxEntries) return `more than ${maxEntries} entries`;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > MAX_ANSWER_DEPTH) return `nested deeper than ${MAX_ANSWER_DEPTH}`;
      if (++values > MAX_ANSWER_VALUES) return `more than ${MAX_ANSWER_VALUES} values`;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return undefined;
}

/** Returns true if a parsed entry has more values than a pod can have. */
export function isOversized(entry: unknown): boolean {
  const objects: unknown[] = [entry];
  let values = 0;
  for (const object of objects) {
    const inside = typeof object === "object" && object !== null ? Object.values(object) : [];
    values += inside.length;
    if (values > MAX_ENTRY_VALUES) return true;
    for (const value of inside) if (typeof value === "object" && value !== null) objects.push(value);
  }
  return false;
}
