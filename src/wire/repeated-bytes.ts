import { WireReader } from "../protobuf/reader.js";

/** The one field that answers of the Pods API have: pods in a list, the pod of a GetPod. */
const FIELD = 1;

const DELIMITED = 2;

/**
 * Splits a message with one repeated field of bytes, such as `ListPodsResponse`. The parts are views of the message. It stops after one
 * part more than `most`.
 *
 * @throws Error or RangeError if the bytes are no such message.
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
