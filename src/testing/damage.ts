import type http2 from "node:http2";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Corruption } from "./pod-store.js";
import { seededRandom } from "./random.js";

/** How the errors of pods that cannot be marshalled begin (pkg/kubelet/apis/pods/server.go). */
export const MARSHALLING: Readonly<Record<"answer" | "initial" | "event", string>> = {
  answer: "failed to marshal pod",
  initial: "error marshalling initial watch event pod",
  event: "error marshalling watch event pod",
};

/** Half of a gRPC message, behind an envelope that announces the whole. */
export async function writeHalf(stream: http2.ServerHttp2Stream, message: Uint8Array): Promise<void> {
  if (!stream.headersSent) stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  await new Promise((resolve) => {
    stream.once("close", resolve);
    stream.write(Buffer.concat([head, message.subarray(0, message.length >> 1)]), resolve);
  });
}

/** A pod with a field that nobody knows, so that it has so many bytes. */
export function padded(bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  const head = new BinaryWriter().tag(UNKNOWN_FIELD, WireType.LengthDelimited);
  const padding = length - bytes.length - 16;
  if (padding <= 0) return bytes;
  return Buffer.concat([bytes, head.bytes(new Uint8Array(padding)).finish()]);
}

/** No field of Pod's has this number. */
const UNKNOWN_FIELD = 15_000;

/** A pod whose bytes end too early. Its identity comes first. */
export function cutShort(bytes: Uint8Array<ArrayBuffer>, where: Corruption): Uint8Array<ArrayBuffer> {
  return bytes.slice(0, where === "before-identity" ? 4 : Math.ceil((bytes.length * 2) / 3));
}

/** What is no HTTP/2; the same each time. */
export function garbage(): Buffer {
  const random = seededRandom(1);
  return Buffer.from(Array.from({ length: 64 }, () => Math.floor(random() * 256)));
}
