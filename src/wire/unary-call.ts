import { GRPC, GrpcError } from "../errors/grpc-error.js";
import type { Connection } from "./connection.js";
import { GrpcCall } from "./grpc-call.js";
import type { GrpcRequest } from "./grpc-request.js";

/**
 * Makes one unary gRPC call on the given connection and returns the message of the answer (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). It checks the length
 * of the answer before it allocates memory. The limit is the signal's; `timeoutMs` only goes to the server.
 *
 * @throws GrpcError for error statuses and malformed answers; the signal's reason after an abort.
 */
export function sendUnary(connection: Connection, request: GrpcRequest): Promise<Uint8Array> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    let message: Uint8Array | undefined;
    const listener = {
      message(whole: Uint8Array) {
        if (message !== undefined) throw malformed("a second message to a unary call");
        message = whole;
      },
      reset: () => undefined,
      ended(error: unknown) {
        if (error !== undefined) reject(error);
        else if (message === undefined) reject(malformed("no message to a unary call"));
        else resolve(message);
      },
    };
    new GrpcCall(connection, request, listener);
  });
}

/** Makes the error of a response that is not exactly one message (statuscodes.md, "Response cardinality violation"). */
function malformed(message: string): GrpcError {
  return new GrpcError({ status: GRPC.unimplemented, message, code: "unknown" });
}
