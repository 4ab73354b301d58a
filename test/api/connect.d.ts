/// <reference types="node" />
export { PodResourcesLister } from './gen/podresources/podresources_pb.js';
export { EventType,
  Pods } from './gen/v1alpha1/pods_pb.js';
export { KubeletTransport,
  KubeletTransportOptions,
  connectSource,
  kubeletTransport } from './all.js';
import './gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js';
import './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import './gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js';
import './gen/k8s/io/api/core/v1/pod_pb.js';
import '@connectrpc/connect';
import '@bufbuild/protobuf/wkt';
import './gen/json-keys.js';
