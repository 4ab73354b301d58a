// Reads pods with the generated schema and the wire reader of protobuf-es, and applies masks to the wire.

import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import type { Fields } from "./trace.js";

const STATUSES = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"] as const;

/** The fields that the library itself reads, for these rules, lookups, ends and container runs (M2). They are requested of each pod. */
export const OWN: readonly string[] = [
  ...["uid", "namespace", "name", "labels", "annotations", "ownerReferences", "creationTimestamp"],
  ...["deletionTimestamp", "deletionGracePeriodSeconds", "finalizers"],
]
  .map((field) => `metadata.${field}`)
  .concat(
    ["nodeName", "hostNetwork", "terminationGracePeriodSeconds", "restartPolicy"].map((field) => `spec.${field}`),
    ["initContainers", "containers"].flatMap((list) =>
      ["name", "restartPolicy", "restartPolicyRules"].map((field) => `spec.${list}.${field}`),
    ),
    ["phase", "reason", "message", "startTime", "conditions", "podIP", "podIPs"].map((field) => `status.${field}`),
    STATUSES.flatMap((list) =>
      ["name", "restartCount", "image", "imageID", "containerID", "state", "lastState"].map(
        (field) => `status.${list}.${field}`,
      ),
    ),
  );

/** Returns true if all fields of one mask are in another. */
export function covers(mask: Fields, others: Fields): boolean {
  if (mask === undefined) return true;
  return others?.every((path) => mask.some((own) => own === path || path.startsWith(`${own}.`))) === true;
}

/** A version of a pod: a message that could be read. */
export interface Version {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdSeconds: number | undefined;
  readonly source: string | undefined;
  /** The annotation `kubernetes.io/config.seen`, which is different for each kubelet process. */
  readonly stamp: string;
  readonly phase: string;
  readonly isTerminating: boolean;
  readonly hasFinalizers: boolean;
  readonly graceSeconds: number | undefined;
  readonly containers: readonly Container[];
  readonly addresses: readonly string[];
  /** The fields that were requested of it. */
  readonly fields: Fields;
  readonly bytes: Uint8Array;
  /** The number of the process that sent it. */
  process: number;
}

interface Container {
  readonly id: string;
  /** When it was started; undefined if it is not running. */
  readonly startedSeconds: number | undefined;
}

export const isStatic = ({ source }: Version): boolean => source !== undefined && source !== "api";
export const isRunning = ({ containers }: Version): boolean =>
  containers.some(({ startedSeconds }) => startedSeconds !== undefined);
export const hasFinalPhase = ({ phase }: Version): boolean => phase === "Succeeded" || phase === "Failed";
export const showsFinished = (version: Version): boolean => hasFinalPhase(version) && !isRunning(version);
/** Returns how long its containers may run after the kubelet has stopped them (A7). */
export const graceMs = ({ graceSeconds = 30 }: Version): number => Math.min(Math.max(graceSeconds, 0), 600) * 1_000;

const versions = new WeakMap<Uint8Array, Map<string, Version | undefined>>();

/** Reads a pod. Undefined if the requested fields cannot be read, or if it has no UID. */
export function read(bytes: Uint8Array, fields: Fields): Version | undefined {
  const known = versions.get(bytes) ?? new Map<string, Version | undefined>();
  versions.set(bytes, known);
  const key = fields?.join() ?? "all";
  if (!known.has(key)) known.set(key, readNew(bytes, fields));
  const version = known.get(key);
  return version && { ...version };
}

function readNew(bytes: Uint8Array, fields: Fields): Version | undefined {
  let pod: Pod;
  try {
    pod = fromBinary(PodSchema, select(bytes, fields && [...fields, ...OWN]));
  } catch {
    return undefined;
  }
  const { metadata, spec, status } = pod;
  if (!metadata?.uid) return undefined;
  const created = metadata.creationTimestamp?.seconds;
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    labels: metadata.labels,
    createdSeconds: created === undefined ? undefined : Number(created),
    source: metadata.annotations["kubernetes.io/config.source"],
    stamp: metadata.annotations["kubernetes.io/config.seen"] ?? "",
    phase: status?.phase ?? "",
    isTerminating: metadata.deletionTimestamp !== undefined,
    hasFinalizers: metadata.finalizers.length > 0,
    graceSeconds: numberOf(metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds),
    containers: STATUSES.flatMap((field) => status?.[field] ?? []).map(({ containerID, state }) => ({
      id: containerID ?? "",
      startedSeconds: state?.running && Number(state.running.startedAt?.seconds ?? 0),
    })),
    addresses: [status?.podIP ?? "", ...(status?.podIPs ?? []).map(({ ip }) => ip ?? "")].filter(Boolean),
    fields,
    bytes,
    process: 0,
  };
}

const numberOf = (value: bigint | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** Reads whose message it is, as far as it can be read. */
export function identityOf(bytes: Uint8Array): { uid: string; namespace: string; name: string; isWhole: boolean } {
  const identity = { uid: "", namespace: "", name: "", isWhole: false };
  const names = { 1: "name", 3: "namespace", 5: "uid" } as const;
  try {
    for (const [number, type, reader] of fieldsOf(bytes)) {
      if (number !== 1 || type !== WireType.LengthDelimited) reader.skip(type, number);
      else
        for (const [field, kind, metadata] of fieldsOf(reader.bytes()))
          if (field in names && kind === WireType.LengthDelimited)
            identity[names[field as keyof typeof names]] = metadata.string();
          else metadata.skip(kind, field);
    }
    identity.isWhole = true;
  } catch {
    // What was read before the damage counts.
  }
  return identity;
}

function* fieldsOf(bytes: Uint8Array): Generator<[number, WireType, BinaryReader]> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) yield [...reader.tag(), reader];
}

/** Returns the fields of a mask, on the wire. */
function select(bytes: Uint8Array, fields: Fields): Uint8Array {
  return fields === undefined ? bytes : Buffer.concat(selectFrom(bytes, PodSchema, fields));
}

function selectFrom(bytes: Uint8Array, schema: DescMessage, fields: readonly string[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (const [number, type, reader] of fieldsOf(bytes)) {
    const name = schema.fields.find((field) => field.number === number)?.localName;
    const below = fields.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(`${name}.`.length));
    const message = schema.fields.find((field) => field.number === number)?.message;
    if (name !== undefined && fields.includes(name)) {
      reader.skip(type, number);
      parts.push(bytes.subarray(start, reader.pos));
    } else if (below.length > 0 && message !== undefined) {
      const tag = bytes.subarray(start, reader.pos);
      const inner = Buffer.concat(selectFrom(reader.bytes(), message, below));
      parts.push(tag, lengthOf(inner), inner);
    } else reader.skip(type, number);
    start = reader.pos;
  }
  return parts;
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Uint8Array.from([...bytes, rest]);
}

const texts = new WeakMap<Uint8Array, Map<string, string>>();

/** Returns the fields of a pod as text. */
export function textOf({ bytes }: Version, fields: Fields): string {
  const known = texts.get(bytes) ?? new Map<string, string>();
  texts.set(bytes, known);
  const key = fields?.join() ?? "all";
  const text = known.get(key) ?? podText(fromBinary(PodSchema, select(bytes, fields)));
  known.set(key, text);
  return text;
}

const STATUS = ["status", "metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds"];

/** Returns what two versions are compared by in B4, as far as it was requested. */
export function statusText(version: Version): string {
  const { fields } = version;
  const isStatus = (path: string) => STATUS.some((each) => path === each || path.startsWith(`${each}.`));
  return textOf(version, fields === undefined ? STATUS : [...new Set([...fields, ...OWN])].filter(isStatus));
}

/** Returns what two versions are compared by in B6. */
export function stateText(version: Version): string {
  return textOf(version, ["status.phase", ...STATUSES.map((list) => `status.${list}.state`)]);
}

/** Returns a pod as text, in the order of the schema. A mask makes parts that the message does not have; empty parts are left out. */
export function podText(pod: Pod): string {
  const json = toJson(PodSchema, pod) as Record<string, object>;
  return JSON.stringify(Object.fromEntries(Object.entries(json).filter(([, part]) => Object.keys(part).length > 0)));
}

/** Returns the text without the stamp of the kubelet process, which does not describe the pod (Q2). */
export function withoutStamp(text: string): string {
  return text.replace(/"kubernetes.io\/config.seen":"[^"]*",?/, "");
}
