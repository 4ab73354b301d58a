import { clone, create } from "@bufbuild/protobuf";
import {
  PodSchema,
  type PodSpec,
  type PodStatus,
  ResourceRequirementsSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { FromJsonOptions } from "../pod/from-json.js";
import type { PodJson } from "../pod/json-types.js";
import type { Pod } from "../pod/pod.js";
import { copyOf, refused } from "./pod-input.js";

/** A container as Kubernetes JSON has it. */
type ContainerJson = NonNullable<NonNullable<PodJson["spec"]>["containers"]>[number];

/**
 * The resources that a container asks for, as Kubernetes JSON has them: `{ requests: { cpu: "100m" }, limits: { memory: "1Gi"
 * } }`.
 */
export type ResourcesJson = NonNullable<ContainerJson["resources"]>;

/** Changes the requested resources of a pod's container. @throws PodsError if it has no such container. */
export function resize(pod: Pod, name: string, resources: ResourcesJson, options: FromJsonOptions): void {
  const asked = copyOf({ spec: { containers: [{ name, resources }] } }, options);
  const container = pod.spec.containers.find((each) => each.name === name);
  if (container === undefined) throw refused(pod, "it has no container of this name");
  container.resources = asked.spec.containers[0]?.resources ?? create(ResourceRequirementsSchema);
}

/** Gives the containers of a pod the resources of a newly allocated spec. */
export function allocate(spec: PodSpec, status: PodStatus): void {
  const wanted = new Map([...spec.initContainers, ...spec.containers].map((container) => [container.name, container]));
  for (const each of [...status.initContainerStatuses, ...status.containerStatuses]) {
    const { resources } = wanted.get(each.name) ?? {};
    if (resources === undefined) continue;
    each.resources = resources;
    each.allocatedResources = resources.requests;
  }
}

/** Replaces the requested resources of a pod by the allocated ones, as events show them. */
export function withAllocated(pod: Pod, allocated: PodSpec | undefined): Pod {
  if (allocated === undefined) return pod;
  return { ...(clone(PodSchema, pod) as Pod), spec: allocated };
}
