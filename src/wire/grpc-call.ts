import http2 from "node:http2";
import type { Connection } from "./connection.js";
import { GrpcAnswer } from "./grpc-answer.js";
import { type GrpcRequest, open } from "./grpc-request.js";
import { MessageSplitter } from "./message-splitter.js";

/** Receives the messages and the end of a call. */
export interface CallListener {
  /** Called with each message. If it throws, the call ends with that error. */
  message(bytes: Uint8Array): void;
  /** Called once at the end of the call, with the error, or undefined if its status is OK. */
  ended(error: unknown): void;
  /** Returns the error of a call that was reset after the status OK; undefined if the status still applies. */
  reset(): unknown;
}

/**
 * One gRPC call on one connection (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md), from its request to its end. If this
 * side ends the call first, it cancels the stream.
 */
export class GrpcCall {
  readonly stream: http2.ClientHttp2Stream;
  readonly answer: GrpcAnswer = new GrpcAnswer();
  readonly #listener: CallListener;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.end(this.#signal?.reason);
  #isOver = false;
  /** True once the peer has ended its half of the stream. If our half has also ended, there is nothing to cancel. */
  #hasEnded = false;

  constructor(connection: Connection, request: GrpcRequest, listener: CallListener) {
    this.#listener = listener;
    this.#signal = request.signal;
    const { answer } = this;
    const splitter = new MessageSplitter(request.maxBytes);
    const stream = open(connection, request);
    this.stream = stream;
    request.signal?.addEventListener("abort", this.#onAbort, { once: true });
    const endError = () => answer.error() ?? splitter.endError();
    const onBroken = (cause?: Error) =>
      this.#trying(() => this.end(answer.broken(stream, cause) ?? listener.reset() ?? endError()));
    const take = (bytes: Uint8Array) => listener.message(bytes);
    stream.on("response", (headers, flags) => {
      this.#hasEnded = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#trying(() => answer.onHeaders(headers, this.#hasEnded));
    });
    stream.on("data", (chunk: Buffer) => {
      request.onBytes?.();
      this.#trying(() => splitter.push(chunk, take));
    });
    stream.on("trailers", (trailers) => answer.onTrailers(trailers));
    stream.on("end", () => {
      this.#hasEnded = true;
      this.#trying(() => this.end(endError()));
    });
    stream.on("error", onBroken);
    stream.on("close", () => onBroken());
  }

  /** Ends the call, and passes the error or undefined to the listener. The listener is not called again. */
  end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#listener.ended(error);
    const { stream } = this;
    if (!(this.#hasEnded && stream.writableFinished) && !stream.closed) stream.close(http2.constants.NGHTTP2_CANCEL);
    stream.resume(); // unread data would keep the stream open
  }

  #trying(step: () => void): void {
    if (this.#isOver) return;
    try {
      step();
    } catch (error) {
      this.end(error);
    }
  }
}
