/**
 * The Pod schema as Buf generates it: each message as a type (`Container`, `ContainerStatus`, `Volume` and so on) and as a descriptor
 * (`PodSchema`) for functions of protobuf-es, such as `toBinary(PodSchema, pod)`. The pods that the client returns are such messages.
 * Importing types has no run-time cost. The first import of a descriptor loads protobuf-es, which the main entry does not load.
 *
 * @module kubelet-pods/schema
 * @group Reference
 */

export * from "./gen/k8s/io/api/core/v1/pod_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
