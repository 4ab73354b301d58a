import type { Container, ContainerStatus, EphemeralContainer } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import {
  type ContainerExit,
  type ContainerInstance,
  type ContainerKind,
  exitOf,
  isSidecar,
  livesOf,
  splitID,
} from "./container-instance.js";
import { type Needs, needed } from "./needs.js";
import type { Pod } from "./pod.js";

/** The paths that {@link containersOf} reads. */
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
  /** The kind of the container. */
  readonly kind: ContainerKind;
  /** The name of the container. */
  readonly name: string;
  /** Its spec, with the fields of the mask; undefined if only the status has the container. */
  readonly spec: SpecOf<P> | undefined;
  /** Its status; undefined before the kubelet has looked at it. */
  readonly status: StatusOf<P> | undefined;
  /** Its current or latest life; undefined if it has had none. */
  readonly instance: ContainerInstance | undefined;
  /** The state of the container; undefined without a status. */
  readonly state: "waiting" | "running" | "ended" | undefined;
  /** True if it is ready; false without a status. */
  readonly ready: boolean;
  /** True if it has started, including its startup probe; false without a status. */
  readonly started: boolean;
  /** The kubelet's count of its restarts. */
  readonly restartCount: number;
  /** How its current life ended; undefined if it has not. */
  readonly exit: ContainerExit | undefined;
  /** How the life before ended; undefined if the kubelet does not tell it. */
  readonly lastExit: ContainerExit | undefined;
}

/**
 * Returns a row for each container of a pod, of every kind, in the order of the spec: init containers and sidecars, then regular
 * containers, then ephemeral ones. A container that only the status or only the spec has gets a row, too.
 *
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

/** Returns the container of this name, or with this ID, if its status still shows that life; undefined if there is none. */
export function containerOf<P>(pod: P & Needs<P, ContainersPaths>, nameOrID: string): PodContainer<P> | undefined {
  const id = splitID(nameOrID)[1];
  if (id === "") return undefined;
  const rows = containersOf<P>(pod);
  const hasID = ({ status }: PodContainer<P>) =>
    status !== undefined &&
    [...livesOf(status as unknown as ContainerStatus, "regular")].some(({ containerID }) => containerID === id);
  return rows.find(({ name }) => name === nameOrID) ?? rows.find(hasID);
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
  const [latest] = status === undefined ? [] : livesOf(status, kind);
  const isPresent = latest !== undefined && latest.containerID === splitID(status?.containerID ?? "")[1];
  return {
    kind,
    name,
    spec,
    status,
    instance: isPresent ? latest : undefined,
    state: stateOf(status),
    ready,
    started,
    restartCount,
    exit: state?.terminated && exitOf(state.terminated),
    lastExit: lastState?.terminated && exitOf(lastState.terminated),
  };
}

/** Returns the state of a container. By Kubernetes' rule an empty state means that it waits. */
function stateOf(status: ContainerStatus | undefined): PodContainer["state"] {
  if (status === undefined) return undefined;
  if (status.state?.running !== undefined) return "running";
  return status.state?.terminated !== undefined ? "ended" : "waiting";
}
