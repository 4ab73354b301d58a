/** A pod's UID and a container's ID, as cgroup paths name them. */
export interface CgroupIdentity {
  /** The UID that the kubelet gave the pod: of a static pod the hash of its manifest. */
  uid: string;
  /** Undefined for the pod's own cgroup. */
  containerID: string | undefined;
}

/** `kubepods/burstable/pod<uid>/<id>` (cgroupfs), `…-pod<uid with _>.slice/cri-containerd-<id>.scope` (systemd). */
const POD =
  /(?:^|[/-])pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?(?:\/|$)/;

const CONTAINER = /^(?:[a-z-]+-)?([0-9a-f]{64})(?:\.scope)?(?:\/|$)/;

/**
 * Reads the pod and the container out of a cgroup path, or of the text of `/proc/<pid>/cgroup`: cgroup v1 and v2, systemd and
 * cgroupfs drivers. So an agent gets from a process to its pod: `informer.get(parseCgroupPath(text)?.uid)`.
 *
 * The sandbox of a pod has a cgroup too: its ID is given as a container's, and no container status has it.
 *
 * @returns undefined where the path is no pod's.
 *
 * @example
 * ```ts
 * const found = parseCgroupPath("0::/kubepods/burstable/pod8a0e1b7c-0d3f-4c57-9d1a-6b2f1f0c9e11");
 * console.log(found && (await pods.getPod(found.uid)).metadata.name);
 * ```
 */
export function parseCgroupPath(text: string): CgroupIdentity | undefined {
  for (const line of text.split("\n")) {
    const path = line.replace(/^\d+:[^:]*:/, "");
    const pod = POD.exec(path);
    if (pod?.[1] === undefined) continue;
    const rest = path.slice(pod.index + pod[0].length);
    return { uid: pod[1].replaceAll("_", "-"), containerID: CONTAINER.exec(rest)?.[1] };
  }
  return undefined;
}
