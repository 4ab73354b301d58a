import type { ContainerStatus, ResourceRequirements } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Quantity } from "../gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
import { isSidecar } from "./container-run.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";
import { nanosOf } from "./quantity.js";

export const RESOURCES_PATHS = [
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.initContainers.resources",
  "spec.containers.name",
  "spec.containers.resources",
  "spec.overhead",
  "spec.resources",
  "status.conditions",
  "status.initContainerStatuses.name",
  "status.initContainerStatuses.resources",
  "status.initContainerStatuses.allocatedResources",
  "status.containerStatuses.name",
  "status.containerStatuses.resources",
  "status.containerStatuses.allocatedResources",
  "status.resources",
  "status.allocatedResources",
] as const;
type ResourcesPaths = (typeof RESOURCES_PATHS)[number];

export const QOS_PATHS = ["status.qosClass"] as const;
type QosPaths = (typeof QOS_PATHS)[number];

/** Resources of a whole pod, by name: CPUs for `cpu`, bytes for `memory`, `ephemeral-storage` and `hugepages-*`, otherwise a count. */
export interface EffectiveResources {
  /** Resources that are reserved for the pod. */
  readonly requests: Readonly<Record<string, number>>;
  /** Maximum that the pod may use. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Quantities by name, in billionths, so that sums are exact. */
type Amounts = Map<string, bigint>;
type Quantities = { readonly [name: string]: Quantity };

interface ResourceContainer {
  readonly name: string;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
}
type ResourceStatus = Pick<ContainerStatus, "name" | "resources" | "allocatedResources">;

/** The parts of a pod that are read here. */
interface ResourceFacts {
  readonly containers: readonly ResourceContainer[];
  readonly initContainers: readonly ResourceContainer[];
  readonly statuses: ReadonlyMap<string, ResourceStatus>;
  readonly pod: Pick<Pod["spec"], "overhead" | "resources">;
  readonly status: Pick<Pod["status"], "resources" | "allocatedResources"> | undefined;
  /** True if the requested resize is impossible on this node, so that it does not count. */
  readonly isInfeasible: boolean;
}

/**
 * Returns the resources of a pod as the scheduler and the kubelet count them (k8s.io/component-helpers/resource): the sum of its
 * containers, or the maximum of its init containers, which run one after the other, whichever is more. Sidecars are added to the containers
 * that start after them. Resources of the pod itself replace the sum. A resource is in `limits` only if a container or the pod itself has a
 * limit for it.
 *
 * @param options `overhead` adds the overhead of the runtime class; true by default. `actual` takes the maximum of the requested, allocated
 * and effective values, which differ while a pod is resized; false by default.
 * @example
 * ```ts
 * for (const pod of await pods.listPods({ mask: podMasks.resourcesOf })) console.log(resourcesOf(pod).requests["memory"]);
 * ```
 */
export function resourcesOf<P>(
  pod: Pod | (P & Needs<P, ResourcesPaths>),
  options: { overhead?: boolean | undefined; actual?: boolean | undefined } = {},
): EffectiveResources {
  const { overhead = true, actual = false } = options;
  const facts = factsOf(needed(pod, RESOURCES_PATHS, "resourcesOf") as unknown as Partial<Pod>);
  const requests = actual ? actualRequests(facts) : sum(facts, specRequests);
  const limits = actual ? actualLimits(facts) : sum(facts, specLimits);
  const own = facts.pod.resources;
  if (hasSupported(own?.requests)) apply(requests, effective(facts, actual, "requests"));
  if (hasSupported(own?.requests) || hasSupported(own?.limits)) apply(limits, effective(facts, actual, "limits"));
  if (overhead) {
    for (const [name, amount] of amountsOf(facts.pod.overhead)) {
      requests.set(name, (requests.get(name) ?? 0n) + amount);
      const limit = limits.get(name);
      if (limit) limits.set(name, limit + amount); // an absent limit stays absent
    }
  }
  return { requests: numbersOf(requests), limits: numbersOf(limits) };
}

/** Returns the QoS class, by which the kubelet chooses the pods to end when resources run out. Undefined if the pod has no status yet. */
export function qosOf<P>(pod: Pod | (P & Needs<P, QosPaths>)): "Guaranteed" | "Burstable" | "BestEffort" | undefined {
  const qosClass = needed(pod, QOS_PATHS, "qosOf").status?.qosClass;
  return qosClass === "Guaranteed" || qosClass === "Burstable" || qosClass === "BestEffort" ? qosClass : undefined;
}

function factsOf({ spec, status }: Partial<Pod>): ResourceFacts {
  const statuses = new Map<string, ResourceStatus>();
  // If two containers have the same name, regular containers have priority, then the first in the list.
  for (const each of [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]) {
    if (!statuses.has(each.name)) statuses.set(each.name, each);
  }
  const resize = status?.conditions.find(({ type }) => type === "PodResizePending");
  return {
    containers: spec?.containers ?? [],
    initContainers: spec?.initContainers ?? [],
    statuses,
    pod: { overhead: spec?.overhead ?? {}, ...(spec?.resources && { resources: spec.resources }) },
    status,
    isInfeasible: resize?.reason === "Infeasible",
  };
}

type Chosen = (container: ResourceContainer, facts: ResourceFacts) => Quantities | undefined;
const specRequests: Chosen = ({ resources }) => resources?.requests;
const specLimits: Chosen = ({ resources }) => resources?.limits;

/** Returns the allocated resources of a container, otherwise the requested ones. */
const givenRequests: Chosen = (container, { statuses, isInfeasible }) =>
  some(statuses.get(container.name)?.allocatedResources) ?? (isInfeasible ? undefined : container.resources?.requests);

/** Returns the effective resources of a container, otherwise the allocated ones. */
const presentRequests: Chosen = (container, facts) =>
  some(facts.statuses.get(container.name)?.resources?.requests) ?? givenRequests(container, facts);

const presentLimits: Chosen = (container, { statuses, isInfeasible }) =>
  some(statuses.get(container.name)?.resources?.limits) ?? (isInfeasible ? undefined : container.resources?.limits);

function actualRequests(facts: ResourceFacts): Amounts {
  const { status, isInfeasible } = facts;
  const [given, present] = [some(status?.allocatedResources), some(status?.resources?.requests)];
  const ofPod = given !== undefined && present !== undefined;
  const result = ofPod ? amountsOf(given) : sum(facts, givenRequests);
  raise(result, ofPod ? amountsOf(present) : sum(facts, presentRequests));
  if (!isInfeasible) raise(result, sum(facts, specRequests));
  return result;
}

function actualLimits(facts: ResourceFacts): Amounts {
  const present = some(facts.status?.resources?.limits);
  const result = present !== undefined ? amountsOf(present) : sum(facts, presentLimits);
  if (!facts.isInfeasible) raise(result, sum(facts, specLimits));
  return result;
}

/** Returns the resources of the pod itself; with `actual` the maximum of the requested, allocated and effective ones. */
function effective(
  { pod, status, isInfeasible }: ResourceFacts,
  actual: boolean,
  kind: "requests" | "limits",
): Amounts {
  const requested = amountsOf(pod.resources?.[kind]);
  if (!actual || status?.resources === undefined) return requested;
  const result: Amounts = isInfeasible ? new Map() : requested;
  raise(result, amountsOf(status.resources[kind]));
  if (kind === "requests") raise(result, amountsOf(status.allocatedResources));
  return result;
}

/** Adds up the resources of a pod's containers. */
function sum(facts: ResourceFacts, chosen: Chosen): Amounts {
  const result: Amounts = new Map();
  for (const container of facts.containers) add(result, amountsOf(chosen(container, facts)));
  const sidecars: Amounts = new Map();
  const atStart: Amounts = new Map();
  for (const container of facts.initContainers) {
    const own = amountsOf(chosen(container, facts));
    if (isSidecar({ restartPolicy: container.restartPolicy ?? "" })) {
      add(result, own);
      add(sidecars, own);
      raise(atStart, sidecars);
    } else {
      add(own, sidecars);
      raise(atStart, own);
    }
  }
  raise(result, atStart);
  return result;
}

/** Replaces the sum of the containers by the resources of the pod itself. */
function apply(result: Amounts, own: Amounts): void {
  for (const [name, amount] of own) if (isSupported(name)) result.set(name, amount);
}

function add(to: Amounts, more: Amounts): void {
  for (const [name, amount] of more) to.set(name, (to.get(name) ?? 0n) + amount);
}

function raise(to: Amounts, other: Amounts): void {
  for (const [name, amount] of other) {
    const known = to.get(name);
    if (known === undefined || amount > known) to.set(name, amount);
  }
}

/** Returns true if Kubernetes supports this resource for the pod itself. */
function isSupported(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

function hasSupported(quantities: Quantities | undefined): boolean {
  return Object.keys(quantities ?? {}).some(isSupported);
}

/** Returns the quantities; undefined if there are none. */
function some(quantities: Quantities | undefined): Quantities | undefined {
  return quantities !== undefined && Object.keys(quantities).length > 0 ? quantities : undefined;
}

function amountsOf(quantities: Quantities | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, quantity] of Object.entries(quantities ?? {})) amounts.set(name, nanosOf(quantity) ?? 0n);
  return amounts;
}

/** Converts billionths to the nearest numbers. */
function numbersOf(amounts: Amounts): Record<string, number> {
  return Object.fromEntries([...amounts].map(([name, nanos]) => [name, Number(`${nanos}e-9`)]));
}
