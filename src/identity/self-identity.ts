import { readFile } from "node:fs/promises";
import { parseCgroupPath } from "./cgroup-path.js";

/** The pod that this process runs in: a key for lookups. */
export type SelfIdentity = (
  | { readonly uid: string }
  | { readonly uid: undefined; readonly namespace: string; readonly name: string }
) & {
  /** The ID of the container; undefined if it cannot be found out. */
  readonly containerID?: string | undefined;
  /** The name of the container; undefined if it cannot be found out. */
  readonly containerName?: string | undefined;
  /** The name of the node; undefined if the environment does not have it. */
  readonly nodeName?: string | undefined;
  /** How it was found out. */
  readonly from: "environment" | "mountinfo" | "cgroup" | "hostname";
};

/** A mount of a file or a directory that the kubelet made for a pod: `/var/lib/kubelet/pods/<uid>/etc-hosts`. */
const POD_MOUNT =
  /\/pods\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\/(etc-hosts$|containers\/([^/]+)\/|volumes\/)/;

/** Where the kubelet mounts files of the pod itself. An agent may also have mounted directories of other pods. */
const OWN = ["/etc/hosts", "/dev/termination-log"];

/** The first line of the hosts file in a pod with a network of its own (managedHostsHeader in pkg/kubelet/kubelet_pods.go). */
const OWN_NETWORK = "# Kubernetes-managed hosts file.\n";

/** The longest name of a host (HOST_NAME_MAX is 64 with its end); kubelets cut the names of pods to it. */
const MAX_HOST = 63;

const NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/**
 * Finds out in which pod this process runs, also in an unprivileged container on cgroup version 2. It looks, in this order, at the
 * environment (`POD_UID`, if the manifest sets it by the downward API), the kubelet's mounts, the cgroup, `POD_NAMESPACE` and `POD_NAME`,
 * and last at the host's name with the namespace of the service account. The host's name is not used in a pod on the host's network.
 * `NODE_NAME` gives the name of the node.
 *
 * @param options `procRoot` is where `/proc` is, `/proc` by default; `env` is the environment, the process's own by default.
 * @returns undefined if this process runs in no pod, or nothing shows in which one.
 */
export async function selfIdentity(
  options: { procRoot?: string | undefined; env?: NodeJS.ProcessEnv | undefined } = {},
): Promise<SelfIdentity | undefined> {
  const { procRoot = "/proc", env = process.env } = options;
  const read = (path: string) => readFile(procRoot + path, "utf8").catch(() => "");
  const [cgroupText, mountinfo] = await Promise.all([read("/self/cgroup"), read("/self/mountinfo")]);
  const cgroup = parseCgroupPath(cgroupText);
  const mount = ownMount(mountinfo);
  const { POD_UID: uid, POD_NAMESPACE: namespace, POD_NAME: name, NODE_NAME: nodeName } = env;
  // If the cgroup belongs to another pod, its container is not this one either.
  const isOwn = cgroup?.uid === undefined || cgroup.uid === (uid || mount?.uid || cgroup.uid);
  const containerID = isOwn ? cgroup?.containerID : undefined;
  const about = { containerID, containerName: mount?.containerName, nodeName: nodeName || undefined };
  if (uid) return { uid, ...about, from: "environment" };
  if (mount !== undefined) return { uid: mount.uid, ...about, from: "mountinfo" };
  if (cgroup?.uid !== undefined) return { uid: cgroup.uid, ...about, from: "cgroup" };
  if (namespace && name) return { uid: undefined, namespace, name, ...about, from: "environment" };
  const [hosts, host, own] = await Promise.all(
    ["/self/root/etc/hosts", "/sys/kernel/hostname", `/self/root${NAMESPACE_FILE}`].map(read),
  );
  // A name of the longest length may have been cut, and so not be the pod's name.
  if (!hosts?.startsWith(OWN_NETWORK) || !host?.trim() || host.trim().length >= MAX_HOST || !own?.trim())
    return undefined;
  return { uid: undefined, namespace: own.trim(), name: host.trim(), ...about, from: "hostname" };
}

/** Returns the pod whose files the kubelet has mounted for this container. */
function ownMount(mountinfo: string): { uid: string; containerName: string | undefined } | undefined {
  let uid: string | undefined;
  let containerName: string | undefined;
  for (const line of mountinfo.split("\n")) {
    // The fourth field is the mounted path, the fifth the mount point (proc_pid_mountinfo(5)).
    const [, , , root = "", point = ""] = line.split(" ", 5);
    if (!OWN.includes(point)) continue;
    const found = POD_MOUNT.exec(root);
    uid ??= found?.[1];
    containerName ??= found?.[3];
  }
  return uid === undefined ? undefined : { uid, containerName };
}
