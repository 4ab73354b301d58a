import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Pod } from "../pod/pod.js";

const encoded = new WeakMap<Pod, Uint8Array<ArrayBuffer>>();

/** Returns the encoded pod. The bytes are cached, because a pod of the store is never changed. */
export function encodePod(pod: Pod): Uint8Array<ArrayBuffer> {
  const bytes = encoded.get(pod) ?? toBinary(PodSchema, pod);
  encoded.set(pod, bytes);
  return bytes;
}

/** Returns a pod with only its identity, which is all that DELETED carries (OnPodRemoved in pkg/kubelet/apis/pods/server.go). */
export function identityOf({ metadata: { name, namespace, uid } }: Pod): Pod {
  return create(PodSchema, { metadata: { name, namespace, uid }, spec: {}, status: {} }) as Pod; // Go encodes an empty spec and status
}
