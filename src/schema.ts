/**
 * The messages of a pod as protobuf-es knows them, for those who write them (`toBinary(PodSchema, pod)`) or read others. It loads
 * protobuf's run time, which the main entry does without.
 *
 * @module kubelet-pods/schema
 * @group Reference
 */

export * from "./gen/k8s/io/api/core/v1/pod_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
export * from "./gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js";
