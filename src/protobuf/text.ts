/** A Buffer with the method behind its `toString("utf8")`. Calling it directly is cheaper. All versions of Node.js have it. */
type TextBuffer = Buffer & { utf8Slice(start: number, end: number): string };

/** Returns the same bytes as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Maximum length of a text in the cache. For longer texts a comparison costs more than a new string. */
const MAX_KNOWN = 24;

/** Number of texts in the cache: a power of two. */
const KNOWN = 4_096;

/**
 * Cache of the last short texts, each at the index of its hash. Pods repeat the same texts: names of labels, phases, types of conditions.
 * The cache takes at most 100 kB.
 */
const known: string[] = new Array<string>(KNOWN).fill("");

/** Reads a string. Bytes that are not UTF-8 become U+FFFD. */
export function textOf(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length > MAX_KNOWN) return (bytes as TextBuffer).utf8Slice(start, end);
  let hash = length;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  const place = (hash ^ (hash >>> 12)) & (KNOWN - 1);
  const last = known[place] as string;
  if (last.length === length && isText(bytes, start, end, last)) return last;
  const text = (bytes as TextBuffer).utf8Slice(start, end);
  if (text.length === length) known[place] = text;
  return text;
}

/** Returns true if the bytes from `start` to `end` are this text. It may return false for text that is not ASCII. */
export function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
