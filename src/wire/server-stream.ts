import { GRPC } from "../errors/grpc-error.js";
import type { Connection } from "./connection.js";
import { lost } from "./grpc-answer.js";
import { GrpcCall } from "./grpc-call.js";
import type { GrpcRequest } from "./grpc-request.js";

/** Number of messages and bytes that may wait for the reader. At either limit the stream is paused. */
const MAX_WAITING_MESSAGES = 256;
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * A server-streaming gRPC call, as batches of messages. Each `next()` returns all messages that have arrived, and waits if there are none.
 * Messages are views of the received bytes: copy a message to keep it. A stream that ends with status OK is done. After any other end
 * `next()` returns the earlier messages first, and then rejects.
 */
export class ServerStream implements AsyncIterableIterator<readonly Uint8Array[], undefined> {
  readonly #call: GrpcCall | undefined;
  readonly #signal: AbortSignal | undefined;
  #batch: Uint8Array[] = [];
  #batchBytes = 0;
  #end: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** Sends the request on the given connection. */
  constructor(connection: Connection, request: GrpcRequest) {
    this.#signal = request.signal;
    if (request.signal?.aborted) {
      this.#ended(request.signal.reason);
      return;
    }
    this.#call = new GrpcCall(connection, request, {
      message: (message) => this.#take(message),
      ended: (error) => this.#ended(error),
      // The reset may have discarded messages that were sent before the status OK.
      reset: () => lost("the server reset the stream", GRPC.internal),
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Returns the messages that have arrived. Await each call before the next one. */
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
      if (this.#call?.stream.isPaused()) this.#call.stream.resume();
      return { done: false, value };
    }
    const error = this.#end?.error;
    if (error === undefined) return { done: true, value: undefined };
    throw error;
  }

  return(): Promise<IteratorResult<readonly Uint8Array[], undefined>> {
    this.#batch = [];
    this.#call?.end(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  #take(message: Uint8Array): void {
    this.#batch.push(message);
    this.#batchBytes += message.length;
    if (this.#batch.length >= MAX_WAITING_MESSAGES || this.#batchBytes >= MAX_WAITING_BYTES) this.#call?.stream.pause();
    this.#wakeReader();
  }

  #ended(error: unknown): void {
    this.#end = { error };
    if (this.#signal?.aborted) this.#batch = []; // no message is returned after an abort
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
