import type * as wire from "../gen/podresources/podresources_pb.js";

/** Resources of a pod of this node, as plain data. The API has no UID; it identifies pods by namespace and name. */
export interface PodResources {
  /** The namespace of the pod. */
  readonly namespace: string;
  /** The name of the pod. */
  readonly name: string;
  /** Resources of the containers and sidecars of the pod. */
  readonly containers: readonly ContainerResources[];
  /**
   * CPUs of the pod as a whole, which include those of its containers. Empty before Kubernetes 1.37, and without the feature gate
   * `PodLevelResourceManagers`.
   */
  readonly cpuIds: readonly number[];
  /** Memory of the pod as a whole, which includes that of its containers. Empty in the same cases as `cpuIds`. */
  readonly memory: readonly MemoryBlock[];
}

/** The resources of a container. */
export interface ContainerResources {
  /** The name of the container. */
  readonly name: string;
  /** Devices of device plugins. */
  readonly devices: readonly DeviceGroup[];
  /** Exclusive CPUs of this container; empty if it only runs on shared ones. */
  readonly cpuIds: readonly number[];
  /** Pinned memory and huge pages. */
  readonly memory: readonly MemoryBlock[];
  /** Claims of the container for dynamic resource allocation. */
  readonly claims: readonly ResourceClaim[];
}

/** Devices of one resource on the same NUMA nodes. */
export interface DeviceGroup {
  /** The name of the resource, such as `nvidia.com/gpu`. */
  readonly resourceName: string;
  /** IDs of the devices, as the device plugin names them. */
  readonly deviceIDs: readonly string[];
  /** NUMA nodes close to the devices. Empty if they are not known. */
  readonly numaNodes: readonly number[];
}

/** A block of memory on one or more NUMA nodes. */
export interface MemoryBlock {
  /** `memory`, or a size of huge pages, such as `hugepages-2Mi`. */
  readonly type: string;
  /** The size, in bytes. */
  readonly sizeBytes: number;
  /** NUMA nodes of the memory. */
  readonly numaNodes: readonly number[];
}

/** A claim, and its devices. */
export interface ResourceClaim {
  /** The namespace of the claim. */
  readonly namespace: string;
  /** The name of the claim. */
  readonly name: string;
  /** Devices that the container gets from this claim. */
  readonly devices: readonly ClaimedDevice[];
}

/** A device from dynamic resource allocation. */
export interface ClaimedDevice {
  /** The driver, such as `gpu.example.com`. */
  readonly driver: string;
  /** Pool of the driver in which the device is. */
  readonly pool: string;
  /** Name of the device in the pool. */
  readonly device: string;
  /** ID of the share of the device. Undefined for the whole device. */
  readonly shareId: string | undefined;
  /** Names for the container runtime, such as `vendor.com/gpu=gpu1`. */
  readonly cdiDevices: readonly string[];
}

/** The allocatable resources of the node, whether they are assigned or not. */
export interface AllocatableResources {
  /** Devices of device plugins. */
  readonly devices: readonly DeviceGroup[];
  /** CPUs that can be assigned exclusively. */
  readonly cpuIds: readonly number[];
  /** Memory and huge pages that can be pinned. */
  readonly memory: readonly MemoryBlock[];
}

export function podResources(pod: wire.PodResources): PodResources {
  return {
    namespace: pod.namespace,
    name: pod.name,
    containers: pod.containers.map(containerResources),
    cpuIds: pod.cpuIds.map(Number),
    memory: pod.memory.map(memoryBlock),
  };
}

export function allocatableResources(answer: wire.AllocatableResourcesResponse): AllocatableResources {
  const { devices, cpuIds, memory } = answer;
  return { devices: deviceGroups(devices), cpuIds: cpuIds.map(Number), memory: memory.map(memoryBlock) };
}

function containerResources(container: wire.ContainerResources): ContainerResources {
  return {
    name: container.name,
    devices: deviceGroups(container.devices),
    cpuIds: container.cpuIds.map(Number),
    memory: container.memory.map(memoryBlock),
    claims: container.dynamicResources.map(resourceClaim),
  };
}

/**
 * Groups devices by resource and NUMA nodes. The kubelet lists a device once for each of its nodes, in any order
 * (containerDevicesFromResourceDeviceInstances in pkg/kubelet/cm/container_manager_linux.go).
 */
function deviceGroups(devices: readonly wire.ContainerDevices[]): DeviceGroup[] {
  // The nodes of each device, by resource and ID.
  const resources = new Map<string, Map<string, Set<number>>>();
  for (const { resourceName, deviceIds, topology } of devices) {
    const nodesOf = resources.get(resourceName) ?? new Map<string, Set<number>>();
    resources.set(resourceName, nodesOf);
    const shared = numaNodes(topology);
    for (const id of deviceIds) {
      const nodes = nodesOf.get(id) ?? new Set();
      for (const node of shared) nodes.add(node);
      nodesOf.set(id, nodes);
    }
  }
  return [...resources].flatMap(([resourceName, nodesOf]) => {
    const groups = new Map<string, { resourceName: string; deviceIDs: string[]; numaNodes: number[] }>();
    for (const [id, nodes] of nodesOf) {
      const numaNodes = [...nodes].sort((a, b) => a - b);
      const group = groups.get(numaNodes.join()) ?? { resourceName, deviceIDs: [], numaNodes };
      group.deviceIDs.push(id);
      groups.set(numaNodes.join(), group);
    }
    return [...groups.values()];
  });
}

function memoryBlock({ memoryType, size, topology }: wire.ContainerMemory): MemoryBlock {
  return { type: memoryType, sizeBytes: Number(size), numaNodes: numaNodes(topology) };
}

function numaNodes(topology: wire.TopologyInfo | undefined): number[] {
  return topology?.nodes.map(({ ID }) => Number(ID)) ?? [];
}

function resourceClaim({ claimNamespace, claimName, claimResources }: wire.DynamicResource): ResourceClaim {
  return {
    namespace: claimNamespace,
    name: claimName,
    devices: claimResources.map(({ driverName, poolName, deviceName, shareId, cdiDevices }) => ({
      driver: driverName,
      pool: poolName,
      device: deviceName,
      shareId,
      cdiDevices: cdiDevices.map(({ name }) => name),
    })),
  };
}
