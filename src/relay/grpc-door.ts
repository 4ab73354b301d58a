import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { PodsError } from "../errors/pods-error.js";
import { Pods } from "../gen/v1alpha1/pods_pb.js";
import { type PodMask, parsePodMask } from "../pod/mask.js";
import { project } from "../pod/project.js";
import type { Call, GrpcRouter } from "../serving/grpc-router.js";
import { hidden } from "../sources/shown.js";
import { ENDS_HEADER } from "../wire/kubelet-socket.js";
import { type DoorView, isAway, type Refusal } from "./door-view.js";
import { ShownPod, unreadablePod } from "./shown-pods.js";

/** The metadata by which a client asks for some fields of each pod. */
const MASK = "x-kubernetes-fieldmask";

/** The marker after the present pods: a WatchPodsEvent of type INITIAL_SYNC_COMPLETE. */
const SYNCED = Uint8Array.of(0x08, 4);

/** Registers a door's answers to the kubelet's three calls. */
export function grpcRoutes(router: GrpcRouter, view: DoorView): void {
  router.rpc(Pods.method.listPods, (_, call) => {
    const masked = enter(call);
    return { pods: [...view.pods.list().map(masked), ...unreadable()].map(({ bytes }) => bytes) };
  });
  router.rpc(Pods.method.getPod, ({ podUID }, call) => {
    const masked = enter(call);
    const pod = view.pods.get(podUID);
    // The message is the same for a pod that does not exist and for one that is not shown.
    if (pod === undefined && view.unreadable().includes(podUID)) return { pod: unreadablePod(podUID).bytes };
    if (pod === undefined) throw new GrpcError({ status: GRPC.notFound, message: "no pod with this UID is shown" });
    return { pod: masked(pod).bytes };
  });
  router.rpc(Pods.method.watchPods, async function* (_, call) {
    const masked = enter(call);
    const endsInOutage = call.requestHeader.has(ENDS_HEADER);
    if (endsInOutage) await view.fresh();
    Object.assign(call.responseHeader, view.headers()); // the state at the time of the list
    const process = view.pods.process();
    const events = view.watch(call.signal);
    try {
      for await (const event of events) {
        // A client must judge a change of the kubelet process by a new list.
        if (endsInOutage && view.pods.process() !== process) throw isAway();
        if ("pod" in event) yield masked(event.pod).event(event.type);
        if (event.type === "DISCONNECTED" && endsInOutage) throw isAway();
        if (event.type !== "SYNCED" || !event.initial) continue;
        for (const pod of unreadable()) yield pod.event("ADDED");
        yield SYNCED;
      }
    } catch (error) {
      throw PodsError.is(error) ? new GrpcError({ status: GRPC.unavailable, message: "the relay ends" }) : error;
    }
  });

  function unreadable(): ShownPod[] {
    return view.unreadable().map(unreadablePod);
  }

  /**
   * Refuses the request if the door is not ready, or the mask has hidden fields. Returns a function that cuts pods to the client's mask.
   */
  function enter({ requestHeader, responseHeader }: Call): (pod: ShownPod) => ShownPod {
    Object.assign(responseHeader, view.headers());
    const refusal = view.refusal();
    if (refusal !== undefined) throw new GrpcError({ status: STATUSES[refusal.why], message: refusal.message });
    const mask = maskOf(requestHeader.get(MASK) ?? "");
    const paths = mask === undefined ? [] : hidden(view.door.shown, mask);
    if (paths.length > 0) {
      view.counts.denied++;
      const message = `this door does not show ${paths.join(", ")}`;
      throw new GrpcError({ status: GRPC.permissionDenied, message });
    }
    return mask === undefined ? (pod) => pod : (pod) => new ShownPod(project(pod.bytes, mask.plan));
  }
}

const STATUSES: Readonly<Record<Refusal["why"], number>> = {
  closing: GRPC.unavailable,
  rate: GRPC.resourceExhausted,
  initializing: GRPC.failedPrecondition,
  stale: GRPC.unavailable,
};

/** Reads the mask of a request; undefined if it has none. */
function maskOf(text: string): PodMask | undefined {
  if (text === "") return undefined;
  try {
    return parsePodMask(text);
  } catch (error) {
    throw new GrpcError({ status: GRPC.invalidArgument, message: PodsError.from(error).message });
  }
}
