import type { Pod, PodSpec, PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ObjectMeta } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

/**
 * A whole, writable pod, as a message of protobuf-es (`toBinary(PodSchema, pod)`). Its `metadata`, `spec` and `status` are always there, as
 * in Kubernetes' own Go types.
 */
export interface PodMessage extends Pod {
  /** Identity of the pod. Its name, UID, labels, annotations and owner. */
  metadata: ObjectMeta;
  /** Desired state. */
  spec: PodSpec;
  /** Observed state. */
  status: PodStatus;
}
