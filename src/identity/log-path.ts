import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerRun } from "../pod/container-run.js";
import { type Needs, needed } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { pathPart } from "./path-part.js";

/** The pod and the container of a log file or directory, by its path: a key for lookups. */
export type LogPath = {
  readonly namespace: string;
  readonly name: string;
  /** The name of the container; undefined for the directory of the whole pod. */
  readonly containerName: string | undefined;
} & (
  | {
      /** The UID that the kubelet gave the pod. */
      readonly uid: string;
      /** The restart count of the container's life; undefined for a directory. */
      readonly restartCount: number | undefined;
      /** True if the file has been rotated, so that nothing is written to it any more. */
      readonly rotated: boolean;
    }
  | {
      readonly uid: undefined;
      /** The ID of the container. Only names below `/var/log/containers` have it. */
      readonly containerID: string;
      readonly restartCount: undefined;
      readonly rotated: false;
    }
);

/** The longest path that Linux allows. */
const MAX_LENGTH = 4_096;

/** `<namespace>_<name>_<uid>/<container>/<restartCount>.log`, followed by the time of its rotation (pkg/kubelet/kuberuntime). */
const POD_LOG =
  /(?:^|\/)([a-z0-9-]+)_([a-z0-9.-]+)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})(?:\/([a-z0-9-]+)(?:\/(\d{1,9})\.log(\.[^/]*)?)?)?\/?$/;

/** `<name>_<namespace>_<container>-<containerID>.log`, the names of the links to those files. */
const LINK = /(?:^|\/)([a-z0-9.-]+)_([a-z0-9-]+)_([a-z0-9-]+)-([0-9a-f]{64})\.log$/;

/**
 * Reads the pod and the container out of the path of a log: below `/var/log/pods`, a file or a directory, and the names below
 * `/var/log/containers`. With the result a log shipper finds the pod of a file: `informer.find(key)`. Links below `/var/log/containers` can
 * be parsed, and lead only to the newest file.
 *
 * @returns undefined if the path belongs to no container or pod.
 */
export function parseLogPath(path: string): LogPath | undefined {
  if (typeof path !== "string" || path.length > MAX_LENGTH) return undefined;
  const link = LINK.exec(path);
  if (link !== null) {
    const [, name = "", namespace = "", containerName, containerID = ""] = link;
    return { namespace, name, containerName, uid: undefined, containerID, restartCount: undefined, rotated: false };
  }
  const log = POD_LOG.exec(path);
  if (log === null) return undefined;
  const [, namespace = "", name = "", uid = "", containerName, number, rotation] = log;
  const restartCount = number === undefined ? undefined : Number(number);
  return { namespace, name, containerName, uid, restartCount, rotated: rotation !== undefined };
}

/** The paths that {@link logDirectoryOf} and {@link logPathOf} read. */
export const LOG_PATHS = ["metadata.uid", "metadata.namespace", "metadata.name"] as const;
type LogPaths = (typeof LOG_PATHS)[number];

/**
 * Returns the directory of a pod's logs, with a directory in it for each container (BuildPodLogsDirectory in pkg/kubelet/kuberuntime). The
 * directory of a static pod has the UID that the kubelet gave it, which is the one that this client tells.
 *
 * @param options `logRoot` is the kubelet's `podLogsDir`, `/var/log/pods` by default.
 * @throws PodsError `invalid-argument` if a name of the pod cannot be a part of a path.
 */
export function logDirectoryOf<P>(
  pod: Pod | (P & Needs<P, LogPaths>),
  options: { logRoot?: string | undefined } = {},
): string {
  checkOptions(options, { logRoot: "string" }, "logDirectoryOf");
  const { logRoot = "/var/log/pods" } = options;
  const { namespace = "", name = "", uid = "" } = needed(pod, LOG_PATHS, "logDirectoryOf").metadata ?? {};
  const parts = [pathPart(namespace, "the namespace"), pathPart(name, "the name"), pathPart(uid, "the UID")];
  return join(logRoot, parts.join("_"));
}

/**
 * Returns the log file that the runtime writes for a container's life. Rotated files lie beside it, with a time at the end of their names.
 * If the containers of an init container were removed, its restart count may be higher than the number of its file: look into the directory
 * then.
 *
 * @param options `logRoot` is the kubelet's `podLogsDir`, `/var/log/pods` by default.
 * @throws PodsError `invalid-argument` if a name cannot be a part of a path, or the restart count is no number.
 * @example
 * ```ts
 * for await (const event of pods.watchContainers({ mask: podMasks.logPathOf })) {
 *   if (event.type === "STARTED") console.log(logPathOf(event.pod, event.container));
 * }
 * ```
 */
export function logPathOf<P>(
  pod: Pod | (P & Needs<P, LogPaths>),
  container: Pick<ContainerRun, "name" | "restartCount">,
  options: { logRoot?: string | undefined } = {},
): string {
  const { name, restartCount } = container ?? {};
  if (!(Number.isInteger(restartCount) && restartCount >= 0))
    throw invalidArgument("logPathOf: container must be a ContainerRun", "or an object with name and restartCount");
  return join(logDirectoryOf(pod as Pod, options), pathPart(name, "the container's name"), `${restartCount}.log`);
}
