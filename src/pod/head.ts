import { hasEnded, isStaticSource } from "./lifecycle.js";
import { type PodMask, podMask } from "./mask.js";

/** Fields that identify a pod and show its state for a watch. They are read without decoding the rest of the pod. */
export interface PodHead {
  uid: string;
  namespace: string;
  name: string;
  /** Creation time in seconds since 1970. Undefined if there is none, as for static pods. */
  created: number | undefined;
  terminating: boolean;
  /** The annotation `kubernetes.io/config.source`: api, file or http; undefined if there is none. */
  source: string | undefined;
  /** The annotation `kubernetes.io/config.seen`; empty if there is none. */
  seen: string;
  phase: string;
  /** True if a container of any kind is running. */
  running: boolean;
  /** True if there is a status of any container. */
  hasStatuses: boolean;
  /** True if the pod has finalizers. Then its object still exists when the kubelet has finished with it. */
  hasFinalizers: boolean;
  /** Grace period of the deletion in seconds, otherwise that of the spec. Undefined if neither is set. */
  graceSeconds: number | undefined;
}

/** Facts of a head, as numbers for tables by field number. */
export const FACT = {
  none: 0,
  uid: 1,
  name: 2,
  namespace: 3,
  phase: 4,
  created: 5,
  terminating: 6,
  deletionGrace: 7,
  terminationGrace: 8,
  annotation: 9,
  running: 10,
  status: 11,
  finalizer: 12,
} as const;

/** The fields that facts are read from, by name. */
export interface HeadFields {
  readonly [field: string]: number | HeadFields;
}

const CONTAINER_FIELDS: HeadFields = { name: FACT.status, state: { running: FACT.running } };

/** The fields of a pod that its head is read from. */
export const HEAD_FIELDS: HeadFields = {
  metadata: {
    uid: FACT.uid,
    name: FACT.name,
    namespace: FACT.namespace,
    creationTimestamp: FACT.created,
    deletionTimestamp: FACT.terminating,
    deletionGracePeriodSeconds: FACT.deletionGrace,
    annotations: FACT.annotation,
    finalizers: FACT.finalizer,
  },
  spec: { terminationGracePeriodSeconds: FACT.terminationGrace },
  status: {
    phase: FACT.phase,
    initContainerStatuses: CONTAINER_FIELDS,
    containerStatuses: CONTAINER_FIELDS,
    ephemeralContainerStatuses: CONTAINER_FIELDS,
  },
};

function* pathsOf(fields: HeadFields, before = ""): Generator<string, void, undefined> {
  for (const [name, fact] of Object.entries(fields)) {
    if (typeof fact === "number") yield before + name;
    else yield* pathsOf(fact, `${before}${name}.`);
  }
}

/** Mask of the fields that a head is read from. Every mask that is sent to the kubelet includes it. */
export const HEAD_MASK: PodMask = podMask.parse([...pathsOf(HEAD_FIELDS)].join(","));

/** Returns true if the head alone shows that the pod has finished. For a known pod use `hasFinished` of known/record. */
export function isFinishedHead({ phase, running }: PodHead): boolean {
  return hasEnded(phase, running);
}

/** Returns true if the pod comes from a file or URL of the kubelet. Only such a pod can come back under its UID. */
export function isStaticHead({ source }: PodHead): boolean {
  return isStaticSource(source);
}

/** Returns the creation time of a pod, in milliseconds; for a static pod, the time at which the kubelet first saw it. 0 if unknown. */
export function startMs({ created, seen }: PodHead): number {
  if (created !== undefined) return Number(created) * 1_000;
  const seenMs = Date.parse(seen);
  return Number.isNaN(seenMs) ? 0 : seenMs;
}
