import type { Pod } from "../../gen/pod-types.js";
import type { ContainerInstance } from "../../pod/container-instance.js";
import type { End } from "../../pod/end.js";
import type { ControlEvent } from "../events.js";

/**
 * How the end of a life is known.
 *
 * - `exited`: the kubelet has told how it ended.
 * - `replaced`: the next life of the container is there, and nothing was told of the end of this one.
 * - `unknown`: the kubelet says that the container runs no longer, and does not know how it ended; or the runtime has made that up, as
 *   containerd does of what ended while it was away (255, `Unknown`): `end.reported` has it then.
 * - `gone`: the pod has gone, and the container ran when it was told last.
 */
export type EndCause = "exited" | "replaced" | "unknown" | "gone";

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
