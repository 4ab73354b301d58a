import { createHash } from "node:crypto";
import type { DeleteCause } from "../known/entry.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import type { End, EndCause } from "../pod/end.js";
import type { Workload } from "../pod/workload.js";

/** A record of a journal: the end of a container's life, or of a pod. */
export interface EndedRecord {
  /** A cursor for `after`: it stands for all records up to this one. */
  readonly seq: string;
  /** The UID of the pod. */
  readonly uid: string;
  /** The namespace of the pod. */
  readonly namespace: string;
  /** The name of the pod. */
  readonly name: string;
  /** The workload behind the pod; undefined if nothing controls the pod. */
  readonly workload: Pick<Workload, "kind" | "name"> | undefined;
  /** The life of the container; undefined for the end of the pod itself. */
  readonly container: Pick<ContainerInstance, "name" | "kind" | "containerID" | "restartCount"> | undefined;
  /** How the end is known: the `cause` of the events ENDED and DELETED. */
  readonly cause: EndCause | DeleteCause;
  /** How it ended. */
  readonly end: End;
  /** When the end was learned. */
  readonly learnedAt: Date;
  /** The boot of the node in which the end was learned. */
  readonly bootID: string;
}

/** A record as it is in a file, with what lookups need. */
export interface JournalLine {
  /** Its number among the records of its writer, from 1. */
  readonly n: number;
  /** Its place among the records of all writers: the time of day in milliseconds, but always higher than that of any record before it. */
  readonly order: number;
  readonly record: Omit<EndedRecord, "seq">;
  /** When the end was learned, and when the pod or container still existed, on the monotonic clock of that boot. */
  readonly atMs: number;
  readonly afterMs: number;
  /** The last known state of the pod, through the journal's mask. Only the end of a pod has it. */
  readonly pod: Uint8Array | undefined;
  /** The numbers of the pod's cgroups, each with the ID of its container. */
  readonly cgroups: readonly (readonly [cgroup: string, containerID: string | undefined])[];
}

/** The newest record of a writer that has been removed: older ones may be lacking. */
export interface Forgotten {
  readonly order: number;
  readonly learnedMs: number;
}

/** The version of the format. It changes if older readers could not read the new format. */
const VERSION = 1;

/** The longest line: a pod through the mask has some kilobytes. */
export const MAX_LINE: number = 256 * 1024;

/** The longest termination message that is kept. */
const MAX_MESSAGE = 1_024;

/** Returns a record as a line of a file, which ends with a checksum. */
export function lineText({ n, order, record, atMs, afterMs, pod, cgroups }: JournalLine): string {
  const { reported, ...end } = record.end;
  const json = {
    v: VERSION,
    n,
    order,
    ...record,
    end: { ...end, reported: reported && { ...reported, message: reported.message.slice(0, MAX_MESSAGE) } },
    atMs,
    afterMs,
    pod: pod && Buffer.from(pod).toString("base64"),
    cgroups: cgroups.length === 0 ? undefined : cgroups,
  };
  const line = summed(json);
  return line.length <= MAX_LINE || pod === undefined ? line : summed({ ...json, pod: undefined });
}

/** Returns the line that notes removed records. */
export function forgottenText(forgotten: Forgotten): string {
  return summed({ v: VERSION, forgotten });
}

/** Reads a line of a file; undefined if it is damaged, or has a later format. */
export function readLine(text: string): JournalLine | Forgotten | undefined {
  const at = text.lastIndexOf(SUM);
  if (at === -1 || text !== `${text.slice(0, at)}${SUM}${sumOf(text.slice(0, at))}"}`) return undefined;
  try {
    const json = JSON.parse(text) as Json;
    if (json["v"] !== VERSION) return undefined;
    if (json["forgotten"] === undefined) return lineOf(json);
    const { order, learnedMs } = json["forgotten"] as Json;
    return { order: numberIn(order), learnedMs: numberIn(learnedMs) };
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;
const SUM = ',"sum":"';

function summed(json: object): string {
  const text = JSON.stringify(json).slice(0, -1);
  return `${text}${SUM}${sumOf(text)}"}`;
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** @throws TypeError if a field is missing. */
function lineOf(json: Json): JournalLine {
  const { workload, container, end, pod, cgroups = [] } = json as Readonly<Record<string, Json | undefined>>;
  const { reported } = end as Readonly<Record<string, Json | undefined>>;
  return {
    n: numberIn(json["n"]),
    order: numberIn(json["order"]),
    atMs: numberIn(json["atMs"]),
    afterMs: numberIn(json["afterMs"]),
    pod: pod === undefined ? undefined : new Uint8Array(Buffer.from(textIn(pod), "base64")),
    cgroups: (cgroups as readonly (readonly unknown[])[]).map(([cgroup, id]) => [
      textIn(cgroup),
      id ? textIn(id) : undefined,
    ]),
    record: {
      uid: textIn(json["uid"]),
      namespace: textIn(json["namespace"]),
      name: textIn(json["name"]),
      workload: workload && { kind: textIn(workload["kind"]), name: textIn(workload["name"]) },
      container: container && {
        name: textIn(container["name"]),
        kind: textIn(container["kind"]) as ContainerInstance["kind"],
        containerID: textIn(container["containerID"]),
        restartCount: numberIn(container["restartCount"]),
      },
      cause: textIn(json["cause"]) as EndCause,
      end: {
        reason: textIn(end?.["reason"]) as End["reason"],
        exitCode: end?.["exitCode"] === undefined ? undefined : numberIn(end["exitCode"]),
        signal: end?.["signal"] === undefined ? undefined : numberIn(end["signal"]),
        resource: end?.["resource"] === undefined ? undefined : textIn(end["resource"]),
        startedAt: dateIn(end?.["startedAt"]),
        finishedAt: dateIn(end?.["finishedAt"]),
        reported: reported && {
          exitCode: numberIn(reported["exitCode"]),
          reason: textIn(reported["reason"]),
          message: textIn(reported["message"]),
        },
      },
      learnedAt: dateIn(json["learnedAt"]) ?? new Date(Number.NaN),
      bootID: textIn(json["bootID"]),
    },
  };
}

function textIn(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("no text");
  return value;
}

function numberIn(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("no number");
  return value;
}

function dateIn(value: unknown): Date | undefined {
  if (value === undefined) return undefined;
  const date = new Date(textIn(value));
  if (Number.isNaN(date.getTime())) throw new TypeError("no date");
  return date;
}

/** Returns a text that all records of one end share. */
export function keyOf({ uid, container, end }: Pick<EndedRecord, "uid" | "container" | "end">): string {
  if (container !== undefined) return container.containerID;
  // A static pod that comes back has the same UID, and another start.
  return `${uid} ${(end.startedAt ?? end.finishedAt)?.getTime()}`;
}

/** Returns how much a record tells: a seen exit tells more than a made-up one, and that more than none. */
export function worthOf({ end }: Pick<EndedRecord, "end">): number {
  return end.exitCode !== undefined ? 2 : Number(end.reported !== undefined);
}
