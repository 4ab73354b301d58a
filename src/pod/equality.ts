import { isDeepStrictEqual } from "node:util";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { DELIMITED, WireReader } from "../protobuf/reader.js";
import { isText } from "../protobuf/text.js";
import { decodeBy, type Plan, wholePlan } from "./decode.js";
import { SEEN_ANNOTATION } from "./lifecycle.js";
import { messageType, POD } from "./message-type.js";

const METADATA = POD.numberOf("metadata");
const ANNOTATIONS = messageType("ObjectMeta").numberOf("annotations");

/**
 * Returns true if the selected fields of two serialized pods are equal, apart from the kubelet's bookkeeping. One kubelet process writes
 * equal pods as equal bytes (fields in order, map keys sorted), so for two pods of one process only bytes are compared. Two processes may
 * have different versions, so their pods are decoded if the bytes differ. Unknown fields count, too.
 *
 * @throws if one of them cannot be decoded.
 */
export function sameContent(a: Uint8Array, b: Uint8Array, plan: Plan, oneProcess: boolean): boolean {
  if (a === b || sameSelected(a, b, plan)) return true;
  if (oneProcess) return false;
  return isDeepStrictEqual(withoutBookkeeping(a, plan), withoutBookkeeping(b, plan));
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && Buffer.compare(a, b) === 0);
}

/**
 * Returns true if the selected fields of two pods have equal bytes, apart from the kubelet's bookkeeping. False does not prove a
 * difference: fields and map entries may be in another order.
 */
export function sameSelected(a: Uint8Array, b: Uint8Array, plan: Plan): boolean {
  return sameMessage(plan, "pod", new WireReader(a), a.length, new WireReader(b), b.length);
}

type MessagePlace = "pod" | "metadata" | "other";

/** Compares two messages field by field, up to the first difference. */
function sameMessage(
  plan: Plan,
  of: MessagePlace,
  a: WireReader,
  endOfA: number,
  b: WireReader,
  endOfB: number,
): boolean {
  for (;;) {
    const tag = nextSelected(plan, of, a, endOfA);
    if (tag !== nextSelected(plan, of, b, endOfB)) return false;
    if (tag === 0) return true;
    const isMetadata = of === "pod" && tag >>> 3 === METADATA;
    const below = plan.fields[tag >>> 3]?.partial ?? (isMetadata ? WHOLE_METADATA : undefined);
    if (below === undefined || (tag & 7) !== DELIMITED) {
      const [fromA, fromB] = [a.pos, b.pos];
      a.skip(tag);
      b.skip(tag);
      if (!sameRange(a, fromA, b, fromB)) return false;
    } else {
      const stopOfA = a.uint32() + a.pos;
      const stopOfB = b.uint32() + b.pos;
      if (!sameMessage(below, isMetadata ? "metadata" : "other", a, stopOfA, b, stopOfB)) return false;
    }
  }
}

/** Plan for whole metadata. It is compared field by field, to leave out the bookkeeping. */
const WHOLE_METADATA = wholePlan(messageType("ObjectMeta"));

/** Skips fields that are not selected. Returns the tag of the next selected one, and 0 at the end. */
function nextSelected({ whole, fields }: Plan, of: MessagePlace, reader: WireReader, end: number): number {
  while (reader.pos < end) {
    const tag = reader.tag();
    const number = tag >>> 3;
    if (whole || fields[number] !== undefined) {
      if (!(of === "metadata" && number === ANNOTATIONS && isBookkeeping(reader))) return tag;
    }
    reader.skip(tag);
  }
  return 0;
}

/** Returns true if this map entry is the kubelet's bookkeeping. Every encoder writes the key as the first field. */
function isBookkeeping(reader: WireReader): boolean {
  const { pos } = reader;
  const end = reader.uint32() + reader.pos;
  const isKey = reader.pos < end && reader.tag() === 0x0a;
  const length = isKey ? reader.uint32() : 0;
  const found = isKey && isText(reader.source, reader.pos, reader.pos + length, SEEN_ANNOTATION);
  reader.pos = pos;
  return found;
}

/** Returns true if the bytes read since the given offsets are equal in both. */
function sameRange(a: WireReader, fromA: number, b: WireReader, fromB: number): boolean {
  const length = a.pos - fromA;
  if (b.pos - fromB !== length) return false;
  if (length > 32) return a.source.compare(b.source, fromB, b.pos, fromA, a.pos) === 0;
  for (let i = 0; i < length; i++) if (a.source[fromA + i] !== b.source[fromB + i]) return false;
  return true;
}

function withoutBookkeeping(bytes: Uint8Array, plan: Plan): Pod {
  const pod = decodeBy(plan, bytes) as Pod;
  if (pod.metadata !== undefined) delete pod.metadata.annotations[SEEN_ANNOTATION];
  return pod;
}
