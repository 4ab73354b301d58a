import http2 from "node:http2";
import { GRPC } from "../errors/grpc-error.js";
import { GrpcAnswer, lost } from "./grpc-answer.js";
import { type GrpcRequest, open } from "./grpc-request.js";
import { MessageSplitter } from "./message-splitter.js";
import type { Connection } from "./session.js";

/** How much may wait for a reader before the stream is read no further, in messages and in bytes. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * One server-streaming call of gRPC, as batches of messages: each `next()` gives all that have come, and waits where none have.
 * Messages are views of what was read: who keeps one copies it. A stream that ends with status OK is done; `next()` rejects with
 * anything else, once the messages before it are given.
 */
export class ServerStream implements AsyncIterableIterator<readonly Uint8Array[], undefined> {
  readonly #signal: AbortSignal | undefined;
  readonly #stream: http2.ClientHttp2Stream | undefined;
  readonly #answer = new GrpcAnswer();
  readonly #splitter: MessageSplitter;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #end: { error: unknown } | undefined;
  /** Whether the peer has ended its half of the stream. Where ours has ended, too, there is nothing to cancel. */
  #hasEnded = false;
  #wake: (() => void) | undefined;
  readonly #onAbort = () => {
    this.#batch = []; // nothing is told after an abort
    this.#finish(this.#signal?.reason);
  };

  /** Sends the request on this very connection. */
  constructor(connection: Connection, request: GrpcRequest) {
    const { signal, maxBytes } = request;
    this.#signal = signal;
    this.#splitter = new MessageSplitter(maxBytes);
    if (signal?.aborted) {
      this.#finish(signal.reason);
      return;
    }
    const stream = open(connection, request);
    this.#stream = stream;
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    stream.on("response", (headers, flags) => {
      this.#hasEnded = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      this.#trying(() => this.#answer.onHeaders(headers, this.#hasEnded));
    });
    stream.on("data", (chunk: Buffer) => this.#trying(() => this.#splitter.push(chunk, this.#take)));
    stream.on("trailers", (trailers) => this.#answer.onTrailers(trailers));
    stream.on("end", () => {
      this.#hasEnded = true;
      this.#finish(this.#answer.error() ?? this.#splitter.endError());
    });
    // A status that is OK does not count here: what came before it may be unread, and is gone.
    const broken = (cause?: Error) =>
      this.#finish(this.#answer.broken(stream, cause) ?? lost("it broke off", GRPC.internal));
    stream.on("error", broken);
    stream.on("close", () => broken());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Gives the messages that have come; one reader at a time. */
  async next(): Promise<IteratorResult<readonly Uint8Array[], undefined>> {
    while (this.#batch.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#batch.length > 0) {
      const value = this.#batch;
      this.#batch = [];
      this.#batchBytes = 0;
      if (this.#stream?.isPaused()) this.#stream.resume();
      return { done: false, value };
    }
    const error = this.#end?.error;
    if (error === undefined) return { done: true, value: undefined };
    throw error;
  }

  /** Cancels the call. */
  return(): Promise<IteratorResult<readonly Uint8Array[], undefined>> {
    this.#batch = [];
    this.#finish(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  readonly #take = (message: Uint8Array): void => {
    this.#batch.push(message);
    this.#batchBytes += message.length;
    if (this.#batch.length >= MAX_WAITING || this.#batchBytes >= MAX_WAITING_BYTES) this.#stream?.pause();
    this.#wakeReader();
  };

  #trying(step: () => void): void {
    if (this.#end !== undefined) return;
    try {
      step();
    } catch (error) {
      this.#finish(error);
    }
  }

  #finish(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#signal?.removeEventListener("abort", this.#onAbort);
    const isOver = this.#hasEnded && this.#stream?.writableFinished;
    if (!isOver && this.#stream?.closed === false) this.#stream.close(http2.constants.NGHTTP2_CANCEL);
    this.#stream?.resume(); // what is unread would keep it open
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
