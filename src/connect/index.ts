/// <reference types="node" preserve="true" />

/**
 * A Connect transport over the kubelet's socket, a source of pods over any Connect transport, and the generated services. Connect's types need
 * `"dom"` in `lib` of tsconfig.json, or `skipLibCheck`.
 *
 * @module kubelet-pods/connect
 * @group Reference
 */

export { PodResourcesLister } from "../gen/podresources/podresources_pb.js";
export { EventType, Pods } from "../gen/v1alpha1/pods_pb.js";
export { connectSource } from "./connect-source.js";
export { type KubeletTransport, type KubeletTransportOptions, kubeletTransport } from "./kubelet-transport.js";
