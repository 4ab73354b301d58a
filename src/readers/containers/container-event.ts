import type { Pod } from "../../gen/pod-types.js";
import type { ContainerInstance } from "../../pod/container-instance.js";
import type { End, EndCause } from "../../pod/end.js";
import type { ControlEvent } from "../events.js";

/**
 * An event of {@link PodsClient.watchContainers}. `pod` is the pod as it is known when the event is told.
 *
 * - `STARTED`: a container has started.
 * - `ENDED`: it has ended; `end` says how: `unknown` where only that is known, as `cause` says.
 * - `MISSED`: the container was restarted more often than the kubelet showed, or than a slow reader took. `restartCounts` are the
 *   first and the last count of these lives: the numbers of their log files. They may have run: a container that was created and never
 *   started is counted, too, and is left out where a status showed it.
 * - `SYNCED` and `DISCONNECTED`: as of a watch of pods. `count` is the number of pods whose containers are watched.
 *
 * `initial` says that it was so when the stream was opened. Each life starts once and ends once, in this order.
 */
export type ContainerEvent<P = Pod> =
  | { readonly type: "STARTED"; readonly pod: P; readonly container: ContainerInstance; readonly initial: boolean }
  | {
      readonly type: "ENDED";
      readonly pod: P;
      readonly container: ContainerInstance;
      readonly end: End;
      readonly cause: EndCause;
      readonly initial: boolean;
    }
  | {
      readonly type: "MISSED";
      readonly pod: P;
      readonly container: Pick<ContainerInstance, "kind" | "name">;
      readonly restartCounts: readonly [from: number, to: number];
    }
  | ControlEvent;
