import { createHash } from "node:crypto";
import { clone, create, isMessage, toBinary } from "@bufbuild/protobuf";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import {
  type Pod as Message,
  PodSchema,
  PodSpecSchema,
  PodStatusSchema,
  TolerationSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { ObjectMetaSchema } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { decodeBy } from "../pod/decode.js";
import { type FromJsonOptions, fromKubernetesJson } from "../pod/from-json.js";
import type { PodJson } from "../pod/json-types.js";
import { HASH_ANNOTATION, MIRROR_ANNOTATION, SEEN_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import { type PodMask, resolveMask } from "../pod/mask.js";
import type { MaskInput, PodOf } from "../pod/masked-pod.js";
import type { Pod } from "../pod/pod.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { printable } from "../printable.js";
import { selectedOf } from "../protobuf/selected.js";
import { canonicalizeQuantities } from "./canonical-quantity.js";

/** A pod as input: Kubernetes JSON, or a message. */
export type PodInput = PodJson | Pod | Message;

/** Copies a pod and adds missing parts: metadata, spec, status and phase. */
export function copyOf(input: PodInput, json: FromJsonOptions = {}): Pod {
  if (typeof input === "object" && input !== null && selectedOf(input) !== undefined)
    throw invalidArgument("the pod is masked and lacks fields", "pass a whole pod");
  const pod: Message = isMessage(input as Message, PodSchema)
    ? clone(PodSchema, input as Message)
    : fromJson(input as PodJson, json);
  pod.metadata ??= create(ObjectMetaSchema);
  pod.spec ??= create(PodSpecSchema);
  pod.status ??= create(PodStatusSchema);
  pod.status.phase ||= "Pending"; // the first phase of every pod
  canonicalizeQuantities(pod);
  return pod as Pod;
}

/**
 * Returns the pod that the client would return with this mask, for unit tests of functions that take masked pods.
 *
 * @param pod Kubernetes JSON, or a message. Fields outside the mask are dropped.
 * @throws PodsError `invalid-argument` for an invalid path, or JSON that is not a pod.
 * @example
 * ```ts
 * const mask = ["metadata.name", "status.podIPs"] as const;
 * const pod = testing.maskedPod(mask, { metadata: { name: "web" }, status: { podIPs: [{ ip: "10.244.1.7" }] } });
 * ```
 */
export function maskedPod<const P extends string = never>(mask: MaskInput<P>, pod: PodInput): PodOf<P> {
  const { plan } = resolveMask(mask, "maskedPod") as PodMask;
  return decodeBy(plan, toBinary(PodSchema, copyOf(pod))) as PodOf<P>;
}

/** Reads a pod from JSON. An error names the pod, since it may be one of many. */
function fromJson(input: PodJson, json: FromJsonOptions): Pod {
  try {
    return fromKubernetesJson(input, json);
  } catch (error) {
    const { name } = (input?.metadata ?? {}) as { name?: unknown };
    if (!PodsError.is(error) || typeof name !== "string") throw error;
    throw invalidArgument(`pod ${printable(name, 100)}: ${error.rawMessage}`, error.hint);
  }
}

/**
 * Copies a pod as a kubelet serves it. A mirror pod, which stands for a static pod in the API server, becomes that static pod, with the
 * hash of the manifest as its UID.
 */
export function toPod(input: PodInput, json: FromJsonOptions): Pod {
  const pod = copyOf(input, json);
  const { metadata } = pod;
  const hash = metadata.annotations[HASH_ANNOTATION];
  if (metadata.annotations[MIRROR_ANNOTATION] !== undefined && hash !== undefined) {
    delete metadata.annotations[MIRROR_ANNOTATION];
    metadata.annotations[SOURCE_ANNOTATION] ??= "file";
    metadata.uid = hash;
    // Fields that the API server has added are unknown to the kubelet.
    const ofServer = { ownerReferences: [], managedFields: [], resourceVersion: "", generation: 0n };
    Object.assign(metadata, ofServer, { creationTimestamp: undefined });
  }
  if (metadata.uid === "") throw refused(pod, "metadata.uid is missing", "set it to any non-empty string");
  return pod;
}

export const NODE_NAME = "node-1";

/**
 * Makes a static pod from a manifest, as the kubelet does for a file (applyDefaults in pkg/kubelet/config/common.go). Adds the node to the
 * pod's name, assigns the pod to the node, and protects it from eviction. The default namespace is `default`, and the default UID is the
 * hash of the manifest.
 */
export function toStaticPod(input: PodInput, json: FromJsonOptions, hash: string, now: Date): Pod {
  const pod = copyOf(input, json);
  const { metadata, spec } = pod;
  const { status: _, ...manifest } = toKubernetesJson(pod);
  const hashed = `${hash} host:${NODE_NAME} ${JSON.stringify(manifest)}`;
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

/** Returns the annotations that a kubelet process puts on each pod: the time at which it first saw the pod, and the pod's source. */
export const stampOf = (source: "api" | "file", now: Date): Readonly<Record<string, string>> => ({
  [SEEN_ANNOTATION]: now.toISOString(),
  [SOURCE_ANNOTATION]: source,
});

/** Adds these annotations to a pod, unless it has them. */
export function stamp({ metadata }: Pod, annotations: Readonly<Record<string, string>>): void {
  for (const name of [SEEN_ANNOTATION, SOURCE_ANNOTATION]) {
    const value = annotations[name];
    if (value !== undefined) metadata.annotations[name] ??= value;
  }
}

/** Makes an error that names the pod. */
export function refused({ metadata }: Pod, why: string, hint?: string): PodsError {
  return invalidArgument(`pod ${printable(`${metadata.namespace}/${metadata.name}`, 100)}: ${why}`, hint);
}
