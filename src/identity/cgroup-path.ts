/** The pod and the container that a cgroup belongs to: a key for lookups. */
export type CgroupPath =
  | {
      /** The UID that the kubelet gave the pod; for a static pod the hash of its manifest. */
      readonly uid: string;
      /** Undefined for the pod's own cgroup. */
      readonly containerID: string | undefined;
    }
  | {
      /** Undefined if the path comes from a private cgroup namespace, where it does not show the pod. */
      readonly uid: undefined;
      /** The ID of the container, without the name of the runtime. */
      readonly containerID: string;
    };

/** The longest path that Linux allows. */
const MAX_LENGTH = 4_096;

/** The most lines of a `/proc/PID/cgroup` that are read; version 1 has about a dozen. */
const MAX_LINES = 100;

/**
 * `pod<uid>` (cgroupfs), `kubepods-burstable-pod<uid with _>.slice` (systemd), and the latter followed by a runtime and an ID. The manifest of
 * a static pod may give any text as its UID.
 */
const POD = /(?:^|[/-])pod([^/:]+?)(\.slice)?(?=[/:]|$)/g;

/** The ID of a container: 64 digits with most runtimes, a UUID with some. */
const ID = "([0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** `<id>`, `cri-containerd-<id>.scope`, `crio-<id>.scope`, `docker-<id>.scope`; the cgroup of cri-o's monitor is no container. */
const CONTAINER = new RegExp(`^(?!crio-conmon-)(?:[a-z-]+-)??${ID}(?:\\.scope)?(?:/|$)`);

/** The name if containerd takes a path of systemd for one of cgroupfs: `…slice:cri-containerd:<id>`. */
const JOINED = new RegExp(`^:[a-z-]+:${ID}(?:/|$)`);

/** The path if containerd is given no parent: its namespace for Kubernetes, and the ID. */
const PARENTLESS = new RegExp(`^/k8s\\.io/${ID}(?:/|$)`);

/** The kubelet's own cgroup above all pods, in a component (`--cgroup-root` may be before it). */
const KUBEPODS = /(?:^|[/-])kubepods(?:\.slice|-|\/)/;

/** Between the way up out of a private namespace and a pod there may be a QoS class. */
const CLASS = /^(?:\/?(?:burstable|besteffort))?\/?$/;

/** Users may make cgroups of any name below it. */
const OF_USERS = /(?:^|\/)user\.slice\//;

/** A named hierarchy of version 1: anybody may have made it, except systemd's. */
const NAMED = /^\d+:name=(?!systemd:)/;

/** The way up out of a private namespace. */
const UP = /^\/(?:\.\.\/)+/;

/**
 * Reads the pod and the container out of a cgroup path, or out of the text of `/proc/<pid>/cgroup`: version 1 and 2, the drivers systemd
 * and cgroupfs, below any `--cgroup-root`, and as seen from another container's namespace. With the result an agent finds the pod of a
 * process: `informer.find(key)`.
 *
 * A pod's directory counts only below the kubelet's own (`kubepods`), and not below `user.slice`, where anybody may make a directory of
 * that name.
 *
 * The sandbox of a pod has a cgroup, too. Its ID is returned as a container's, though no container status has it. In a private namespace a
 * process sees its own cgroup as `0::/`, which does not show the pod: use {@link selfIdentity} there.
 *
 * @returns undefined if the path belongs to no pod.
 *
 * @example
 * ```ts
 * const found = parseCgroupPath("0::/kubepods/burstable/pod8a0e1b7c-0d3f-4c57-9d1a-6b2f1f0c9e11");
 * console.log(found?.uid);
 * ```
 */
export function parseCgroupPath(text: string): CgroupPath | undefined {
  let pod: CgroupPath | undefined;
  if (typeof text !== "string") return undefined; // as the other parsers
  for (const line of text.split("\n", MAX_LINES)) {
    if (NAMED.test(line)) continue;
    const found = ofPath(
      line
        .slice(0, MAX_LENGTH)
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
  for (const pod of path.matchAll(POD)) {
    if (!isOfKubelet(path, pod.index)) continue;
    const [all, uid = "", slice] = pod;
    const rest = path.slice(pod.index + all.length);
    const containerID = CONTAINER.exec(rest.slice(1))?.[1] ?? JOINED.exec(rest)?.[1];
    // systemd has slices within slices for hyphens, so the kubelet writes underscores.
    return { uid: slice === undefined ? uid : uid.replaceAll("_", "-"), containerID };
  }
  const up = UP.exec(path);
  const parentless = PARENTLESS.exec(path)?.[1];
  if (parentless !== undefined) return { uid: undefined, containerID: parentless };
  const containerID = up === null ? undefined : CONTAINER.exec(path.slice(up[0].length))?.[1];
  return containerID === undefined ? undefined : { uid: undefined, containerID };
}

/** Returns true if the path before a pod's directory shows that the kubelet made it. */
function isOfKubelet(path: string, index: number): boolean {
  const up = UP.exec(path)?.[0] ?? "";
  const before = path.slice(up.length, index + 1);
  if (OF_USERS.test(before)) return false;
  return KUBEPODS.test(before) || (up !== "" && CLASS.test(before));
}
