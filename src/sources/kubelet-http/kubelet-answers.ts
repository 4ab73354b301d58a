import { PodsError } from "../../errors/pods-error.js";

/**
 * Configuration of a running kubelet, including defaults. It does not include command-line flags, such as `--root-dir`.
 * `staticPodURLHeader` is omitted, because it may contain a token.
 */
export interface KubeletConfig {
  /** Driver that manages the cgroups of pods: `systemd` or `cgroupfs`. */
  readonly cgroupDriver?: string;
  /** Parent of the pods' cgroup, relative to the mount point of the cgroup file system. Empty or `/` for the root. */
  readonly cgroupRoot?: string;
  /** Directory of the pods' logs, for the option `logRoot` of `logPathOf`. */
  readonly podLogsDir?: string;
  /** Size at which a log is rotated, such as `10Mi`. */
  readonly containerLogMaxSize?: string;
  /** Maximum number of log files of a container, including rotated ones. */
  readonly containerLogMaxFiles?: number;
  /** Maximum number of pods on the node. */
  readonly maxPods?: number;
  /** `none` or `static`. */
  readonly cpuManagerPolicy?: string;
  /** `None` or `Static`. */
  readonly memoryManagerPolicy?: string;
  /** `none`, `best-effort`, `restricted` or `single-numa-node`. */
  readonly topologyManagerPolicy?: string;
  /** Feature gates that were set. Gates with their default value are omitted. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Hard eviction thresholds by signal, such as `memory.available`. */
  readonly evictionHard?: Readonly<Record<string, string>>;
  /** All other fields, unchanged. */
  readonly [key: string]: unknown;
}

/** CPU usage. Numbers above 2^53 are rounded to the nearest JavaScript number. */
export interface CpuStats {
  /** Time of the measurement (RFC 3339). */
  readonly time: string;
  /** CPU usage over the last seconds, in billionths of a core. */
  readonly usageNanoCores?: number;
  /** Total CPU time since the start, in nanoseconds. */
  readonly usageCoreNanoSeconds?: number;
}

/** Memory usage. */
export interface MemoryStats {
  /** Time of the measurement (RFC 3339). */
  readonly time: string;
  /** Bytes that are available below the limit; absent without a limit. */
  readonly availableBytes?: number;
  /** Used bytes, including caches. */
  readonly usageBytes?: number;
  /** Used bytes that cannot be reclaimed at once. The kubelet decides evictions by this value. */
  readonly workingSetBytes?: number;
  /** Bytes of anonymous memory. */
  readonly rssBytes?: number;
}

/** File system usage. */
export interface FsStats {
  /** Time of the measurement (RFC 3339). */
  readonly time: string;
  /** Available bytes. */
  readonly availableBytes?: number;
  /** Size of the file system in bytes. */
  readonly capacityBytes?: number;
  /** Used bytes. */
  readonly usedBytes?: number;
  /** Free inodes. */
  readonly inodesFree?: number;
  /** Used inodes. */
  readonly inodesUsed?: number;
}

/** Statistics of a container. Values that the runtime does not report are absent. */
export interface ContainerStats {
  /** Name of the container. */
  readonly name: string;
  /** Start time (RFC 3339). */
  readonly startTime?: string;
  /** CPU usage. */
  readonly cpu?: CpuStats;
  /** Memory usage. */
  readonly memory?: MemoryStats;
  /** Usage of the writable layer. */
  readonly rootfs?: FsStats;
  /** Usage of the logs. */
  readonly logs?: FsStats;
  /** All other fields, unchanged. */
  readonly [key: string]: unknown;
}

/** Statistics of a pod. */
export interface PodStats {
  /** Identity of the pod. */
  readonly podRef: { readonly namespace: string; readonly name: string; readonly uid: string };
  /** Start time (RFC 3339). */
  readonly startTime?: string;
  /** Statistics of the running containers. */
  readonly containers?: readonly ContainerStats[];
  /** CPU usage. */
  readonly cpu?: CpuStats;
  /** Memory usage. */
  readonly memory?: MemoryStats;
  /** Usage of local storage: layers, logs and `emptyDir` volumes. */
  readonly "ephemeral-storage"?: FsStats;
  /** All other fields, unchanged. */
  readonly [key: string]: unknown;
}

/** Statistics of a node and of its pods. */
export interface StatsSummary {
  /** Statistics of the node. The kubelet and the runtime are in `systemContainers`. */
  readonly node: {
    readonly nodeName: string;
    readonly cpu?: CpuStats;
    readonly memory?: MemoryStats;
    readonly fs?: FsStats;
    readonly [key: string]: unknown;
  };
  /** Statistics of pods by UID, as in the Pods API: for a static pod the UID that the kubelet gave it. */
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

/** @throws PodsError `corrupt` if the answer is not a configuration. */
export function configIn(answer: unknown, where: string): KubeletConfig {
  const config = isObject(answer) ? answer["kubeletconfig"] : undefined;
  if (!isObject(config)) throw corrupt(where, "the answer is not a kubelet configuration");
  for (const [key, type] of Object.entries(CONFIG_TYPES)) {
    const value = config[key];
    const isRight = value === undefined || (type === "object" ? isObject(value) : typeof value === type);
    if (!isRight) throw corrupt(where, `${key} must be of type ${type}`);
  }
  const { staticPodURLHeader: _secret, ...rest } = config;
  return rest;
}

/** @throws PodsError `corrupt` if the answer is not a summary. */
export function summaryIn(answer: unknown, where: string): StatsSummary {
  const { node, pods } = isObject(answer) ? answer : {};
  const isList = pods === null || pods === undefined || Array.isArray(pods);
  if (!isObject(node) || typeof node["nodeName"] !== "string" || !isList)
    throw corrupt(where, "the answer is not a node summary");
  const byUid = new Map<string, PodStats>();
  for (const pod of (pods as unknown[] | null | undefined) ?? []) {
    const ref = isObject(pod) ? pod["podRef"] : undefined;
    if (!isObject(ref) || typeof ref["uid"] !== "string") throw corrupt(where, "a pod has no UID");
    byUid.set(ref["uid"], pod as unknown as PodStats);
  }
  return { node: node as unknown as StatsSummary["node"], pods: byUid };
}

/** Returns an error without the content of the answer. */
export function corrupt(where: string, what: string): PodsError {
  return new PodsError({ code: "corrupt", message: `${where}: ${what}`, hint: "is this the URL of a kubelet?" });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
