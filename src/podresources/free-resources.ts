import type { AllocatableResources, DeviceGroup, MemoryBlock, PodResources } from "./pod-resources.js";

/** CPUs of one NUMA node. */
export interface CpuGroup {
  /** The kernel's numbers of the CPUs, sorted. */
  readonly cpuIds: readonly number[];
  /** NUMA node of the CPUs. Empty if it is not known. */
  readonly numaNodes: readonly number[];
}

/** Free resources that can be assigned exclusively. */
export interface FreeResources {
  /** Devices of device plugins, by resource and NUMA nodes. */
  readonly devices: readonly DeviceGroup[];
  /** CPUs, by NUMA node. Empty unless the kubelet's CPU manager is `static`. */
  readonly cpus: readonly CpuGroup[];
  /**
   * Memory and huge pages, by type and NUMA nodes. Empty unless the kubelet's memory manager is `Static`. If memory of several nodes is
   * assigned together, the share of each node is not known, and these nodes form one entry.
   */
  readonly memory: readonly MemoryBlock[];
}

/**
 * Returns the free resources of a node. Containers without exclusive CPUs run on the free CPUs. Read the assigned resources after the
 * allocatable ones, so that a pod admitted in between is counted.
 *
 * @param numaNodeOfCpu the NUMA node of each CPU, from {@link numaNodesOfCpus}. Without it, the NUMA nodes of CPUs are empty.
 * @example
 * ```ts
 * const free = freeResources(await resources.getAllocatableResources(), await resources.list(), await numaNodesOfCpus());
 * for (const { resourceName, deviceIDs, numaNodes } of free.devices) console.log(resourceName, deviceIDs, numaNodes);
 * ```
 */
export function freeResources(
  { devices, cpuIds, memory }: AllocatableResources,
  assigned: readonly PodResources[],
  numaNodeOfCpu: ReadonlyMap<number, number> = new Map(),
): FreeResources {
  return {
    devices: freeDevices(devices, assigned),
    cpus: freeCpus(cpuIds, assigned, numaNodeOfCpu),
    memory: freeMemory(memory, assigned),
  };
}

function freeDevices(allocatable: readonly DeviceGroup[], given: readonly PodResources[]): DeviceGroup[] {
  const taken = new Set(
    given.flatMap(({ containers }) => containers.flatMap(({ devices }) => devices.flatMap(deviceKeys))),
  );
  return allocatable.flatMap((group) => {
    const keys = deviceKeys(group);
    const deviceIDs = group.deviceIDs.filter((_, i) => !taken.has(keys[i] as string));
    return deviceIDs.length === 0 ? [] : [{ ...group, deviceIDs }];
  });
}

function deviceKeys({ resourceName, deviceIDs }: DeviceGroup): string[] {
  return deviceIDs.map((id) => `${resourceName}\0${id}`);
}

function freeCpus(
  allocatable: readonly number[],
  given: readonly PodResources[],
  nodeOf: ReadonlyMap<number, number>,
): CpuGroup[] {
  const taken = new Set(
    given.flatMap(({ cpuIds, containers }) => [...cpuIds, ...containers.flatMap((container) => container.cpuIds)]),
  );
  const byNode = new Map<number | undefined, number[]>();
  for (const cpu of [...new Set(allocatable)].sort((a, b) => a - b)) {
    if (taken.has(cpu)) continue;
    const node = nodeOf.get(cpu);
    const cpus = byNode.get(node) ?? [];
    byNode.set(node, cpus);
    cpus.push(cpu);
  }
  return [...byNode]
    .sort(([a = Number.POSITIVE_INFINITY], [b = Number.POSITIVE_INFINITY]) => a - b)
    .map(([node, cpuIds]) => ({ cpuIds, numaNodes: node === undefined ? [] : [node] }));
}

function freeMemory(allocatable: readonly MemoryBlock[], given: readonly PodResources[]): MemoryBlock[] {
  // The kubelet reports memory of a type that a whole pod has in addition to that of its containers, which is a part of it.
  const taken = given.flatMap(({ memory, containers }) => {
    const shared = new Set(memory.map(({ type }) => type));
    const own = containers.flatMap((container) => container.memory).filter(({ type }) => !shared.has(type));
    return [...memory, ...own];
  });
  const types = [...new Set(allocatable.map(({ type }) => type))];
  return types.flatMap((type) => {
    const isOfType = (block: MemoryBlock) => block.type === type;
    return freeOfType(type, allocatable.filter(isOfType), taken.filter(isOfType));
  });
}

/** Nodes from which memory was assigned together, and the memory that is left on them. */
interface Tied {
  nodes: Set<number>;
  sizeBytes: number;
}

function freeOfType(type: string, allocatable: readonly MemoryBlock[], taken: readonly MemoryBlock[]): MemoryBlock[] {
  let all: Tied[] = [];
  const add = (numaNodes: readonly number[], sizeBytes: number) => {
    const nodes = new Set(numaNodes);
    // If the nodes are not reported, the memory may be on any node.
    const isTied = (tied: Tied) =>
      numaNodes.length === 0 || tied.nodes.size === 0 || numaNodes.some((node) => tied.nodes.has(node));
    const joined = { nodes, sizeBytes };
    for (const tied of all.filter(isTied)) {
      for (const node of tied.nodes) nodes.add(node);
      joined.sizeBytes += tied.sizeBytes;
    }
    all = [...all.filter((tied) => !isTied(tied)), joined];
  };
  for (const { numaNodes, sizeBytes } of allocatable) add(numaNodes, sizeBytes);
  for (const { numaNodes, sizeBytes } of taken) add(numaNodes, -sizeBytes);
  return all
    .filter(({ sizeBytes }) => sizeBytes > 0)
    .map(({ nodes, sizeBytes }) => ({ type, sizeBytes, numaNodes: [...nodes].sort((a, b) => a - b) }))
    .sort((a, b) => (a.numaNodes[0] ?? 0) - (b.numaNodes[0] ?? 0));
}
