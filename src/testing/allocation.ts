import { clone, create } from "@bufbuild/protobuf";
import {
  PodSchema,
  type PodSpec,
  type PodStatus,
  ResourceRequirementsSchema,
} from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { isSidecar } from "../pod/container-instance.js";
import type { FromJsonOptions } from "../pod/from-json.js";
import type { PodJson } from "../pod/json-types.js";
import type { PodMessage } from "../pod/pod.js";
import { stop } from "./container-status.js";
import { copyOf, refused } from "./pod-input.js";
import { addWaiting } from "./pod-status.js";

/** A container as Kubernetes JSON has it. */
export type ContainerJson = NonNullable<NonNullable<PodJson["spec"]>["containers"]>[number];

/**
 * The resources that a container asks for, as Kubernetes JSON has them: `{ requests: { cpu: "100m" }, limits: { memory: "1Gi"
 * } }`.
 */
export type ResourcesJson = NonNullable<ContainerJson["resources"]>;

/** Changes what a pod asks for of a container's resources. @throws PodsError where it has no such container. */
export function resize(pod: PodMessage, name: string, resources: ResourcesJson, options: FromJsonOptions): void {
  const asked = copyOf({ spec: { containers: [{ name, resources }] } }, options);
  const container = pod.spec.containers.find((each) => each.name === name);
  if (container === undefined) throw refused(pod, "it has no container of this name");
  container.resources = asked.spec.containers[0]?.resources ?? create(ResourceRequirementsSchema);
}

/** Adds a container to what a pod asks for: a sidecar where its restartPolicy is Always. */
export function addContainer(pod: PodMessage, container: ContainerJson, options: FromJsonOptions): void {
  const [added] = copyOf({ spec: { containers: [container] } }, options).spec.containers;
  if (added === undefined) return;
  const { initContainers, containers } = pod.spec;
  if ([...initContainers, ...containers].some(({ name }) => name === added.name)) {
    throw refused(pod, "it has a container of this name");
  }
  (isSidecar(added) ? initContainers : containers).push(added);
}

/** Removes a container from what a pod asks for. The last one stays. */
export function removeContainer(pod: PodMessage, name: string): void {
  const { containers, initContainers } = pod.spec;
  const list = [containers, initContainers].find((all) => all.some((each) => each.name === name));
  if (list === undefined) throw refused(pod, "it has no container of this name");
  if (list === containers && list.length === 1) throw refused(pod, "it is its last container");
  list.splice(
    list.findIndex((each) => each.name === name),
    1,
  );
}

/** Brings statuses in line with a spec that is allocated now: its resources are given, and containers end that it has not. */
export function allocate(spec: PodSpec, status: PodStatus, now: Date): void {
  const wanted = new Map([...spec.initContainers, ...spec.containers].map((container) => [container.name, container]));
  for (const each of [...status.initContainerStatuses, ...status.containerStatuses]) {
    const container = wanted.get(each.name);
    if (container === undefined) stop(each, {}, now);
    else if (container.resources !== undefined) {
      each.resources = container.resources;
      each.allocatedResources = container.resources.requests;
    }
  }
  addWaiting(status, spec, "ContainerCreating");
}

/** Replaces what a pod asks for by what has been allocated to it, as events show it. */
export function withAllocated(pod: PodMessage, allocated: PodSpec | undefined): PodMessage {
  if (allocated === undefined) return pod;
  return { ...(clone(PodSchema, pod) as PodMessage), spec: allocated };
}
