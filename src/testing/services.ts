import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { PodsError } from "../errors/pods-error.js";
import { Pods as DocumentedPods } from "../gen/documented/pods_pb.js";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, Pods as ServedPods } from "../gen/v1alpha1/pods_pb.js";
import { decodeBy } from "../pod/decode.js";
import { parsePodMask } from "../pod/mask.js";
import { encodeChange, encodePod, type PodStore } from "./pod-store.js";
import type { RateLimiter } from "./rate-limiter.js";
import type { Watchers } from "./watchers.js";

/** The kubelets that can be played: the two that ship the API, and the one that the documentation prints. */
export type KubeletProfile = "1.37" | "1.36" | "documented";

/** What the services answer from. */
export interface KubeletState {
  readonly profile: KubeletProfile;
  readonly store: PodStore;
  readonly watchers: Watchers;
  /** Of ListPods and GetPod, shared by all clients; a new process has a full one. */
  limiter: RateLimiter;
  /** The pod sources have not been read yet. */
  initializing: boolean;
}

/** Registers the service that a kubelet of this profile serves. */
export function routes(router: ConnectRouter, state: KubeletState): void {
  if (state.profile === "documented") routeDocumented(router, state);
  else routeServed(router, state);
}

function routeServed(router: ConnectRouter, state: KubeletState): void {
  router.service(ServedPods, {
    listPods: () => {
      checkUnary(state);
      return { pods: state.store.list().map(encodePod) };
    },
    getPod: ({ podUID }) => {
      checkUnary(state);
      return { pod: encodePod(find(state, podUID)) };
    },
    watchPods: async function* (_, { signal }: HandlerContext) {
      checkReady(state);
      const changes = state.watchers.register(signal); // before the list: what changes meanwhile comes after the marker
      for (const pod of state.store.list()) yield { type: EventType.ADDED, pod: encodePod(pod) };
      yield { type: EventType.INITIAL_SYNC_COMPLETE };
      for await (const change of changes) yield { type: EventType[change.type], pod: encodeChange(change) };
    },
  });
}

function routeDocumented(router: ConnectRouter, state: KubeletState): void {
  router.service(DocumentedPods, {
    listPods: (_, context) => {
      checkUnary(state);
      const masked = masking(context);
      return { pods: state.store.list().map(masked) };
    },
    getPod: ({ podUID }, context) => {
      checkUnary(state);
      return { pod: masking(context)(find(state, podUID)) };
    },
    // The documentation shows neither the pods there are at first nor deletions: only pods that changed.
    watchPods: async function* (_, context: HandlerContext) {
      checkReady(state);
      const masked = masking(context);
      for await (const { type, pod } of state.watchers.register(context.signal)) {
        if (type !== "DELETED") yield { pod: masked(pod) };
      }
    },
  });
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
function checkUnary(state: KubeletState): void {
  if (!state.limiter.allow(performance.now())) throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
  checkReady(state);
}

/** A 1.36 kubelet answers with what it has. */
function checkReady({ initializing, profile }: KubeletState): void {
  if (initializing && profile !== "1.36") {
    throw new ConnectError("Kubelet is initializing", Code.FailedPrecondition);
  }
}

function find({ store }: KubeletState, uid: string): Pod {
  const pod = store.get(uid);
  if (pod === undefined) throw new ConnectError(`pod with UID ${uid} not found`, Code.NotFound);
  return pod;
}
