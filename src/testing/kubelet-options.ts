import type { OptionTypes } from "../option-checks.js";
import type { PodInput } from "./pod-input.js";
import type { KubeletProfile } from "./profile.js";

/** Options of `ReferenceKubelet.start`. */
export interface ReferenceKubeletOptions {
  /** Which kubelet to play. Defaults to `"1.37"`; `"documented"` serves what the documentation prints. */
  profile?: KubeletProfile | undefined;
  /** The pods there are at first. Defaults to none. Mirror pods are served as the static pods behind them. */
  pods?: Iterable<PodInput> | undefined;
  /**
   * Where to listen. Defaults to a socket in a new directory below the system's temporary one. A directory that is missing
   * is made, with mode 0700, and stays; a socket that nobody listens to is replaced, anything else is refused.
   */
  socketPath?: string | undefined;
  /** Take the place of a socket that somebody listens on. Defaults to false: it is refused. */
  force?: boolean | undefined;
  /** Start as a kubelet that has not read its pod sources, see `setInitializing`. Defaults to false. */
  initializing?: boolean | undefined;
  /**
   * The feature gate `PodsAPI`. Without it kubelets make no directory and nobody listens. Defaults to true, also for 1.36,
   * where kubelets have it off unless told otherwise.
   */
  gate?: boolean | undefined;
  /**
   * Serve the podresources API too, on `pod-resources.sock` beside the other socket. Defaults to false. What containers are
   * given `assignResources` says.
   */
  podResources?: boolean | undefined;
  /**
   * Leave out keys of pods that the schema does not have, as in JSON of a newer cluster. Defaults to false: they are
   * refused.
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
  /** How long nobody listens. The file of the socket stays meanwhile. Defaults to 0. */
  downtimeMs?: number | undefined;
  /**
   * How long the new process takes to read its pod sources. 1.37 refuses all calls meanwhile; 1.36 answers with no pods,
   * after half of the time with the static ones. Defaults to 0.
   */
  initializingMs?: number | undefined;
  /**
   * How long the workers take to look at their pods once the sources are read. Until then Ready=True is served as False
   * (1.37), and then each pod is told as ADDED again. Defaults to 100; with 0 they have looked before anybody asks.
   */
  firstStatusMs?: number | undefined;
  /**
   * How long after its first status a static pod with a readiness probe stays not ready: until it has been probed, which takes
   * up to its periodSeconds and more. Defaults to 100, or to 0 where `firstStatusMs` is 0; with 0 it is ready with its first
   * status.
   */
  firstProbesMs?: number | undefined;
  /** End as after SIGKILL, connections cut, and not in order. Defaults to false. */
  kill?: boolean | undefined;
  /** Another version afterwards. Defaults to the one that is played. */
  profile?: KubeletProfile | undefined;
  /** The feature gate afterwards. Without it the dead socket's file stays. Defaults to what it is. */
  gate?: boolean | undefined;
}

/** What each option of `ReferenceKubelet.start` must be. */
export const START_OPTIONS: OptionTypes<ReferenceKubeletOptions> = {
  profile: "string",
  pods: "pods",
  socketPath: "string",
  force: "boolean",
  initializing: "boolean",
  gate: "boolean",
  podResources: "boolean",
  allowUnknownKeys: "boolean",
};

/** What each option of `ReferenceKubelet.restart` must be. */
export const RESTART_OPTIONS: OptionTypes<RestartOptions> = {
  downtimeMs: "number",
  initializingMs: "number",
  firstStatusMs: "number",
  firstProbesMs: "number",
  kill: "boolean",
  profile: "string",
  gate: "boolean",
};
