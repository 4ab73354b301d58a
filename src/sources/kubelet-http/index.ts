/// <reference types="node" preserve="true" />

/**
 * Pods from the kubelet's HTTP server, for nodes whose kubelet does not serve the Pods API; also the kubelet's configuration, statistics,
 * logs and metrics.
 *
 * @module kubelet-pods/kubelet-http
 * @group Reference
 */

export type { KubeletHttpOptions } from "./http-options.js";
export { kubeletHttp } from "./http-source.js";
export type {
  ContainerStats,
  CpuStats,
  FsStats,
  KubeletConfig,
  MemoryStats,
  PodStats,
  StatsSummary,
} from "./kubelet-answers.js";
export {
  type ContainerLogsOptions,
  type HttpCallOptions,
  KubeletHttpClient,
  type KubeletMetricsOf,
} from "./kubelet-http-client.js";
