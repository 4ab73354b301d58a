// A watch read by hand, so that it can be left unread.

import http2 from "node:http2";
import { connect } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type WatchPodsEvent, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";

/** A watch on a connection of its own, with HTTP/2's smallest windows. */
export function openRaw(socketPath: string): { session: http2.ClientHttp2Session; stream: http2.ClientHttp2Stream } {
  const session = http2.connect("http://localhost", { createConnection: () => connect(socketPath) });
  session.on("error", () => {});
  const headers = { ":method": "POST", ":path": "/v1alpha1.Pods/WatchPods", "content-type": "application/grpc" };
  const stream = session.request({ ...headers, te: "trailers" });
  stream.on("error", () => {});
  stream.end(Buffer.alloc(5));
  return { session, stream };
}

/** The events of which all bytes have arrived. */
export function eventsIn(bytes: Buffer): WatchPodsEvent[] {
  const events: WatchPodsEvent[] = [];
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) break;
    events.push(fromBinary(WatchPodsEventSchema, bytes.subarray(at + 5, end)));
    at = end;
  }
  return events;
}

/** Of each pod in a stream of gRPC messages. */
export function restartCounts(bytes: Buffer): number[] {
  return eventsIn(bytes)
    .map(({ pod }) => fromBinary(PodSchema, pod).status?.containerStatuses[0]?.restartCount)
    .filter((count) => count !== undefined);
}
