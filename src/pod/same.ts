import { createRegistry, equals } from "@bufbuild/protobuf";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodePod } from "./decode.js";

/** When a kubelet process first saw the pod: differs on every pod after each restart, and says nothing about it. */
const BOOKKEEPING = "kubernetes.io/config.seen";

/** Unknown fields count too: a newer kubelet's are as real as ours. */
const EVERYTHING = { unknown: true, registry: createRegistry() };

/**
 * Whether two serialized pods say the same: equal bytes, or equal content but for the kubelet's bookkeeping. Within one
 * kubelet build equal pods have equal bytes, so the second look is rare.
 *
 * @throws where one of them cannot be decoded.
 */
export function sameContent(a: Uint8Array, b: Uint8Array): boolean {
  if (sameBytes(a, b)) return true;
  return equals(PodSchema, withoutBookkeeping(a), withoutBookkeeping(b), EVERYTHING);
}

/** Whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

function withoutBookkeeping(bytes: Uint8Array): Pod {
  const pod = decodePod(bytes);
  if (pod.metadata !== undefined) delete pod.metadata.annotations[BOOKKEEPING];
  return pod;
}
