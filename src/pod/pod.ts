import type { Pod as PodMessage, PodSpec, PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ObjectMeta } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

/**
 * A whole pod. Its `metadata`, `spec` and `status` are always there, as in Kubernetes' own Go types: those that a message
 * leaves out are filled in, empty.
 */
export interface Pod extends PodMessage {
  /** Identity of the pod. Its name, UID, labels, annotations and owner. */
  metadata: ObjectMeta;
  /** Desired state. After a resize that the kubelet has not allocated yet, it may be ahead of what runs. */
  spec: PodSpec;
  /** Observed state. Believe it, and not the spec, about what runs. */
  status: PodStatus;
}
