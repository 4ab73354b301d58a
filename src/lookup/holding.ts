import type { DeleteCause, Entry } from "../known/entry.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import type { KeyedPod, Looked } from "./pod-key.js";
import type { PodKeys } from "./pod-keys.js";
import type { Spans } from "./spans.js";

/**
 * How old what a list says of a key may be. The kubelet looks at the runtime once a second (PLEG, pkg/kubelet/kubelet.go, v1.37.1), and
 * its workers need some more on a busy node: the loss of an address was listed 3.2 s late at most where 110 pods were deleted at once.
 */
export const TELLING_MS = 5_000;

/** How long it may take until the gain or the loss of a key is told: what has not been taken back by then was so. */
export const SETTLED_MS = 10_000;

/** An end: of a pod, or of one key of it. Times are on the monotonic clock. */
export interface Departure {
  /** When it was learned. */
  readonly atMs: number;
  /** Until when it had not come, if all was told that should have been. */
  readonly untilMs: number;
  /** When the last list before it was complete. */
  readonly listedMs: number;
  readonly cause: DeleteCause;
  /** The number of the end, among all that were learned. */
  readonly nth: number;
}

/** A pod under one UID, from when it was first told. */
export interface PodLife extends KeyedPod {
  /** The pod as it is now, or as it was last known. */
  entry: Entry;
  keys: PodKeys;
  /** The version that its keys were read from; undefined where none could be. */
  keysFrom: Entry | undefined;
  hasAddresses: boolean;
  looked: Looked | undefined;
  /** When it was first told. */
  readonly fromMs: number;
  /** Whether consumers without finished pods see it, and whether they ever did. */
  active: boolean;
  wasActive: boolean;
  /** When it was finished, where it was seen before. */
  finished: Departure | undefined;
  /** When it left the lists. */
  gone: Departure | undefined;
  /** Since when nothing says how it is: lists lack it and prove nothing, or what came last says nothing of its parts. */
  lostFromMs: number | undefined;
  /** When that was so before. */
  readonly gaps: { readonly fromMs: number; toMs: number }[];
  /** When a container of it was first told to run; undefined where none was. */
  ranMs: number | undefined;
  /** When none did later; undefined where that never was. */
  idle: Spans | undefined;
  /** When its sandbox may have been made anew: nothing ran on that had run; undefined where that never was. */
  remade: Spans | undefined;
  /** When it was told last. */
  toldMs: number;
  /** When the last list was complete that had it. */
  listedMs: number;
  name: string;
  /** Keys that it has no more, as texts with their kinds, as far as they are retained, each with its last holding. Few pods have any. */
  former: Map<string, Holding> | undefined;
  /** Containers that have ended and that its status names no longer, as far as they are retained. */
  ended: Set<EndedContainer> | undefined;
}

/** A container that has ended and that its pod's status names no longer. */
export interface EndedContainer {
  readonly instance: ContainerInstance;
  readonly end: Departure;
}

/** A pod that has a key, or had it. */
export interface Holding {
  readonly life: PodLife;
  end: Departure | undefined;
  /** The ID of the container that the key is of, where the key does not name it: of a cgroup. */
  containerID?: string | undefined;
  /** The holding of the one who got the key before, as far as that is retained. */
  before?: Holding | undefined;
}

/** The time for which a pod had a key that passes on: from `fromMs` to its end's `untilMs` for sure, and perhaps around that. */
export interface TimedHolding extends Holding {
  /** The time before which it was not the pod's. */
  readonly possibleFromMs: number;
  /** When it was first told. */
  readonly fromMs: number;
}
