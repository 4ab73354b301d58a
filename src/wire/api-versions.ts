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
import type { SourceEvent } from "../source.js";

/**
 * One version of the Pods API: its methods, and a reader for what each answers. `bytes` and an embedded message are the
 * same on the wire, so every reader hands on bytes, whatever the version's own types are.
 */
export interface ApiVersion {
  readonly name: ApiVersionName;
  readonly listPods: UnaryCall<typeof ListPodsRequestSchema, typeof ListPodsResponseSchema, Uint8Array[]>;
  readonly getPod: UnaryCall<typeof GetPodRequestSchema, typeof GetPodResponseSchema, Uint8Array>;
  readonly watchPods: WatchCall;
  /**
   * How often the pods are to be listed, where the version's watch tells neither the pods there are nor deletions;
   * undefined where it does.
   */
  readonly relistMs?: number;
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
  read(message: MessageShape<WatchOutput>): SourceEvent;
}

const EVENT_TYPES: Readonly<Record<number, "ADDED" | "MODIFIED" | "DELETED">> = {
  [EventType.ADDED]: "ADDED",
  [EventType.MODIFIED]: "MODIFIED",
  [EventType.DELETED]: "DELETED",
};

function readServed(message: MessageShape<WatchOutput>): SourceEvent {
  const number = "type" in message ? message.type : EventType.UNSPECIFIED;
  if (number === EventType.INITIAL_SYNC_COMPLETE) return { type: "SYNCED" };
  const type = EVENT_TYPES[number];
  return type === undefined ? { type: "UNKNOWN" } : { type, pod: message.pod };
}

const served: ApiVersion = {
  name: "v1alpha1",
  listPods: { method: ServedPods.method.listPods, read: (answer) => answer.pods },
  getPod: { method: ServedPods.method.getPod, read: (answer) => answer.pod },
  watchPods: { method: ServedPods.method.watchPods, read: readServed },
};

const documented: ApiVersion = {
  name: "documented",
  relistMs: 30_000,
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
