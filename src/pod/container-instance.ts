import type { Container, ContainerStateTerminated, ContainerStatus } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Time } from "../gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js";
import { toDate } from "./time.js";

/** The kind of a container. A sidecar is an init container with restartPolicy Always. */
export type ContainerKind = "init" | "sidecar" | "regular" | "ephemeral";

/** One life of a container, from one start to its end. A restarted container has another life, with another ID. */
export interface ContainerInstance {
  /** The kind of the container. */
  readonly kind: ContainerKind;
  /** The name of the container in its pod. */
  readonly name: string;
  /** The ID that the runtime gave it, without the name of the runtime: 64 hex digits. */
  readonly containerID: string;
  /** The name of the runtime, such as `containerd`; empty if the kubelet names none. */
  readonly runtime: string;
  /** The image, as the kubelet tells it of the container's latest life. */
  readonly image: string;
  /** The digest or ID of the image, as the kubelet tells it of the container's latest life. */
  readonly imageID: string;
  /**
   * The restart count of this life. Its log file has this number, unless earlier containers were removed with their files: then kubelets go
   * on counting, and the numbers of files do not.
   */
  readonly restartCount: number;
  /** When it started; undefined if the kubelet does not tell it, for example before a created container starts. */
  readonly startedAt: Date | undefined;
  /** True if it has ended. */
  readonly ended: boolean;
}

/** How a life of a container ended. */
export interface ContainerExit {
  /** The exit code; above 128 if a signal ended it. */
  readonly exitCode: number;
  /** The number of the signal, if the runtime tells it. */
  readonly signal: number | undefined;
  /** Why, in one word: `Completed`, `Error`, `OOMKilled`, and others. */
  readonly reason: string;
  /** The explanation for people; empty if there is none. */
  readonly message: string;
  /** When that life began; undefined if the kubelet does not tell it. */
  readonly startedAt: Date | undefined;
  /** When it ended; undefined if the kubelet does not tell it. */
  readonly finishedAt: Date | undefined;
}

type StatusList = "initContainerStatuses" | "containerStatuses" | "ephemeralContainerStatuses";

/** Returns the paths of some fields in the statuses of containers of every kind. */
export function statusPaths<Field extends string>(...fields: readonly Field[]): `status.${StatusList}.${Field}`[] {
  const lists: readonly StatusList[] = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];
  return lists.flatMap((list) => fields.map((field) => `status.${list}.${field}` as const));
}

type Life = Pick<ContainerStateTerminated, "startedAt">;
/** The fields of a container's status that its lives are read from. */
export interface LivesStatus
  extends Pick<ContainerStatus, "name" | "restartCount" | "image" | "imageID" | "containerID"> {
  readonly state?: { readonly running?: Life | undefined; readonly terminated?: Life | undefined } | undefined;
  readonly lastState?:
    | { readonly terminated?: Pick<ContainerStateTerminated, "startedAt" | "containerID"> | undefined }
    | undefined;
}

/** Yields the lives in a pod's status: the current or latest life of each container, and the one before. */
export function* instancesOf(pod: Statuses<LivesStatus>): Generator<ContainerInstance, void, undefined> {
  for (const [kind, status] of statusesOf<LivesStatus>(pod)) yield* livesOf(status, kind);
}

/** The statuses of a pod's containers, and the spec of its init containers, which shows the sidecars. */
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

/** Yields the lives in a container's status: first the current or latest one, if it has an ID. */
export function* livesOf(status: LivesStatus, kind: ContainerKind): Generator<ContainerInstance, void, undefined> {
  const { name, image, imageID, restartCount, state, lastState } = status;
  const [runtime, containerID] = splitID(status.containerID);
  const last = lastState?.terminated;
  const [lastRuntime, lastID] = splitID(last?.containerID ?? "");
  const about = { kind, name, image, imageID };
  if (containerID !== "") {
    // Between two lives the status has the ID of the ended one.
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

/** Returns how a life ended. */
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
 * The code and the reason that containerd makes up for a task that ended while containerd was away. Nobody saw that end, and its time is
 * the start of containerd (internal/cri/server/restart.go, v2).
 */
const INVENTED_CODE = 255;
const INVENTED_REASON = "Unknown";

/** Returns true if the runtime has made up an exit. */
export function isInvented({ exitCode, reason }: ContainerExit): boolean {
  return exitCode === INVENTED_CODE && reason === INVENTED_REASON;
}

/** Returns a time of a life. If a container could not be started, kubelets write 1970, which becomes undefined. */
export function timeOf(time: Time | undefined): Date | undefined {
  const date = toDate(time);
  return date !== undefined && date.getTime() > 0 ? date : undefined;
}

/** Splits `containerd://ID` into the name of the runtime and the ID. */
export function splitID(text: string): readonly [runtime: string, containerID: string] {
  const end = text.indexOf("://");
  return end === -1 ? ["", text] : [text.slice(0, end), text.slice(end + 3)];
}
