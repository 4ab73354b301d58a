import type { OptionTypes } from "../option-checks.js";
import type { ContainerResources } from "../podresources/pod-resources.js";
import type { PodInput } from "./pod-input.js";
import type { KubeletProfile } from "./profile.js";

/** Options of `ReferenceKubelet.start`. */
export interface ReferenceKubeletOptions {
  /**
   * The kubelet to play. `"v1beta1"` and `"v1"` are 1.37 with the API by these names, `"documented"` serves what the documentation prints.
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
   * Where to listen. A directory that is missing is made, with mode 0700, and stays. A socket that nobody listens to is replaced,
   * anything else is refused.
   *
   * @default a socket in a new directory below the system's temporary one
   */
  socketPath?: string | undefined;
  /**
   * Whether to take the place of a socket that somebody listens on. Otherwise that is refused.
   *
   * @default false
   */
  force?: boolean | undefined;
  /**
   * Whether to start as a kubelet that has not read its pod sources, see `setInitializing`.
   *
   * @default false
   */
  initializing?: boolean | undefined;
  /**
   * The feature gate `PodsAPI`. Without it kubelets make no directory and nobody listens.
   *
   * @default true, also for 1.36, where kubelets have it off unless told otherwise
   */
  gate?: boolean | undefined;
  /**
   * Whether to serve the podresources API too, on `pod-resources.sock` beside the other socket. `assignResources` says what
   * containers are given.
   *
   * @default false
   */
  podResources?: boolean | undefined;
  /**
   * Where `writeLog` makes the logs of containers, as `/var/log/pods` has them on a node. The directory stays.
   *
   * @default none: `writeLog` is refused
   */
  logRoot?: string | undefined;
  /**
   * Where `addProcess` makes what `/proc` has of a process. The directory stays.
   *
   * @default none: `addProcess` is refused
   */
  procRoot?: string | undefined;
  /**
   * Where to make a directory for each pod's cgroup, as version 2 and systemd have them, while the pod runs: with one for its sandbox and one
   * for each container that runs, and `cgroup.procs`. With `procRoot` the sandbox and each container have a process, with a network
   * namespace. The directory stays.
   *
   * @default none
   */
  cgroupRoot?: string | undefined;
  /**
   * Whether to leave out keys of pods that the schema does not have, as in JSON of a newer cluster. Otherwise they are refused.
   *
   * @default false
   */
  allowUnknownKeys?: boolean | undefined;
}

/** Why a kubelet ends a pod, or does not begin it; as in its status. */
export interface Reason {
  /** In one word, for `status.reason`. */
  reason?: string | undefined;
  /** For people, for `status.message`. */
  message?: string | undefined;
}

/** Options of `ReferenceKubelet.restart`. */
export interface RestartOptions {
  /**
   * How long nobody listens, in milliseconds. The file of the socket stays meanwhile.
   *
   * @default 0
   */
  downtimeMs?: number | undefined;
  /**
   * How long the new process takes to read its pod sources. 1.37 refuses all calls meanwhile; 1.36 answers with no pods, and
   * after half of the time with the static ones.
   *
   * @default 0
   */
  initializingMs?: number | undefined;
  /**
   * How long the workers take to look at their pods once the sources are read. Until then Ready=True is served as False (1.37),
   * and then each pod is told as ADDED again. With 0 they have looked before anybody asks.
   *
   * @default 100
   */
  firstStatusMs?: number | undefined;
  /**
   * How long after its first status a static pod with a readiness probe stays not ready: until it has been probed, which takes up
   * to its periodSeconds and more. With 0 it is ready with its first status.
   *
   * @default 100, or 0 where `firstStatusMs` is 0
   */
  firstProbesMs?: number | undefined;
  /**
   * Whether to end as after SIGKILL, with connections cut, and not in order.
   *
   * @default false
   */
  kill?: boolean | undefined;
  /**
   * The version afterwards.
   *
   * @default the one that is played
   */
  profile?: KubeletProfile | undefined;
  /**
   * The feature gate afterwards. Without it the dead socket's file stays.
   *
   * @default what it is
   */
  gate?: boolean | undefined;
}

/** The type of each option of `ReferenceKubelet.start`. */
export const START_OPTIONS: OptionTypes<ReferenceKubeletOptions> = {
  profile: "string",
  pods: "pods",
  socketPath: "string",
  force: "boolean",
  initializing: "boolean",
  gate: "boolean",
  podResources: "boolean",
  logRoot: "string",
  procRoot: "string",
  cgroupRoot: "string",
  allowUnknownKeys: "boolean",
};

/** The type of each option of `ReferenceKubelet.restart`. */
export const RESTART_OPTIONS: OptionTypes<RestartOptions> = {
  downtimeMs: "number",
  initializingMs: "number",
  firstStatusMs: "number",
  firstProbesMs: "number",
  kill: "boolean",
  profile: "string",
  gate: "boolean",
};

/** The resources that a container is given in the reference kubelet; none of those that are left out. */
export type AssignedResources = Partial<Omit<ContainerResources, "name">>;
