import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { isFinalPhase } from "../pod/lifecycle.js";
import type { ContainerResources, MemoryBlock, PodResources } from "./pod-resources.js";

/**
 * A pod with the fields of the join: namespace and name. If several pods have the same name after a fast re-creation, the join prefers
 * unfinished pods, then pods that are not terminating, then the newest, as far as the fields are present.
 */
export interface NamedPod {
  /** Metadata to join by. */
  readonly metadata?:
    | {
        readonly namespace: string;
        readonly name: string;
        readonly deletionTimestamp?: Time | undefined;
        readonly creationTimestamp?: Time | undefined;
      }
    | undefined;
  /** Status with the phase. */
  readonly status?: { readonly phase?: string } | undefined;
}

/** The resources of a container, or of the pod as a whole. */
export interface Assignment<P> extends Omit<ContainerResources, "name"> {
  /** The pod. */
  readonly pod: P;
  /** Name of the container. Undefined for the resources of the whole pod, which include those of its containers. */
  readonly container: string | undefined;
  /**
   * True if the pod has finished, so that its resources are free. Kubelets before 1.34 also list the resources of finished pods. Undefined
   * if the pod lacks `status.phase`.
   */
  readonly finished: boolean | undefined;
  /** NUMA nodes of the devices and memory, each once, sorted. */
  readonly numaNodes: readonly number[];
}

/**
 * Joins the pods of a `PodsClient` and the resources of a `PodResourcesClient` by namespace and name, and returns the resources of each
 * container. Pods that only one of the lists has are left out, because the lists are from different moments.
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
function assignmentsOf<P extends NamedPod>(pod: P, { containers, cpuIds, memory }: PodResources): Assignment<P>[] {
  const ofContainers = containers.map(({ name, ...given }) => assignment(pod, name, given));
  if (cpuIds.length + memory.length === 0) return ofContainers;
  return [assignment(pod, undefined, { devices: [], claims: [], cpuIds, memory }), ...ofContainers];
}

function assignment<P extends NamedPod>(
  pod: P,
  container: string | undefined,
  given: Omit<ContainerResources, "name">,
): Assignment<P> {
  const groups: readonly Pick<MemoryBlock, "numaNodes">[] = [...given.devices, ...given.memory];
  const numaNodes = [...new Set(groups.flatMap((group) => group.numaNodes))].sort((a, b) => a - b);
  const phase = pod.status?.phase;
  const finished = phase === undefined ? undefined : isFinalPhase(phase);
  return { pod, container, finished, ...given, numaNodes };
}

/** Returns true if the first of two pods with the same name is the more likely owner. */
function isBetter(pod: NamedPod, other: NamedPod): boolean {
  const [a, b] = [rank(pod), rank(other)];
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && (a[at] as bigint) > (b[at] as bigint);
}

function rank({ metadata, status }: NamedPod): bigint[] {
  const isTerminating = metadata?.deletionTimestamp !== undefined;
  return [isFinalPhase(status?.phase) ? 0n : 1n, isTerminating ? 0n : 1n, metadata?.creationTimestamp?.seconds ?? 0n];
}
