// Requests as no client of ours makes them, each with what a peer sees of the answer.

import http2 from "node:http2";
import { connect } from "node:net";
import { endSession, envelope } from "../helpers/hostile.js";

/** One request, frame by frame. */
export interface RawRequest {
  readonly what: string;
  /** In the place of, or beside, those of a good request; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The path; `/v1alpha1.Pods/ListPods` without it. */
  readonly path?: string;
  /** What is sent, in pieces; one empty message without it. */
  readonly body?: readonly Uint8Array[];
  /** How our half of the stream ends: with the last piece, behind it, or not at all. */
  readonly end?: "with" | "behind" | "never";
}

const EMPTY = envelope(new Uint8Array());
const list = "/v1alpha1.Pods/ListPods";
const get = "/v1alpha1.Pods/GetPod";
const watch = "/v1alpha1.Pods/WatchPods";
/** GetPodRequest { podUID: "nobody" } */
const NOBODY = envelope(Uint8Array.from([10, 6, ...Buffer.from("nobody")]));
const timeout = (text: string) => ({ "grpc-timeout": text });

/** All of them end by themselves on a kubelet without pods. */
export const RAW_REQUESTS: readonly RawRequest[] = [
  { what: "a good list" },
  { what: "a pod that is not there", path: get, body: [NOBODY] },
  { what: "a message in pieces", path: get, body: [...NOBODY].map((byte) => Uint8Array.of(byte)) },
  { what: "no message, only headers", body: [], end: "with", headers: timeout("50m") },
  { what: "no message, only headers, to a watch", path: watch, body: [], end: "with", headers: timeout("50m") },
  { what: "no message", body: [] },
  { what: "no message, to a watch", path: watch, body: [] },
  { what: "two messages", body: [EMPTY, EMPTY] },
  { what: "two messages in one piece", body: [Buffer.concat([EMPTY, EMPTY])] },
  { what: "two messages to a watch", path: watch, body: [EMPTY, EMPTY], headers: timeout("100m") },
  { what: "half an envelope", body: [EMPTY.subarray(0, 3)] },
  { what: "half an envelope to a watch", path: watch, body: [EMPTY.subarray(0, 3)] },
  { what: "half a message", path: get, body: [NOBODY.subarray(0, 8)] },
  { what: "half a message to a watch", path: watch, body: [NOBODY.subarray(0, 8)] },
  { what: "a message, and half of another", body: [EMPTY, EMPTY.subarray(0, 2)] },
  { what: "a message that is no protobuf", path: get, body: [envelope(Uint8Array.of(0x0a, 0x50))] },
  { what: "a message that is no protobuf, to a watch", path: watch, body: [envelope(Uint8Array.of(0x0a, 0x50))] },
  { what: "unknown fields", path: get, body: [envelope(Uint8Array.from([...NOBODY.subarray(5), 0xb8, 0x3e, 1]))] },
  { what: "a UID that is no UTF-8", path: get, body: [envelope(Uint8Array.of(10, 2, 0xff, 0xfe))] },
  { what: "a message of 4 MiB and a byte", path: get, body: [Buffer.from([0, 0, 0x40, 0, 1])], end: "never" },
  { what: "a message of 4 GiB", path: get, body: [Buffer.from([0, 255, 255, 255, 255])], end: "never" },
  { what: "a compressed message without encoding", body: [envelope(new Uint8Array(), 1)] },
  { what: "a flag that is not known", body: [envelope(new Uint8Array(), 2)] },
  { what: "a flag that is not known, to a watch", path: watch, body: [envelope(new Uint8Array(), 4)] },
  { what: "gzip", headers: { "grpc-encoding": "gzip" }, body: [envelope(new Uint8Array(), 1)] },
  { what: "gzip announced, and not used", headers: { "grpc-encoding": "gzip" } },
  { what: "gzip to a watch", path: watch, headers: { "grpc-encoding": "gzip" } },
  { what: "another encoding", headers: { "grpc-encoding": "snappy" } },
  { what: "identity", headers: { "grpc-encoding": "identity" } },
  { what: "gzip is accepted", headers: { "grpc-accept-encoding": "gzip,identity" } },
  { what: "+proto", headers: { "content-type": "application/grpc+proto" } },
  { what: "+json, and nothing in it", headers: { "content-type": "application/grpc+json" } },
  {
    what: "+json",
    path: get,
    headers: { "content-type": "application/grpc+json" },
    body: [envelope(Buffer.from('{"podUID":"a"}'))],
  },
  { what: "parameters", headers: { "content-type": "application/grpc;charset=utf-8" } },
  { what: "grpc-web", headers: { "content-type": "application/grpc-web" } },
  { what: "JSON", headers: { "content-type": "application/json" } },
  { what: "connect's protocol", headers: { "content-type": "application/proto", "connect-protocol-version": "1" } },
  { what: "no content type", headers: { "content-type": undefined } },
  { what: "capitals in the content type", headers: { "content-type": "Application/gRPC" } },
  { what: "no te", headers: { te: undefined } },
  { what: "GET", headers: { ":method": "GET" }, body: [], end: "with" },
  { what: "PUT", headers: { ":method": "PUT" } },
  { what: "an unknown method", path: "/v1alpha1.Pods/Frobnicate" },
  { what: "an unknown service", path: "/v9.Pods/ListPods" },
  { what: "a path without a method", path: "/v1alpha1.Pods" },
  { what: "a path of three parts", path: "/a/v1alpha1.Pods/ListPods" },
  { what: "the path /", path: "/" },
  { what: "a method in other letters", path: "/v1alpha1.Pods/listpods" },
  { what: "a path with a query", path: `${list}?a=b` },
  { what: "a path with an escape", path: "/v1alpha1.Pods/List%50ods" },
  { what: "a timeout of an hour", headers: timeout("1H") },
  { what: "the longest timeout", headers: timeout("99999999H") },
  { what: "no time at all", headers: timeout("0m") },
  { what: "a nanosecond", headers: timeout("1n") },
  { what: "a timeout without unit", headers: timeout("100") },
  { what: "a timeout of an unknown unit", headers: timeout("1x") },
  { what: "a timeout of nine digits", headers: timeout("100000000m") },
  { what: "a negative timeout", headers: timeout("-1S") },
  { what: "a timeout with a fraction", headers: timeout("1.5S") },
  { what: "an empty timeout", headers: timeout("") },
  { what: "a watch with a deadline", path: watch, headers: timeout("50m") },
  { what: "binary metadata", headers: { "x-a-bin": "AAEC" } },
  { what: "binary metadata, padded", headers: { "x-a-bin": "AA==" } },
  { what: "binary metadata that is none", headers: { "x-a-bin": "a?b" } },
  { what: "empty binary metadata", headers: { "x-a-bin": "" } },
  { what: "metadata of 100 kB", headers: { "x-large": "x".repeat(100_000) } },
  { what: "two hundred headers", headers: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, "v"])) },
  { what: "an empty name in the mask", headers: { "x-kubernetes-fieldmask": "" } },
  { what: "our half stays open", headers: timeout("2S"), end: "never" },
  { what: "our half of a watch stays open", path: watch, headers: timeout("50m"), end: "never" },
];

/** Sends one of them on a connection of its own, and says what a peer sees: headers, bytes, trailers, the code of a reset. */
export async function ask(socketPath: string, request: RawRequest): Promise<string> {
  const session = http2.connect("http://localhost", { createConnection: () => connect(socketPath) });
  session.on("error", () => {});
  const good = { ":method": "POST", ":path": request.path ?? list, "content-type": "application/grpc", te: "trailers" };
  const headers = Object.entries({ ...good, ...request.headers }).filter(([, value]) => value !== undefined);
  const body = request.body ?? [EMPTY];
  const endStream = body.length === 0 && request.end === "with";
  try {
    const stream = session.request(Object.fromEntries(headers) as http2.OutgoingHttpHeaders, { endStream });
    const lines: string[] = [];
    let bytes = 0;
    stream.on("error", () => {});
    stream.on("response", (received) => lines.push(shown(received)));
    stream.on("trailers", (received) => lines.push(`${bytes} bytes`, shown(received)));
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    const closed = new Promise<void>((resolve) => {
      stream.on("close", () => resolve());
      session.on("close", () => resolve());
    });
    for (const piece of body) await Promise.race([closed, new Promise((resolve) => stream.write(piece, resolve))]);
    if (request.end !== "never" && !endStream && !stream.closed) stream.end();
    await closed;
    // A kubelet whose deadline is over says so, or resets the stream: what is first is chance.
    const isLate = stream.rstCode === http2.constants.NGHTTP2_CANCEL || lines.at(-1)?.includes("grpc-status: 4");
    return isLate ? "the deadline is over" : [...lines, `reset ${stream.rstCode}`].join("; ");
  } finally {
    endSession(session);
  }
}

/** The headers, in one order. Go's protobuf puts spaces of two kinds into its errors, so that nobody compares them. */
function shown(headers: http2.IncomingHttpHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join(", ")
    .replace("proto:%C2%A0", "proto: ");
}
