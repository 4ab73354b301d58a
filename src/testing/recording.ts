import { invalidArgument } from "../errors/pods-error.js";

/** A line of a recording: what a kubelet did, and when. Pods are serialized, whole or with some fields; in the file they are base64. */
export type RecordingLine = {
  /** The time of the line, in milliseconds since the recording began. */
  readonly atMs: number;
} & (
  | {
      /** The start of the recording, as RFC 3339 time. Optional, and the first line. */
      readonly recorded: string;
      /** The paths of the recorded fields. */
      readonly mask: readonly string[];
    }
  /** A kubelet process starts, with this number. While `initializing` it refuses calls. With `servesApi: false` it does not listen. */
  | { readonly start: number; readonly initializing?: boolean; readonly servesApi?: boolean }
  /** It has read its pod sources, and answers from now on. */
  | { readonly ready: true }
  /** It has ended. */
  | { readonly stop: true }
  /** All connections are cut. */
  | { readonly cut: true }
  /** The pod with this UID in lists from now on; without `pod` it has left them. */
  | { readonly list: string; readonly pod?: Uint8Array }
  /** An event for all watches. */
  | { readonly event: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: Uint8Array }
  /** An event of an unknown type. */
  | { readonly unknown: true }
);

/** The longest recording, in characters: 256 MiB. */
export const MAX_RECORDING: number = 256 * 1024 * 1024;

/** Writes a line for the file. */
export function recordingText(line: RecordingLine): string {
  const pod = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  return `${JSON.stringify(line, pod)}\n`;
}

/**
 * Reads a recording. An incomplete last line is left out: its writer was killed.
 *
 * @throws PodsError `invalid-argument` with the number of the line.
 */
export function parseRecording(text: string): RecordingLine[] {
  if (text.length > MAX_RECORDING) throw invalidArgument(`the recording is longer than ${MAX_RECORDING} characters`);
  const lines = text.split("\n").slice(0, -1);
  if (lines.length === 0) throw invalidArgument("the recording is empty", "`kubelet-pods record FILE` writes one");
  let lastMs = 0;
  return lines.map((each, i) => {
    const line = lineOf(each);
    if (line === undefined || line.atMs < lastMs)
      throw invalidArgument(
        `line ${i + 1} of the recording is not valid`,
        "`kubelet-pods record FILE` writes recordings",
      );
    lastMs = line.atMs;
    return line;
  });
}

const BASE64: RegExp = /^[A-Za-z0-9+/]*={0,2}$/;

/** The check of each kind of line, by the key that names it. */
const IS_KIND: Readonly<Record<string, (line: Record<string, unknown>) => boolean>> = {
  recorded: ({ recorded, mask }) => typeof recorded === "string" && Array.isArray(mask),
  start: ({ start, initializing, servesApi }) =>
    typeof start === "number" && [initializing, servesApi].every((each) => each === undefined || isFlag(each)),
  ready: ({ ready }) => ready === true,
  stop: ({ stop }) => stop === true,
  cut: ({ cut }) => cut === true,
  list: ({ list, pod }) => typeof list === "string" && (pod === undefined || isPod(pod)),
  event: ({ event, pod }) => ["ADDED", "MODIFIED", "DELETED"].includes(event as string) && isPod(pod),
  unknown: ({ unknown }) => unknown === true,
};

const isFlag = (value: unknown) => typeof value === "boolean";
const isPod = (value: unknown) => typeof value === "string" && BASE64.test(value);

function lineOf(text: string): RecordingLine | undefined {
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    const kind = Object.keys(IS_KIND).find((name) => Object.hasOwn(line, name));
    const { atMs, pod } = line;
    if (kind === undefined || !Number.isFinite(atMs) || !IS_KIND[kind]?.(line)) return undefined;
    if (typeof pod === "string") line["pod"] = Uint8Array.from(Buffer.from(pod, "base64"));
    return line as unknown as RecordingLine;
  } catch {
    return undefined;
  }
}
