/** A Buffer with the method behind its `toString("utf8")`. Calling it directly costs less; all versions of Node.js have it. */
type TextBuffer = Buffer & { utf8Slice(start: number, end: number): string };

/** Returns the same bytes as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Texts up to this length are looked up among the last ones. For longer ones a comparison costs more than a new text. */
const MAX_KNOWN = 24;

/** A power of two. */
const KNOWN = 4_096;

/**
 * The last short texts, each at the index of its hash. Pods repeat the same texts: names of labels, phases, types of conditions. It takes
 * 100 kB at most.
 */
const known: string[] = new Array<string>(KNOWN).fill("");

/** Reads a text; bytes that are not UTF-8 become U+FFFD. */
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

/** Returns true if the bytes from `start` to `end` are this text. For text that is not ASCII it may return false. */
export function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
