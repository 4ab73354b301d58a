import http2 from "node:http2";
import { Code, ConnectError } from "@connectrpc/connect";
import { validateResponseWithCompression, validateTrailer } from "@connectrpc/connect/protocol-grpc";
import type { Connection } from "./session.js";

/** One unary call of gRPC. */
export interface UnaryRequest {
  /** `/` service `/` method. */
  readonly path: string;
  readonly message: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends it: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In whole milliseconds; undefined for no limit. */
  readonly timeoutMs?: number | undefined;
  /** The largest answer that is accepted, in bytes. */
  readonly maxBytes: number;
  /** Sees the answer's bytes as they come, before they are put together; what it throws ends the call. */
  inspect?(chunk: Uint8Array): void;
}

/** The answer to a unary call. */
export interface UnaryAnswer {
  readonly message: Uint8Array;
  readonly headers: http2.IncomingHttpHeaders;
}

/** A flag of one byte and the length of the message in four: gRPC over HTTP/2, "Length-Prefixed-Message". */
const PREFIX_BYTES = 5;

/**
 * Makes one unary gRPC call on this very connection (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). The
 * answer's length is checked before anything is made of it.
 *
 * @throws ConnectError for statuses, and for what is no answer; the signal's reason; what `inspect` throws.
 */
export function sendUnary(connection: Connection, request: UnaryRequest): Promise<UnaryAnswer> {
  const { signal, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stream = open(connection, request);
    const answer = new Answer(request);
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const settle = (end: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      end();
      if (!stream.closed) stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const onAbort = () => fail(signal?.reason);
    const take = (step: () => void) => {
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    if (timeoutMs !== undefined) {
      timer = setTimeout(() => fail(new ConnectError("the operation timed out", Code.DeadlineExceeded)), timeoutMs);
    }
    stream.on("response", (headers) => take(() => answer.onHeaders(headers)));
    stream.on("data", (chunk: Buffer) => take(() => answer.onData(chunk)));
    stream.on("trailers", (trailers) => answer.onTrailers(trailers));
    stream.on("end", () =>
      take(() => {
        const complete = answer.complete();
        settle(() => resolve(complete));
      }),
    );
    stream.on("error", (error) => fail(answer.whole(error)));
    stream.on("close", () => fail(answer.whole(new Error("the stream was closed"))));
  });
}

function open(connection: Connection, { path, message, headers, timeoutMs }: UnaryRequest): http2.ClientHttp2Stream {
  const stream = connection.request(
    "POST",
    path,
    {
      ...headers,
      "content-type": "application/grpc+proto",
      te: "trailers",
      ...(timeoutMs === undefined ? {} : { "grpc-timeout": `${timeoutMs}m` }),
    },
    {},
  );
  const frame = Buffer.alloc(PREFIX_BYTES + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  stream.end(frame);
  return stream;
}

/** An answer as it comes in. */
class Answer {
  readonly #request: UnaryRequest;
  readonly #chunks: Uint8Array[] = [];
  #prefix: Buffer = Buffer.alloc(0);
  /** Bytes of the message that have yet to come; undefined before its prefix. */
  #left: number | undefined;
  #headers: http2.IncomingHttpHeaders = {};
  #headerError: ConnectError | undefined;
  #trailers: http2.IncomingHttpHeaders = {};

  constructor(request: UnaryRequest) {
    this.#request = request;
  }

  onHeaders(headers: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader): void {
    this.#headers = headers;
    const { headerError } = validateResponseWithCompression([], headers[":status"] ?? 0, webHeaders(headers));
    this.#headerError = headerError;
  }

  onData(chunk: Buffer): void {
    let rest = chunk;
    if (this.#left === undefined) {
      const missing = PREFIX_BYTES - this.#prefix.length;
      this.#prefix = Buffer.concat([this.#prefix, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#prefix.length < PREFIX_BYTES) return;
      this.#begin();
    }
    if (rest.length === 0) return;
    this.#left = (this.#left ?? 0) - rest.length;
    if (this.#left < 0) {
      throw new ConnectError("protocol error: received extra output message for unary method", Code.Unimplemented);
    }
    this.#request.inspect?.(rest);
    this.#chunks.push(rest);
  }

  #begin(): void {
    const { maxBytes } = this.#request;
    const flags = this.#prefix[0] as number;
    const length = this.#prefix.readUInt32BE(1);
    if ((flags & 1) !== 0) throw new ConnectError("received compressed envelope", Code.Internal);
    if (flags !== 0) throw new ConnectError("protocol error: unknown flags of a message", Code.InvalidArgument);
    if (length > maxBytes) {
      const message = `message size ${length} is larger than configured readMaxBytes ${maxBytes}`;
      throw new ConnectError(message, Code.ResourceExhausted);
    }
    this.#left = length;
  }

  onTrailers(trailers: http2.IncomingHttpHeaders): void {
    this.#trailers = trailers;
  }

  /** Returns the answer of a stream that has ended. @throws ConnectError */
  complete(): UnaryAnswer {
    if (this.#trailers["grpc-status"] !== "0" || this.#trailers["grpc-status-details-bin"] !== undefined) {
      validateTrailer(webHeaders(this.#trailers), webHeaders(this.#headers));
    }
    if (this.#headerError !== undefined) throw this.#headerError;
    if (this.#left === undefined && this.#prefix.length === 0) {
      throw new ConnectError("protocol error: missing output message for unary method", Code.Unknown);
    }
    if (this.#left !== 0) {
      throw new ConnectError("protocol error: the message ends too early", Code.InvalidArgument);
    }
    const [only, ...others] = this.#chunks;
    const message = others.length === 0 ? (only ?? new Uint8Array()) : Buffer.concat(this.#chunks);
    return { message, headers: this.#headers };
  }

  /** Returns the error of a stream that broke; the status, where one came before. */
  whole(error: Error): Error {
    try {
      if (this.#trailers["grpc-status"] !== undefined) {
        validateTrailer(webHeaders(this.#trailers), webHeaders(this.#headers));
      }
    } catch (status) {
      return status as Error;
    }
    if (this.#headerError !== undefined) return this.#headerError;
    return new ConnectError(error.message, Code.Aborted, undefined, undefined, error);
  }
}

function webHeaders(headers: http2.IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) web.append(name, each);
  }
  return web;
}
