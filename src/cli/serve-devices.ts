import { quantityToNumber } from "../pod/quantity.js";
import type { DeviceGroup } from "../podresources/pod-resources.js";
import type { ReferenceKubelet } from "../testing/reference-kubelet.js";

/** Names of Kubernetes' own resources, which are no devices. */
const NO_DEVICES = /^(?:.*\.)?kubernetes\.io\//;

/** Limits above this number do not count as devices. */
const MAX_DEVICES = 64;

/**
 * Gives containers the devices that their limits ask for, such as `nvidia.com/gpu: 1`, and leaves two of each resource free, on two NUMA
 * nodes. If no limits ask for devices, the first container of a StatefulSet gets a disk.
 *
 * @returns how many devices were given.
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
  for (const { metadata, spec, status } of kubelet.pods) {
    if (status.phase === "Succeeded" || status.phase === "Failed") continue;
    for (const { name, resources } of spec.containers) {
      const devices = Object.entries(resources?.limits ?? {}).flatMap(([resourceName, quantity]) => {
        const count = quantityToNumber(quantity) ?? 0;
        const isDevice = resourceName.includes("/") && !NO_DEVICES.test(resourceName) && count <= MAX_DEVICES;
        return isDevice ? take(resourceName, Math.trunc(count)) : [];
      });
      if (devices.length > 0) kubelet.assignResources(metadata.uid, name, { devices });
    }
  }
  if (groups.length === 0) {
    const owned = kubelet.pods.find(({ metadata }) =>
      metadata.ownerReferences.some(({ kind }) => kind === "StatefulSet"),
    );
    const [container] = owned?.spec.containers ?? [];
    if (owned !== undefined && container !== undefined) {
      kubelet.assignResources(owned.metadata.uid, container.name, { devices: take("example.com/disk", 1) });
    }
  }
  const given = groups.length;
  for (const resourceName of [...counts.keys()]) take(resourceName, 2);
  kubelet.setAllocatable({ devices: groups });
  return given;
}
