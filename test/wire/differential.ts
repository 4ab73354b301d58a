// The same answers to our own calls and to connect's transport: what both make of them, and where they differ on purpose.

import assert from "node:assert/strict";
import http2 from "node:http2";
import { createClient } from "@connectrpc/connect";
import { kubeletTransport, Pods } from "../../src/connect/index.js";
import { isRefusedStream } from "../../src/errors/classify.js";
import { PodsError } from "../../src/index.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import { listPods } from "../../src/sources/pods-call.js";
import { seededRandom } from "../../src/testing/index.js";
import { UnixSession } from "../../src/wire/session.js";

/** An answer as a server may give it. */
export interface Script {
  headers: http2.OutgoingHttpHeaders;
  /** The head ends the stream. */
  trailersOnly: boolean;
  body: Buffer;
  /** The sizes of the pieces that the body is sent in. */
  pieces: number;
  trailers: http2.OutgoingHttpHeaders | undefined;
  /** The code of a reset in the place of the end. */
  reset: number | undefined;
}

/** Why an outcome of ours differs from connect's, by the sentence of the specification that decides it. */
const ON_PURPOSE = {
  words: "grpc-message: implementations MUST NOT error or throw away the message when decoding invalid values",
  details: "Status-Details is extra: the status is Grpc-Status",
  number: "Grpc-Status is 1*DIGIT: anything else is UNKNOWN, as grpc-go has it",
  http: "http-grpc-status-mapping: used only where no grpc-status was received",
  cardinality: "statuscodes: a response cardinality violation is UNIMPLEMENTED",
  reset: "a stream that is reset without a status: codes of the table in Errors, which connect maps in part",
  status: "Status is the outcome of the call: one that came counts, whatever the messages before it are",
  flag: "Compressed-Flag is 0 or 1: connect takes a message of other flags",
  protobuf:
    "a field of another wire type is unknown, one that is longer than its message an error: protobuf-es takes both",
  parts: "a stream ends with a whole message: what breaks off is an error, also after a message that was whole",
} as const;

type Reason = keyof typeof ON_PURPOSE;

interface Result {
  pods?: string[];
  code?: string;
  grpcCode?: number | undefined;
  retryable?: boolean;
}

const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Draws an answer: mostly right, with one thing or another bent. */
function drawScript(random: () => number, payload: Buffer): Script {
  const rarely = (share: number) => random() < share;
  const headers: http2.OutgoingHttpHeaders = {
    ":status": rarely(0.08) ? pick(random, [400, 401, 403, 404, 418, 429, 500, 502, 503, 504]) : 200,
    "content-type": rarely(0.05)
      ? pick(random, ["text/html", "application/grpc-web", "application/json", "application/grpcx"])
      : pick(random, ["application/grpc", "application/grpc+proto"]),
  };
  if (rarely(0.04)) headers["grpc-encoding"] = pick(random, ["gzip", "identity"]);
  const status = (): http2.OutgoingHttpHeaders => {
    const code = rarely(0.5)
      ? "0"
      : rarely(0.9)
        ? String(Math.floor(random() * 17))
        : pick(random, ["17", "99", "x", ""]);
    const sent: http2.OutgoingHttpHeaders = { "grpc-status": code };
    if (rarely(0.6)) sent["grpc-message"] = pick(random, ["words", "two%20words", "%E6%BC%A2", "100%", "%zz", ""]);
    if (rarely(0.05)) sent["grpc-status-details-bin"] = pick(random, ["CAUSAXg", "CAUSAXg=", "////", "?"]);
    return sent;
  };
  const trailersOnly = rarely(0.2);
  if (trailersOnly) Object.assign(headers, status());
  const frameOf = (message: Buffer) => {
    const frame = Buffer.concat([Buffer.alloc(5), message]);
    frame.writeUInt32BE(message.length, 1);
    return frame;
  };
  const frames = [frameOf(payload)];
  if (rarely(0.05)) frames.push(frameOf(Buffer.alloc(0)));
  if (rarely(0.05)) frames.pop();
  const body = Buffer.concat(frames);
  if (body.length > 0 && rarely(0.1))
    body[Math.floor(random() * Math.min(body.length, 12))] = Math.floor(random() * 256);
  const cut = rarely(0.05) ? Math.floor(random() * (body.length + 1)) : body.length;
  return {
    headers,
    trailersOnly,
    body: body.subarray(0, cut),
    pieces: 1 + Math.floor(random() * 4),
    trailers: rarely(0.05) ? undefined : status(),
    reset: rarely(0.06) ? pick(random, [0, 2, 5, 7, 8, 11, 12]) : undefined,
  };
}

/** Answers a stream as the script says. */
export function play(stream: http2.ServerHttp2Stream, script: Script): void {
  const { headers, trailersOnly, body, pieces, trailers, reset } = script;
  if (trailersOnly) {
    stream.respond(headers, { endStream: true });
    return;
  }
  stream.respond(headers, { waitForTrailers: true });
  stream.on("wantTrailers", () => {
    if (trailers === undefined) stream.close();
    else stream.sendTrailers(trailers);
  });
  const size = Math.max(1, Math.ceil(body.length / pieces));
  for (let at = 0; at < body.length; at += size) stream.write(body.subarray(at, at + size));
  if (reset === undefined) stream.end();
  else setImmediate(() => stream.close(reset));
}

/** Makes both calls of one script, and says why they differ where they do; throws where nothing explains it. */
export class Differential implements AsyncDisposable {
  readonly #session: UnixSession;
  readonly #transport: ReturnType<typeof kubeletTransport>;
  readonly #random: () => number;
  readonly #socketPath: string;
  /** The script that the server plays now. */
  script: Script | undefined;
  readonly counts = new Map<string, number>();

  constructor(socketPath: string, seed: number) {
    this.#socketPath = socketPath;
    this.#random = seededRandom(seed);
    this.#session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 5_000, onEvent: () => {} });
    this.#transport = kubeletTransport({ socketPath, maxMessageBytes: MAX_BYTES });
  }

  async step(payload: Buffer): Promise<void> {
    const script = drawScript(this.#random, payload);
    this.script = script;
    const [ours, theirs] = [await this.#ours(), await this.#theirs()];
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return this.#count("same");
    const reason = reasonOf(script, ours, theirs);
    assert.ok(
      reason !== undefined,
      `${JSON.stringify({ ...script, body: script.body.toString("hex") })}\nours ${JSON.stringify(ours)}\nconnect ${JSON.stringify(theirs)}`,
    );
    this.#count(reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#session.close(), this.#transport.close()]);
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #ours(): Promise<Result> {
    return this.#outcome(async () => {
      const connection = await this.#session.connect();
      return await listPods(connection, API_VERSIONS[0], { headers: {}, maxBytes: MAX_BYTES });
    });
  }

  #theirs(): Promise<Result> {
    return this.#outcome(async () => (await createClient(Pods, this.#transport).listPods({})).pods);
  }

  async #outcome(call: () => Promise<Uint8Array[]>): Promise<Result> {
    for (;;) {
      try {
        return { pods: (await call()).map((pod) => Buffer.from(pod).toString("hex")) };
      } catch (thrown) {
        const error = PodsError.from(thrown, { method: "ListPods", socketPath: this.#socketPath });
        // nghttp2 bounds the resets of a connection: then it says GOAWAY, refuses what is under way, or ends it.
        if (isRefusedStream(error) && this.script?.reset !== http2.constants.NGHTTP2_REFUSED_STREAM) continue;
        if (error.rawMessage.includes("Session closed")) continue;
        return { code: error.code, grpcCode: error.grpcCode, retryable: error.retryable };
      }
    }
  }
}

/** The largest answer that both accept. */
const MAX_BYTES = 10_000;

/** Statuses of resets, by the specification's table of HTTP2 error codes. */
const BY_RESET: Readonly<Record<number, number>> = { 0: 14, 2: 13, 5: 13, 7: 14, 8: 1, 11: 8, 12: 7 };

/** Returns why ours may differ from connect's, if ours is what the specification says; undefined where nothing explains it. */
function reasonOf(script: Script, ours: Result, theirs: Result): Reason | undefined {
  const { headers, trailersOnly, trailers = {}, reset } = script;
  const sent = trailersOnly ? headers : trailers;
  const status = String(sent["grpc-status"] ?? "");
  const isNumber = /^\d+$/.test(status) && Number(status) <= 16;
  const hasServersStatus = isNumber && status !== "0" && ours.grpcCode === Number(status);
  if (/%(?![0-9a-f]{2})/i.test(String(sent["grpc-message"] ?? "")) && hasServersStatus) return "words";
  if (sent["grpc-status-details-bin"] !== undefined && (hasServersStatus || status === "0")) return "details";
  if (sent["grpc-status"] !== undefined && !isNumber && ours.grpcCode === 2) return "number";
  if (headers[":status"] !== 200 && trailersOnly) {
    // An answer that is no gRPC has the code of its HTTP status, whatever else it has; connect's error shows the metadata.
    if (hasServersStatus || ours.grpcCode === 12 || ours.grpcCode === theirs.grpcCode) return "http";
  }
  if (reset !== undefined && (ours.grpcCode === BY_RESET[reset] || hasServersStatus)) return "reset";
  if (ours.grpcCode === 12 && ours.code === "unknown") return "cardinality";
  if (hasServersStatus) return "status";
  if ((script.body[0] ?? 0) > 1 && ours.code === "wrong-peer") return "flag";
  if (ours.code === "connection-lost" && !endsWithMessage(script.body)) return "parts";
  if (ours.code === "corrupt" && theirs.pods !== undefined) return "protobuf";
  const isAnotherWireType = script.body.length > 5 && script.body[5] !== 0x0a;
  if (isAnotherWireType && ours.pods !== undefined && theirs.pods !== undefined) return "protobuf";
  const isBroken = ["connection-lost", "wrong-peer", "too-large", "corrupt"].includes(ours.code ?? "");
  // Both say that it failed; which of two faults is named depends on which is met first.
  if (isBroken && theirs.pods === undefined) return "parts";
  return undefined;
}

/** Returns whether bytes are whole messages, to their end. */
function endsWithMessage(body: Buffer): boolean {
  let at = 0;
  while (at + 5 <= body.length) at += 5 + body.readUInt32BE(at + 1);
  return at === body.length;
}
