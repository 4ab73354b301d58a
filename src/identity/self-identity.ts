import { readFile } from "node:fs/promises";
import { parseCgroupPath } from "./cgroup-path.js";

/** The pod that this process runs in: a key for lookups. */
export type SelfIdentity = (
  | { readonly uid: string }
  | { readonly uid: undefined; readonly namespace: string; readonly name: string }
) & {
  /** ID of the container. Undefined if it cannot be determined. */
  readonly containerID?: string | undefined;
  /** Name of the container. Undefined if it cannot be determined. */
  readonly containerName?: string | undefined;
  /** Name of the node. Undefined if the environment does not have it. */
  readonly nodeName?: string | undefined;
  /** Source of the pod's identity. */
  readonly from: "environment" | "mountinfo" | "cgroup" | "token";
};

/** A mount of a file or a directory that the kubelet made for a pod: `/var/lib/kubelet/pods/<uid>/etc-hosts`. */
const POD_MOUNT = /\/pods\/([^/]+)\/(etc-hosts$|containers\/([^/]+)\/|volumes\/)/;

/** Mount points of the files that the kubelet mounts for the pod itself. An agent may also have mounted directories of other pods. */
const OWN_MOUNTS = ["/etc/hosts", "/dev/termination-log"];

/** Token of the service account, which is bound to the pod since Kubernetes 1.21. */
const TOKEN_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** Maximum length of a token. Real ones have one or two thousand characters. */
const MAX_TOKEN = 65_536;

/**
 * Returns the pod that this process runs in, also in an unprivileged container on cgroup v2. It reads, in this order: the environment variable
 * `POD_UID` (from the downward API), the kubelet's mounts, the cgroup, the token of the service account, and the environment variables
 * `POD_NAMESPACE` and `POD_NAME`. `NODE_NAME` is the name of the node. The host name is not used, because a pod can set any.
 *
 * @param options `procRoot` is the path of `/proc` (default `/proc`); `env` is the environment (default that of the process).
 * @returns undefined if this process does not run in a pod, or the pod cannot be determined.
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
  const bound = uidOfToken(await read(`/self/root${TOKEN_FILE}`));
  if (bound !== undefined) return { uid: bound, ...about, from: "token" };
  if (namespace && name) return { uid: undefined, namespace, name, ...about, from: "environment" };
  return undefined;
}

/** Returns the UID of the pod that a token of a service account is bound to; undefined if it is not bound, or cannot be read. */
function uidOfToken(token: string): string | undefined {
  if (token.length > MAX_TOKEN) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    const uid = (claims as { "kubernetes.io"?: { pod?: { uid?: unknown } } } | null)?.["kubernetes.io"]?.pod?.uid;
    return typeof uid === "string" && uid !== "" ? uid : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the pod whose files the kubelet has mounted for this container. */
function ownMount(mountinfo: string): { uid: string; containerName: string | undefined } | undefined {
  let uid: string | undefined;
  let containerName: string | undefined;
  for (const line of mountinfo.split("\n")) {
    // The fourth field is the mounted path, the fifth the mount point (proc_pid_mountinfo(5)).
    const [, , , root = "", point = ""] = line.split(" ", 5);
    if (!OWN_MOUNTS.includes(point)) continue;
    const found = POD_MOUNT.exec(root);
    uid ??= found?.[1];
    containerName ??= found?.[3];
  }
  return uid === undefined ? undefined : { uid, containerName };
}
