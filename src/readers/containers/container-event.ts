import type { ContainerRun } from "../../pod/container-run.js";
import type { End, EndBasis } from "../../pod/end.js";
import type { Pod } from "../../pod/pod.js";
import type { ControlEvent } from "../events.js";

/**
 * An event of {@link PodsClient.watchContainers}. `pod` is the pod as it was known when the event was emitted.
 *
 * - `STARTED`: a container has started.
 * - `ENDED`: a container has ended. `end` says how, and `basis` what the end is known from. The reason is `unknown` if only the end itself is
 *   known.
 * - `MISSED`: the container restarted more often than the kubelet reported, or than a slow reader took. `restartCounts` are the first and
 *   the last restart count of these runs, which are the numbers of their log files. A container that was created and never started is
 *   counted, too, unless a status showed that.
 * - `SYNCED` and `DISCONNECTED`: as in a watch of pods. `count` is the number of pods whose containers are watched.
 *
 * `initial` is true if the event describes the state when the stream was opened. Each run starts once and ends once, in this order.
 */
export type ContainerEvent<P = Pod> =
  | { readonly type: "STARTED"; readonly pod: P; readonly container: ContainerRun; readonly initial: boolean }
  | {
      readonly type: "ENDED";
      readonly pod: P;
      readonly container: ContainerRun;
      readonly end: End;
      readonly basis: EndBasis;
      readonly initial: boolean;
    }
  | {
      readonly type: "MISSED";
      readonly pod: P;
      readonly container: Pick<ContainerRun, "kind" | "name">;
      readonly restartCounts: readonly [from: number, to: number];
    }
  | ControlEvent;
