import http2 from "node:http2";
import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { orAborted } from "../timing/abort.js";
import type { Clock } from "../timing/clock.js";
import { Deadline } from "../timing/deadline.js";
import { ServedRequest } from "./grpc-request.js";
import type { Call, GrpcRouter, Route } from "./grpc-router.js";

/** A refusal of a request because of its headers: a gRPC status, and an HTTP status. */
interface Refusal {
  readonly http: number;
  readonly error: GrpcError;
}

/** Dependencies and limits of {@link answer}. */
export interface Serving {
  readonly router: GrpcRouter;
  readonly clock: Clock;
  readonly maxRequestBytes: number;
  /** True if the request ended with its headers. */
  readonly isOver: boolean;
  /** Called whenever something is sent, because the client may then ping again. */
  readonly onSent: () => void;
  /** Limit for stalled clients; undefined for none. */
  readonly stalls?: Stalls | undefined;
}

/**
 * Answers a request like the kubelet's gRPC server (grpc-go 1.82, internal/transport/http2_server.go and server.go): refuses the same
 * requests, with the same messages and HTTP statuses, and reads the same part of each request.
 */
export async function answer(
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  { isOver, router, clock, maxRequestBytes, onSent, stalls }: Serving,
): Promise<void> {
  const request = new ServedRequest(stream, isOver, maxRequestBytes);
  const responseHeader: Record<string, string> = {};
  const response = new Response(
    stream,
    contentTypeOf(headers),
    () => request.isOver,
    responseHeader,
    onSent,
    stalls && { ...stalls, clock },
  );
  const refusal = refusalOf(headers);
  if (refusal !== undefined) return response.end(refusal.error, refusal.http);
  const route = routeOf(headers[":path"] ?? "", router);
  if (route instanceof GrpcError) return response.end(route);
  const timeoutMs = timeoutOf(headers["grpc-timeout"]);
  const deadline = new Deadline({ clock, timeoutMs, reason: tooLate });
  const { signal } = deadline;
  stream.once("close", () => deadline.controller.abort());
  try {
    if (timeoutMs !== undefined && timeoutMs < SHORTEST_MS) throw tooLate();
    const encoding = headers["grpc-encoding"];
    if (encoding !== undefined && encoding !== "" && encoding !== "identity") throw notInstalled(String(encoding));
    const call: Call = { signal, stream, requestHeader: headersOf(headers), responseHeader };
    if (route.method.methodKind === "unary") await answerOnce(route, request, response, call);
    else await answerOften(route, request, response, call);
    response.end();
  } catch (error) {
    response.end(statusOf(deadline.isUp ? tooLate() : error));
  } finally {
    deadline.release();
  }
}

/** Answers a unary call after its first message. Later messages of the client are ignored. */
async function answerOnce({ method, answer }: Route, request: ServedRequest, response: Response, call: Call) {
  const bytes = await request.first(call.signal);
  const message = decoded(method.input, bytes, "grpc: error unmarshalling request");
  const answered = await orAborted(Promise.resolve(answer(message, call)), call.signal);
  await response.send(encodedBy(method.output, answered));
}

/** Answers a streaming call after the client has sent exactly one message. */
async function answerOften({ method, answer }: Route, request: ServedRequest, response: Response, call: Call) {
  const bytes = await request.only(call.signal);
  const message = decoded(method.input, bytes, "grpc: failed to unmarshal the received message");
  const answers = (answer(message, call) as AsyncIterable<Record<string, unknown>>)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(answers.next(), call.signal);
      if (next.done === true) return;
      await response.send(encodedBy(method.output, next.value));
    }
  } finally {
    answers.return?.().catch(() => {}); // it may never settle
  }
}

function encodedBy(schema: DescMessage, answered: unknown): Uint8Array {
  return answered instanceof Uint8Array
    ? answered
    : toBinary(schema, create(schema, answered as Record<string, unknown>));
}

function decoded(schema: DescMessage, bytes: Uint8Array, what: string): object {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    const isText = error instanceof TypeError; // the text decoder throws these
    const why = isText ? "string field contains invalid UTF-8" : "proto: cannot parse invalid wire-format data";
    throw new GrpcError({ status: GRPC.internal, message: `${what}: ${why}` });
  }
}

const PIECE_BYTES = 64 * 1024;

/** Sends the headers, messages and trailers of an answer. */
class Response {
  readonly #stream: http2.ServerHttp2Stream;
  readonly #contentType: string;
  readonly #isRequestOver: () => boolean;
  readonly #more: Readonly<Record<string, string>>;
  readonly #onSent: () => void;
  readonly #stalls: (Stalls & { readonly clock: Clock }) | undefined;

  constructor(
    stream: http2.ServerHttp2Stream,
    contentType: string,
    isRequestOver: () => boolean,
    more: Readonly<Record<string, string>>,
    onSent: () => void,
    stalls: (Stalls & { readonly clock: Clock }) | undefined,
  ) {
    this.#more = more;
    this.#onSent = onSent;
    this.#stalls = stalls;
    this.#stream = stream;
    this.#contentType = contentType;
    this.#isRequestOver = isRequestOver;
  }

  /** Sends a message, preceded by headers if it is the first. Resolves when the client has room for the next message. */
  async send(message: Uint8Array): Promise<void> {
    const stream = this.#stream;
    if (!isOpen(stream)) return;
    if (!stream.headersSent) this.#respond({ ":status": 200 }, { waitForTrailers: true });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.write(head);
    this.#onSent();
    // Sent in pieces: a client that reads one piece after another is slow, but not stalled.
    for (let at = 0; at < message.length && isOpen(stream); at += PIECE_BYTES)
      if (!stream.write(message.subarray(at, at + PIECE_BYTES))) await this.#room();
  }

  /** Ends the answer with a status: in trailers after messages, otherwise in the headers. */
  end(error?: GrpcError, httpStatus = 200): void {
    const stream = this.#stream;
    if (!isOpen(stream)) return;
    const status = { "grpc-status": String(error?.status ?? 0), "grpc-message": encoded(error?.message ?? "") };
    // Data that the client sends after the answer is refused without an error.
    const leave = () => {
      if (!this.#isRequestOver()) stream.close(http2.constants.NGHTTP2_NO_ERROR);
    };
    if (stream.headersSent) {
      stream.once("wantTrailers", () => {
        stream.sendTrailers(status);
        leave();
      });
      stream.end();
    } else {
      this.#respond({ ":status": httpStatus, ...status }, { endStream: true });
      leave();
    }
  }

  #respond(headers: http2.OutgoingHttpHeaders, options: http2.ServerStreamResponseOptions): void {
    const all = { ...options, sendDate: false };
    this.#stream.respond({ ...headers, ...this.#more, "content-type": this.#contentType }, all);
    this.#onSent();
  }

  /**
   * Resolves when the client has read some of the written data, or has disconnected. A client that reads nothing for too long is cut off.
   */
  async #room(): Promise<void> {
    const stream = this.#stream;
    const cancel = this.#stalls?.clock.after(this.#stalls.afterMs, () => this.#stalls?.cut(stream));
    await room(stream);
    cancel?.();
  }
}

/** Time after which a client counts as stalled, and the action to take then. */
interface Stalls {
  readonly afterMs: number;
  cut(stream: http2.ServerHttp2Stream): void;
}

/** Resolves when the client has read some of the written data, or has disconnected. Leaves no listener. */
function room(stream: http2.ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off("drain", end).off("close", end);
      resolve();
    };
    stream.on("drain", end).on("close", end);
  });
}

function isOpen(stream: http2.ServerHttp2Stream): boolean {
  return !stream.destroyed && !stream.closed && !stream.writableEnded;
}

/** Returns the reason to refuse the headers, checked in grpc-go's order; undefined if they are valid. */
function refusalOf(headers: http2.IncomingHttpHeaders): Refusal | undefined {
  const refused = (http: number, status: number, message: string): Refusal => ({
    http,
    error: new GrpcError({ status, message }),
  });
  const type = headers["content-type"] ?? "";
  if (!CONTENT_TYPE.test(type))
    return refused(415, GRPC.invalidArgument, `invalid gRPC request content-type ${quoted(type)}`);
  const malformed = malformedTimeout(headers["grpc-timeout"]) ?? malformedBinary(headers);
  if (malformed !== undefined) return refused(400, GRPC.internal, malformed);
  const method = headers[":method"] ?? "";
  if (method === "POST") return undefined;
  return refused(405, GRPC.internal, `Received a HEADERS frame with :method ${quoted(method)} which should be POST`);
}

const CONTENT_TYPE = /^application\/grpc(?:[+;](.*))?$/s;

/** Returns the content type of the answer: that of the request, with its parameters as a subtype. */
function contentTypeOf(headers: http2.IncomingHttpHeaders): string {
  const subtype = CONTENT_TYPE.exec(headers["content-type"] ?? "")?.[1] ?? "";
  return `application/grpc${subtype === "" ? "" : `+${subtype}`}`;
}

function routeOf(path: string, router: GrpcRouter): Route | GrpcError {
  const at = path.lastIndexOf("/");
  const unimplemented = (message: string) => new GrpcError({ status: GRPC.unimplemented, message });
  if (at <= 0) return unimplemented(`malformed method name: ${quoted(path)}`);
  const route = router.find(path.slice(1, at), path.slice(at + 1));
  return typeof route === "string" ? unimplemented(route) : route;
}

/** The units of `grpc-timeout`, in milliseconds. */
const UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** Shorter timeouts have expired before the server checks them. */
const SHORTEST_MS = 0.05;

function malformedTimeout(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  const why = () => {
    if (text.length < 2) return `transport: timeout string is too short: ${quoted(text)}`;
    if (text.length > 9) return `transport: timeout string is too long: ${quoted(text)}`;
    if (UNITS_MS[text.slice(-1)] === undefined) return `transport: timeout unit is not recognized: ${quoted(text)}`;
    const number = text.slice(0, -1);
    return /^\d+$/.test(number) ? undefined : `strconv.ParseUint: parsing ${quoted(number)}: invalid syntax`;
  };
  const found = why();
  return found === undefined ? undefined : `malformed grpc-timeout: ${found}`;
}

function timeoutOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  return Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0);
}

/** Returns the error message for binary metadata that is not base64, with or without padding; undefined if all is valid. */
function malformedBinary(headers: http2.IncomingHttpHeaders): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.endsWith("-bin") || name.startsWith("grpc-")) continue;
    for (const text of [value ?? ""].flat()) {
      const at = text.search(/[^A-Za-z0-9+/=]|=(?!=?$)/);
      if (at < 0) continue;
      const why = `illegal base64 data at input byte ${at}`;
      return `malformed binary metadata ${quoted(text)} in header ${quoted(name)}: ${why}`;
    }
  }
  return undefined;
}

function headersOf(headers: http2.IncomingHttpHeaders): Headers {
  const own = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(":")) for (const each of [value ?? ""].flat()) own.append(name, each);
  }
  return own;
}

function tooLate(): GrpcError {
  return new GrpcError({ status: GRPC.deadlineExceeded, message: "context deadline exceeded" });
}

function notInstalled(encoding: string): GrpcError {
  const message = `grpc: Decompressor is not installed for grpc-encoding ${quoted(encoding)}`;
  return new GrpcError({ status: GRPC.unimplemented, message });
}

/** Returns the status of an error: its own, the code of a Connect error, or Unknown. */
function statusOf(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  const { code, rawMessage, message } = error as { code?: unknown; rawMessage?: unknown; message?: unknown };
  const status = typeof code === "number" ? code : GRPC.unknown;
  return new GrpcError({ status, message: String(rawMessage ?? message ?? error), cause: error });
}

/** Quotes a text like Go's %q, for the characters that headers can contain. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Encodes a message like grpc-go: escapes the percent sign and everything but printable ASCII (PROTOCOL-HTTP2.md). */
function encoded(message: string): string {
  return [...Buffer.from(message)]
    .map((byte) => {
      const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
      return isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
