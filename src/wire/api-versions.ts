import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { Pods as DocumentedPods } from "../gen/documented/pods_pb.js";
import {
  EventType,
  GetPodRequestSchema,
  GetPodResponseSchema,
  ListPodsRequestSchema,
  ListPodsResponseSchema,
  Pods as ServedPods,
  type WatchPodsEventSchema,
  WatchPodsRequestSchema,
} from "../gen/v1alpha1/pods_pb.js";

/** What a message of a watch says; `UNKNOWN` for a type that a newer kubelet may send. */
export type WireEventType = "ADDED" | "MODIFIED" | "DELETED" | "SYNCED" | "UNKNOWN";

/** One message of a watch; `pod` is a serialized Pod, and empty where there is none. */
export interface WireEvent {
  type: WireEventType;
  pod: Uint8Array;
}

/**
 * One version of the Pods API: its methods, and a reader for what each answers. `bytes` and an embedded message are the
 * same on the wire, so every reader hands on bytes, whatever the version's own types are.
 */
export interface ApiVersion {
  readonly name: ApiVersionName;
  readonly listPods: UnaryCall<typeof ListPodsRequestSchema, typeof ListPodsResponseSchema, Uint8Array[]>;
  readonly getPod: UnaryCall<typeof GetPodRequestSchema, typeof GetPodResponseSchema, Uint8Array>;
  readonly watchPods: WatchCall;
}

/** `v1alpha1` is what kubelets serve, `documented` what the Kubernetes documentation prints. */
export type ApiVersionName = "v1alpha1" | "documented";

interface UnaryCall<I extends DescMessage, O extends DescMessage, T> {
  readonly method: DescMethodUnary<I, O>;
  read(answer: MessageShape<O>): T;
}

type WatchOutput = typeof WatchPodsEventSchema | typeof GetPodResponseSchema;

interface WatchCall {
  readonly method: DescMethodServerStreaming<typeof WatchPodsRequestSchema, WatchOutput>;
  read(message: MessageShape<WatchOutput>): WireEvent;
}

const EVENT_TYPES: Readonly<Record<number, WireEventType>> = {
  [EventType.ADDED]: "ADDED",
  [EventType.MODIFIED]: "MODIFIED",
  [EventType.DELETED]: "DELETED",
  [EventType.INITIAL_SYNC_COMPLETE]: "SYNCED",
};

const served: ApiVersion = {
  name: "v1alpha1",
  listPods: { method: ServedPods.method.listPods, read: (answer) => answer.pods },
  getPod: { method: ServedPods.method.getPod, read: (answer) => answer.pod },
  watchPods: {
    method: ServedPods.method.watchPods,
    read: (message) => ({ type: ("type" in message && EVENT_TYPES[message.type]) || "UNKNOWN", pod: message.pod }),
  },
};

const documented: ApiVersion = {
  name: "documented",
  listPods: {
    method: {
      ...DocumentedPods.method.listPods,
      input: ListPodsRequestSchema,
      output: ListPodsResponseSchema,
    },
    read: served.listPods.read,
  },
  getPod: {
    method: { ...DocumentedPods.method.getPod, input: GetPodRequestSchema, output: GetPodResponseSchema },
    read: served.getPod.read,
  },
  watchPods: {
    method: { ...DocumentedPods.method.watchPods, input: WatchPodsRequestSchema, output: GetPodResponseSchema },
    // It sends pods that changed, and does not say how.
    read: (message) => ({ type: "MODIFIED", pod: message.pod }),
  },
};

/** The versions known here, in the order in which they are tried. A later one is one more row. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [served, documented];
