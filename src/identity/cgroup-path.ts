/** The pod and the container that a cgroup is of: a key for lookups. */
export type CgroupPath =
  | {
      /** The UID that the kubelet gave the pod: of a static pod the hash of its manifest. */
      readonly uid: string;
      /** Undefined for the pod's own cgroup. */
      readonly containerID: string | undefined;
    }
  | {
      /** Undefined where the path is as a private namespace shows it, which has no pod in it. */
      readonly uid: undefined;
      /** The ID of the container, without the name of the runtime. */
      readonly containerID: string;
    };

/** The longest path that Linux has. */
const MAX_LENGTH = 4_096;

/** The most lines of a `/proc/PID/cgroup` that are read; version 1 has about a dozen. */
const MAX_LINES = 100;

/** `pod<uid>` (cgroupfs), `kubepods-burstable-pod<uid with _>.slice` (systemd), and the latter with a runtime and an ID behind it. */
const POD =
  /(?:^|[/-])pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?(?=[/:]|$)/;

/** The ID of a container: most runtimes draw 64 digits, some a UUID. */
const ID = "([0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

/** `<id>`, `cri-containerd-<id>.scope`, `crio-<id>.scope`, `docker-<id>.scope`; what cri-o's monitor runs in is no container. */
const CONTAINER = new RegExp(`^(?!crio-conmon-)(?:[a-z-]+-)??${ID}(?:\\.scope)?(?:/|$)`);

/** Where containerd takes a path of systemd for one of cgroupfs: `…slice:cri-containerd:<id>`. */
const JOINED = new RegExp(`^:[a-z-]+:${ID}(?:/|$)`);

/** Where containerd is given no parent: its namespace for Kubernetes, and the ID. */
const PARENTLESS = new RegExp(`^/k8s\\.io/${ID}(?:/|$)`);

/** The kubelet's own cgroup above all pods, in a component (`--cgroup-root` may be before it). */
const KUBEPODS = /(?:^|[/-])kubepods(?:\.slice|-|\/)/;

/** Between a private namespace's way up and a pod there may be a class of quality, or nothing. */
const CLASS = /^(?:\/?(?:burstable|besteffort))?\/?$/;

/** Users may make cgroups of any name below it. */
const OF_USERS = /(?:^|\/)user\.slice\//;

/** A hierarchy of version 1 that anybody may have named, and filled; systemd's is its own. */
const NAMED = /^\d+:name=(?!systemd:)/;

/** The way up out of a private namespace. */
const UP = /^\/(?:\.\.\/)+/;

/**
 * Reads the pod and the container out of a cgroup path, or out of the text of `/proc/<pid>/cgroup`: version 1 and 2, the drivers
 * systemd and cgroupfs, below any `--cgroup-root`, and as seen from another container's namespace. So an agent gets from a process to its pod:
 * `informer.find(key)` with what this returns.
 *
 * A pod's directory counts below the kubelet's own (`kubepods`) alone, and not below `user.slice`, where anybody may make one of that name.
 *
 * The sandbox of a pod has a cgroup too: its ID is given as a container's, and no container status has it. A process sees its own
 * cgroup as `0::/` in a private namespace, which says nothing: {@link selfIdentity} finds out by other means.
 *
 * @returns undefined where the path is no pod's.
 *
 * @example
 * ```ts
 * const found = parseCgroupPath("0::/kubepods/burstable/pod8a0e1b7c-0d3f-4c57-9d1a-6b2f1f0c9e11");
 * console.log(found?.uid);
 * ```
 */
export function parseCgroupPath(text: string): CgroupPath | undefined {
  let pod: CgroupPath | undefined;
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
  const pod = POD.exec(path);
  if (pod?.[1] !== undefined) {
    if (!isOfKubelet(path, pod.index)) return undefined;
    const rest = path.slice(pod.index + pod[0].length);
    const containerID = CONTAINER.exec(rest.slice(1))?.[1] ?? JOINED.exec(rest)?.[1];
    return { uid: pod[1].replaceAll("_", "-"), containerID };
  }
  const up = UP.exec(path);
  const parentless = PARENTLESS.exec(path)?.[1];
  if (parentless !== undefined) return { uid: undefined, containerID: parentless };
  const containerID = up === null ? undefined : CONTAINER.exec(path.slice(up[0].length))?.[1];
  return containerID === undefined ? undefined : { uid: undefined, containerID };
}

/** Returns whether the directory of a pod is one that the kubelet made: what comes before it says so. */
function isOfKubelet(path: string, index: number): boolean {
  const up = UP.exec(path)?.[0] ?? "";
  const before = path.slice(up.length, index + 1);
  if (OF_USERS.test(before)) return false;
  return KUBEPODS.test(before) || (up !== "" && CLASS.test(before));
}
