// A server for the clients: the Pods API on a Unix socket, and optionally the API server's HTTP API with the same pods. It has its own
// process and sends prepared bytes as fast as the socket takes them, so that the benchmark measures the client.

import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { create, toBinary } from "@bufbuild/protobuf";
import type { Pod } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import {
  EventType,
  GetPodResponseSchema,
  ListPodsResponseSchema,
  WatchPodsEventSchema,
} from "../../src/gen/v1alpha1/pods_pb.js";
import { envelope } from "../helpers/hostile.js";
import { JsonApi } from "./json-api.js";
import { inState, lastPod, nodeOf, podOfSize } from "./pods.js";

export type FirehoseOrder =
  /**
   * Listens with pods of `podBytes`, or with pods of real nodes. With `json`, the HTTP API listens, too. With `freeze`, the process stops
   * itself (SIGSTOP) in the middle of its first list.
   */
  | { op: "listen"; socketPath: string; pods: number; podBytes?: number; json?: boolean; freeze?: boolean }
  /** Sends `events` changes of all pods in turn to every watcher as fast as possible, and then a new pod, which ends the measurement. */
  | { op: "blast"; events: number }
  /** Sends `events` changes at a rate. A label of each pod has the time of its change. */
  | { op: "trickle"; events: number; perSecond: number }
  /** `down` cuts all connections and stops listening. `up` listens again. */
  | { op: "down" }
  | { op: "up" }
  /** Cuts new connections at once, refuses requests like a kubelet that initializes, or serves again. */
  | { op: "mode"; mode: Mode }
  /** Returns the number of connections and requests since the last `count`. */
  | { op: "count" };

type Mode = "well" | "cutting" | "initializing";

export interface Served {
  url: string;
  pods: { uid: string; name: string }[];
  podBytes: number;
}

/** Connections and requests of all clients since the last `count`, over the Unix socket and over HTTP. */
export interface Counted {
  socket: Counts;
  json: Counts;
}
interface Counts {
  connections: number;
  requests: number;
}

let socketPath = "";
let pods: Pod[] = [];
let answers = new Map<string, Buffer>();
let list: Buffer = Buffer.alloc(0);
let burst: Buffer = Buffer.alloc(0);
let freeze = false;
let blasts = 0;
let mode: Mode = "well";
let url = "";
const api = new JsonApi();
const watchers = new Set<ServerHttp2Stream>();
const sockets = new Set<Socket>();
const counts: Counts = { connections: 0, requests: 0 };

const message = (type: EventType, pod: Uint8Array<ArrayBuffer>) =>
  envelope(toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { type, pod })));

const server = createServer({ maxSessionMemory: 1_000 /* MB; a whole list waits to be read */ });
server.on("session", (session) => session.on("error", () => {}));
server.on("connection", (socket: Socket) => {
  counts.connections++;
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  if (mode === "cutting") socket.destroy();
});
server.on("stream", async (stream, headers) => {
  counts.requests++;
  stream.on("error", () => {});
  if (mode === "initializing") {
    const status = { "grpc-status": "9", "grpc-message": "pods store is not yet initialized" };
    stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
    return;
  }
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  const method = headers[":path"]?.split("/").at(-1);
  if (method === "ListPods") stream.end(list);
  else if (method === "WatchPods") watch(stream);
  else {
    const request: Buffer[] = await stream.toArray();
    const uid = Buffer.concat(request).subarray(7).toString(); // envelope, tag and length
    stream.end(answers.get(uid) ?? envelope(toBinary(GetPodResponseSchema, create(GetPodResponseSchema))));
  }
});

function watch(stream: ServerHttp2Stream): void {
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
}

/** Resolves when the stream accepts more data. */
function write(stream: Writable, data: Buffer): Promise<void> | undefined {
  if (stream.destroyed || stream.write(data)) return undefined;
  return new Promise((resolve) => {
    const resume = () => {
      stream.off("drain", resume).off("close", resume);
      resolve();
    };
    stream.once("drain", resume).once("close", resume);
  });
}

/** Writes an event to all watchers, in the format of each. */
async function toAll(events: number, inBytes: (i: number) => Buffer, inJson: (i: number) => Buffer): Promise<void> {
  const send = async (stream: Writable, at: (i: number) => Buffer) => {
    for (let sent = 0; sent < events; sent += 16) {
      const some = Array.from({ length: Math.min(16, events - sent) }, (_, i) => at(sent + i));
      await write(stream, Buffer.concat(some));
    }
  };
  await Promise.all([
    ...[...watchers].map((stream) => send(stream, inBytes)),
    ...[...api.watches].map((response) => send(response, inJson)),
  ]);
}

async function last(): Promise<void> {
  const pod = lastPod(`last-${++blasts}`);
  const bytes = message(EventType.ADDED, inState(pod, `last-${blasts}`));
  const json = JsonApi.event("ADDED", pod);
  await toAll(
    1,
    () => bytes,
    () => json,
  );
}

async function blast(events: number): Promise<void> {
  const round = (make: (pod: Pod) => Buffer) => {
    const made = new Map<number, Buffer>();
    return (i: number) => {
      const nth = i % (2 * pods.length);
      const known = made.get(nth);
      if (known !== undefined) return known;
      const pod = pods[nth % pods.length] as Pod;
      inState(pod, nth < pods.length ? 1 : 2);
      const buffer = make(pod);
      made.set(nth, buffer);
      return buffer;
    };
  };
  const inBytes = round((pod) => message(EventType.MODIFIED, inState(pod, pod.metadata?.labels["state"] ?? "")));
  const inJson = round((pod) => JsonApi.event("MODIFIED", pod));
  // All messages exist before the first is sent.
  for (let i = 0; i < Math.min(events, 2 * pods.length); i++) {
    if (watchers.size > 0) inBytes(i);
    if (api.watches.size > 0) inJson(i);
  }
  await toAll(events, inBytes, inJson);
  await last();
}

async function trickle(events: number, perSecond: number): Promise<void> {
  const startMs = performance.now();
  for (let sent = 0; sent < events; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (; sent < events && sent < ((performance.now() - startMs) * perSecond) / 1_000; sent++) {
      const pod = pods[sent % pods.length] as Pod;
      // On Linux this clock is the same in every process.
      for (const stream of watchers) {
        stream.write(message(EventType.MODIFIED, inState(pod, `${process.hrtime.bigint()}`)));
      }
      for (const response of api.watches) {
        inState(pod, `${process.hrtime.bigint()}`);
        response.write(JsonApi.event("MODIFIED", pod));
      }
    }
  }
  await last();
}

async function up(): Promise<void> {
  rmSync(socketPath, { force: true });
  server.listen(socketPath);
  await once(server, "listening");
  if (url !== "") await api.up(Number(new URL(url).port));
}

async function down(): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
  if (url !== "") await api.down();
}

async function listen(order: FirehoseOrder & { op: "listen" }): Promise<Served> {
  const { podBytes } = order;
  ({ socketPath, freeze = false } = order);
  pods =
    podBytes === undefined ? nodeOf(order.pods) : Array.from({ length: order.pods }, (_, i) => podOfSize(podBytes, i));
  const all = pods.map((pod) => ({ uid: pod.metadata?.uid ?? "", bytes: inState(pod, 0) }));
  const sync = create(WatchPodsEventSchema, { type: EventType.INITIAL_SYNC_COMPLETE });
  burst = Buffer.concat([
    ...all.map(({ bytes }) => message(EventType.ADDED, bytes)),
    envelope(toBinary(WatchPodsEventSchema, sync)),
  ]);
  const response = create(ListPodsResponseSchema, { pods: all.map(({ bytes }) => bytes) });
  list = envelope(toBinary(ListPodsResponseSchema, response));
  answers = new Map(
    all.map(({ uid, bytes: pod }) => [
      uid,
      envelope(toBinary(GetPodResponseSchema, create(GetPodResponseSchema, { pod }))),
    ]),
  );
  await up();
  if (order.json) {
    api.serve(pods);
    url = await api.up();
  }
  return {
    url,
    pods: pods.map(({ metadata }) => ({ uid: metadata?.uid ?? "", name: metadata?.name ?? "" })),
    podBytes: Math.round(all.reduce((sum, { bytes }) => sum + bytes.length, 0) / all.length),
  };
}

/** Returns the counts since the last call. */
function count(): Counted {
  const counted = { socket: { ...counts }, json: { ...api.counts } };
  for (const of of [counts, api.counts]) Object.assign(of, { connections: 0, requests: 0 });
  return counted;
}

process.on("message", async (order: FirehoseOrder) => {
  let answer: object = { done: true };
  if (order.op === "listen") answer = await listen(order);
  else if (order.op === "blast") await blast(order.events);
  else if (order.op === "trickle") await trickle(order.events, order.perSecond);
  else if (order.op === "up") await up();
  else if (order.op === "down") await down();
  else if (order.op === "count") answer = count();
  else {
    mode = order.mode;
    api.mode = mode;
  }
  process.send?.(answer);
});
