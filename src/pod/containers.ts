import { invalidArgument } from "../errors/pods-error.js";
import type { Container, ContainerStatus, EphemeralContainer } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import {
  type ContainerExit,
  type ContainerKind,
  type ContainerRun,
  checkWholeID,
  exitOf,
  isSidecar,
  runsOf,
  splitID,
} from "./container-run.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";

export const CONTAINERS_PATHS = [
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.containers.name",
  "spec.ephemeralContainers.ephemeralContainerCommon.name",
  "status.initContainerStatuses",
  "status.containerStatuses",
  "status.ephemeralContainerStatuses",
] as const;
type ContainersPaths = (typeof CONTAINERS_PATHS)[number];

type SpecOf<P> = P extends { spec?: { containers: readonly (infer S)[] } | undefined } ? S : never;
type StatusOf<P> = P extends { status?: { containerStatuses: readonly (infer S)[] } | undefined } ? S : never;

/** A container of a pod: its spec and its status, joined by name. */
export interface PodContainer<P = Pod> {
  /** Kind of the container. */
  readonly kind: ContainerKind;
  /** Name of the container. */
  readonly name: string;
  /** Spec of the container, with the fields of the mask. Undefined if only the status has the container. */
  readonly spec: SpecOf<P> | undefined;
  /** Status of the container. Undefined until the kubelet reports one. */
  readonly status: StatusOf<P> | undefined;
  /** Current or latest run. Undefined if the container has not run. */
  readonly run: ContainerRun | undefined;
  /** State of the container. Undefined without a status. */
  readonly state: "waiting" | "running" | "ended" | undefined;
  /** True if the container is ready. False without a status. */
  readonly ready: boolean;
  /** True if the container has started and its startup probe has succeeded. False without a status. */
  readonly started: boolean;
  /** Number of restarts, as the kubelet counts them. */
  readonly restartCount: number;
  /** End of the current run. Undefined while it has not ended. */
  readonly exit: ContainerExit | undefined;
  /** End of the previous run. Undefined if the kubelet does not report it. */
  readonly lastExit: ContainerExit | undefined;
}

/**
 * Returns a row for each container of a pod, of every kind, in the order of the spec: init containers and sidecars, then regular
 * containers, then ephemeral ones. A container that is only in the status or only in the spec gets a row, too.
 * @example
 * ```ts
 * for (const pod of await pods.listPods()) {
 *   for (const { kind, name, state } of containersOf(pod)) console.log(pod.metadata.name, kind, name, state);
 * }
 * ```
 */
export function containersOf<P>(pod: P & Needs<P, ContainersPaths>): PodContainer<P>[] {
  const { spec, status } = needed(pod, CONTAINERS_PATHS, "containersOf") as unknown as Partial<Pod>;
  const rows = [
    ...joined<Container>(
      spec?.initContainers,
      ({ name }) => name,
      status?.initContainerStatuses,
      (container) => (container !== undefined && isSidecar(container) ? "sidecar" : "init"),
    ),
    ...joined<Container>(
      spec?.containers,
      ({ name }) => name,
      status?.containerStatuses,
      () => "regular",
    ),
    ...joined<EphemeralContainer>(
      spec?.ephemeralContainers,
      ({ ephemeralContainerCommon: common }) => common?.name ?? "",
      status?.ephemeralContainerStatuses,
      () => "ephemeral",
    ),
  ];
  return rows as unknown as PodContainer<P>[];
}

/**
 * Returns the container with this name, or with this ID if its status still has that run. Undefined if there is none.
 *
 * @throws PodsError `invalid-argument` if no container has this name and it is a truncated ID.
 */
export function containerOf<P>(pod: P & Needs<P, ContainersPaths>, nameOrID: string): PodContainer<P> | undefined {
  if (typeof nameOrID !== "string") throw invalidArgument("containerOf: nameOrID must be a string");
  const id = splitID(nameOrID)[1];
  if (id === "") return undefined;
  const rows = containersOf<P>(pod);
  const hasID = ({ status }: PodContainer<P>) =>
    status !== undefined &&
    [...runsOf(status as unknown as ContainerStatus, "regular")].some(({ containerID }) => containerID === id);
  const found = rows.find(({ name }) => name === nameOrID) ?? rows.find(hasID);
  if (found === undefined) checkWholeID(id, "containerOf: the ID");
  return found;
}

type Row<S> = Omit<PodContainer, "spec"> & { readonly spec: S | undefined };

function joined<S>(
  specs: readonly S[] = [],
  nameOf: (spec: S) => string,
  statuses: readonly ContainerStatus[] = [],
  kindOf: (spec: S | undefined) => ContainerKind,
): Row<S>[] {
  const left = new Map(statuses.map((status) => [status.name, status]));
  const rows = specs.map((spec) => {
    const name = nameOf(spec);
    const status = left.get(name);
    left.delete(name);
    return rowOf(kindOf(spec), name, spec, status);
  });
  for (const status of left.values()) rows.push(rowOf<S>(kindOf(undefined), status.name, undefined, status));
  return rows;
}

function rowOf<S>(kind: ContainerKind, name: string, spec: S | undefined, status: ContainerStatus | undefined): Row<S> {
  const { state, lastState, restartCount = 0, ready = false, started = false } = status ?? {};
  const [latest] = status === undefined ? [] : runsOf(status, kind);
  const isPresent = latest !== undefined && latest.containerID === splitID(status?.containerID ?? "")[1];
  return {
    kind,
    name,
    spec,
    status,
    run: isPresent ? latest : undefined,
    state: stateOf(status),
    ready,
    started,
    restartCount,
    exit: state?.terminated && exitOf(state.terminated),
    lastExit: lastState?.terminated && exitOf(lastState.terminated),
  };
}

/** Returns the state of a container. In Kubernetes an empty state means that the container is waiting. */
function stateOf(status: ContainerStatus | undefined): PodContainer["state"] {
  if (status === undefined) return undefined;
  if (status.state?.running !== undefined) return "running";
  return status.state?.terminated !== undefined ? "ended" : "waiting";
}
