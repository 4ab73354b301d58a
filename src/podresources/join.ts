import type { Time } from "../gen/pod-types.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import type { ContainerResources, MemoryBlock, PodResources } from "./pod-resources.js";

/**
 * A pod with the fields by which it is found: namespace and name. Of several pods of one name, which fast re-creation leaves
 * for a while, the one that has not ended, is not to go, and is the newest is taken, as far as these fields are there.
 */
export interface NamedPod {
  /** The metadata that is read. */
  readonly metadata?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly deletionTimestamp?: Time | undefined;
        readonly creationTimestamp?: Time | undefined;
      }
    | undefined;
  /** The status that is read. */
  readonly status?: { readonly phase?: string } | undefined;
}

/** The resources that a container of a pod has been given, or the pod itself. */
export interface Assignment<P> extends Omit<ContainerResources, "name"> {
  /** The pod that it belongs to. */
  readonly pod: P;
  /** The name of the container; undefined for what the pod has as a whole, its containers' own included. */
  readonly container: string | undefined;
  /** The NUMA nodes of its devices and its memory, each once, sorted. */
  readonly numaNodes: readonly number[];
}

/**
 * Joins pods of a `PodsClient` and resources of a `PodResourcesClient`, by namespace and name: which container of which pod
 * holds what. Pods that only one of the two lists has are left out: they were not asked at the same moment.
 *
 * @example
 * ```ts
 * for (const { pod, devices } of joinPodResources(await pods.listPods(), await resources.list())) {
 *   console.log(pod.metadata.name, devices.map(({ resourceName }) => resourceName));
 * }
 * ```
 */
export function joinPodResources<P extends NamedPod>(
  pods: Iterable<P>,
  resources: Iterable<PodResources>,
): Assignment<P>[] {
  const byName = new Map<string, P>();
  for (const pod of pods) {
    const key = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
    const other = byName.get(key);
    if (other === undefined || isBetter(pod, other)) byName.set(key, pod);
  }
  const assignments: Assignment<P>[] = [];
  for (const answer of resources) {
    const pod = byName.get(`${answer.namespace}/${answer.name}`);
    if (pod !== undefined) assignments.push(...assignmentsOf(pod, answer));
  }
  return assignments;
}

/** Returns what a pod and its containers have been given. */
export function assignmentsOf<P>(pod: P, { containers, cpuIds, memory }: PodResources): Assignment<P>[] {
  const ofContainers = containers.map(({ name, ...given }) => assignment(pod, name, given));
  if (cpuIds.length + memory.length === 0) return ofContainers;
  return [assignment(pod, undefined, { devices: [], claims: [], cpuIds, memory }), ...ofContainers];
}

function assignment<P>(pod: P, container: string | undefined, given: Omit<ContainerResources, "name">): Assignment<P> {
  const groups: readonly Pick<MemoryBlock, "numaNodes">[] = [...given.devices, ...given.memory];
  const numaNodes = [...new Set(groups.flatMap((group) => group.numaNodes))].sort((a, b) => a - b);
  return { pod, container, ...given, numaNodes };
}

/** Returns whether of two pods of one name this is the one that has the resources. */
function isBetter(pod: NamedPod, other: NamedPod): boolean {
  const [a, b] = [rank(pod), rank(other)];
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] as bigint) > (b[at] as bigint);
}

function rank({ metadata, status }: NamedPod): bigint[] {
  const isToGo = metadata?.deletionTimestamp !== undefined;
  return [isFinalPhase(status?.phase) ? 0n : 1n, isToGo ? 0n : 1n, metadata?.creationTimestamp?.seconds ?? 0n];
}
