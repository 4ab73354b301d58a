import { join } from "node:path";
import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerRun } from "../pod/container-run.js";
import { type Needs, needed } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { MAX_PATH, pathPart } from "./path-part.js";

/** The pod and the container in the path of a log file or directory: a key for lookups. */
export type LogPath = {
  readonly namespace: string;
  readonly name: string;
  /** Name of the container. Undefined for the directory of the whole pod, and for a link whose name is cut. */
  readonly containerName: string | undefined;
} & (
  | {
      /** UID that the kubelet gave the pod. */
      readonly uid: string;
      /** Restart count of the container run. Undefined for a directory. */
      readonly restartCount: number | undefined;
      /** True if the file has been rotated. The runtime no longer writes to it. */
      readonly rotated: boolean;
    }
  | {
      readonly uid: undefined;
      /** ID of the container. Only links below `/var/log/containers` have it, unless their name is cut. */
      readonly containerID: string | undefined;
      readonly restartCount: undefined;
      readonly rotated: false;
    }
);

/** A UUID or a hash. Directly below a directory `pods` any text, because the manifest of a static pod can set its UID. */
const UID_TEXT = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|(?<=(?:^|/)pods/[^/]*)[^/]+";

/** `<namespace>_<name>_<uid>/<container>/<restartCount>.log`, followed by the time of its rotation (pkg/kubelet/kuberuntime). */
const POD_LOG = new RegExp(
  `(?:^|/)([a-z0-9-]+)_([a-z0-9.-]+)_(${UID_TEXT})(?:/([a-z0-9-]+)(?:/(\\d{1,9})\\.log(\\.[^/]*)?)?)?/?$`,
);

/** `<name>_<namespace>_<container>-<containerID>.log`, the names of the links to those files. */
const LINK = /(?:^|\/)([a-z0-9.-]+)_([a-z0-9-]+)_([a-z0-9-]+)-([0-9a-f]{64})\.log$/;

/** Name of a link that the kubelet has cut to 251 characters before `.log` (logSymlink in pkg/kubelet/kuberuntime/legacy.go). */
const CUT_LINK = /(?:^|\/)(?=[^/]{255}$)([a-z0-9.-]+)_([a-z0-9-]+)_[a-z0-9-]*\.log$/;

/**
 * Parses the path of a log: a file or directory below `/var/log/pods`, or a link below `/var/log/containers`, which leads to the newest file.
 * The result is a key for `informer.find(key)`.
 *
 * @returns undefined if the path does not belong to a container or pod.
 */
export function parseLogPath(path: string): LogPath | undefined {
  if (typeof path !== "string" || path.length > MAX_PATH) return undefined;
  const link = LINK.exec(path);
  if (link !== null) {
    const [, name = "", namespace = "", containerName, containerID = ""] = link;
    return { namespace, name, containerName, uid: undefined, containerID, restartCount: undefined, rotated: false };
  }
  const cut = CUT_LINK.exec(path);
  if (cut !== null) {
    const [, name = "", namespace = ""] = cut;
    const of = { namespace, name, containerName: undefined, uid: undefined, containerID: undefined };
    return { ...of, restartCount: undefined, rotated: false };
  }
  const log = POD_LOG.exec(path);
  if (log === null) return undefined;
  const [, namespace = "", name = "", uid = "", containerName, number, rotation] = log;
  const restartCount = number === undefined ? undefined : Number(number);
  return { namespace, name, containerName, uid, restartCount, rotated: rotation !== undefined };
}

export const LOG_PATHS = ["metadata.uid", "metadata.namespace", "metadata.name"] as const;
type LogPaths = (typeof LOG_PATHS)[number];

/**
 * Returns the directory of a pod's logs, which has a directory for each container (BuildPodLogsDirectory in pkg/kubelet/kuberuntime). For a
 * static pod, its name contains the UID from the kubelet, which this client also returns.
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
 * Returns the log file of a container run. Rotated files are beside it, with a time at the end of their names. If earlier containers of an
 * init container were removed, its restart count can be higher than the number of its file. In this case read the directory.
 *
 * @param options `logRoot` is the kubelet's `podLogsDir`, `/var/log/pods` by default.
 * @throws PodsError `invalid-argument` if a name cannot be a part of a path, or the restart count is not an integer of at least 0.
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
