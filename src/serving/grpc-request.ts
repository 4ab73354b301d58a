import type http2 from "node:http2";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { orAborted } from "../timing/abort.js";

/** Size of the prefix of a message: the flags and the length of the message. */
const ENVELOPE_BYTES = 5;

/** Reads the messages of a request as they arrive. Data that grpc-go does not read is dropped. */
export class ServedRequest {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #isRead = false;
  /** True if the request ended with its headers. grpc-go then never notices that there is no message. */
  readonly #isHeadersOnly: boolean;
  readonly #maxBytes: number;
  #wake: () => void = () => {};

  constructor(stream: http2.ServerHttp2Stream, isHeadersOnly: boolean, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#isHeadersOnly = isHeadersOnly;
    stream.on("data", (chunk: Buffer) => {
      if (this.#isRead) return;
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#wake();
    });
    stream.once("end", () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  /** True if the client has ended its half of the stream. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves with the first message. @throws GrpcError if it is malformed; the signal's reason. */
  async first(signal: AbortSignal): Promise<Uint8Array> {
    try {
      return await this.#message(signal, GRPC.unknown);
    } finally {
      this.#isRead = true;
    }
  }

  /**
   * Resolves with the only message, once the client has ended its half.
   *
   * @throws GrpcError if there is not exactly one valid message; the signal's reason.
   */
  async only(signal: AbortSignal): Promise<Uint8Array> {
    const none = "cardinality violation: received no request message from non-client-streaming RPC";
    const message = await this.#message(signal, GRPC.internal, { status: GRPC.internal, message: none });
    await this.#until(() => this.#isOver || this.#bytes >= ENVELOPE_BYTES, signal);
    this.#isRead = true;
    if (this.#bytes < ENVELOPE_BYTES) return message;
    const violation = "cardinality violation: received multiple request messages for non-client-streaming RPC";
    throw new GrpcError({ status: GRPC.internal, message: violation });
  }

  /** Takes a message from the received bytes. `broken` is the status if the message ends too early, `none` the error if there is no message. */
  async #message(
    signal: AbortSignal,
    broken: number,
    none = { status: GRPC.unknown as number, message: "EOF" },
  ): Promise<Uint8Array> {
    await this.#until(() => this.#bytes >= ENVELOPE_BYTES || (this.#isOver && !this.#isHeadersOnly), signal);
    if (this.#bytes < ENVELOPE_BYTES) throw new GrpcError(none);
    const head = this.#take(ENVELOPE_BYTES);
    const length = head.readUInt32BE(1);
    if (length > this.#maxBytes) {
      const message = `grpc: received message larger than max (${length} vs. ${this.#maxBytes})`;
      throw new GrpcError({ status: GRPC.resourceExhausted, message });
    }
    await this.#until(() => this.#bytes >= length || this.#isOver, signal);
    if (this.#bytes < length) throw new GrpcError({ status: broken, message: "unexpected EOF" });
    const flag = head[0] ?? 0;
    if (flag === 0) return this.#take(length);
    const message =
      flag === 1
        ? "grpc: compressed flag set with identity or empty encoding"
        : `grpc: received unexpected payload format ${flag}`;
    throw new GrpcError({ status: GRPC.internal, message });
  }

  async #until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isSo()) {
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await orAborted(changed, signal);
    }
  }

  #take(length: number): Buffer {
    const whole = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks.length = 0;
    if (whole.length > length) this.#chunks.push(whole.subarray(length));
    this.#bytes = whole.length - length;
    return whole.subarray(0, length);
  }
}
