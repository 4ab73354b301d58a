/// <reference types="node" preserve="true" />
export { PodResourcesLister } from "../gen/podresources/podresources_pb.js";
export { EventType, Pods } from "../gen/v1alpha1/pods_pb.js";
export { type KubeletTransport, type KubeletTransportOptions, kubeletTransport } from "./kubelet-transport.js";
