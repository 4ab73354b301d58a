import type http2 from "node:http2";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Corruption } from "./pod-store.js";
import { seededRandom } from "./random.js";

/** Prefixes of the error messages for pods that cannot be marshalled (pkg/kubelet/apis/pods/server.go). */
export const MARSHALLING: Readonly<Record<"answer" | "initial" | "event", string>> = {
  answer: "failed to marshal pod",
  initial: "error marshalling initial watch event pod",
  event: "error marshalling watch event pod",
};

/** Writes the gRPC length prefix of the whole message, and then only half of the message. */
export async function writeHalf(stream: http2.ServerHttp2Stream, message: Uint8Array): Promise<void> {
  if (!stream.headersSent) stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  await new Promise((resolve) => {
    stream.once("close", resolve);
    stream.write(Buffer.concat([head, message.subarray(0, message.length >> 1)]), resolve);
  });
}

/**
 * Pads an encoded pod to `length` bytes with an unknown field. Returns the pod unchanged if it is larger, or if no field has the missing
 * length.
 */
export function padded(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const field = (size: number) =>
    new BinaryWriter().tag(UNKNOWN_FIELD, WireType.LengthDelimited).bytes(new Uint8Array(size)).finish();
  const missing = length - bytes.length;
  for (let head = 4; head <= 8; head++) {
    if (missing < head) break;
    const padding = field(missing - head);
    if (padding.length === missing) return Buffer.concat([bytes, padding]);
  }
  return bytes;
}

/** A field number that Pod does not have. */
const UNKNOWN_FIELD = 15_000;

/** Truncates an encoded pod: within a field at the end, so that its identity can be decoded, or at the start. */
export function cutShort(bytes: Uint8Array<ArrayBuffer>, where: Corruption): Uint8Array<ArrayBuffer> {
  if (where === "before-identity") return bytes.slice(0, 4);
  const status = new BinaryWriter().tag(STATUS_FIELD, WireType.LengthDelimited).uint32(1000).finish();
  return Buffer.concat([bytes, status]);
}

/** Field number of Pod.status. The field announces 1,000 bytes, but none follow. */
const STATUS_FIELD = 3;

/** Returns 64 bytes that are not HTTP/2. They are the same in each call. */
export function garbage(): Buffer {
  const random = seededRandom(1);
  return Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)));
}
