import type { OptionRows } from "../option-checks.js";
import type { ContainerResources } from "../podresources/pod-resources.js";
import type { DeletionReason, EvictionReason } from "./disruption.js";
import type { PodInput } from "./pod-input.js";
import type { KubeletProfile } from "./profile.js";

/** Options of `ReferenceKubelet.start`. */
export interface ReferenceKubeletOptions {
  /**
   * The kubelet to play. `"v1beta1"` and `"v1"` are 1.37 with the API under these names; `"documented"` serves the contract that the
   * documentation prints.
   *
   * @default "1.37"
   */
  profile?: KubeletProfile | undefined;
  /**
   * The first pods. Mirror pods are served as the static pods behind them.
   *
   * @default no pods
   */
  pods?: Iterable<PodInput> | undefined;
  /**
   * Where to listen. A missing directory is made, with mode 0700, and stays. A socket without a listener is replaced. Any other existing
   * file is refused.
   *
   * @default a socket in a new directory below the system's temporary one
   */
  socketPath?: string | undefined;
  /**
   * True to replace a socket that another process listens on. Otherwise that is refused.
   *
   * @default false
   */
  force?: boolean | undefined;
  /**
   * True to start as a kubelet that has not read its pod sources, see `setInitializing`.
   *
   * @default false
   */
  initializing?: boolean | undefined;
  /**
   * The feature gate `PodsAPI`. Without it kubelets make no directory and do not listen.
   *
   * @default true, also for 1.36, where it is off by default in kubelets
   */
  gate?: boolean | undefined;
  /**
   * True to serve the podresources API, too, on `pod-resources.sock` beside the other socket. `assignResources` gives resources to
   * containers.
   *
   * @default false
   */
  podResources?: boolean | undefined;
  /**
   * True to serve `GET /pods` over HTTP, too, as the kubelet's read-only port does: on 127.0.0.1, without TLS and without a token. The URL
   * is in `httpURL`.
   *
   * @default false
   */
  http?: boolean | undefined;
  /**
   * Where `addProcess` makes the files that `/proc` has of a process. The directory stays.
   *
   * @default none: `addProcess` is refused
   */
  procRoot?: string | undefined;
  /**
   * Where to make a directory for the cgroup of each running pod, in the layout of version 2 and systemd: with one directory for its
   * sandbox, one for each running container, and `cgroup.procs`. With `procRoot` the sandbox and each container have a process. The
   * directory stays.
   *
   * @default none
   */
  cgroupRoot?: string | undefined;
  /**
   * Returns the time of day for the times that the kubelet writes, such as the start of a container, so that a test can expect them.
   *
   * @default the system's clock
   */
  now?: (() => Date) | undefined;
  /**
   * True to leave out keys of pods that the schema does not have, for example in JSON of a newer cluster. Otherwise they are refused.
   *
   * @default false
   */
  allowUnknownKeys?: boolean | undefined;
}

/** Options of `ReferenceKubelet.evictPod`. */
export interface EvictionOptions {
  /**
   * The reason, for `status.reason`. `Terminated`: the node shuts down.
   *
   * @default "Evicted"
   */
  reason?: EvictionReason | undefined;
  /**
   * The message, for `status.message`. A message about a limit of the pod's own leaves no condition `DisruptionTarget`.
   *
   * @default what kubelets write; of an eviction that the node is low on memory
   */
  message?: string | undefined;
}

/** Options of `ReferenceKubelet.deletePod`. */
export interface DeletionOptions {
  /**
   * The grace period, in seconds.
   *
   * @default 30
   */
  gracePeriodSeconds?: number | undefined;
  /**
   * The reason of the condition `DisruptionTarget`, if the Eviction API (as for `kubectl drain`), the scheduler, the taint manager or the
   * garbage collector deletes the pod.
   *
   * @default no such condition
   */
  reason?: DeletionReason | undefined;
}

/** Options of `ReferenceKubelet.rejectPod`. */
export interface RejectionOptions {
  /** Reason in one word, for `status.reason`. */
  reason?: string | undefined;
  /** Human-readable message, for `status.message`. */
  message?: string | undefined;
}

/** Options of `ReferenceKubelet.restart`. */
export interface RestartOptions {
  /**
   * How long no process listens, in milliseconds. The file of the socket stays meanwhile.
   *
   * @default 0
   */
  downtimeMs?: number | undefined;
  /**
   * How long the new process takes to read its pod sources, in milliseconds. Meanwhile 1.37 refuses all calls; 1.36 answers with no pods,
   * and after half of the time with the static ones.
   *
   * @default 0
   */
  initializingMs?: number | undefined;
  /**
   * How long the workers take to look at their pods after the sources are read, in milliseconds. Until then Ready=True is served as False
   * (1.37), and then each pod is told as ADDED again. With 0 they have looked before the first call.
   *
   * @default 100
   */
  firstStatusMs?: number | undefined;
  /**
   * How long after its first status a static pod with a readiness probe stays not ready, in milliseconds: until it has been probed. On a
   * node that takes its periodSeconds and more. With 0 it is ready with its first status.
   *
   * @default 100, or 0 where `firstStatusMs` is 0
   */
  firstProbesMs?: number | undefined;
  /**
   * True to end as after SIGKILL, with cut connections, instead of a graceful shutdown.
   *
   * @default false
   */
  kill?: boolean | undefined;
  /**
   * The version afterwards.
   *
   * @default the current one
   */
  profile?: KubeletProfile | undefined;
  /**
   * The feature gate afterwards. Without it the dead socket's file stays.
   *
   * @default unchanged
   */
  gate?: boolean | undefined;
}

/** The type of each option of `ReferenceKubelet.start`. */
export const START_OPTIONS: OptionRows<
  ReferenceKubeletOptions,
  "profile" | "pods" | "force" | "initializing" | "gate" | "podResources" | "http" | "allowUnknownKeys"
> = {
  profile: { type: "string", default: "1.37" },
  pods: { type: "checked elsewhere", default: [] },
  socketPath: "string",
  force: { type: "boolean", default: false },
  initializing: { type: "boolean", default: false },
  gate: { type: "boolean", default: true },
  podResources: { type: "boolean", default: false },
  http: { type: "boolean", default: false },
  procRoot: "string",
  cgroupRoot: "string",
  now: "function",
  allowUnknownKeys: { type: "boolean", default: false },
};

/** The longest timer: longer ones of Node.js would fire at once. */
const MAX_TIMER_MS = 2 ** 30;

const LIMITS = { type: "number", least: 0, most: MAX_TIMER_MS } as const;

/** The type of each option of `ReferenceKubelet.restart`. */
export const RESTART_OPTIONS: OptionRows<RestartOptions, "downtimeMs" | "initializingMs" | "firstStatusMs" | "kill"> = {
  downtimeMs: { ...LIMITS, default: 0 },
  initializingMs: { ...LIMITS, default: 0 },
  firstStatusMs: { ...LIMITS, default: 100 },
  firstProbesMs: LIMITS,
  kill: { type: "boolean", default: false },
  profile: "string",
  gate: "boolean",
};

/** The resources that a container gets in the reference kubelet; none of those that are left out. */
export type AssignedResources = Partial<Omit<ContainerResources, "name">>;
