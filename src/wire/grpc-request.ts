import type http2 from "node:http2";
import { frame } from "./message-splitter.js";
import type { Connection } from "./session.js";

/** One request of gRPC. */
export interface GrpcRequest {
  /** `/` service `/` method. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Metadata, besides that of the protocol. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In whole milliseconds, of at most eight digits; undefined for no limit. */
  readonly timeoutMs?: number | undefined;
  /** The largest message that is accepted, in bytes. */
  readonly maxBytes: number;
}

/**
 * Opens a stream on this very connection and sends the whole request ("Requests" of
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md).
 */
export function open(
  connection: Connection,
  { path, message, headers, timeoutMs }: GrpcRequest,
): http2.ClientHttp2Stream {
  const protocol = {
    ...headers,
    "content-type": "application/grpc",
    "grpc-accept-encoding": "identity",
    te: "trailers",
    ...(timeoutMs === undefined ? {} : { "grpc-timeout": `${timeoutMs}m` }),
  };
  const stream = connection.request("POST", path, protocol, {});
  stream.end(frame(message));
  return stream;
}
