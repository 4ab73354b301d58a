// A watch served as fast as a socket takes it, in a process of its own: so that what is measured is the client.

import { rmSync } from "node:fs";
import { createServer, type ServerHttp2Stream } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Pod } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, GetPodResponseSchema, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { envelope } from "../helpers/hostile.js";
import { inState, LAST_POD, podOfSize } from "./pods.js";

export type FirehoseOrder =
  /** With `freeze` the process stops itself (SIGSTOP) in the middle of its first list. */
  | { op: "listen"; socketPath: string; pods: number; podBytes: number; freeze?: boolean }
  /** So many changes, round the pods, to every watcher, and a last one about a pod that is new: each must read it. */
  | { op: "blast"; events: number }
  /** So many changes, so many per second, each labelled with the time. */
  | { op: "trickle"; events: number; perSecond: number }
  | { op: "end" };

let pods: Pod[] = [];
let burst = Buffer.alloc(0);
let freeze = false;
let blasts = 0;
const watchers = new Set<ServerHttp2Stream>();

const message = (type: EventType, pod: Uint8Array<ArrayBuffer>) =>
  envelope(toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { type, pod })));

const server = createServer({ maxSessionMemory: 1_000 /* MB: a list waits whole to be read */ });
server.on("session", (session) => session.on("error", () => {}));
server.on("stream", (stream, headers) => {
  stream.on("error", () => {});
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  if (!headers[":path"]?.endsWith("/WatchPods")) {
    stream.end(envelope(toBinary(GetPodResponseSchema, create(GetPodResponseSchema))));
    return;
  }
  watchers.add(stream);
  stream.on("close", () => watchers.delete(stream));
  if (!freeze) {
    stream.write(burst);
    return;
  }
  freeze = false;
  const half = Math.floor(burst.length / 2);
  stream.write(burst.subarray(0, half), () => {
    process.kill(process.pid, "SIGSTOP");
    stream.write(burst.subarray(half));
  });
});

/** Resolves when the stream takes more. */
function write(stream: ServerHttp2Stream, data: Buffer): Promise<void> | undefined {
  if (stream.destroyed || stream.write(data)) return undefined;
  return new Promise((resolve) => {
    const resume = () => {
      stream.off("drain", resume).off("close", resume);
      resolve();
    };
    stream.once("drain", resume).once("close", resume);
  });
}

async function blast(events: number): Promise<void> {
  const states = [1, 2].map((state) => pods.map((pod) => message(EventType.MODIFIED, inState(pod, state))));
  const marker = message(EventType.ADDED, inState(podOfSize(3_000, LAST_POD), `last-${++blasts}`));
  await Promise.all(
    [...watchers].map(async (stream) => {
      for (let sent = 0; sent < events; ) {
        const round = states[Math.floor(sent / pods.length) % 2]?.slice(0, events - sent) ?? [];
        for (let i = 0; i < round.length; i += 16) await write(stream, Buffer.concat(round.slice(i, i + 16)));
        sent += round.length;
      }
      await write(stream, marker);
    }),
  );
}

async function trickle(events: number, perSecond: number): Promise<void> {
  const startMs = performance.now();
  for (let sent = 0; sent < events; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (; sent < events && sent < ((performance.now() - startMs) * perSecond) / 1_000; sent++) {
      const pod = pods[sent % pods.length] as Pod;
      for (const stream of watchers) {
        // On Linux this clock is the same in every process.
        stream.write(message(EventType.MODIFIED, inState(pod, `${process.hrtime.bigint()}`)));
      }
    }
  }
  for (const stream of watchers)
    stream.write(message(EventType.ADDED, inState(podOfSize(3_000, LAST_POD), `last-${++blasts}`)));
}

process.on("message", async (order: FirehoseOrder) => {
  if (order.op === "listen") {
    pods = Array.from({ length: order.pods }, (_, i) => podOfSize(order.podBytes, i));
    const sync = envelope(
      toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { type: EventType.INITIAL_SYNC_COMPLETE })),
    );
    burst = Buffer.concat([...pods.map((pod) => message(EventType.ADDED, inState(pod, 0))), sync]);
    freeze = order.freeze ?? false;
    rmSync(order.socketPath, { force: true });
    await new Promise<void>((resolve) => server.listen(order.socketPath, resolve));
  } else if (order.op === "blast") await blast(order.events);
  else if (order.op === "trickle") await trickle(order.events, order.perSecond);
  else process.exit();
  process.send?.("done");
});
