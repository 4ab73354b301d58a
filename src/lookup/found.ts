import type { DeleteCause } from "../known/entry.js";
import type { ContainerInstance } from "../pod/container-instance.js";
import type { Pod } from "../pod/pod.js";

/** The pod that a key means, and the container, where it means one. */
export interface Found<P = Pod> {
  /** The pod as it is, or as it was last known. */
  readonly pod: P;
  /** The container that the key names; undefined where it names none, or one that is not known, as a sandbox. */
  readonly container: ContainerInstance | undefined;
  /**
   * Whether nobody else may have had the key at that time. UIDs and IDs of containers are always certain.
   *
   * Addresses and names pass from pod to pod, and the kubelet tells that up to some seconds late. With `at` an answer is certain
   * from when the pod was told with the key until five seconds before now, or before the pod was told gone, or before the kubelet
   * went away. Without `at` it is certain where the pod is there, neither finished, terminating nor unconfirmed, no other such pod has
   * the key, and the informer is synced.
   */
  readonly certain: boolean;
  /** Undefined while the pod is there. */
  readonly gone:
    | {
        /** When it was learned. */
        readonly at: Date;
        /** When it was certainly still there: it went between the two. */
        readonly after: Date;
        /** Why, as in DELETED. */
        readonly cause: DeleteCause;
      }
    | undefined;
}

/** Options of `PodInformer.find`. */
export interface FindOptions {
  /**
   * The time at which it was the pod's: a date, or milliseconds since 1970. It makes a difference for addresses and names alone. A
   * time to come is the present.
   *
   * @default the pod that has the key now, else the one that lost it last
   */
  at?: Date | number | undefined;
}

/** Options of `PodInformer.waitFor`. */
export interface WaitOptions<P = Pod> extends FindOptions {
  /** Ends the wait: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * How long to wait, in milliseconds.
   *
   * @default 0, which is for ever, as Infinity is
   */
  timeoutMs?: number | undefined;
  /**
   * Returns whether what was found is what is waited for. It is asked again whenever the pod changes; what it throws, the wait
   * rejects with.
   *
   * @default the first that is found
   */
  until?: ((found: Found<P>) => boolean) | undefined;
}
