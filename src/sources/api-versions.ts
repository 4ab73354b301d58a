import type { DescMethodServerStreaming, DescMethodUnary } from "@bufbuild/protobuf";
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
import { WireReader } from "../pod/reader.js";
import { splitRepeated } from "../wire/repeated-bytes.js";
import type { SourceBatch } from "./pod-source.js";

/**
 * One version of the Pods API. Its unary calls differ in the service's name alone: `bytes` and an embedded message are the same
 * on the wire, so both are read as bytes, whatever the version's own types are.
 */
export interface ApiVersion {
  readonly name: ApiVersionName;
  /** The service's full name. */
  readonly service: string;
  /** The calls as a server has them; clients need the service's name alone. */
  readonly listPods: DescMethodUnary<typeof ListPodsRequestSchema, typeof ListPodsResponseSchema>;
  readonly getPod: DescMethodUnary<typeof GetPodRequestSchema, typeof GetPodResponseSchema>;
  readonly watchPods: WatchCall;
  /**
   * How often the pods are to be listed, where the version's watch tells neither the pods there are nor deletions;
   * undefined where it does.
   */
  readonly relistMs?: number;
}

/** `v1alpha1` is what kubelets serve, `documented` what the Kubernetes documentation prints. */
export type ApiVersionName = "v1alpha1" | "documented";

type WatchOutput = typeof WatchPodsEventSchema | typeof GetPodResponseSchema;

interface WatchCall {
  readonly method: DescMethodServerStreaming<typeof WatchPodsRequestSchema, WatchOutput>;
  /**
   * Reads a message of the watch; its pod is a view.
   *
   * @throws Error or RangeError for bytes that are no message.
   */
  read(message: Uint8Array): SourceBatch[number];
}

const EVENT_TYPES: Readonly<Record<number, "ADDED" | "MODIFIED" | "DELETED">> = {
  [EventType.ADDED]: "ADDED",
  [EventType.MODIFIED]: "MODIFIED",
  [EventType.DELETED]: "DELETED",
};

const NOTHING = new Uint8Array();

/** Reads a WatchPodsEvent: 1 is the type, 2 the pod. */
function readServed(message: Uint8Array): SourceBatch[number] {
  let number: number = EventType.UNSPECIFIED;
  let pod: Uint8Array = NOTHING;
  const reader = new WireReader(message);
  while (reader.pos < message.length) {
    const tag = reader.tag();
    if (tag === 0x08) number = reader.int32();
    else if (tag === 0x12) pod = reader.view();
    else reader.skip(tag, MAX_DEPTH);
  }
  if (number === EventType.INITIAL_SYNC_COMPLETE) return { type: "SYNCED" };
  const type = EVENT_TYPES[number];
  return type === undefined ? { type: "UNKNOWN" } : { type, pod };
}

/** How deep groups may nest in fields that are not known. */
const MAX_DEPTH = 100;

const served: ApiVersion = {
  name: "v1alpha1",
  service: ServedPods.typeName,
  listPods: ServedPods.method.listPods,
  getPod: ServedPods.method.getPod,
  watchPods: { method: ServedPods.method.watchPods, read: readServed },
};

const documented: ApiVersion = {
  name: "documented",
  service: DocumentedPods.typeName,
  listPods: { ...DocumentedPods.method.listPods, input: ListPodsRequestSchema, output: ListPodsResponseSchema },
  getPod: { ...DocumentedPods.method.getPod, input: GetPodRequestSchema, output: GetPodResponseSchema },
  relistMs: 30_000,
  watchPods: {
    method: { ...DocumentedPods.method.watchPods, input: WatchPodsRequestSchema, output: GetPodResponseSchema },
    // It sends pods that changed, and does not say how.
    read: (message) => ({ type: "MODIFIED", pod: splitRepeated(message).at(-1) ?? NOTHING }),
  },
};

/** The versions known here, in the order in which they are tried. A later one is one more row. */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [served, documented];
