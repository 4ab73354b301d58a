// A scenario: what is done to a kubelet, and what must be on the wire then. It runs against the reference kubelet and
// against the kubelet's own Go code; where they differ, the reference kubelet is wrong.

import type { PodJson } from "../../src/testing/index.js";

export type Version = "1.38" | "1.37" | "1.36";

/** What happens to a kubelet; named as the reference kubelet's methods. */
export type Action =
  | { op: "addPod"; pod: PodJson; status?: boolean }
  | { op: "updatePod"; pod: PodJson }
  | { op: "deletePod"; uid: string }
  | { op: "evictPod"; uid: string }
  | { op: "finishPod"; uid: string }
  | { op: "removePod"; uid: string }
  | { op: "rejectPod"; pod: PodJson }
  | { op: "setLabels"; uid: string; labels: Record<string, string> }
  | { op: "resizePod"; uid: string; cpu: string }
  | { op: "allocate"; uid: string }
  | { op: "setInitializing"; value: boolean }
  /** Workers look at the pods that they have not looked at in this process. */
  | { op: "firstStatuses" }
  /** A new process, whose workers have not looked at any pod yet. */
  | { op: "restart"; kill: boolean };

/** One line per message, or lines for each version that answers otherwise. 1.38 answers like 1.37 unless it has lines of its own. */
export type Lines =
  | readonly string[]
  | Readonly<Record<Exclude<Version, "1.38">, readonly string[]> & { "1.38"?: readonly string[] }>;

export type Step =
  /** `told`: what the open watch is told. `refused`: the kubelet does not take it, and nobody is told. */
  | { do: Action; told?: Lines; refused?: true }
  /** Opens a watch, in the place of the one before. */
  | { watch: Lines; headers?: Record<string, string> }
  | { list: Lines; headers?: Record<string, string> }
  | { get: string; gives: Lines }
  /** So many calls at once, over as many connections; how each kind of answer begins, in the order in which they first come. */
  | { burst: number; connections: number; gives: Lines }
  /** So many watches at once, over as many connections; how each kind of answer begins. */
  | { watches: number; connections: number; gives: Lines }
  /** The maximum number of concurrent streams that the server sets for a connection. */
  | { streams: true; gives: Lines }
  /** Asks for a method that nobody has. */
  | { call: string; gives: Lines }
  /** HTTP/2 pings on a connection of its own with a quiet watch. */
  | { pings: number; gives: Lines }
  /** HTTP/2 pings on a connection of its own while the events that exist arrive: one as soon as the last is answered, with the next data. */
  | { pingsWhileReading: number; gives: Lines }
  /** A watch that does not read, while a pod changes so often; then it reads. */
  | { stalled: number; gives: Lines };

export interface Scenario {
  name: string;
  /** What is there before anybody asks; its workers have looked at it. */
  pods?: readonly PodJson[];
  /** Its sources have not been read at first. */
  initializing?: boolean;
  steps: readonly Step[];
  /** What the Go driver decides and a kubelet would decide by itself. */
  driver?: string;
}

/** A kubelet that a scenario is played on. */
export interface Player extends AsyncDisposable {
  readonly version: Version;
  readonly socketPath: string;
  /** Resolves with false where the kubelet refuses it. */
  do(action: Action): Promise<boolean>;
}

export function linesFor(lines: Lines, version: Version): readonly string[] {
  if (Array.isArray(lines)) return lines;
  const byVersion = lines as Exclude<Lines, readonly string[]>;
  return byVersion[version] ?? byVersion["1.37"];
}
