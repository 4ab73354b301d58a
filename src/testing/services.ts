import { create, toBinary } from "@bufbuild/protobuf";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { PodsError } from "../errors/pods-error.js";
import { Pods as DocumentedPods } from "../gen/documented/pods_pb.js";
import {
  EventType,
  GetPodRequestSchema,
  type GetPodResponse,
  GetPodResponseSchema,
  ListPodsRequestSchema,
  ListPodsResponseSchema,
  Pods as ServedPods,
  type WatchPodsEvent,
  WatchPodsEventSchema,
  WatchPodsRequestSchema,
} from "../gen/v1alpha1/pods_pb.js";
import { decodeBy } from "../pod/decode.js";
import { podMask } from "../pod/mask.js";
import type { Pod } from "../pod/pod.js";
import type { Call, GrpcRouter } from "../serving/grpc-router.js";
import { type RateLimiter, rejectedByLimit } from "../serving/rate-limiter.js";
import type { Broadcaster } from "./broadcaster.js";
import type { Faults } from "./faults.js";
import type { PodStore } from "./pod-store.js";
import { encodePod } from "./wire-pod.js";

/** The state that the services use. */
export interface KubeletState {
  readonly store: PodStore;
  readonly broadcaster: Broadcaster;
  readonly faults: Faults;
  /** The rate limiter, shared by all clients. A new process starts with a full one. */
  limiter: RateLimiter;
}

/**
 * Registers the service that a kubelet of this profile serves. `bytes` and an embedded message are the same on the wire, so the documented
 * API has the same responses as the real one, except for its watch.
 */
export function routes(router: GrpcRouter, state: KubeletState): void {
  const { store, broadcaster, faults } = state;
  const { service } = store.facts;
  const documented = service === "Pods";
  const methods = documented ? DOCUMENTED : servedBy(service);

  router.rpc(methods.listPods, async (_, context) => {
    await enter(state, context);
    const masked = masking(state, context);
    return { pods: store.entries().map((entry) => faults.encode(masked(store.served(entry)), "answer")) };
  });
  router.rpc(methods.getPod, async ({ podUID }, context) => {
    await enter(state, context);
    const entry = store.get(podUID);
    if (entry === undefined)
      throw new GrpcError({ status: GRPC.notFound, message: `pod with UID ${podUID} not found` });
    return { pod: faults.encode(masking(state, context)(store.served(entry)), "answer") };
  });
  if (documented) {
    router.rpc(DOCUMENTED.watchPods, async function* (_, context) {
      await enter(state, context, store.facts.limitsWatches);
      const answers = changed(context, masking(state, context));
      yield* faults.watch(context, answers, (answer) => toBinary(GetPodResponseSchema, answer));
    });
  } else {
    router.rpc(servedBy(service).watchPods, async function* (_, context) {
      await enter(state, context, store.facts.limitsWatches);
      yield* faults.watch(context, events(context), (event) => toBinary(WatchPodsEventSchema, event));
    });
  }

  async function* events({ signal }: Call): AsyncGenerator<WatchPodsEvent> {
    const event = (type: EventType, pod?: Uint8Array<ArrayBuffer>) =>
      create(WatchPodsEventSchema, pod === undefined ? { type } : { type, pod });
    const changes = broadcaster.register(signal); // registered before the list, so that later changes come after the marker
    // The set of pods is fixed here; the status of each is taken when it is sent.
    for (const entry of store.entries()) yield event(EventType.ADDED, faults.encode(store.served(entry), "initial"));
    yield event(EventType.INITIAL_SYNC_COMPLETE);
    for await (const { type, pod, corrupt } of changes) {
      yield event(EventType[type], faults.encode(pod, "event", corrupt));
    }
  }

  // The documented watch sends neither the existing pods nor deletions, only changed pods.
  async function* changed({ signal }: Call, masked: (pod: Pod) => Pod): AsyncGenerator<GetPodResponse> {
    for await (const { type, pod, corrupt } of broadcaster.register(signal)) {
      if (type !== "DELETED") yield create(GetPodResponseSchema, { pod: faults.encode(masked(pod), "event", corrupt) });
    }
  }
}

/** Returns the methods that kubelets serve, under the service name of one version. */
function servedBy(typeName: string): typeof ServedPods.method {
  const parent = { ...ServedPods, typeName };
  const { listPods, getPod, watchPods } = ServedPods.method;
  return {
    listPods: { ...listPods, parent },
    getPod: { ...getPod, parent },
    watchPods: { ...watchPods, parent },
  };
}

/** The methods of the documented API, with pods as bytes. */
const DOCUMENTED = {
  listPods: { ...DocumentedPods.method.listPods, input: ListPodsRequestSchema, output: ListPodsResponseSchema },
  getPod: { ...DocumentedPods.method.getPod, input: GetPodRequestSchema, output: GetPodResponseSchema },
  watchPods: { ...DocumentedPods.method.watchPods, input: WatchPodsRequestSchema, output: GetPodResponseSchema },
};

/** Returns a function that reduces a pod to the request's field mask. Released kubelets ignore masks. */
function masking({ store }: KubeletState, { requestHeader }: Call): (pod: Pod) => Pod {
  const text = requestHeader.get("x-kubernetes-fieldmask") ?? "";
  if (text === "" || store.facts.service !== "Pods") return (pod) => pod;
  try {
    const { plan } = podMask.parse(text);
    return (pod) => decodeBy(plan, encodePod(pod)) as Pod;
  } catch (error) {
    throw new GrpcError({ status: GRPC.invalidArgument, message: PodsError.from(error).message });
  }
}

/** Takes a token from the rate limiter before all other checks, as the kubelet's interceptor does. */
async function enter(state: KubeletState, context: Call, isLimited = true): Promise<void> {
  await state.faults.request(context);
  if (isLimited && !state.limiter.allow()) throw rejectedByLimit();
  checkReady(state);
}

/** Refuses a call while the kubelet initializes. A 1.36 kubelet answers with the pods that it has read. */
function checkReady({ store }: KubeletState): void {
  if (store.facts.refusesUntilReady && !store.ready) {
    throw new GrpcError({ status: GRPC.failedPrecondition, message: "Kubelet is initializing" });
  }
}
