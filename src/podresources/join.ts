import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import type { ContainerResources, MemoryBlock, PodResources } from "./pod-resources.js";

/**
 * A pod with the fields by which it is found: namespace and name. Fast re-creation may leave several pods of one name for a while. Then an
 * unfinished pod is taken, then one that is not terminating, then the newest, as far as these fields are present.
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

/** The resources of a container, or of the pod as a whole. */
export interface Assignment<P> extends Omit<ContainerResources, "name"> {
  /** The pod that it belongs to. */
  readonly pod: P;
  /** The name of the container; undefined for the resources of the pod as a whole, which include those of its containers. */
  readonly container: string | undefined;
  /** The NUMA nodes of its devices and its memory, each once, sorted. */
  readonly numaNodes: readonly number[];
}

/**
 * Joins pods of a `PodsClient` and resources of a `PodResourcesClient`, by namespace and name: the resources of each container. Pods that
 * only one of the two lists has are left out, since the lists were not made at the same moment.
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

/** Returns the resources of a pod and of its containers. */
function assignmentsOf<P>(pod: P, { containers, cpuIds, memory }: PodResources): Assignment<P>[] {
  const ofContainers = containers.map(({ name, ...given }) => assignment(pod, name, given));
  if (cpuIds.length + memory.length === 0) return ofContainers;
  return [assignment(pod, undefined, { devices: [], claims: [], cpuIds, memory }), ...ofContainers];
}

function assignment<P>(pod: P, container: string | undefined, given: Omit<ContainerResources, "name">): Assignment<P> {
  const groups: readonly Pick<MemoryBlock, "numaNodes">[] = [...given.devices, ...given.memory];
  const numaNodes = [...new Set(groups.flatMap((group) => group.numaNodes))].sort((a, b) => a - b);
  return { pod, container, ...given, numaNodes };
}

/** Returns true if the first of two pods of one name is the better owner. */
function isBetter(pod: NamedPod, other: NamedPod): boolean {
  const [a, b] = [rank(pod), rank(other)];
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] as bigint) > (b[at] as bigint);
}

function rank({ metadata, status }: NamedPod): bigint[] {
  const isToGo = metadata?.deletionTimestamp !== undefined;
  return [isFinalPhase(status?.phase) ? 0n : 1n, isToGo ? 0n : 1n, metadata?.creationTimestamp?.seconds ?? 0n];
}
