import { crc32 } from "node:zlib";
import type { ContainerKind } from "../pod/container-run.js";
import type { End } from "../pod/end.js";
import type { Workload } from "../pod/workload.js";

/** The end of a container run or of a pod, as the journal stores it. Texts are truncated to their valid lengths. */
export interface EndRecord {
  /** UID of the pod, at most 36 characters. */
  readonly uid: string;
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Name of the pod. */
  readonly name: string;
  /** Addresses of the pod; empty on the host network if the kubelet sends none. */
  readonly podIPs: readonly string[];
  /** Workload of the pod. Undefined if nothing controls it. */
  readonly workload: Workload | undefined;
  /** The container run. Undefined for the end of the pod itself. */
  readonly container:
    | {
        readonly name: string;
        readonly kind: ContainerKind;
        /** ID without the name of the runtime. */
        readonly containerID: string;
        readonly restartCount: number;
      }
    | undefined;
  /** How it ended, as in ENDED events. */
  readonly end: End;
  /** Boot of the node, from /proc/sys/kernel/random/boot_id. Empty if it cannot be read. */
  readonly bootID: string;
  /** Time of the record, by the clock of the node. */
  readonly recordedAt: Date;
}

/** A record with its place in the journal. */
export interface StoredEnd {
  /** Sort key. Increases with each record of a writer, and is higher than that of all earlier writers, even if the clock was set back. */
  readonly order: number;
  readonly record: EndRecord;
}

/** The most bytes of a line. */
export const MAX_LINE_BYTES = 4_096;

/** Two line breaks, the checksum, and the order of at most 16 digits, each followed by a space. */
const FRAME_BYTES = 28;

/** The most characters of a text, by the name of its field. */
const FIELD_LIMITS: Readonly<Record<string, number>> = { uid: 36, message: 1_024, containerID: 128 };
const MAX_NAME = 253;

/** Pods have at most two addresses. */
const MAX_ITEMS = 8;

const DATES = new Set(["recordedAt", "startedAt", "finishedAt"]);

/** The fields that name the pod. With the container ID they are truncated last, so that a pod cannot hide its ends with texts that it chooses. */
const IDENTITY = new Set(["uid", "namespace", "name"]);

/** Returns a text, truncated to a number of characters. */
export function truncated(text: string, limit: number = MAX_NAME): string {
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
}

/** Returns the key of an end, which is the same in all of its records. The key of a run does not contain the pod. */
export function keyOf({ uid, container, end }: Pick<EndRecord, "uid" | "container" | "end">): string {
  if (container !== undefined) return truncated(container.containerID, FIELD_LIMITS["containerID"]);
  return `${truncated(uid, FIELD_LIMITS["uid"])} ${end.finishedAt?.getTime() ?? ""}`; // a static pod can end several times with the same UID
}

/**
 * Returns true if two records with the key of this one are of the same end. A static pod can end several times with one UID. Without a time,
 * its ends cannot be distinguished.
 */
export function isIdentified({ container, end }: EndRecord): boolean {
  return container !== undefined || end.finishedAt !== undefined;
}

/** Halvings after which a text of the highest limit is empty. */
const STEPS = 11;

/** Returns a record as JSON, with its texts truncated, and truncated further if it is too long for a line: those of its identity last. */
export function textOf(record: EndRecord): string {
  for (let step = 0; ; step++) {
    const limit = (FIELD_LIMITS["message"] as number) >> step;
    const identityLimit = MAX_NAME >> Math.max(0, step - STEPS);
    const text = JSON.stringify(record, function (this: unknown, key, value: unknown) {
      if (Array.isArray(value)) return value.slice(0, MAX_ITEMS);
      if (typeof value !== "string" || DATES.has(key)) return value;
      const most = FIELD_LIMITS[key] ?? MAX_NAME;
      const isIdentity = this === record ? IDENTITY.has(key) : key === "containerID";
      return truncated(value, Math.min(most, isIdentity ? identityLimit : limit));
    });
    if (Buffer.byteLength(text) <= MAX_LINE_BYTES - FRAME_BYTES) return text;
  }
}

/** Returns how detailed a record is. Of several records of one end, the most detailed one counts. */
export function weightOf({ end, podIPs, workload }: EndRecord): number {
  const facts = [end.exitCode, end.finishedAt, end.reason === "unknown" ? undefined : end.reason, end.reported];
  return [...facts, podIPs[0], workload].filter((fact) => fact !== undefined).length;
}

/** Returns a line. It begins and ends with a line break, so that an incomplete or damaged line does not affect the next one. */
export function lineOf(order: number, text: string): string {
  const body = `${order} ${text}`;
  return `\n${checksum(body)} ${body}\n`;
}

/** Reads a line, without its line breaks. Returns undefined if it is damaged. */
export function storedIn(line: string): StoredEnd | undefined {
  const [, sum, order, text = ""] = /^([0-9a-f]{8}) (\d+) (\{.*\})$/s.exec(line) ?? [];
  return sum !== undefined && sum === checksum(line.slice(9))
    ? { order: Number(order), record: recordIn(text) }
    : undefined;
}

/** Reads a record that {@link textOf} wrote. */
export function recordIn(text: string): EndRecord {
  const fields = JSON.parse(text, (key, value: unknown) =>
    DATES.has(key) && typeof value === "string" ? new Date(value) : value,
  );
  const { workload, container, end } = fields;
  const { exitCode, signal, oom, resource, startedAt, finishedAt, reported } = end;
  const whole = { ...end, exitCode, signal, oom, resource, startedAt, finishedAt, reported };
  return { ...fields, workload: workload && { ...workload, owner: workload.owner }, container, end: whole };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
