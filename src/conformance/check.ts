import type { ApiVersion } from "../sources/api-versions.js";
import type { Clock } from "../timing/clock.js";
import type { RawClient } from "./raw-client.js";

/**
 * The outcome of a check. `ok`: as in the contract. `note`: a difference that some kubelets have. `fail`: against the contract. `skip`: not
 * checked.
 */
export type Outcome = "ok" | "note" | "fail" | "skip";

/** The result of a check. */
export interface Finding {
  outcome: Outcome;
  /** The result in one line; never the content of a pod. */
  detail: string;
}

/** The kubelet that is checked, and facts that later checks use. */
export interface Subject {
  readonly client: RawClient;
  readonly clock: Clock;
  readonly socketPath: string;
  /** How long a watch is looked at after its first events, in milliseconds. */
  readonly observeMs: number;
  /** How long the first events of a watch may take, in milliseconds. */
  readonly markerTimeoutMs: number;
  /** The version that is served; the first check finds it. */
  version: ApiVersion | undefined;
  /** The newest list. */
  list: readonly Uint8Array[];
}

/** One thing that a kubelet should do. */
export interface Check {
  /** In one or two words; stable, for `--json`. */
  name: string;
  run(subject: Subject): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ outcome: "ok", detail });
export const note = (detail: string): Finding => ({ outcome: "note", detail });
export const fail = (detail: string): Finding => ({ outcome: "fail", detail });
export const skip = (detail: string): Finding => ({ outcome: "skip", detail });
