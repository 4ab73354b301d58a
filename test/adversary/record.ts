// The record of what a kubelet said, as lines of JSON: the format that `kubelet-pods record` writes and `serve --replay` reads.

import type { Line } from "./teller.js";

/** Writes a record: a line of JSON for each, with pods in base64. */
export function written(lines: readonly Line[]): string {
  const text = lines.map((line) =>
    JSON.stringify(line, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)),
  );
  return `${text.join("\n")}\n`;
}
