import { quantityToNumber } from "../pod/quantity.js";
import type { DeviceGroup } from "../podresources/pod-resources.js";
import type { ReferenceKubelet } from "../testing/reference-kubelet.js";

/** Names of Kubernetes' own resources, which are no devices. */
const NO_DEVICES = /^(?:.*\.)?kubernetes\.io\//;

/** Limits above this number do not count as devices or processors. */
const MAX_DEVICES = 64;

/** The number of processors that are left free. */
const FREE_CPUS = 4;

/**
 * Assigns containers the devices of their limits, such as `nvidia.com/gpu: 1`, and leaves two of each resource free, on two NUMA nodes.
 * Containers of Guaranteed pods with a whole number of processors get exclusive ones, as from the static CPU manager.
 *
 * @returns the number of assigned devices.
 */
export function giveDevices(kubelet: ReferenceKubelet): number {
  const counts = new Map<string, number>();
  const groups: DeviceGroup[] = [];
  const take = (resourceName: string, count: number): DeviceGroup[] =>
    Array.from({ length: count }, () => {
      const number = counts.get(resourceName) ?? 0;
      counts.set(resourceName, number + 1);
      const device = {
        resourceName,
        deviceIDs: [`${resourceName.replace(/^.*\//, "")}-${number}`],
        numaNodes: [number % 2],
      };
      groups.push(device);
      return device;
    });
  let cpus = 0;
  for (const { metadata, spec, status } of kubelet.pods) {
    if (status.phase === "Succeeded" || status.phase === "Failed") continue;
    for (const { name, resources } of spec.containers) {
      const limits = Object.entries(resources?.limits ?? {});
      const devices = limits.flatMap(([resourceName, quantity]) => {
        const count = quantityToNumber(quantity) ?? 0;
        const isDevice = resourceName.includes("/") && !NO_DEVICES.test(resourceName) && count <= MAX_DEVICES;
        return isDevice ? take(resourceName, Math.trunc(count)) : [];
      });
      const cpu = quantityToNumber(resources?.limits["cpu"]) ?? 0;
      const isExclusive = status.qosClass === "Guaranteed" && Number.isInteger(cpu) && cpu <= MAX_DEVICES;
      const cpuIds = Array.from({ length: isExclusive ? cpu : 0 }, () => cpus++);
      if (devices.length + cpuIds.length > 0) kubelet.assignResources(metadata.uid, name, { devices, cpuIds });
    }
  }
  const given = groups.length;
  for (const resourceName of [...counts.keys()]) take(resourceName, 2);
  kubelet.setAllocatable({ devices: groups, cpuIds: Array.from({ length: cpus + FREE_CPUS }, (_, i) => i) });
  return given;
}
