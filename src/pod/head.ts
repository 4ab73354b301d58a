import { hasEnded, isStaticSource } from "./lifecycle.js";
import { type PodMask, parsePodMask } from "./mask.js";

/** The facts by which a watch keys and judges a pod; read without decoding the rest. */
export interface PodHead {
  uid: string;
  namespace: string;
  name: string;
  /** Seconds since 1970; undefined where there is no creation time, as with static pods. */
  created: number | undefined;
  terminating: boolean;
  /** The annotation `kubernetes.io/config.source`: api, file or http; undefined where there is none. */
  source: string | undefined;
  /** The annotation `kubernetes.io/config.seen`; empty where there is none. */
  seen: string;
  phase: string;
  /** Whether a container of any kind is in state running. */
  running: boolean;
  /** Whether there is a status of any container. */
  hasStatuses: boolean;
  /** Whether something else than the kubelet has to be done before its object goes. */
  hasFinalizers: boolean;
  /** How long its containers have to end once it is deleted, in seconds; undefined where it says nothing. */
  graceSeconds: number | undefined;
}

/** The facts of a head, each a number, so that a table of field numbers can hold them. */
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

const CONTAINER: HeadFields = { name: FACT.status, state: { running: FACT.running } };

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
    initContainerStatuses: CONTAINER,
    containerStatuses: CONTAINER,
    ephemeralContainerStatuses: CONTAINER,
  },
};

function* pathsOf(fields: HeadFields, before = ""): Generator<string, void, undefined> {
  for (const [name, fact] of Object.entries(fields)) {
    if (typeof fact === "number") yield before + name;
    else yield* pathsOf(fact, `${before}${name}.`);
  }
}

/** The fields that a head is read from: sent to a kubelet with what readers want. */
export const HEAD_MASK: PodMask = parsePodMask([...pathsOf(HEAD_FIELDS)].join(","));

/** Returns whether a pod in this state is finished, by that alone: of one that is known its entry says whether this status counts. */
export function isFinishedHead({ phase, running }: PodHead): boolean {
  return hasEnded(phase, running);
}

/** Returns whether the pod comes from a file or a URL of the kubelet's: only such UIDs recur. */
export function isStaticHead({ source }: PodHead): boolean {
  return isStaticSource(source);
}
