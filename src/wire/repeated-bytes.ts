import { DELIMITED, WireReader } from "../protobuf/reader.js";

/** The only field of Pods API answers: the pods of ListPods, the pod of GetPod. */
const FIELD = 1;

/**
 * Splits a message with one repeated bytes field, such as `ListPodsResponse`. The parts are views of the message. It stops at `most` + 1
 * parts, which shows the caller that there are too many.
 *
 * @throws Error or RangeError if the bytes are not such a message.
 */
export function splitRepeated(message: Uint8Array, most: number = Number.POSITIVE_INFINITY): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const reader = new WireReader(message);
  while (reader.pos < message.length && parts.length <= most) {
    const tag = reader.tag();
    if (tag !== ((FIELD << 3) | DELIMITED)) reader.skip(tag);
    else {
      const end = reader.uint32() + reader.pos;
      if (end > message.length) throw new RangeError("unexpected end of the bytes");
      parts.push(message.subarray(reader.pos, end));
      reader.pos = end;
    }
  }
  return parts;
}
