import { invalidArgument } from "../errors/pods-error.js";

/**
 * A line of a recording: what a kubelet said, and when. Pods are bytes as the kubelet sends them, or some of their fields; in the file they
 * are base64.
 */
export type RecordingLine = {
  /** When it was, in milliseconds since the recording began. */
  readonly atMs: number;
} & (
  | {
      /** When the recording began, as RFC 3339 has it. It is the first line, if it is there. */
      readonly recorded: string;
      /** The paths of the fields that the pods have. */
      readonly mask: readonly string[];
    }
  /** A kubelet listens, the one of this number; while it initializes it refuses calls, and where it `servesApi: false` nobody listens. */
  | { readonly start: number; readonly initializing?: boolean; readonly servesApi?: boolean }
  /** It has read its pod sources: it answers. */
  | { readonly ready: true }
  /** It is gone. */
  | { readonly stop: true }
  /** All connections are lost. */
  | { readonly cut: true }
  /** What lists have of the pod with this UID from now on; nothing where it has left them. */
  | { readonly list: string; readonly pod?: Uint8Array }
  /** An event for all who watch. */
  | { readonly tell: "ADDED" | "MODIFIED" | "DELETED"; readonly pod: Uint8Array }
  /** An event of a type that no client knows. */
  | { readonly unknown: true }
);

/** How long a recording may be, in characters: 256 MiB. */
export const MAX_RECORDING: number = 256 * 1024 * 1024;

/** Writes a line as the file has it. */
export function recordingText(line: RecordingLine): string {
  const pod = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
  return `${JSON.stringify(line, pod)}\n`;
}

/**
 * Reads a recording. A last line without an end is left out: whoever wrote it was killed.
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
      throw invalidArgument(`line ${i + 1} of the recording is none that \`kubelet-pods record\` writes`);
    lastMs = line.atMs;
    return line;
  });
}

const BASE64: RegExp = /^[A-Za-z0-9+/]*={0,2}$/;

/** Checks of each kind of line, by the key that names it. */
const IS_KIND: Readonly<Record<string, (line: Record<string, unknown>) => boolean>> = {
  recorded: ({ recorded, mask }) => typeof recorded === "string" && Array.isArray(mask),
  start: ({ start, initializing, servesApi }) =>
    typeof start === "number" && [initializing, servesApi].every((each) => each === undefined || isFlag(each)),
  ready: ({ ready }) => ready === true,
  stop: ({ stop }) => stop === true,
  cut: ({ cut }) => cut === true,
  list: ({ list, pod }) => typeof list === "string" && (pod === undefined || isPod(pod)),
  tell: ({ tell, pod }) => ["ADDED", "MODIFIED", "DELETED"].includes(tell as string) && isPod(pod),
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
