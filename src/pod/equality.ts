import { createRegistry, equals } from "@bufbuild/protobuf";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodeBy, type Plan } from "./decode.js";
import { SEEN_ANNOTATION } from "./lifecycle.js";
import { sameProjection } from "./project.js";

/** Unknown fields count too: a newer kubelet's are as real as ours. */
const EVERYTHING = { unknown: true, registry: createRegistry() };

/**
 * Returns whether what a plan selects of two serialized pods says the same: equal bytes, or equal content but for the kubelet's
 * bookkeeping. One kubelet process writes equal pods as equal bytes (fields in order, map keys sorted), so between two of
 * its pods other bytes are other content; between two processes, which may be of two versions, pods are decoded for it.
 *
 * @throws where one of them cannot be decoded.
 */
export function sameContent(a: Uint8Array, b: Uint8Array, plan: Plan, oneProcess: boolean): boolean {
  if (sameBytes(a, b) || sameProjection(a, b, plan)) return true;
  if (oneProcess) return false;
  return equals(PodSchema, withoutBookkeeping(a, plan), withoutBookkeeping(b, plan), EVERYTHING);
}

/** Returns whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

function withoutBookkeeping(bytes: Uint8Array, plan: Plan): Pod {
  const pod = decodeBy(plan, bytes) as Pod;
  if (pod.metadata !== undefined) delete pod.metadata.annotations[SEEN_ANNOTATION];
  return pod;
}
