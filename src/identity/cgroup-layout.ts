import { access, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerRun } from "../pod/container-run.js";
import { HASH_ANNOTATION, MIRROR_ANNOTATION } from "../pod/lifecycle.js";
import { type Needs, needed } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";

/** Place and names of the pod cgroups on a node. */
export interface CgroupLayout {
  /** Driver that creates the cgroups and names them. */
  readonly driver: "systemd" | "cgroupfs";
  /** Version of the cgroup file system. */
  readonly version: 1 | 2;
  /** Directory above all pods, such as `/sys/fs/cgroup/kubepods.slice`. With version 1 it is that of one controller. */
  readonly root: string;
}

/** Maximum depth of the search for the directory of all pods, below the mount. In kind it is two levels below. */
const MAX_LAYOUT_DEPTH = 3;

/** Controllers of version 1 that every kubelet uses. Any of them is enough. */
const CONTROLLERS = ["memory", "cpu,cpuacct", "cpu", "pids"];

const layouts = new Map<string, Promise<CgroupLayout>>();

/** The part of the kubelet's configuration that determines the place of its pods' cgroups. */
interface CgroupConfig {
  readonly cgroupDriver?: string;
  readonly cgroupRoot?: string;
}

/**
 * Returns the layout of this node's cgroups. It is detected once for each `cgroupRoot` and configuration. In a container, mount the host's
 * `/sys/fs/cgroup`.
 *
 * @param options `cgroupRoot` is the mount of the cgroup file system; `/sys/fs/cgroup` by default. `kubelet` is the kubelet's
 * configuration, as `KubeletHttpClient.configz()` returns it, and determines the driver and the place. Without it the existing directories
 * decide. These may be the wrong ones if a kubelet has changed its driver, or two kubelets run. If the configured place does not exist, for
 * example because the kubelet runs in a container, the nearest directory of the configured driver is used.
 * @throws PodsError `unsupported-platform` if no pod cgroups exist.
 */
export async function cgroupLayout(
  options: { cgroupRoot?: string | undefined; kubelet?: CgroupConfig | undefined } = {},
): Promise<CgroupLayout> {
  checkOptions(options, { cgroupRoot: "string", kubelet: "object" }, "cgroupLayout");
  const { cgroupRoot = "/sys/fs/cgroup", kubelet = {} } = options;
  if (options.kubelet !== undefined && !isDriver(kubelet?.cgroupDriver)) {
    throw invalidArgument(
      "cgroupLayout: kubelet.cgroupDriver must be systemd or cgroupfs",
      "pass the result of KubeletHttpClient.configz()",
    );
  }
  const key = JSON.stringify([cgroupRoot, kubelet.cgroupDriver, kubelet.cgroupRoot]);
  let layout = layouts.get(key);
  if (layout === undefined) {
    layout = detect(cgroupRoot, kubelet);
    layouts.set(key, layout);
    layout.catch(() => layouts.delete(key)); // a later call may find the first pod
  }
  return layout;
}

async function detect(cgroupRoot: string, kubelet: CgroupConfig): Promise<CgroupLayout> {
  const isUnified = await access(join(cgroupRoot, "cgroup.controllers")).then(
    () => true,
    () => false,
  );
  const mounts = isUnified ? [cgroupRoot] : CONTROLLERS.map((controller) => join(cgroupRoot, controller));
  for (const mount of mounts) {
    const root = (await podsOf(mount, kubelet)) ?? (await podsBelow(mount, nameOf(kubelet.cgroupDriver)));
    if (root === undefined) continue;
    return { driver: root.endsWith(SLICE) ? "systemd" : "cgroupfs", version: isUnified ? 2 : 1, root };
  }
  throw new PodsError({
    code: "unsupported-platform",
    message: `no pods have cgroups below ${cgroupRoot}`,
    hint: "in a container mount the host's /sys/fs/cgroup, and pass its path as cgroupRoot",
  });
}

const isDriver = (driver: unknown): boolean => driver === "systemd" || driver === "cgroupfs";

const SLICE = ".slice";
const ROOT = /^(?:[a-z0-9.-]+-)?kubepods(?:\.slice)?$/;

/** Returns the pattern for the name of the directory of all pods. */
function nameOf(driver: string | undefined): RegExp {
  if (driver === undefined) return ROOT;
  return driver === "systemd" ? /^(?:[a-z0-9._-]+-)?kubepods\.slice$/ : /^kubepods$/;
}

/**
 * Returns the directory of all pods according to the kubelet's configuration, if it exists. The name of a systemd slice begins with the
 * names of the slices above it (CgroupName.ToSystemd in pkg/kubelet/cm/cgroup_manager_linux.go).
 */
async function podsOf(mount: string, { cgroupDriver, cgroupRoot = "" }: CgroupConfig): Promise<string | undefined> {
  const parts = cgroupRoot.split("/").filter((part) => part !== "");
  if (cgroupDriver === undefined || parts.some((part) => part === "." || part === "..")) return undefined;
  const names = [...parts, "kubepods"];
  const slices = names.map(
    (_, i) =>
      names
        .slice(0, i + 1)
        .map((name) => name.replaceAll("-", "_"))
        .join("-") + SLICE,
  );
  const root = join(mount, ...(cgroupDriver === "systemd" ? slices : names));
  return (await readdir(root).catch(() => undefined)) === undefined ? undefined : root;
}

/** Returns the directory of all pods that is closest to the mount. On one level, a directory with pod cgroups is preferred. */
async function podsBelow(mount: string, name: RegExp): Promise<string | undefined> {
  let level = [mount];
  for (let depth = 0; depth < MAX_LAYOUT_DEPTH; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isDirectory()) next.push(join(directory, entry.name));
    }
    const found = next.filter((directory) => name.test(basename(directory)));
    // A kubelet that has changed its driver leaves behind the directories of the other driver, without pods.
    for (const directory of found) if (await hasPods(directory)) return directory;
    if (found[0] !== undefined) return found[0];
    level = next;
  }
  return undefined;
}

/** Returns true if a directory, or a directory of a QoS class in it, has pod cgroups. */
async function hasPods(directory: string, depth = 2): Promise<boolean> {
  const names = (await readdir(directory, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  if (names.some((name) => /(?:^|-)pod[0-9a-f]/.test(name))) return true;
  for (const name of depth > 1 ? names : []) if (await hasPods(join(directory, name), depth - 1)) return true;
  return false;
}

export const CGROUP_PATHS = ["metadata.uid", "metadata.annotations", "status.qosClass"] as const;
type CgroupPaths = (typeof CGROUP_PATHS)[number];

/** Prefixes of the ID in the name of a container's cgroup, by runtime. */
const PREFIXES: Readonly<Record<string, readonly [systemd: string, cgroupfs: string]>> = {
  containerd: ["cri-containerd-", ""],
  "cri-o": ["crio-", "crio-"],
  docker: ["docker-", ""],
};

/**
 * Returns the directory of a container's cgroup, or without a container that of the pod's cgroup: the inverse of {@link parseCgroupPath}.
 * Runtimes can create further cgroups below it. With version 2, `stat` of the directory returns the ID that eBPF programs see
 * (`bpf_get_current_cgroup_id`) as the inode number.
 */
export function cgroupPathOf<P>(
  pod: Pod | (P & Needs<P, CgroupPaths>),
  container: Pick<ContainerRun, "containerID" | "runtime"> | undefined,
  layout: CgroupLayout,
): string {
  const { metadata, status } = needed(pod, CGROUP_PATHS, "cgroupPathOf");
  if (!isDriver(layout?.driver))
    throw invalidArgument("cgroupPathOf: layout must be a CgroupLayout", "await cgroupLayout()");
  if (container !== undefined && typeof container?.containerID !== "string")
    throw invalidArgument("cgroupPathOf: container must be a ContainerRun", "pass `run` of a row of containersOf(pod)");
  const annotations = metadata?.annotations ?? {};
  const isMirror = annotations[MIRROR_ANNOTATION] !== undefined;
  const uid = (isMirror ? annotations[HASH_ANNOTATION] : undefined) ?? metadata?.uid ?? "";
  const isSystemd = layout.driver === "systemd";
  const qosClass = status?.qosClass || "BestEffort";
  const ofClass = qosClass === "Guaranteed" ? [] : [qosClass.toLowerCase()];
  const directories: string[] = [];
  if (isSystemd) {
    let name = basename(layout.root, SLICE);
    for (const part of [...ofClass, `pod${uid.replaceAll("-", "_")}`]) {
      name = `${name}-${part}`;
      directories.push(name + SLICE);
    }
  } else directories.push(...ofClass, `pod${uid}`);
  if (container !== undefined) {
    const { runtime } = container;
    const [systemd, cgroupfs] = (Object.hasOwn(PREFIXES, runtime) ? PREFIXES[runtime] : undefined) ?? [
      `${runtime}-`,
      "",
    ];
    directories.push(isSystemd ? `${systemd}${container.containerID}.scope` : cgroupfs + container.containerID);
  }
  return join(layout.root, ...directories);
}
