import type { ApiVersion } from "../sources/api-versions.js";
import type { Clock } from "../timing/clock.js";
import type { RawClient } from "./raw-client.js";

/**
 * Outcome of a check. `ok`: the kubelet follows the contract. `note`: it differs from the contract in a way that some kubelets do. `fail`:
 * it violates the contract. `skip`: not checked.
 */
export type CheckOutcome = "ok" | "note" | "fail" | "skip";

/** The result of a check. */
export interface Finding {
  outcome: CheckOutcome;
  /** Result in one line. Never contains the content of a pod. */
  detail: string;
}

/** The kubelet under test, and facts that later checks use. */
export interface Subject {
  readonly client: RawClient;
  readonly clock: Clock;
  readonly socketPath: string;
  /** Time for which a watch is observed after its first events, in milliseconds. */
  readonly observeMs: number;
  /** Time limit for the first events of a watch, in milliseconds. */
  readonly markerTimeoutMs: number;
  /** Version that the kubelet serves. The check `contract` sets it. */
  version: ApiVersion | undefined;
  /** The most recent list. */
  list: readonly Uint8Array[];
}

/** A requirement that a kubelet should meet. */
export interface Check {
  /** Name of one or two words. Stable, because `--json` prints it. */
  name: string;
  run(subject: Subject): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ outcome: "ok", detail });
export const note = (detail: string): Finding => ({ outcome: "note", detail });
export const fail = (detail: string): Finding => ({ outcome: "fail", detail });
export const skip = (detail: string): Finding => ({ outcome: "skip", detail });
