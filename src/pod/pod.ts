import type { Pod as PodMessage, PodSpec, PodStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { ObjectMeta } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";

/**
 * A whole pod. Its `metadata`, `spec` and `status` are always there, as in Kubernetes' own Go types: those that a message
 * leaves out are filled in, empty.
 */
export interface Pod extends PodMessage {
  /** The pod's identity, labels and annotations. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec: PodSpec;
  /** The observed state. */
  status: PodStatus;
}
