import { invalidArgument } from "../errors/pods-error.js";
import type { Container, ContainerStateTerminated, ContainerStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { toDate } from "./time.js";

/** The kind of a container. A sidecar is an init container with restartPolicy Always. */
export type ContainerKind = "init" | "sidecar" | "regular" | "ephemeral";

/** One run of a container, from its start to its exit. A restart is another run, with another ID. */
export interface ContainerRun {
  /** Kind of the container. */
  readonly kind: ContainerKind;
  /** Name of the container in its pod. */
  readonly name: string;
  /** ID from the container runtime, without the runtime's name: 64 hex digits. */
  readonly containerID: string;
  /** Name of the container runtime, such as `containerd`. Empty if the kubelet does not send it. */
  readonly runtime: string;
  /** Image, as the kubelet reports it for the container's latest run. */
  readonly image: string;
  /** Digest or ID of the image, as the kubelet reports it for the container's latest run. */
  readonly imageID: string;
  /**
   * Restart count of this run. It is also the number of the log file, unless earlier containers were removed together with their files: the
   * kubelet's count continues then, but the numbers of the files do not.
   */
  readonly restartCount: number;
  /** Time of the start. Undefined if the kubelet does not send it, for example before a created container starts. */
  readonly startedAt: Date | undefined;
  /** True if the run has ended. */
  readonly ended: boolean;
}

/** The kubelet's report of the end of a container run. */
export interface ContainerExit {
  /** Exit code. Above 128 if a signal killed the process. */
  readonly exitCode: number;
  /** Number of the signal. Undefined if the runtime does not report it. */
  readonly signal: number | undefined;
  /** Reason in one word: `Completed`, `Error`, `OOMKilled` and others. */
  readonly reason: string;
  /** Human-readable message. Empty if there is none. */
  readonly message: string;
  /** Time of the start. Undefined if the kubelet does not send it. */
  readonly startedAt: Date | undefined;
  /** Time of the end. Undefined if the kubelet does not send it. */
  readonly finishedAt: Date | undefined;
}

type StatusList = "initContainerStatuses" | "containerStatuses" | "ephemeralContainerStatuses";

/** Returns the paths of these fields in the container statuses of every kind. */
export function statusPaths<Field extends string>(...fields: readonly Field[]): `status.${StatusList}.${Field}`[] {
  const lists: readonly StatusList[] = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];
  return lists.flatMap((list) => fields.map((field) => `status.${list}.${field}` as const));
}

type Started = Pick<ContainerStateTerminated, "startedAt">;
/** Fields of a container status that the runs of the container are read from. */
export interface RunsStatus
  extends Pick<ContainerStatus, "name" | "restartCount" | "image" | "imageID" | "containerID"> {
  readonly state?: { readonly running?: Started | undefined; readonly terminated?: Started | undefined } | undefined;
  readonly lastState?:
    | { readonly terminated?: Pick<ContainerStateTerminated, "startedAt" | "containerID"> | undefined }
    | undefined;
}

/** The statuses of a pod's containers, and the spec of its init containers, which identifies the sidecars. */
interface Statuses<S> {
  readonly spec: { readonly initContainers: readonly Pick<Container, "name" | "restartPolicy">[] };
  readonly status: {
    readonly initContainerStatuses: readonly S[];
    readonly containerStatuses: readonly S[];
    readonly ephemeralContainerStatuses: readonly S[];
  };
}

/** Returns the status of each container of a pod, with its kind. */
export function* statusesOf<S extends { readonly name: string }>({
  spec,
  status,
}: Statuses<S>): Generator<readonly [kind: ContainerKind, status: S], void, undefined> {
  const sidecars = new Set(spec.initContainers.filter(isSidecar).map(({ name }) => name));
  for (const each of status.initContainerStatuses) yield [sidecars.has(each.name) ? "sidecar" : "init", each];
  for (const each of status.containerStatuses) yield ["regular", each];
  for (const each of status.ephemeralContainerStatuses) yield ["ephemeral", each];
}

/** Returns true if an init container is a sidecar. */
export function isSidecar({ restartPolicy }: Pick<Container, "restartPolicy">): boolean {
  return restartPolicy === "Always";
}

/** Yields the runs in a container status: first the current or latest one, if it has an ID, then the previous one. */
export function* runsOf(status: RunsStatus, kind: ContainerKind): Generator<ContainerRun, void, undefined> {
  const { name, image, imageID, restartCount, state, lastState } = status;
  const [runtime, containerID] = splitID(status.containerID);
  const last = lastState?.terminated;
  const [lastRuntime, lastID] = splitID(last?.containerID ?? "");
  const about = { kind, name, image, imageID };
  if (containerID !== "") {
    // Between two runs, the status has the ID of the run that ended.
    const ended = state?.terminated ?? (lastID === containerID && state?.running === undefined ? last : undefined);
    const startedAt = timeOf((ended ?? state?.running)?.startedAt);
    yield { ...about, containerID, runtime, restartCount, startedAt, ended: ended !== undefined };
  }
  if (last !== undefined && lastID !== "" && lastID !== containerID) {
    const before = Math.max(0, restartCount - 1);
    const startedAt = timeOf(last.startedAt);
    yield { ...about, containerID: lastID, runtime: lastRuntime, restartCount: before, startedAt, ended: true };
  }
}

/** Converts the terminated state of a run to an exit. */
export function exitOf({
  exitCode,
  signal,
  reason,
  message,
  startedAt,
  finishedAt,
}: ContainerStateTerminated): ContainerExit {
  return {
    exitCode,
    signal: signal === 0 ? undefined : signal,
    reason,
    message,
    startedAt: timeOf(startedAt),
    finishedAt: timeOf(finishedAt),
  };
}

/**
 * Exit code and reason that containerd makes up for a task that ended while containerd was down. The time of such an exit is the start of
 * containerd (internal/cri/server/restart.go, v2).
 */
const INVENTED_CODE = 255;
const INVENTED_REASON = "Unknown";

/**
 * Returns the ID of an ended run. It is empty if the kubelet has only inferred the end: then it writes 137 or 0 without a time. An end with a
 * time belongs to the container that the status names.
 *
 * @param id the ID of that container.
 */
export function endedIDOf(
  { containerID, finishedAt }: Pick<ContainerStateTerminated, "containerID" | "finishedAt">,
  id: string,
): string {
  return splitID(containerID)[1] || (timeOf(finishedAt) === undefined ? "" : id);
}

/** Returns true if the runtime made up the exit. */
export function isInvented({ exitCode, reason }: ContainerExit): boolean {
  return exitCode === INVENTED_CODE && reason === INVENTED_REASON;
}

/** Converts a time of a run. If a container could not start, the kubelet sends 1970, which becomes undefined. */
export function timeOf(time: Time | undefined): Date | undefined {
  const date = toDate(time);
  return date !== undefined && date.getTime() > 0 ? date : undefined;
}

/** Splits `containerd://ID` into the name of the runtime and the ID. */
export function splitID(text: string): readonly [runtime: string, containerID: string] {
  const end = text.indexOf("://");
  return end === -1 ? ["", text] : [text.slice(0, end), text.slice(end + 3)];
}

/** A shortened ID, as `docker ps` and `crictl ps` show it. Runtimes choose their IDs, so an ID of any other length may be complete. */
const SHORT_ID = /^[0-9a-f]{12,13}$/;

/** @throws PodsError `invalid-argument` if a container ID is truncated. */
export function checkWholeID(id: string, what: string): void {
  if (SHORT_ID.test(id))
    throw invalidArgument(`${what} is truncated`, "pass the whole ID: crictl ps --no-trunc shows it");
}
