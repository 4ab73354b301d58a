// Clients that send anything at all to a gRPC server on a Unix socket, and to an HTTP server. A seed determines what they do.

import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { endSession, envelope, frame, SETTINGS } from "../helpers/hostile.js";
import { Dice } from "./dice.js";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const SERVICE = "/v1alpha1.Pods/";
const AUTHORITIES = [
  "localhost",
  "%2Frun%2Fto.sock",
  "",
  "[",
  "a b",
  "http://x",
  "x:y:z",
  "\u00e9",
  "unix:///a",
] as const;
const PATHS = [
  `${SERVICE}ListPods`,
  `${SERVICE}GetPod`,
  `${SERVICE}WatchPods`,
  `${SERVICE}ListPods?a=[`,
  SERVICE,
  "/",
  "//",
  "/%",
  "*",
  "/v1.PodResourcesLister/List",
  "/[",
] as const;
const METHODS = ["POST", "GET", "CONNECT", "OPTIONS", "PATCH", "X"] as const;
const HEADERS: readonly [string, readonly [string, ...string[]]][] = [
  ["content-type", ["application/grpc", "application/grpc+proto", "application/grpc+json", "text/plain", ""]],
  ["te", ["trailers", "gzip"]],
  ["grpc-timeout", ["1m", "0n", "99999999H", "-1S", "x", "999999999999999S"]],
  ["grpc-encoding", ["gzip", "identity", "x"]],
  ["x-kubernetes-fieldmask", ["metadata.name", "a..b", "%", ",,"]],
  ["grpc-trace-bin", ["!", "AAAA"]],
  ["host", ["", "[", "a b"]],
  ["expect", ["100-continue", "x"]],
  ["content-length", ["0", "5"]],
];

/** Makes so many attempts, each on a connection of its own. */
export async function attack(socketPath: string, seed: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const dice = new Dice(seed * 1_000_003 + round);
    if (dice.chance(0.3)) await sendFrames(socketPath, dice);
    else await sendRequests(socketPath, dice);
  }
}

/** Frames of every kind, with flags and contents of no sense. */
async function sendFrames(socketPath: string, dice: Dice): Promise<void> {
  const socket = net.connect(socketPath);
  socket.on("error", () => {}).resume();
  await once(socket, "connect").catch(() => {});
  const parts = [dice.chance(0.9) ? PREFACE : dice.bytes(24), dice.chance(0.9) ? SETTINGS : dice.bent(SETTINGS)];
  for (let frames = dice.below(8); frames > 0; frames--) {
    parts.push(dice.bent(frame(dice.below(12), dice.below(256), dice.below(6), dice.bytes(dice.below(64)))));
  }
  socket.write(Buffer.concat(parts));
  await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
}

/** Requests that an HTTP/2 library lets pass. */
async function sendRequests(socketPath: string, dice: Dice): Promise<void> {
  const session = http2.connect("http://localhost", { createConnection: () => net.connect(socketPath) });
  session.on("error", () => {});
  const closed: Promise<unknown>[] = [];
  for (let requests = 1 + dice.below(4); requests > 0; requests--) {
    try {
      closed.push(sendRequest(session, dice));
    } catch {
      // The library refuses to send it.
    }
  }
  if (dice.chance(0.2)) endSession(session);
  await Promise.all(closed);
  endSession(session);
}

function sendRequest(session: http2.ClientHttp2Session, dice: Dice): Promise<unknown> {
  const headers: http2.OutgoingHttpHeaders = {
    ":method": dice.chance(0.8) ? "POST" : dice.one(METHODS),
    ":path": dice.one(PATHS),
    ":authority": dice.one(AUTHORITIES),
  };
  if (dice.chance(0.8)) headers["content-type"] = "application/grpc";
  for (const [name, [first, ...others]] of HEADERS) if (dice.chance(0.2)) headers[name] = dice.one([first, ...others]);
  const stream = session.request(headers);
  stream.on("error", () => {}).resume();
  const closed = new Promise((resolve) => stream.once("close", resolve));
  // A watch does not end by itself, nor does a request whose body is never sent.
  stream.once("response", () => setImmediate(() => stream.close(http2.constants.NGHTTP2_CANCEL)));
  if (dice.chance(0.1)) stream.close(http2.constants.NGHTTP2_CANCEL);
  else stream.end(dice.bent(envelope(dice.bytes(dice.below(40)), dice.below(3))));
  return closed;
}

const HTTP_METHODS = ["GET", "POST", "HEAD", "CONNECT", "OPTIONS", "get", "PRI", ""] as const;
const TARGETS = [
  "/pods",
  "/",
  "//",
  "///",
  "//pods",
  "*",
  "",
  "http://[",
  "http://localhost:99999/",
  "localhost:80",
  "/%",
  "/\u00e9",
  "/pods?a=[&b=%",
  "/..//../pods",
  `/${"a".repeat(20_000)}`,
] as const;
const VERSIONS = ["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""] as const;
const LINES = [
  "Host: localhost",
  "Host: [",
  "Connection: upgrade\r\nUpgrade: h2c",
  "Expect: 100-continue",
  "Expect: x",
  "Content-Length: 5",
  "Content-Length: -1",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, chunked",
  "Authorization: Bearer \u00ff",
  `X: ${"x".repeat(20_000)}`,
] as const;

/** Makes so many attempts at an HTTP server on 127.0.0.1, each on a connection of its own. */
export async function attackHttp(port: number, seed: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const dice = new Dice(seed * 1_000_003 + round);
    const socket = net.connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.once("data", () => socket.destroy());
    const lines = Array.from({ length: dice.below(4) }, () => dice.one(LINES));
    const first = `${dice.one(HTTP_METHODS)} ${dice.one(TARGETS)} ${dice.one(VERSIONS)}`;
    const request = Buffer.from(`${[first, ...lines].join("\r\n")}\r\n\r\n`, "latin1");
    socket.end(dice.chance(0.7) ? request : dice.bent(request));
    await closed;
  }
}
