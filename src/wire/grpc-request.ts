import type http2 from "node:http2";
import type { Connection } from "./connection.js";
import { frame } from "./message-splitter.js";

export interface GrpcRequest {
  /** Path of the method: `/SERVICE/METHOD`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** Metadata other than the protocol's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout for the server, in whole milliseconds, at most eight digits; undefined for no limit. */
  readonly timeoutMs?: number | undefined;
  /** Called when a part of the answer has arrived. */
  readonly onBytes?: (() => void) | undefined;
  /** Maximum size of an accepted message, in bytes. */
  readonly maxBytes: number;
}

/**
 * Opens a stream on the given connection and sends the whole request ("Requests" of
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
