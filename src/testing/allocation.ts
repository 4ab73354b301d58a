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

type ContainerJson = NonNullable<NonNullable<PodJson["spec"]>["containers"]>[number];

/** The requests and limits of a container in Kubernetes JSON: `{ requests: { cpu: "100m" }, limits: { memory: "1Gi" } }`. */
export type ResourcesJson = NonNullable<ContainerJson["resources"]>;

/** Changes the requested resources of a container. @throws PodsError if the pod has no such container. */
export function resize(pod: Pod, name: string, resources: ResourcesJson, options: FromJsonOptions): void {
  const asked = copyOf({ spec: { containers: [{ name, resources }] } }, options);
  const container = pod.spec.containers.find((each) => each.name === name);
  if (container === undefined) throw refused(pod, "the pod has no container with this name");
  container.resources = asked.spec.containers[0]?.resources ?? create(ResourceRequirementsSchema);
}

/** Sets the resources in the container statuses to those of a newly allocated spec. */
export function allocate(spec: PodSpec, status: PodStatus): void {
  const wanted = new Map([...spec.initContainers, ...spec.containers].map((container) => [container.name, container]));
  for (const each of [...status.initContainerStatuses, ...status.containerStatuses]) {
    const { resources } = wanted.get(each.name) ?? {};
    if (resources === undefined) continue;
    each.resources = resources;
    each.allocatedResources = resources.requests;
  }
}

/** Returns the pod with its allocated spec, as events carry it. */
export function withAllocated(pod: Pod, allocated: PodSpec | undefined): Pod {
  if (allocated === undefined) return pod;
  return { ...(clone(PodSchema, pod) as Pod), spec: allocated };
}
