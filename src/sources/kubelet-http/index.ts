/// <reference types="node" preserve="true" />

/**
 * Pods from the kubelet's HTTP server, for nodes whose kubelets have no Pods API.
 *
 * @module kubelet-pods/kubelet-http
 * @group Reference
 */

export type { KubeletHttpOptions } from "./http-options.js";
export { kubeletHttp } from "./http-source.js";
