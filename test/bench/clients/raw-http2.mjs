// The lower limit: node:http2 alone. It splits bytes into messages, and a list into pods, and decodes, checks and keeps nothing.

import http2 from "node:http2";
import { createConnection } from "node:net";

const PREFIX_BYTES = 5;
const WINDOW_BYTES = 1 << 20;
/** Delay before the next attempt at a watch. */
const AGAIN_MS = 1_000;

/** @type {import("../client.mjs").Open} */
export function open({ socketPath, timeoutMs }) {
  let session;
  const request = (method, message, headers) => {
    if (session === undefined || session.closed || session.destroyed) {
      session = http2.connect("http://localhost", {
        createConnection: () => createConnection(socketPath),
        settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
      });
      session.on("error", () => {});
      session.once("connect", () => session.setLocalWindowSize(WINDOW_BYTES));
    }
    const stream = session.request({
      ":method": "POST",
      ":path": `/v1alpha1.Pods/${method}`,
      te: "trailers",
      "content-type": "application/grpc",
      ...headers,
    });
    const frame = Buffer.alloc(PREFIX_BYTES + message.length);
    frame.writeUInt32BE(message.length, 1);
    message.copy(frame, PREFIX_BYTES);
    stream.end(frame);
    return stream;
  };
  const unary = (method, message) =>
    new Promise((resolve, reject) => {
      const stream = request(method, message, { "grpc-timeout": `${timeoutMs}m` });
      const chunks = [];
      stream.on("data", (chunk) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("end", () => resolve(Buffer.concat(chunks).subarray(PREFIX_BYTES)));
    });
  let watch;
  return {
    get: (uid) => unary("GetPod", Buffer.concat([Buffer.of(0x0a, uid.length), Buffer.from(uid)])),
    list: async () => podsOf(await unary("ListPods", Buffer.alloc(0))).length,
    async watch(told) {
      watch?.close();
      let mine;
      do {
        mine = request("WatchPods", Buffer.alloc(0), {});
        watch = mine;
        await readWatch(mine, told);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      } while (watch === mine);
    },
  };
}

/** Reports the messages of a watch until it ends. */
function readWatch(stream, told) {
  let rest = Buffer.alloc(0);
  stream.on("data", (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (bytes.length - at >= PREFIX_BYTES) {
      const end = at + PREFIX_BYTES + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      const message = bytes.subarray(at + PREFIX_BYTES, end);
      if (message.length === 2)
        told.synced(); // it has a type and no pod
      else told.bytes(message);
      at = end;
    }
    rest = bytes.subarray(at);
  });
  return new Promise((resolve) => {
    stream.on("error", () => {});
    stream.on("close", resolve);
  });
}

/** Splits a list into the bytes of its pods. */
function podsOf(message) {
  const pods = [];
  for (let at = 0; at < message.length; ) {
    at++; // the tag
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    pods.push(message.subarray(at, at + length));
    at += length;
  }
  return pods;
}
