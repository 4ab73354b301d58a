import type { OptionRows } from "../option-checks.js";
import type { ContainerResources } from "../podresources/pod-resources.js";
import type { DeletionReason, EvictionReason } from "./disruption.js";
import type { PodInput } from "./pod-input.js";
import type { KubeletProfile } from "./profile.js";

/** Options of `ReferenceKubelet.start`. */
export interface ReferenceKubeletOptions {
  /**
   * The kubelet to imitate. `"1.38"` is its beta. `"v1beta1"` and `"v1"` are 1.37 with the API under these names. `"documented"` serves the API as printed in the
   * Kubernetes documentation.
   *
   * @default "1.37"
   */
  profile?: KubeletProfile | undefined;
  /**
   * The initial pods. Mirror pods are served as the static pods that they represent.
   *
   * @default no pods
   */
  pods?: Iterable<PodInput> | undefined;
  /**
   * Path of the socket. A missing directory is created with mode 0700 and not removed. A socket that no process listens on is replaced. Any
   * other existing file is an error.
   *
   * @default a socket in a new directory below the system's temporary directory
   */
  socketPath?: string | undefined;
  /**
   * True to replace a socket that another process listens on. Otherwise such a socket is an error.
   *
   * @default false
   */
  force?: boolean | undefined;
  /**
   * True to start as a kubelet that has not read its pod sources yet. See `setInitializing`.
   *
   * @default false
   */
  initializing?: boolean | undefined;
  /**
   * The feature gate `PodsAPI`. If it is off, the kubelet creates no directory and does not listen.
   *
   * @default true, also for 1.36, although a 1.36 kubelet has it off by default
   */
  gate?: boolean | undefined;
  /**
   * True to also serve the podresources API, on `pod-resources.sock` in the same directory. `assignResources` assigns resources to
   * containers.
   *
   * @default false
   */
  podResources?: boolean | undefined;
  /**
   * True to also serve `GET /pods` over HTTP, like the kubelet's read-only port: on 127.0.0.1, without TLS and without a token. The URL is
   * in `httpURL`.
   *
   * @default false
   */
  http?: boolean | undefined;
  /**
   * Directory in which `addProcess` creates the `/proc` files of a process. It is not removed.
   *
   * @default none: `addProcess` throws
   */
  procRoot?: string | undefined;
  /**
   * Directory in which to create a cgroup for each running pod, in the layout of cgroup v2 and the systemd driver. The cgroup of a pod has
   * one directory for the sandbox and one for each running container, each with `cgroup.procs`. With `procRoot`, the sandbox and each
   * container have a process. The directory is not removed.
   *
   * @default none
   */
  cgroupRoot?: string | undefined;
  /**
   * Returns the current time. The kubelet uses it for the times that it writes, such as the start of a container, so that a test can
   * predict them.
   *
   * @default the system's clock
   */
  now?: (() => Date) | undefined;
  /**
   * True to ignore keys of pods that the schema does not have, for example in JSON from a newer cluster. Otherwise they are an error.
   *
   * @default false
   */
  allowUnknownKeys?: boolean | undefined;
}

/** Options of `ReferenceKubelet.evictPod`. */
export interface EvictionOptions {
  /**
   * The value of `status.reason`. `Terminated` means that the node is shutting down.
   *
   * @default "Evicted"
   */
  reason?: EvictionReason | undefined;
  /**
   * The value of `status.message`. For `Evicted`, a message about a limit of the pod itself sets no condition `DisruptionTarget`.
   *
   * @default the kubelet's message for the reason; for `Evicted`, that the node is low on memory
   */
  message?: string | undefined;
}

/** Options of `finishPod`. */
export interface FinishOptions {
  /**
   * True to send a static pod once more as Pending, with containers that have no ID, just before DELETED. A kubelet does that now and then.
   *
   * @default false
   */
  sendsAsNew?: boolean;
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
   * The reason of the condition `DisruptionTarget`, which the Eviction API (as in `kubectl drain`), the scheduler, the taint manager and
   * the garbage collector set when they delete a pod.
   *
   * @default no such condition
   */
  reason?: DeletionReason | undefined;
}

/** Options of `ReferenceKubelet.rejectPod`. */
export interface RejectionOptions {
  /** Reason in one word, for `status.reason`. */
  reason?: string | undefined;
  /** Human-readable message, for `status.message`. The kubelet adds the prefix `Pod was rejected: `. */
  message?: string | undefined;
}

/** Options of `ReferenceKubelet.restart`. */
export interface RestartOptions {
  /**
   * Time during which no process listens, in milliseconds. The socket file stays.
   *
   * @default 0
   */
  downtimeMs?: number | undefined;
  /**
   * Time that the new process takes to read its pod sources, in milliseconds. During this time 1.37 refuses all calls. 1.36 answers with no
   * pods at first, and with the static pods after half of the time.
   *
   * @default 0
   */
  initializingMs?: number | undefined;
  /**
   * Time from reading the sources to the first status of the pods, in milliseconds. Until then 1.37 serves Ready=True as False. Then the
   * kubelet sends ADDED again for each pod. With 0, the pods have their first status before the first call.
   *
   * @default 100
   */
  firstStatusMs?: number | undefined;
  /**
   * Time from the first status of a static pod with a readiness probe until it has been probed and is ready, in milliseconds. On a real
   * node this takes at least the periodSeconds of the probe. With 0, the pod is ready in its first status.
   *
   * @default 100, or 0 if `firstStatusMs` is 0
   */
  firstProbesMs?: number | undefined;
  /**
   * True to end the process as SIGKILL does, which cuts connections, instead of a graceful shutdown.
   *
   * @default false
   */
  kill?: boolean | undefined;
  /**
   * The version of the new process.
   *
   * @default the current one
   */
  profile?: KubeletProfile | undefined;
  /**
   * The feature gate `PodsAPI` of the new process. If it is off, the old socket file stays.
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

/** Maximum duration of a timer, in milliseconds. Node.js fires a timer at once if its delay is 2 ** 31 ms or more. */
const MAX_TIMER_MS = 2 ** 30;

const TIME_LIMITS = { type: "number", least: 0, most: MAX_TIMER_MS } as const;

/** The type of each option of `ReferenceKubelet.restart`. */
export const RESTART_OPTIONS: OptionRows<RestartOptions, "downtimeMs" | "initializingMs" | "firstStatusMs" | "kill"> = {
  downtimeMs: { ...TIME_LIMITS, default: 0 },
  initializingMs: { ...TIME_LIMITS, default: 0 },
  firstStatusMs: { ...TIME_LIMITS, default: 100 },
  firstProbesMs: TIME_LIMITS,
  kill: { type: "boolean", default: false },
  profile: "string",
  gate: "boolean",
};

/** The resources of a container in the reference kubelet. Omitted kinds are empty. */
export type AssignedResources = Partial<Omit<ContainerResources, "name">>;
