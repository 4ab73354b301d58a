import { MAX_PATH } from "./path-part.js";
/** The pod and the container of a cgroup: a key for lookups. */
export type CgroupPath =
  | {
      /** UID that the kubelet gave the pod. For a static pod it is the hash of the manifest. */
      readonly uid: string;
      /** Undefined for the pod's own cgroup. */
      readonly containerID: string | undefined;
    }
  | {
      /** Undefined if the path comes from a private cgroup namespace, where it does not show the pod. */
      readonly uid: undefined;
      /** ID of the container, without the name of the runtime. */
      readonly containerID: string;
    };

/** Maximum number of lines of `/proc/PID/cgroup` that are read. Version 1 has about a dozen. */
const MAX_LINES = 100;

/**
 * `pod<uid>` (cgroupfs), `kubepods-burstable-pod<uid with _>.slice` (systemd), and the latter followed by a runtime and an ID. The manifest
 * of a static pod can set any text as the UID.
 */
const POD_SLICE = /(?:^|[/-])pod([^/:]+?)(\.slice)?(?=[/:]|$)/g;

/** Container ID: 64 hex digits with most runtimes, a UUID with some. */
const ID = "([0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** `<id>`, `cri-containerd-<id>.scope`, `crio-<id>.scope`, `docker-<id>.scope`. The cgroup of cri-o's monitor is not a container. */
const CONTAINER_SCOPE = new RegExp(`^(?!crio-conmon-)(?:[a-z-]+-)??${ID}(?:\\.scope)?(?:/|$)`);

/** Name that results if containerd takes a systemd path for a cgroupfs path: `…slice:cri-containerd:<id>`. */
const JOINED = new RegExp(`^:[a-z-]+:${ID}(?:/|$)`);

/** Path of a container without a parent cgroup: the namespace of containerd for Kubernetes, and the ID. */
const PARENTLESS = new RegExp(`^/k8s\\.io/${ID}(?:/|$)`);

/** The kubelet's own cgroup above all pods. The `--cgroup-root` may be before it in the path or in the name of the slice. */
const KUBEPODS = /(?:^|[/-])kubepods(?:\.slice|-|\/)/;

/** The path between the leading `../` of a private namespace and a pod: empty, or a QoS class. */
const CLASS = /^(?:\/?(?:burstable|besteffort))?\/?$/;

/** Cgroup below which users can create cgroups of any name. */
const OF_USERS = /(?:^|\/)user\.slice\//;

/** A named hierarchy of version 1. Any program can create one, so only that of systemd counts. */
const NAMED = /^\d+:name=(?!systemd:)/;

/** The leading `../` of a path outside the private namespace of the reader. */
const UP = /^\/(?:\.\.\/)+/;

/**
 * Parses the pod and the container from a cgroup path, or from the content of `/proc/<pid>/cgroup`. It supports cgroup versions 1 and 2,
 * the drivers systemd and cgroupfs, any `--cgroup-root`, and paths as seen from another container's namespace. The result is a key for
 * `informer.find(key)`, which finds the pod of a process.
 *
 * The directory of a pod counts only below the kubelet's own (`kubepods`), and not below `user.slice`, where any user can create a
 * directory of that name.
 *
 * The sandbox of a pod has a cgroup, too. Its ID is returned as `containerID`, although no container status has it. In a private namespace
 * a process sees its own cgroup as `0::/`, which does not show the pod: use {@link selfIdentity} there.
 *
 * @returns undefined if the path belongs to no pod.
 * @example
 * ```ts
 * const found = parseCgroupPath("0::/kubepods/burstable/pod8a0e1b7c-0d3f-4c57-9d1a-6b2f1f0c9e11");
 * console.log(found?.uid);
 * ```
 */
export function parseCgroupPath(text: string): CgroupPath | undefined {
  let pod: CgroupPath | undefined;
  if (typeof text !== "string") return undefined; // like the other parsers
  for (const line of text.split("\n", MAX_LINES)) {
    if (NAMED.test(line)) continue;
    const found = ofPath(
      line
        .slice(0, MAX_PATH)
        .replace(/\r$/, "")
        .replace(/^\d+:[^:]*:/, "")
        .replace(/ \(deleted\)$/, ""),
    );
    if (found?.containerID !== undefined) return found;
    pod ??= found;
  }
  return pod;
}

function ofPath(path: string): CgroupPath | undefined {
  for (const pod of path.matchAll(POD_SLICE)) {
    if (!isOfKubelet(path, pod.index)) continue;
    const [all, uid = "", slice] = pod;
    const rest = path.slice(pod.index + all.length);
    const containerID = CONTAINER_SCOPE.exec(rest.slice(1))?.[1] ?? JOINED.exec(rest)?.[1];
    // In the name of a slice, systemd reads hyphens as separators of nested slices, so the kubelet writes underscores.
    return { uid: slice === undefined ? uid : uid.replaceAll("_", "-"), containerID };
  }
  const up = UP.exec(path);
  const parentless = PARENTLESS.exec(path)?.[1];
  if (parentless !== undefined) return { uid: undefined, containerID: parentless };
  const containerID = up === null ? undefined : CONTAINER_SCOPE.exec(path.slice(up[0].length))?.[1];
  return containerID === undefined ? undefined : { uid: undefined, containerID };
}

/** Returns true if the path before a pod's directory shows that the kubelet made it. */
function isOfKubelet(path: string, index: number): boolean {
  const up = UP.exec(path)?.[0] ?? "";
  const before = path.slice(up.length, index + 1);
  if (OF_USERS.test(before)) return false;
  return KUBEPODS.test(before) || (up !== "" && CLASS.test(before));
}
