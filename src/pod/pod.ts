import type { Pod as Message, PodSpec, PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ObjectMeta } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

/**
 * A pod: the message that Buf generates, with `metadata`, `spec` and `status` always present, as in Kubernetes' Go types. Functions of
 * protobuf-es take it with the descriptors of `kubelet-pods/schema`: `toBinary(PodSchema, pod)`.
 *
 * Treat pods of events and informers as read-only: several readers share them. `clone(PodSchema, pod)` makes a copy.
 */
export interface Pod extends Message {
  /** Identity of the pod: its name, UID, labels, annotations and owner. */
  metadata: ObjectMeta;
  /** Desired state. */
  spec: PodSpec;
  /** Observed state. */
  status: PodStatus;
}
