import { createHash } from "node:crypto";
import { clone, create, isMessage } from "@bufbuild/protobuf";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import {
  type Pod as Message,
  PodSchema,
  PodSpecSchema,
  PodStatusSchema,
  TolerationSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import type { Pod } from "../gen/pod-types.js";
import { type FromJsonOptions, fromKubernetesJson } from "../pod/from-json.js";
import type { PodJson } from "../pod/json-types.js";
import { HASH_ANNOTATION, MIRROR_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import type { PodMessage } from "../pod/pod.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { printable } from "../printable.js";
import { canonicalizeQuantities } from "./canonical-quantity.js";

/** A pod as tests and files give it: Kubernetes JSON, or a message. */
export type PodInput = PodJson | Pod | Message;

/** Copies the pod that was given, and fills in what it lacks: metadata, a spec, a status and its phase. */
export function copyOf(input: PodInput, json: FromJsonOptions = {}): PodMessage {
  const pod: Message = isMessage(input as Message, PodSchema)
    ? clone(PodSchema, input as Message)
    : fromJson(input as PodJson, json);
  pod.metadata ??= create(ObjectMetaSchema);
  pod.spec ??= create(PodSpecSchema);
  pod.status ??= create(PodStatusSchema);
  pod.status.phase ||= "Pending"; // as every pod's is that nothing has happened to
  canonicalizeQuantities(pod);
  return pod as PodMessage;
}

/** Reads a pod of many; an error names it. */
function fromJson(input: PodJson, json: FromJsonOptions): PodMessage {
  try {
    return fromKubernetesJson(input, json);
  } catch (error) {
    const { name } = (input?.metadata ?? {}) as { name?: unknown };
    if (!PodsError.is(error) || typeof name !== "string") throw error;
    throw invalidArgument(`pod ${printable(name, 100)}: ${error.rawMessage}`, error.hint);
  }
}

/**
 * Copies a pod as a kubelet serves it. A mirror pod, which is what the API server has of a static pod, becomes that static
 * pod: its UID is the hash of the manifest.
 */
export function toPod(input: PodInput, json: FromJsonOptions): PodMessage {
  const pod = copyOf(input, json);
  const { metadata } = pod;
  const hash = metadata.annotations[HASH_ANNOTATION];
  if (metadata.annotations[MIRROR_ANNOTATION] !== undefined && hash !== undefined) {
    delete metadata.annotations[MIRROR_ANNOTATION];
    metadata.annotations[SOURCE_ANNOTATION] ??= "file";
    metadata.uid = hash;
    // What the API server has added to it the kubelet does not know.
    const ofServer = { ownerReferences: [], managedFields: [], resourceVersion: "", generation: 0n };
    Object.assign(metadata, ofServer, { creationTimestamp: undefined });
  }
  if (metadata.uid === "")
    throw refused(pod, "metadata.uid is missing", "a pod that runs on a node has one: any text will do");
  return pod;
}

/** The name of the node, as the sample node has it. */
export const NODE_NAME = "node-1";

/**
 * Makes a pod of a manifest, as the kubelet reads it from a file (applyDefaults in pkg/kubelet/config/common.go): with the node in its
 * name, on the node, in the namespace default where it names none, not to be evicted, and with the manifest's hash as its UID where it
 * has none. Another release hashes otherwise.
 */
export function toStaticPod(input: PodInput, json: FromJsonOptions, release: string, now: Date): PodMessage {
  const pod = copyOf(input, json);
  const { metadata, spec } = pod;
  const { status: _, ...manifest } = toKubernetesJson(pod);
  const hashed = `${release} host:${NODE_NAME} ${JSON.stringify(manifest)}`;
  metadata.uid ||= createHash("sha256").update(hashed).digest("hex").slice(0, 32);
  metadata.name = `${metadata.name}-${NODE_NAME}`;
  metadata.namespace ||= "default";
  metadata.annotations = {
    ...metadata.annotations,
    [HASH_ANNOTATION]: metadata.uid,
    ...stampOf("file", now),
  };
  spec.nodeName = NODE_NAME;
  if (
    !spec.tolerations.some(({ key, operator, effect }) => key === "" && operator === "Exists" && effect === NO_EXECUTE)
  )
    spec.tolerations.push(create(TolerationSchema, { operator: "Exists", effect: NO_EXECUTE }));
  return pod;
}

const NO_EXECUTE = "NoExecute";

/** Returns the annotations that a kubelet process puts on each pod: when it first saw the pod, and the pod's source. */
export const stampOf = (source: "api" | "file", now: Date): Readonly<Record<string, string>> => ({
  [SEEN_ANNOTATION]: now.toISOString(),
  [SOURCE_ANNOTATION]: source,
});

/** Puts these annotations on a pod that lacks them. */
export function stamp({ metadata }: PodMessage, annotations: Readonly<Record<string, string>>): void {
  for (const name of [SEEN_ANNOTATION, SOURCE_ANNOTATION]) {
    const value = annotations[name];
    if (value !== undefined) metadata.annotations[name] ??= value;
  }
}

/** Makes an error that names the pod. */
export function refused({ metadata }: PodMessage, why: string, hint?: string): PodsError {
  return invalidArgument(`pod ${printable(`${metadata.namespace}/${metadata.name}`, 100)}: ${why}`, hint);
}
