/// <reference types="node" preserve="true" />

/**
 * A source of pods over any transport of connect, a transport for connect's own clients on the kubelet's socket, and the generated services.
 *
 * @module kubelet-pods/connect
 * @group Reference
 */

export { PodResourcesLister } from "../gen/podresources/podresources_pb.js";
export { EventType, Pods } from "../gen/v1alpha1/pods_pb.js";
export { connectSource } from "./connect-source.js";
export { type KubeletTransport, type KubeletTransportOptions, kubeletTransport } from "./kubelet-transport.js";
