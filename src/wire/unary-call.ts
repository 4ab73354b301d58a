import http2 from "node:http2";
import { GRPC, GrpcError } from "../errors/grpc-error.js";
import { GrpcAnswer } from "./grpc-answer.js";
import { type GrpcRequest, open } from "./grpc-request.js";
import { type MessageSink, MessageSplitter } from "./message-splitter.js";
import type { Connection } from "./session.js";

/** One unary call of gRPC. */
export interface UnaryRequest extends GrpcRequest {
  /** Takes the answer's message in pieces; then it is not put together, and what the call resolves with has none. */
  readonly sink?: MessageSink;
}

/** The answer to a unary call. */
export interface UnaryAnswer {
  readonly message: Uint8Array;
  readonly headers: http2.IncomingHttpHeaders;
}

/**
 * Makes one unary gRPC call on this very connection (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). The
 * answer's length is checked before anything is made of it.
 *
 * @throws GrpcError for statuses, and for what is no answer; the signal's reason; what the sink throws.
 */
export function sendUnary(connection: Connection, request: UnaryRequest): Promise<UnaryAnswer> {
  const { signal, timeoutMs, maxBytes } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stream = open(connection, request);
    const answer = new GrpcAnswer();
    const splitter = new MessageSplitter(maxBytes, request.sink);
    let message: Uint8Array | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    /** Whether the peer has ended its half of the stream. Where ours has ended, too, there is nothing to cancel. */
    let hasEnded = false;
    const settle = (end: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      end();
      if (!(hasEnded && stream.writableFinished) && !stream.closed) stream.close(http2.constants.NGHTTP2_CANCEL);
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const onAbort = () => fail(signal?.reason);
    const trying = (step: () => void) => {
      if (isSettled) return;
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const take = (whole: Uint8Array) => {
      if (message !== undefined) throw malformed("a second message to a unary call");
      message = whole;
    };
    const complete = () => {
      const error = answer.error() ?? splitter.endError();
      if (error !== undefined) throw error;
      const whole = message;
      if (whole === undefined) throw malformed("no message to a unary call");
      settle(() => resolve({ message: whole, headers: answer.headers }));
    };
    const onBroken = (cause?: Error) =>
      trying(() => {
        const error = answer.broken(stream, cause);
        if (error !== undefined) throw error;
        complete(); // the status was there before the reset: it counts
      });
    signal?.addEventListener("abort", onAbort, { once: true });
    if (timeoutMs !== undefined) timer = setTimeout(() => fail(tooLate()), timeoutMs);
    stream.on("response", (headers, flags) => {
      hasEnded = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      trying(() => answer.onHeaders(headers, hasEnded));
    });
    stream.on("data", (chunk: Buffer) => trying(() => splitter.push(chunk, take)));
    stream.on("trailers", (trailers) => answer.onTrailers(trailers));
    stream.on("end", () => {
      hasEnded = true;
      trying(complete);
    });
    stream.on("error", onBroken);
    stream.on("close", () => onBroken());
  });
}

/** Makes the error of a response that is not exactly one message (statuscodes.md, "Response cardinality violation"). */
function malformed(message: string): GrpcError {
  return new GrpcError({ status: GRPC.unimplemented, message, code: "unknown" });
}

function tooLate(): GrpcError {
  return new GrpcError({ status: GRPC.deadlineExceeded, message: "the operation timed out", code: "deadline" });
}
