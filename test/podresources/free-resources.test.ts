// What of a node's devices, CPUs and memory can still be assigned.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DeviceGroup,
  freeResources,
  type MemoryBlock,
  numaNodesOfCpus,
  type PodResources,
} from "../../src/podresources/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

const GPU = "nvidia.com/gpu";
const gpus = (...deviceIDs: string[]): DeviceGroup => ({ resourceName: GPU, deviceIDs, numaNodes: [0] });
const nothing = { devices: [], cpuIds: [], memory: [] };

function holding(name: string, ...devices: DeviceGroup[]): PodResources {
  const containers = [{ name: "main", devices, cpuIds: [], memory: [], claims: [] }];
  return { namespace: "ml", name, containers, cpuIds: [], memory: [] };
}

test("groups free devices by resource and NUMA nodes", () => {
  const nic = (...deviceIDs: string[]): DeviceGroup => ({ resourceName: "example.com/nic", deviceIDs, numaNodes: [] });
  const far: DeviceGroup = { resourceName: GPU, deviceIDs: ["g3", "g4"], numaNodes: [0, 1] };
  const allocatable = { ...nothing, devices: [gpus("g0", "g1"), nic("0", "g0"), far] };
  const free = freeResources(allocatable, [holding("a", gpus("g0"), nic("gone"))]);
  assert.deepEqual(free, { devices: [gpus("g1"), nic("0", "g0"), far], cpus: [], memory: [] });
});

test("groups free CPUs by NUMA node, and those of unknown nodes together", () => {
  const assigned = { ...holding("a"), cpuIds: [3, 2] };
  const nodeOf = new Map([1, 5].map((cpu) => [cpu, 1]).concat([[4, 0]]) as [number, number][]);
  assert.deepEqual(freeResources({ ...nothing, cpuIds: [5, 4, 3, 2, 1, 9] }, [assigned], nodeOf).cpus, [
    { cpuIds: [4], numaNodes: [0] },
    { cpuIds: [1, 5], numaNodes: [1] },
    { cpuIds: [9], numaNodes: [] },
  ]);
  const many = Array.from({ length: 100_000 }, (_, cpu) => cpu);
  assert.deepEqual(freeResources({ ...nothing, cpuIds: [...many, 7] }, []).cpus, [{ cpuIds: many, numaNodes: [] }]);
});

test("groups free memory by type and NUMA node, merging nodes assigned together", () => {
  const block = (type: string, sizeBytes: number, ...numaNodes: number[]) => ({ type, sizeBytes, numaNodes });
  const of = (own: MemoryBlock[], whole: MemoryBlock[] = []): PodResources => ({
    ...holding("a"),
    containers: [{ name: "main", devices: [], cpuIds: [], memory: own, claims: [] }],
    memory: whole,
  });
  const memory = [0, 1, 2].flatMap((at) => [block("memory", 100, at), block("hugepages-2Mi", 10, at)]);
  const free = (...answers: PodResources[]) =>
    freeResources({ ...nothing, memory }, answers).memory.map(
      ({ type, sizeBytes, numaNodes }) => `${type} ${sizeBytes} of ${numaNodes}`,
    );
  const pages = ["hugepages-2Mi 10 of 0", "hugepages-2Mi 10 of 1", "hugepages-2Mi 10 of 2"];
  assert.deepEqual(free(), ["memory 100 of 0", "memory 100 of 1", "memory 100 of 2", ...pages]);
  assert.deepEqual(free(of([block("memory", 150, 0, 1)])), ["memory 50 of 0,1", "memory 100 of 2", ...pages]);
  assert.deepEqual(free(of([block("memory", 100, 2)])), ["memory 100 of 0", "memory 100 of 1", ...pages]);
  const whole = of([block("memory", 20, 0)], [block("memory", 60, 0)]);
  assert.deepEqual(free(whole).slice(0, 1), ["memory 40 of 0"], "the pod's memory includes its containers'");
  assert.deepEqual(free(of([block("memory", 50)])).slice(0, 1), ["memory 250 of 0,1,2"], "of unknown nodes");
  const mixed = of([block("memory", 20, 0), block("hugepages-2Mi", 8, 0)], [block("memory", 60, 0)]);
  assert.deepEqual(
    [free(mixed)[0], free(mixed)[3]],
    ["memory 40 of 0", "hugepages-2Mi 2 of 0"],
    "the pod's memory includes only its own types",
  );
  const [left] = freeResources({ ...nothing, memory: [block("memory", 100)] }, [of([block("memory", 60, 0)])]).memory;
  assert.equal(left?.sizeBytes, 40, "allocatable memory of unknown nodes");
});

test("numaNodesOfCpus reads the kernel's CPU lists and ignores malformed ones", async (t) => {
  const sysRoot = temporaryDirectory(t);
  const lists = {
    node0: "0-2,8\n",
    node1: "3\n",
    node2: "1-99999\n",
    node4: "9-4,x,\n",
    "node3/..": "7",
    has_cpu: "6",
  };
  for (const [name, list] of Object.entries(lists)) {
    mkdirSync(join(sysRoot, "devices/system/node", name), { recursive: true });
    writeFileSync(join(sysRoot, "devices/system/node", name, "cpulist"), list);
  }
  const nodeOf = await numaNodesOfCpus(sysRoot);
  assert.deepEqual([...nodeOf].sort(), [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1],
    [8, 0],
  ]);
  assert.equal((await numaNodesOfCpus(join(sysRoot, "none"))).size, 0);
});
