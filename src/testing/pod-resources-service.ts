import { create } from "@bufbuild/protobuf";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { invalidArgument } from "../errors/pods-error.js";
import {
  type AllocatableResourcesResponse,
  AllocatableResourcesResponseSchema,
  type ContainerDevices,
  ContainerDevicesSchema,
  type ContainerMemory,
  ContainerMemorySchema,
  type ContainerResources as ContainerResourcesMessage,
  ContainerResourcesSchema,
  DynamicResourceSchema,
  PodResourcesLister,
  type PodResources as PodResourcesMessage,
  PodResourcesSchema,
} from "../gen/podresources/podresources_pb.js";
import type { AllocatableResources, DeviceGroup, MemoryBlock, ResourceClaim } from "../podresources/pod-resources.js";
import { printable } from "../printable.js";
import type { Call, GrpcRouter } from "../serving/grpc-router.js";
import { RateLimiter, rejectedByLimit } from "../serving/rate-limiter.js";
import type { Clock } from "../timing/clock.js";
import type { Faults } from "./faults.js";
import type { AssignedResources } from "./kubelet-options.js";
import type { PodStore, StoredPod } from "./pod-store.js";
import { checkShape, type Shape } from "./shape.js";

/**
 * Serves the podresources API, with the resources that a kubelet's device, CPU and memory managers have assigned to containers. They
 * survive restarts, because kubelets keep them in checkpoints.
 */
export class PodResourcesService {
  readonly #store: PodStore;
  readonly #assigned = new Map<string, AssignedResources>();
  #allocatable: AllocatableResourcesResponse = create(AllocatableResourcesResponseSchema);
  /** The rate limiter of all calls, shared by all clients. A new process starts with a full one. */
  #limiter: RateLimiter;
  readonly #clock: Clock;

  constructor(store: PodStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#limiter = new RateLimiter(clock);
  }

  /** @throws PodsError `invalid-argument` if there is no such container, or it cannot get resources. */
  assign(uid: string, container: string, resources: AssignedResources): void {
    checkShape(resources, ASSIGNED, "assignResources");
    const entry = this.#store.get(uid);
    const names = entry === undefined ? [] : namesOf(entry);
    if (!names.includes(container)) {
      const what = `the pod ${printable(uid, 80)} has no container ${printable(container, 80)}`;
      throw invalidArgument(what, names.length === 0 ? "" : `containers: ${names.join(", ")}`);
    }
    this.#assigned.set(`${uid}/${container}`, resources);
  }

  /** @throws PodsError `invalid-argument` for malformed resources. */
  setAllocatable(resources: Partial<AllocatableResources>): void {
    checkShape(resources, ALLOCATABLE, "setAllocatable");
    const { devices = [], cpuIds = [], memory = [] } = resources;
    this.#allocatable = create(AllocatableResourcesResponseSchema, {
      devices: devices.map(devicesMessage),
      cpuIds: cpuIds.map(BigInt),
      memory: memory.map(memoryMessage),
    });
  }

  restart(): void {
    this.#limiter = new RateLimiter(this.#clock);
  }

  routes(router: GrpcRouter, faults: Faults): void {
    const enter = async (context: Call) => {
      await faults.request(context);
      if (!this.#limiter.allow()) throw rejectedByLimit();
    };
    router.rpc(PodResourcesLister.method.list, async (_, context) => {
      await enter(context);
      return { podResources: this.#active().map((entry) => this.#message(entry)) };
    });
    router.rpc(PodResourcesLister.method.get, async ({ podName, podNamespace }, context) => {
      await enter(context);
      const entry = this.#store
        .entries()
        .find(({ pod }) => pod.metadata.name === podName && pod.metadata.namespace === podNamespace);
      // The kubelet's error has no gRPC status, so clients get UNKNOWN.
      if (entry === undefined) {
        throw new GrpcError({ status: GRPC.unknown, message: `pod ${podName} in namespace ${podNamespace} not found` });
      }
      return { podResources: this.#message(entry) };
    });
    router.rpc(PodResourcesLister.method.getAllocatableResources, async (_, context) => {
      await enter(context);
      return this.#allocatable;
    });
  }

  /** Returns the pods that the kubelet has not finished. */
  #active(): StoredPod[] {
    return this.#store.entries().filter(({ finished }) => !finished);
  }

  #message(entry: StoredPod): PodResourcesMessage {
    const { namespace, name, uid } = entry.pod.metadata;
    const containers = namesOf(entry).map((container) =>
      containerMessage(container, this.#assigned.get(`${uid}/${container}`) ?? {}),
    );
    return create(PodResourcesSchema, { namespace, name, containers });
  }
}

const DEVICES: Shape = [{ resourceName: "text", deviceIDs: ["text"], numaNodes: ["count"] }];
const MEMORY: Shape = [{ type: "text", sizeBytes: "count", numaNodes: ["count"] }];
const CLAIMED: Shape = [{ driver: "text", pool: "text", device: "text", "shareId?": "text", cdiDevices: ["text"] }];
const ALLOCATABLE: Shape = { "devices?": DEVICES, "cpuIds?": ["count"], "memory?": MEMORY };
const ASSIGNED: Shape = { ...ALLOCATABLE, "claims?": [{ namespace: "text", name: "text", devices: CLAIMED }] };

/** Returns the names of the containers that the API reports: sidecars, then regular containers (server_v1.go). */
function namesOf({ pod }: StoredPod): string[] {
  const sidecars = pod.spec?.initContainers.filter(({ restartPolicy }) => restartPolicy === "Always") ?? [];
  return [...sidecars, ...(pod.spec?.containers ?? [])].map(({ name }) => name);
}

function containerMessage(name: string, given: AssignedResources): ContainerResourcesMessage {
  const { devices = [], cpuIds = [], memory = [], claims = [] } = given;
  return create(ContainerResourcesSchema, {
    name,
    devices: devices.map(devicesMessage),
    cpuIds: cpuIds.map(BigInt),
    memory: memory.map(memoryMessage),
    dynamicResources: claims.map(claimMessage),
  });
}

function devicesMessage({ resourceName, deviceIDs, numaNodes }: DeviceGroup): ContainerDevices {
  return create(ContainerDevicesSchema, { resourceName, deviceIds: [...deviceIDs], ...topologyOf(numaNodes) });
}

function memoryMessage({ type, sizeBytes, numaNodes }: MemoryBlock): ContainerMemory {
  return create(ContainerMemorySchema, { memoryType: type, size: BigInt(sizeBytes), ...topologyOf(numaNodes) });
}

function topologyOf(numaNodes: readonly number[]): { topology?: { nodes: { ID: bigint }[] } } {
  return numaNodes.length === 0 ? {} : { topology: { nodes: numaNodes.map((node) => ({ ID: BigInt(node) })) } };
}

function claimMessage({ namespace, name, devices }: ResourceClaim) {
  return create(DynamicResourceSchema, {
    claimNamespace: namespace,
    claimName: name,
    claimResources: devices.map(({ driver, pool, device, shareId, cdiDevices }) => ({
      driverName: driver,
      poolName: pool,
      deviceName: device,
      ...(shareId === undefined ? {} : { shareId }),
      cdiDevices: cdiDevices.map((cdi) => ({ name: cdi })),
    })),
  });
}
