// A peer that does anything at all with each connection: noise, broken HTTP/2, broken gRPC, broken protobuf, on a Unix
// socket; and broken HTTP on a TCP port. What it does is determined by a seed and the connection's number.

import { once } from "node:events";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import {
  EventType,
  GetPodResponseSchema,
  ListPodsResponseSchema,
  WatchPodsEventSchema,
} from "../../src/gen/v1alpha1/pods_pb.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { toKubernetesJson } from "../../src/pod/to-json.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";
import { envelope, frame, SETTINGS } from "../helpers/hostile.js";
import { BODY_LENGTHS, bodyLengths, fillerFor } from "../pod/random-pods.js";
import { Dice } from "./dice.js";

/** Pods as they are, and one with the metadata of each length that is easily got wrong. */
const pods = [...sampleNode(), ...BODY_LENGTHS.map(podOfLength)].map((pod) =>
  Buffer.from(toBinary(PodSchema, fromKubernetesJson(pod))),
);

function podOfLength(length: number): PodJson {
  const pod = (generateName: string): PodJson => ({ metadata: { uid: `of-${length}`, name: "filled", generateName } });
  const lengthWith = (text: string) =>
    bodyLengths(PodSchema, toBinary(PodSchema, fromKubernetesJson(pod(text))))[0] ?? 0;
  return pod(fillerFor(length, lengthWith) ?? "");
}

const json = JSON.stringify({ items: sampleNode().map((pod) => toKubernetesJson(fromKubernetesJson(pod))) });

const { ADDED, MODIFIED, DELETED, INITIAL_SYNC_COMPLETE } = EventType;
const EVENTS = [ADDED, ADDED, ADDED, MODIFIED, DELETED, INITIAL_SYNC_COMPLETE] as const;
const CONTENT_TYPES = ["application/grpc", "application/grpc+proto", "text/html", "application/grpc+json", ""] as const;

export class HostilePeer implements AsyncDisposable {
  readonly #seed: number;
  readonly #sockets = new Set<net.Socket>();
  readonly #grpc = http2.createServer();
  readonly #unix = net.createServer((socket) => this.#connection(socket));
  readonly #tcp = net.createServer((socket) => this.#http(socket));
  /** Connections so far. */
  connections = 0;

  private constructor(seed: number) {
    this.#seed = seed;
    this.#grpc.on("session", (session) => session.on("error", () => {}));
    this.#grpc.on("stream", (stream, headers) => this.#stream(stream, headers[":path"] ?? ""));
    this.#grpc.on("sessionError", () => {});
  }

  static async start(socketPath: string, seed: number): Promise<HostilePeer> {
    const peer = new HostilePeer(seed);
    peer.#unix.listen(socketPath);
    peer.#tcp.listen(0, "127.0.0.1");
    await Promise.all([once(peer.#unix, "listening"), once(peer.#tcp, "listening")]);
    return peer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#tcp.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#unix.close();
    this.#tcp.close();
    await Promise.all([once(this.#unix, "close"), once(this.#tcp, "close")]);
  }

  #dice(socket: net.Socket): Dice {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
    return new Dice(this.#seed * 1_000_003 + ++this.connections);
  }

  #connection(socket: net.Socket): void {
    const dice = this.#dice(socket);
    switch (dice.below(8)) {
      case 0:
        socket.destroy();
        return;
      case 1:
        socket.end(dice.bytes(dice.below(2_000)));
        return;
      case 2: // nothing, ever
        return;
      case 3:
        this.#frames(socket, dice);
        return;
      default:
        this.#grpc.emit("connection", socket);
    }
  }

  /** HTTP/2 frames that need not make sense together. */
  #frames(socket: net.Socket, dice: Dice): void {
    if (dice.chance(0.8)) socket.write(SETTINGS);
    socket.on("data", () => {
      for (let n = dice.below(20); n > 0 && !socket.destroyed; n--) {
        const type = dice.below(12);
        const payload = dice.bytes(dice.below(dice.chance(0.1) ? 5_000 : 40));
        const bytes = frame(type, dice.below(256), dice.below(4) === 0 ? dice.below(2 ** 31) : dice.below(4), payload);
        socket.write(dice.chance(0.1) ? dice.bent(bytes) : bytes);
      }
      if (dice.chance(0.3)) socket.destroy();
    });
  }

  /** HTTP/2 that is right, with an answer that need not be. */
  #stream(stream: http2.ServerHttp2Stream, path: string): void {
    const dice = new Dice(this.#seed * 1_000_003 + this.connections * 31 + (stream.id ?? 0));
    stream.on("error", () => {});
    const status = () => `${dice.chance(0.1) ? "nope" : dice.below(dice.chance(0.2) ? 100 : 17)}`;
    const text = () => dice.one(["", "no", "%", "%zz", "\u001b[2J".repeat(3), "x".repeat(dice.below(20_000))]);
    const trailers = () => ({
      ...(dice.chance(0.9) ? { "grpc-status": status() } : {}),
      ...(dice.chance(0.5) ? { "grpc-message": encodeURI(text()).slice(0, 10_000) } : {}),
      ...(dice.chance(0.2) ? { "grpc-status-details-bin": dice.bytes(dice.below(200)).toString("base64") } : {}),
      ...(dice.chance(0.1) ? { "grpc-retry-pushback-ms": dice.one(["-1", "5", "x", "99999999999999"]) } : {}),
    });
    const headers = {
      ":status": dice.chance(0.9) ? 200 : dice.one([204, 301, 404, 429, 500, 503]),
      "content-type": dice.chance(0.85) ? "application/grpc" : dice.one(CONTENT_TYPES),
      ...(dice.chance(0.1) ? { "grpc-encoding": dice.one(["gzip", "identity", "nope"]) } : {}),
    };
    if (dice.chance(0.15)) {
      stream.respond({ ...headers, ...trailers() }, { endStream: true });
      return;
    }
    stream.respond(headers, { waitForTrailers: true });
    stream.on("wantTrailers", () => {
      if (dice.chance(0.9)) stream.sendTrailers(trailers());
      else stream.close(dice.below(14));
    });
    if (path.endsWith("/WatchPods")) this.#events(stream, dice);
    else stream.end(this.#answer(path, dice));
  }

  #answer(path: string, dice: Dice): Buffer {
    const pod = dice.bent(dice.one(pods as [Buffer, ...Buffer[]]));
    const message = path.endsWith("/GetPod")
      ? toBinary(GetPodResponseSchema, create(GetPodResponseSchema, { pod }))
      : toBinary(
          ListPodsResponseSchema,
          create(ListPodsResponseSchema, { pods: pods.map((pod) => (dice.chance(0.9) ? pod : dice.bent(pod))) }),
        );
    return this.#enveloped(message, dice);
  }

  #enveloped(message: Uint8Array, dice: Dice): Buffer {
    const bytes = envelope(dice.chance(0.3) ? dice.bent(message) : message, dice.chance(0.1) ? dice.below(256) : 0);
    if (dice.chance(0.05)) bytes.writeUInt32BE(dice.below(2 ** 32), 1);
    return dice.chance(0.05) ? dice.bent(bytes) : bytes;
  }

  /** Events in any order, some of them twice, until the stream is closed from either side. */
  #events(stream: http2.ServerHttp2Stream, dice: Dice): void {
    let left = dice.below(200);
    const write = () => {
      while (!stream.destroyed && left-- > 0) {
        const type = (dice.chance(0.05) ? dice.below(1_000) : dice.one(EVENTS)) as EventType;
        const pod = dice.one(pods as [Buffer, ...Buffer[]]);
        const event = create(WatchPodsEventSchema, { type, pod: dice.chance(0.5) ? dice.bent(pod) : pod });
        if (!stream.write(this.#enveloped(toBinary(WatchPodsEventSchema, event), dice))) {
          stream.once("drain", write);
          return;
        }
      }
      if (dice.chance(0.5)) stream.end();
    };
    write();
  }

  /** An answer of a kubelet's HTTP server that need not be one. */
  #http(socket: net.Socket): void {
    const dice = this.#dice(socket);
    socket.once("data", () => {
      if (dice.chance(0.1)) {
        socket.end(dice.bytes(dice.below(500)));
        return;
      }
      const body = dice.chance(0.3) ? Buffer.from(json) : dice.bent(Buffer.from(json));
      const length = dice.chance(0.8) ? body.length : dice.below(100_000);
      const head = `HTTP/1.1 ${dice.chance(0.7) ? 200 : 100 + dice.below(900)} x\r\ncontent-length: ${length}\r\n\r\n`;
      socket.write(dice.chance(0.9) ? head : dice.bent(Buffer.from(head)));
      socket.write(body);
      if (dice.chance(0.5)) socket.end();
    });
  }
}
