import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { PodsError } from "../errors/pods-error.js";
import { Pods as DocumentedPods, PodWatchResponseSchema } from "../gen/documented/pods_pb.js";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, Pods as ServedPods, type WatchPodsEvent, WatchPodsEventSchema } from "../gen/v1alpha1/pods_pb.js";
import { decodeBy } from "../pod/decode.js";
import { parsePodMask } from "../pod/mask.js";
import type { Broadcaster } from "./broadcaster.js";
import type { Faults } from "./faults.js";
import { encodePod, type PodStore } from "./pod-store.js";
import type { RateLimiter } from "./rate-limiter.js";

/** What the services answer from. */
export interface KubeletState {
  readonly store: PodStore;
  readonly broadcaster: Broadcaster;
  readonly faults: Faults;
  /** Of ListPods and GetPod, shared by all clients; a new process has a full one. */
  limiter: RateLimiter;
}

/** Registers the service that a kubelet of this profile serves. */
export function routes(router: ConnectRouter, state: KubeletState): void {
  if (state.store.facts.service === "documented") routeDocumented(router, state);
  else routeServed(router, state);
}

function routeServed(router: ConnectRouter, state: KubeletState): void {
  const { store, broadcaster, faults } = state;
  router.service(ServedPods, {
    listPods: async (_, context) => {
      await enter(state, context);
      return { pods: store.entries().map((entry) => faults.encode(store.served(entry), "answer")) };
    },
    getPod: async ({ podUID }, context) => {
      await enter(state, context);
      return { pod: faults.encode(find(state, podUID), "answer") };
    },
    watchPods: async function* (_, context) {
      await faults.request(context);
      checkReady(state);
      yield* faults.watch(context, served(context), (event) => toBinary(WatchPodsEventSchema, event));
    },
  });

  async function* served({ signal }: HandlerContext): AsyncGenerator<WatchPodsEvent> {
    const event = (type: EventType, pod?: Uint8Array<ArrayBuffer>) =>
      create(WatchPodsEventSchema, pod === undefined ? { type } : { type, pod });
    const changes = broadcaster.register(signal); // before the list: what changes meanwhile comes after the marker
    // Which pods is settled here, their status when each is sent.
    for (const entry of store.entries()) yield event(EventType.ADDED, faults.encode(store.served(entry), "initial"));
    yield event(EventType.INITIAL_SYNC_COMPLETE);
    for await (const { type, pod, corrupt } of changes) {
      yield event(EventType[type], faults.encode(pod, "event", corrupt));
    }
  }
}

function routeDocumented(router: ConnectRouter, state: KubeletState): void {
  const { store, broadcaster, faults } = state;
  router.service(DocumentedPods, {
    listPods: async (_, context) => {
      await enter(state, context);
      const masked = masking(context);
      return { pods: store.entries().map((entry) => masked(store.served(entry))) };
    },
    getPod: async ({ podUID }, context) => {
      await enter(state, context);
      return { pod: masking(context)(find(state, podUID)) };
    },
    watchPods: async function* (_, context) {
      await faults.request(context);
      checkReady(state);
      const masked = masking(context);
      const changes = documented(context, masked);
      yield* faults.watch(context, changes, (answer) => toBinary(PodWatchResponseSchema, answer));
    },
  });

  // The documentation shows neither the pods there are at first nor deletions: only pods that changed.
  async function* documented({ signal }: HandlerContext, masked: (pod: Pod) => Pod) {
    for await (const { type, pod } of broadcaster.register(signal)) {
      if (type !== "DELETED") yield create(PodWatchResponseSchema, { pod: masked(pod) });
    }
  }
}

/** What the request's field mask leaves of a pod. */
function masking({ requestHeader }: HandlerContext): (pod: Pod) => Pod {
  const text = requestHeader.get("x-kubernetes-fieldmask") ?? "";
  if (text === "") return (pod) => pod;
  try {
    const { plan } = parsePodMask(text);
    return (pod) => decodeBy(plan, encodePod(pod)) as Pod;
  } catch (error) {
    throw new ConnectError(PodsError.from(error).message, Code.InvalidArgument);
  }
}

/** The limiter comes first, as an interceptor. */
async function enter(state: KubeletState, context: HandlerContext): Promise<void> {
  await state.faults.request(context);
  if (!state.limiter.allow(performance.now())) throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
  checkReady(state);
}

/** A 1.36 kubelet answers with what it has. */
function checkReady({ store }: KubeletState): void {
  if (store.facts.refusesUntilReady && !store.ready) {
    throw new ConnectError("Kubelet is initializing", Code.FailedPrecondition);
  }
}

function find({ store }: KubeletState, uid: string): Pod {
  const entry = store.get(uid);
  if (entry === undefined) throw new ConnectError(`pod with UID ${uid} not found`, Code.NotFound);
  return store.served(entry);
}
