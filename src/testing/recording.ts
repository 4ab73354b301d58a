import { invalidArgument } from "../errors/pods-error.js";

/**
 * A line of a recording: an action of a kubelet, and its time. Pods are serialized messages, whole or masked. In the file they are base64.
 */
export type RecordingLine = {
  /** The time of the line, in milliseconds since the recording began. */
  readonly atMs: number;
} & (
  | {
      /** Start of the recording, as an RFC 3339 time. This line is optional and comes first. */
      readonly recorded: string;
      /** The paths of the recorded fields. */
      readonly mask: readonly string[];
    }
  /** A kubelet process with this number starts. While `initializing` it refuses calls. With `servesApi: false` it does not listen. */
  | { readonly start: number; readonly initializing?: boolean; readonly servesApi?: boolean }
  /** The kubelet has read its pod sources and answers calls from now on. */
  | { readonly ready: true }
  /** The kubelet process has ended. */
  | { readonly stop: true }
  /** All connections are cut. */
  | { readonly cut: true }
  /** The pod that lists have for this UID from now on. Without `pod`, lists no longer have the pod. */
  | { readonly list: string; readonly pod?: Uint8Array }
  /** An event for all watches. */
  | { readonly event: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: Uint8Array }
  /** An event of an unknown type. */
  | { readonly unknown: true }
);

/** Maximum length of a recording, in characters. */
export const MAX_RECORDING: number = 256 * 1024 * 1024;

/** Returns a line as text for the file. */
export function recordingText(line: RecordingLine): string {
  const pod = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  return `${JSON.stringify(line, pod)}\n`;
}

/**
 * Parses a recording. Ignores an incomplete last line, which a killed writer leaves behind.
 *
 * @throws PodsError `invalid-argument` for an empty or too long recording, or with the number of a line that is not valid.
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

/** The check of each kind of line, by the key that identifies the kind. */
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
