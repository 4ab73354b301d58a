/// <reference types="node" preserve="true" />

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
