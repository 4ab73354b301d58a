import { PodsError } from "../../errors/pods-error.js";

/**
 * The configuration that a kubelet runs with, including defaults. Flags, such as `--root-dir`, are not in it. `staticPodURLHeader` is left
 * out, because it may contain a token.
 */
export interface KubeletConfig {
  /** The driver that makes the cgroups of pods: `systemd` or `cgroupfs`. */
  readonly cgroupDriver?: string;
  /** The parent of the pods' cgroup, below the mount; empty or `/` for the root. */
  readonly cgroupRoot?: string;
  /** The directory of the pods' logs, for `logRoot` of `logPathOf`. */
  readonly podLogsDir?: string;
  /** The size at which a log is rotated, such as `10Mi`. */
  readonly containerLogMaxSize?: string;
  /** How many files a container's log has, rotated ones included. */
  readonly containerLogMaxFiles?: number;
  /** The most pods of the node. */
  readonly maxPods?: number;
  /** `none` or `static`. */
  readonly cpuManagerPolicy?: string;
  /** `None` or `Static`. */
  readonly memoryManagerPolicy?: string;
  /** `none`, `best-effort`, `restricted` or `single-numa-node`. */
  readonly topologyManagerPolicy?: string;
  /** Feature gates that were set; those with their default are left out. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Thresholds at which pods are evicted at once, by signal such as `memory.available`. */
  readonly evictionHard?: Readonly<Record<string, string>>;
  /** All other fields, unchanged. */
  readonly [key: string]: unknown;
}

/** The use of a processor. Numbers above 2^53 are the nearest that JavaScript has. */
export interface CpuStats {
  /** The time of the measurement, as RFC 3339. */
  readonly time: string;
  /** The CPU use over the last seconds, in billionths of a core. */
  readonly usageNanoCores?: number;
  /** The CPU time since the start, in nanoseconds. */
  readonly usageCoreNanoSeconds?: number;
}

/** The use of memory. */
export interface MemoryStats {
  /** The time of the measurement, as RFC 3339. */
  readonly time: string;
  /** The bytes that are left of the limit; absent without a limit. */
  readonly availableBytes?: number;
  /** All used bytes, including caches. */
  readonly usageBytes?: number;
  /** The used bytes that cannot be reclaimed at once. Evictions are decided by them. */
  readonly workingSetBytes?: number;
  /** The bytes of anonymous memory. */
  readonly rssBytes?: number;
}

/** The use of a file system. */
export interface FsStats {
  /** The time of the measurement, as RFC 3339. */
  readonly time: string;
  /** The bytes that are left. */
  readonly availableBytes?: number;
  /** The size of the file system in bytes. */
  readonly capacityBytes?: number;
  /** The bytes in use. */
  readonly usedBytes?: number;
  /** The inodes that are left. */
  readonly inodesFree?: number;
  /** The inodes in use. */
  readonly inodesUsed?: number;
}

/** The measurements of a container. Values that the runtime does not give are absent. */
export interface ContainerStats {
  /** The name of the container. */
  readonly name: string;
  /** The time at which it started, as RFC 3339. */
  readonly startTime?: string;
  /** Its use of processors. */
  readonly cpu?: CpuStats;
  /** Its use of memory. */
  readonly memory?: MemoryStats;
  /** Its writable layer. */
  readonly rootfs?: FsStats;
  /** Its logs. */
  readonly logs?: FsStats;
  /** All else that the kubelet says, as it says it. */
  readonly [key: string]: unknown;
}

/** The measurements of a pod. */
export interface PodStats {
  /** The pod. */
  readonly podRef: { readonly namespace: string; readonly name: string; readonly uid: string };
  /** The time at which it started, as RFC 3339. */
  readonly startTime?: string;
  /** Its running containers. */
  readonly containers?: readonly ContainerStats[];
  /** Its use of processors. */
  readonly cpu?: CpuStats;
  /** Its use of memory. */
  readonly memory?: MemoryStats;
  /** Its local storage: layers, logs and `emptyDir` volumes. */
  readonly "ephemeral-storage"?: FsStats;
  /** All else that the kubelet says, as it says it. */
  readonly [key: string]: unknown;
}

/** The measurements of a node and of its pods. */
export interface StatsSummary {
  /** The node, with the kubelet and the runtime as `systemContainers`. */
  readonly node: {
    readonly nodeName: string;
    readonly cpu?: CpuStats;
    readonly memory?: MemoryStats;
    readonly fs?: FsStats;
    readonly [key: string]: unknown;
  };
  /** Pods by UID, as in the Pods API: for a static pod the UID that the kubelet gave it. */
  readonly pods: ReadonlyMap<string, PodStats>;
}

const CONFIG_TYPES: Readonly<Record<string, string>> = {
  cgroupDriver: "string",
  cgroupRoot: "string",
  podLogsDir: "string",
  containerLogMaxSize: "string",
  containerLogMaxFiles: "number",
  maxPods: "number",
  cpuManagerPolicy: "string",
  memoryManagerPolicy: "string",
  topologyManagerPolicy: "string",
  featureGates: "object",
  evictionHard: "object",
};

/** @throws PodsError `corrupt` if it is no configuration. */
export function configIn(answer: unknown, where: string): KubeletConfig {
  const config = isObject(answer) ? answer["kubeletconfig"] : undefined;
  if (!isObject(config)) throw corrupt(where, "the answer is no kubelet's configuration");
  for (const [key, type] of Object.entries(CONFIG_TYPES)) {
    const value = config[key];
    const isRight = value === undefined || (type === "object" ? isObject(value) : typeof value === type);
    if (!isRight) throw corrupt(where, `${key} is no ${type}`);
  }
  const { staticPodURLHeader: _secret, ...rest } = config;
  return rest;
}

/** @throws PodsError `corrupt` if it is no summary. */
export function summaryIn(answer: unknown, where: string): StatsSummary {
  const { node, pods } = isObject(answer) ? answer : {};
  const isList = pods === null || pods === undefined || Array.isArray(pods);
  if (!isObject(node) || typeof node["nodeName"] !== "string" || !isList)
    throw corrupt(where, "the answer is no summary of a node");
  const byUid = new Map<string, PodStats>();
  for (const pod of (pods as unknown[] | null | undefined) ?? []) {
    const ref = isObject(pod) ? pod["podRef"] : undefined;
    if (!isObject(ref) || typeof ref["uid"] !== "string") throw corrupt(where, "a pod has no UID");
    byUid.set(ref["uid"], pod as unknown as PodStats);
  }
  return { node: node as unknown as StatsSummary["node"], pods: byUid };
}

/** Returns an error without content of the answer. */
export function corrupt(where: string, what: string): PodsError {
  return new PodsError({ code: "corrupt", message: `${where}: ${what}`, hint: "is this the URL of a kubelet?" });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
