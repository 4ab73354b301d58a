/// <reference types="node" preserve="true" />

/**
 * The kubelet's podresources API: which container has which devices, CPUs and memory.
 *
 * @module kubelet-pods/podresources
 * @group Reference
 */

export type { CpuGroup, FreeResources } from "./free-resources.js";
export type { IdentifiedPod } from "./holdings.js";
export { type Assignment, joinPodResources, type NamedPod } from "./join.js";
export type {
  AllocatableResources,
  ClaimedDevice,
  ContainerResources,
  DeviceGroup,
  MemoryBlock,
  PodResources,
  ResourceClaim,
} from "./pod-resources.js";
export { PodResourcesClient, type PodResourcesProbe } from "./pod-resources-client.js";
export {
  PodResourcesInformer,
  type PodResourcesInformerOptions,
  type PodResourcesInformerState,
  type PodsView,
  type PodsViewEvent,
} from "./pod-resources-informer.js";
