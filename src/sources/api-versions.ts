import { PodsError } from "../errors/pods-error.js";
import { scanHead } from "../pod/scan.js";
import { WireReader } from "../protobuf/reader.js";
import { splitRepeated } from "../wire/repeated-bytes.js";
import type { SourceBatch } from "./pod-source.js";

/**
 * One version of the Pods API. The unary calls of the versions differ only in the name of the service. A pod has the same encoding as a
 * `bytes` field and as an embedded message, so it is read as bytes in all versions.
 */
export interface ApiVersion {
  readonly name: ApiVersionName;
  /** Full name of the service. */
  readonly service: string;
  /** True if no released kubelet serves this version. Its messages are a guess, so the first answer is checked. */
  readonly isGuessed: boolean;
  /**
   * Decodes a message of the watch. The pod is a view of the message.
   *
   * @throws Error or RangeError if the bytes are not a valid message.
   */
  readEvent(message: Uint8Array): SourceBatch[number];
  /** Time between lists, for a version whose watch sends neither existing pods nor deletions; undefined if its watch sends them. */
  readonly relistMs?: number;
}

/**
 * Kubelets up to 1.37 serve `v1alpha1`. By the naming rules of Kubernetes, `v1beta1` and `v1` come next; they are assumed to have the same
 * messages. `documented` is the API that the Kubernetes documentation shows.
 */
export type ApiVersionName = "v1alpha1" | "v1beta1" | "v1" | "documented";

/** Tags of the fields of a WatchPodsEvent. */
const TYPE_TAG = 0x08;
const POD_TAG = 0x12;

/** EventType of proto/v1alpha1/pods.proto; 0 is unspecified. */
export const EVENT_TYPES: Readonly<Record<number, "ADDED" | "MODIFIED" | "DELETED">> = {
  1: "ADDED",
  2: "MODIFIED",
  3: "DELETED",
};
export const INITIAL_SYNC_COMPLETE = 4;

const EMPTY_REQUEST = new Uint8Array();

/** Reads a WatchPodsEvent: field 1 is the type, field 2 the pod. */
function readServed(message: Uint8Array): SourceBatch[number] {
  return readPlain(message) ?? readAny(message);
}

/** Reads an event in the usual encoding, with a pod of at most 2 MiB; undefined for any other encoding. */
function readPlain(message: Uint8Array): SourceBatch[number] | undefined {
  const type = EVENT_TYPES[message[1] as number];
  if (message[0] !== TYPE_TAG || message[2] !== POD_TAG || type === undefined) return undefined;
  let at = 3;
  let length = 0;
  for (let shift = 0; shift < 21; shift += 7) {
    const byte = message[at++] as number;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) return at + length === message.length ? { type, pod: message.subarray(at) } : undefined;
  }
  return undefined;
}

function readAny(message: Uint8Array): SourceBatch[number] {
  let number = 0;
  let pod: Uint8Array = EMPTY_REQUEST;
  const reader = new WireReader(message);
  while (reader.pos < message.length) {
    const tag = reader.tag();
    if (tag === TYPE_TAG) number = reader.int32();
    else if (tag === POD_TAG) pod = reader.view();
    else reader.skip(tag);
  }
  if (number === INITIAL_SYNC_COMPLETE) return { type: "SYNCED" };
  const type = EVENT_TYPES[number];
  return type === undefined ? { type: "UNKNOWN", code: number } : { type, pod };
}

function served(name: Exclude<ApiVersionName, "documented">, isGuessed: boolean): ApiVersion {
  return { name, service: `${name}.Pods`, isGuessed, readEvent: readServed };
}

const documented: ApiVersion = {
  name: "documented",
  service: "Pods",
  isGuessed: true,
  relistMs: 30_000,
  // This version sends changed pods without the type of the change.
  readEvent: (message) => ({ type: "MODIFIED", pod: splitRepeated(message).at(-1) ?? EMPTY_REQUEST }),
};

/**
 * Known versions, in the order in which they are tried: those that released kubelets serve come first, newest first. To support another
 * version, add a row.
 */
export const API_VERSIONS: readonly [ApiVersion, ...ApiVersion[]] = [
  served("v1alpha1", false),
  served("v1beta1", true),
  served("v1", true),
  documented,
];

/** Checks the first pods of a guessed version. @throws PodsError `not-served` if none of them is a pod. */
export function checkGuess({ name, isGuessed }: ApiVersion, pods: readonly Uint8Array[]): void {
  if (!isGuessed || pods.length === 0 || pods.some((pod) => scanHead(pod).head.uid !== "")) return;
  throw new PodsError({
    code: "not-served",
    message: `the messages of ${name}.Pods do not match the schema of the Pods API`,
  });
}
