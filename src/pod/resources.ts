import type { ContainerStatus, Pod, Quantity, ResourceRequirements } from "../gen/pod-types.js";
import { isSidecar } from "./container-instance.js";
import { type Needs, needed } from "./needs.js";
import { nanosOf } from "./quantity.js";

/** The paths that {@link resourcesOf} reads. */
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

/** The paths that {@link qosOf} reads. */
export const QOS_PATHS = ["status.qosClass"] as const;
type QosPaths = (typeof QOS_PATHS)[number];

/** The resources of a whole pod by name: CPUs for `cpu`, bytes for `memory`, else as many as there are. */
export interface EffectiveResources {
  /** The resources that are set aside for it. */
  readonly requests: Readonly<Record<string, number>>;
  /** The most that it may use. */
  readonly limits: Readonly<Record<string, number>>;
}

/** Quantities by name, in billionths: sums of them are exact. */
type Amounts = Map<string, bigint>;
type Quantities = { readonly [name: string]: Quantity };

interface Container {
  readonly name: string;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
}
type Status = Pick<ContainerStatus, "name" | "resources" | "allocatedResources">;

/** The parts of a pod that are read here. */
interface Facts {
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly statuses: ReadonlyMap<string, Status>;
  readonly pod: Pick<Pod["spec"], "overhead" | "resources">;
  readonly status: Pick<Pod["status"], "resources" | "allocatedResources"> | undefined;
  /** Whether what is asked for cannot be given on this node: then it does not count. */
  readonly isInfeasible: boolean;
}

/**
 * Returns the resources of a pod as the scheduler and the kubelet count them (k8s.io/component-helpers/resource): those of its
 * containers together, or what its init containers need one after the other, where that is more; sidecars count beside those behind
 * them; what the pod itself says takes the place of it. A name without a limit is in `limits` only where some container has one.
 *
 * @param options `overhead` adds what the runtime class needs, true by default. `actual` takes, of what is asked for, given and in
 *   effect, the most, as while a pod is resized; false by default.
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
      if (limit) limits.set(name, limit + amount); // no limit stays none
    }
  }
  return { requests: numbersOf(requests), limits: numbersOf(limits) };
}

/** Returns the class by which the kubelet ends pods when resources run out; undefined where the pod has no status yet. */
export function qosOf<P>(pod: Pod | (P & Needs<P, QosPaths>)): "Guaranteed" | "Burstable" | "BestEffort" | undefined {
  const qosClass = needed(pod, QOS_PATHS, "qosOf").status?.qosClass;
  return qosClass === "Guaranteed" || qosClass === "Burstable" || qosClass === "BestEffort" ? qosClass : undefined;
}

function factsOf({ spec, status }: Partial<Pod>): Facts {
  const statuses = new Map<string, Status>();
  // Of two with one name those of the app come first, and the first of them.
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

type Chosen = (container: Container, facts: Facts) => Quantities | undefined;
const specRequests: Chosen = ({ resources }) => resources?.requests;
const specLimits: Chosen = ({ resources }) => resources?.limits;

/** Returns what was given to a container, else what it asks for. */
const givenRequests: Chosen = (container, { statuses, isInfeasible }) =>
  some(statuses.get(container.name)?.allocatedResources) ?? (isInfeasible ? undefined : container.resources?.requests);

/** Returns what is in effect for a container, else what was given. */
const presentRequests: Chosen = (container, facts) =>
  some(facts.statuses.get(container.name)?.resources?.requests) ?? givenRequests(container, facts);

const presentLimits: Chosen = (container, { statuses, isInfeasible }) =>
  some(statuses.get(container.name)?.resources?.limits) ?? (isInfeasible ? undefined : container.resources?.limits);

function actualRequests(facts: Facts): Amounts {
  const { status, isInfeasible } = facts;
  const [given, present] = [some(status?.allocatedResources), some(status?.resources?.requests)];
  const ofPod = given !== undefined && present !== undefined;
  const result = ofPod ? amountsOf(given) : sum(facts, givenRequests);
  raise(result, ofPod ? amountsOf(present) : sum(facts, presentRequests));
  if (!isInfeasible) raise(result, sum(facts, specRequests));
  return result;
}

function actualLimits(facts: Facts): Amounts {
  const present = some(facts.status?.resources?.limits);
  const result = present !== undefined ? amountsOf(present) : sum(facts, presentLimits);
  if (!facts.isInfeasible) raise(result, sum(facts, specLimits));
  return result;
}

/** Returns what a pod says of itself, or while it is resized the most of it. */
function effective({ pod, status, isInfeasible }: Facts, actual: boolean, kind: "requests" | "limits"): Amounts {
  const asked = amountsOf(pod.resources?.[kind]);
  if (!actual || status?.resources === undefined) return asked;
  const result: Amounts = isInfeasible ? new Map() : asked;
  raise(result, amountsOf(status.resources[kind]));
  if (kind === "requests") raise(result, amountsOf(status.allocatedResources));
  return result;
}

/** Adds up the resources of a pod's containers. */
function sum(facts: Facts, chosen: Chosen): Amounts {
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

/** Puts what a pod says of itself in the place of what its containers have together. */
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

/** Returns whether a pod itself may say what it needs of a resource. */
function isSupported(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}

function hasSupported(quantities: Quantities | undefined): boolean {
  return Object.keys(quantities ?? {}).some(isSupported);
}

/** Returns quantities, and undefined where there are none. */
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
