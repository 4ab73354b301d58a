// What some containers have been given, for tests.

import type { TestContext } from "node:test";
import type { AllocatableResources } from "../../src/podresources/index.js";
import { type AssignedResources, type PodJson, ReferenceKubelet } from "../../src/testing/index.js";

const GIB = 2 ** 30;

/** A pod with a sidecar, an init container that ends, and two others. */
export const trainer: PodJson = {
  metadata: { name: "trainer-0", namespace: "ml", uid: "uid-trainer", creationTimestamp: "2026-11-20T08:00:00Z" },
  spec: {
    nodeName: "node-1",
    initContainers: [
      { name: "prepare", image: "i" },
      { name: "proxy", image: "i", restartPolicy: "Always" },
    ],
    containers: [
      { name: "train", image: "i" },
      { name: "log", image: "i" },
    ],
  },
  status: { phase: "Running" },
};

export const plain: PodJson = {
  metadata: { name: "web-0", namespace: "shop", uid: "uid-web", creationTimestamp: "2026-11-20T08:00:00Z" },
  spec: { nodeName: "node-1", containers: [{ name: "web", image: "i" }] },
  status: { phase: "Running" },
};

export const train: Required<AssignedResources> = {
  devices: [
    { resourceName: "nvidia.com/gpu", deviceIDs: ["GPU-1", "GPU-2"], numaNodes: [1] },
    { resourceName: "example.com/nic", deviceIDs: ["nic0"], numaNodes: [] },
  ],
  cpuIds: [2, 3, 10, 11],
  memory: [
    { type: "memory", sizeBytes: 64 * GIB, numaNodes: [0, 1] },
    { type: "hugepages-1Gi", sizeBytes: GIB, numaNodes: [0] },
  ],
  claims: [
    {
      namespace: "ml",
      name: "gpu-share",
      devices: [
        {
          driver: "gpu.example.com",
          pool: "node-1",
          device: "gpu-3",
          shareId: "1b2c",
          cdiDevices: ["example.com/gpu=3"],
        },
        { driver: "gpu.example.com", pool: "node-1", device: "gpu-4", shareId: undefined, cdiDevices: [] },
      ],
    },
  ],
};

export const allocatable: AllocatableResources = {
  devices: [{ resourceName: "nvidia.com/gpu", deviceIDs: ["GPU-1", "GPU-2", "GPU-3"], numaNodes: [1] }],
  cpuIds: [0, 1, 2, 3, 10, 11],
  memory: [{ type: "memory", sizeBytes: 256 * GIB, numaNodes: [0] }],
};

const NOTHING = { devices: [], cpuIds: [], memory: [], claims: [] };

/** What a client is to be told of the two pods. */
export const expected = [
  {
    namespace: "ml",
    name: "trainer-0",
    containers: [
      { name: "proxy", ...NOTHING, cpuIds: [4] },
      { name: "train", ...train },
      { name: "log", ...NOTHING },
    ],
    cpuIds: [],
    memory: [],
  },
  { namespace: "shop", name: "web-0", containers: [{ name: "web", ...NOTHING }], cpuIds: [], memory: [] },
];

/** A node that has given all that is above. */
export async function nodeWithDevices(t: TestContext): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start({ pods: [trainer, plain], podResources: true });
  t.after(() => kubelet.close());
  kubelet.assignResources("uid-trainer", "train", train);
  kubelet.assignResources("uid-trainer", "proxy", { cpuIds: [4] });
  kubelet.setAllocatable(allocatable);
  return kubelet;
}
