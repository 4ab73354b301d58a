/// <reference types="node" preserve="true" />

/**
 * The kubelet's podresources API: which container has which devices, CPUs and memory.
 *
 * @module kubelet-pods/podresources
 * @group Reference
 */

export { type CpuGroup, type FreeResources, freeResources } from "./free-resources.js";
export { type Assignment, joinPodResources, type NamedPod } from "./join.js";
export { numaNodesOfCpus } from "./numa.js";
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
