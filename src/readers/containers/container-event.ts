import type { ContainerInstance } from "../../pod/container-instance.js";
import type { End, EndCause } from "../../pod/end.js";
import type { Pod } from "../../pod/pod.js";
import type { ControlEvent } from "../events.js";

/**
 * An event of {@link PodsClient.watchContainers}. `pod` is the pod as it is known when the event is told.
 *
 * - `STARTED`: a container has started.
 * - `ENDED`: it has ended; `end` says how, and `cause` how that is known. The reason is `unknown` if only the end itself is known.
 * - `MISSED`: the container was restarted more often than the kubelet showed, or than a slow reader took. `restartCounts` are the first and
 *   the last count of these lives: the numbers of their log files. Not all of them need to have run: a container that was created and never
 *   started is counted, too, unless a status showed that.
 * - `SYNCED` and `DISCONNECTED`: as of a watch of pods. `count` is the number of pods whose containers are watched.
 *
 * `initial` is true if the event describes the state at the opening of the stream. Each life starts once and ends once, in this order.
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
