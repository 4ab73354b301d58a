import {
  ContainerStateSchema,
  ContainerStatusSchema,
  PodSchema,
  PodSpecSchema,
  PodStatusSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema, TimeSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { hasEnded, isStaticSource, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "./lifecycle.js";
import { type PodMask, podMask } from "./mask.js";
import { WireReader } from "./reader.js";

/** The facts by which a watch keys and judges a pod; read without decoding the rest. */
export interface PodHead {
  uid: string;
  namespace: string;
  name: string;
  /** Seconds since 1970; undefined where there is no creation time, as with static pods. */
  created: bigint | undefined;
  terminating: boolean;
  /** The annotation `kubernetes.io/config.source`: api, file or http; undefined where there is none. */
  source: string | undefined;
  /** The annotation `kubernetes.io/config.seen`; empty where there is none. */
  seen: string;
  phase: string;
  /** Whether a container of any kind is in state running. */
  running: boolean;
  /** How long its containers have to end once it is deleted, in seconds; undefined where it says nothing. */
  graceSeconds: number | undefined;
}

/** The fields that {@link scanHead} reads: sent to a kubelet with what readers want. */
export const HEAD_MASK: PodMask = podMask(
  "metadata.uid",
  "metadata.name",
  "metadata.namespace",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "metadata.annotations",
  "spec.terminationGracePeriodSeconds",
  "status.phase",
  "status.initContainerStatuses.state",
  "status.containerStatuses.state",
  "status.ephemeralContainerStatuses.state",
);

/** Groups in unknown fields may nest as deep as everywhere. */
const MAX_DEPTH = 100;

/** Names have 253 characters at most, UIDs 36: what is longer is neither, and would be kept for each pod. */
const MAX_TEXT = 1_000;

const pod = PodSchema.field;
const meta = ObjectMetaSchema.field;
const spec = PodSpecSchema.field;
const status = PodStatusSchema.field;

/** Field numbers of all kinds of containers' statuses. */
const CONTAINERS: ReadonlySet<number> = new Set([
  status.initContainerStatuses.number,
  status.containerStatuses.number,
  status.ephemeralContainerStatuses.number,
]);

/** The grace periods of a pod, in seconds: the one of its deletion counts before the one of its spec. */
interface Grace {
  deletion: number | undefined;
  termination: number | undefined;
}

/**
 * Reads the head of a serialized pod. What is read before the bytes turn out to be broken is in `head`, so that a pod whose
 * UID is legible can be told from the others.
 */
export function scanHead(bytes: Uint8Array): { head: PodHead; broken: boolean } {
  const head: PodHead = {
    uid: "",
    namespace: "",
    name: "",
    created: undefined,
    terminating: false,
    source: undefined,
    seen: "",
    phase: "",
    running: false,
    graceSeconds: undefined,
  };
  const grace: Grace = { deletion: undefined, termination: undefined };
  const reader = new WireReader(bytes);
  let broken = false;
  try {
    eachField(reader, bytes.length, (number) => {
      if (number === pod.metadata.number) readMetadata(reader, head, grace);
      else if (number === pod.spec.number) readSpec(reader, grace);
      else if (number === pod.status.number) readStatus(reader, head);
      else return false;
      return true;
    });
  } catch {
    broken = true;
  }
  head.graceSeconds = grace.deletion ?? grace.termination;
  return { head, broken };
}

/** Returns whether a pod in this state is finished. */
export function isFinishedHead({ phase, running }: PodHead): boolean {
  return hasEnded(phase, running);
}

/** Returns whether the pod comes from a file or a URL of the kubelet's: only such UIDs recur. */
export function isStaticHead({ source }: PodHead): boolean {
  return isStaticSource(source);
}

function readMetadata(reader: WireReader, head: PodHead, grace: Grace): void {
  eachNested(reader, (number) => {
    if (number === meta.uid.number) head.uid = readText(reader);
    else if (number === meta.name.number) head.name = readText(reader);
    else if (number === meta.namespace.number) head.namespace = readText(reader);
    else if (number === meta.creationTimestamp.number) head.created = readSeconds(reader);
    else if (number === meta.deletionTimestamp.number) head.terminating = readSeconds(reader) !== undefined;
    else if (number === meta.deletionGracePeriodSeconds.number) grace.deletion = Number(reader.int64());
    else if (number === meta.annotations.number) readAnnotation(reader, head);
    else return false;
    return true;
  });
}

/** Reads the annotations that a head has; others are passed over: some are larger than all the rest of a pod. */
function readAnnotation(reader: WireReader, head: PodHead): void {
  let key: "source" | "seen" | undefined;
  let value: number | undefined;
  eachNested(reader, (number) => {
    if (number === 2) value = reader.pos;
    if (number !== 1) return false;
    key = readKey(reader);
    return true;
  });
  if (key === undefined) return;
  const end = reader.pos;
  if (value !== undefined) reader.pos = value;
  head[key] = value === undefined ? "" : readText(reader);
  reader.pos = end;
}

function readKey(reader: WireReader): "source" | "seen" | undefined {
  const start = reader.pos;
  if (reader.matchString(SOURCE_ANNOTATION)) return "source";
  reader.pos = start;
  return reader.matchString(SEEN_ANNOTATION) ? "seen" : undefined;
}

function readSpec(reader: WireReader, grace: Grace): void {
  eachNested(reader, (number) => {
    if (number !== spec.terminationGracePeriodSeconds.number) return false;
    grace.termination = Number(reader.int64());
    return true;
  });
}

function readText(reader: WireReader): string {
  const text = reader.string();
  if (text.length > MAX_TEXT) throw new RangeError("a text that is too long for what it is");
  return text;
}

function readSeconds(reader: WireReader): bigint | undefined {
  let seconds: bigint | undefined;
  eachNested(reader, (number) => {
    if (number !== TimeSchema.field.seconds.number) return false;
    seconds = reader.int64();
    return true;
  });
  return seconds;
}

function readStatus(reader: WireReader, head: PodHead): void {
  eachNested(reader, (number) => {
    if (number === status.phase.number) head.phase = readText(reader);
    else if (CONTAINERS.has(number)) head.running = readIsRunning(reader) || head.running;
    else return false;
    return true;
  });
}

function readIsRunning(reader: WireReader): boolean {
  let running = false;
  eachNested(reader, (number) => {
    if (number !== ContainerStatusSchema.field.state.number) return false;
    eachNested(reader, (inner) => {
      if (inner === ContainerStateSchema.field.running.number) running = true;
      return false;
    });
    return true;
  });
  return running;
}

function eachNested(reader: WireReader, visit: (number: number) => boolean): void {
  const length = reader.uint32();
  if (reader.pos + length > reader.length) throw new RangeError("length past the end");
  eachField(reader, length, visit);
}

/** Calls `visit` for each field; what it does not read (false) is skipped. */
function eachField(reader: WireReader, length: number, visit: (number: number) => boolean): void {
  const end = reader.pos + length;
  while (reader.pos < end) {
    const tag = reader.tag();
    if (!visit(tag >>> 3)) reader.skip(tag, MAX_DEPTH);
  }
  if (reader.pos > end) throw new RangeError("field past the end of its message");
}
