import http2 from "node:http2";
import type { PodsErrorCode } from "../errors/error-code.js";
import { GRPC, GrpcError } from "../errors/grpc-error.js";

// Section names in this file refer to https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.

type Headers = http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;

/**
 * gRPC status and error code by HTTP status, for answers that are not gRPC
 * (https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md).
 */
const BY_HTTP_STATUS: ReadonlyMap<number, readonly [status: number, code: PodsErrorCode]> = new Map([
  [400, [GRPC.internal, "wrong-peer"]],
  [401, [GRPC.unauthenticated, "wrong-peer"]],
  [403, [GRPC.permissionDenied, "wrong-peer"]],
  [404, [GRPC.unimplemented, "not-served"]],
  [429, [GRPC.unavailable, "server-error"]],
  [502, [GRPC.unavailable, "server-error"]],
  [503, [GRPC.unavailable, "server-error"]],
  [504, [GRPC.unavailable, "server-error"]],
]);

/** gRPC status by HTTP/2 code, for resets by the peer ("Errors", the table of HTTP2 error codes). All other codes are INTERNAL. */
const BY_RESET: ReadonlyMap<number, number> = new Map([
  [http2.constants.NGHTTP2_REFUSED_STREAM, GRPC.unavailable],
  [http2.constants.NGHTTP2_CANCEL, GRPC.canceled],
  [http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, GRPC.resourceExhausted],
  [http2.constants.NGHTTP2_INADEQUATE_SECURITY, GRPC.permissionDenied],
]);

/** Limits for a server's message, which is cut, and its details, which are ignored if longer. Node.js limits all headers together to 64 KiB. */
const MAX_MESSAGE_CHARACTERS = 8_192;
const MAX_DETAILS_CHARACTERS = 16_384;

/** Headers and trailers of one answer, and the status derived from them. */
export class GrpcAnswer {
  #headers: Headers | undefined;
  #trailers: http2.IncomingHttpHeaders | undefined;

  /**
   * Stores the headers of the answer. Headers that end the stream also contain the status ("Trailers-Only").
   *
   * @throws GrpcError if the answer is not gRPC, or is compressed.
   */
  onHeaders(headers: Headers, endsStream: boolean): void {
    this.#headers = headers;
    if (endsStream) this.#trailers = headers;
    const error = this.#headError();
    if (error !== undefined) throw error;
  }

  onTrailers(trailers: http2.IncomingHttpHeaders): void {
    this.#trailers = trailers;
  }

  /** Returns the error of an answer that has ended; undefined if its status is OK. */
  error(): GrpcError | undefined {
    if (this.#headers === undefined) return lost("the stream ended without an answer", GRPC.internal);
    const trailers = this.#trailers ?? {};
    const sent = trailers["grpc-status"];
    if (sent === undefined) return lost("the answer has no status", GRPC.internal);
    // Only a number is valid. Node.js joins metadata that was sent twice with a comma.
    const status = /^\d{1,2}$/.test(String(sent)) ? Number(sent) : Number.NaN;
    if (status === GRPC.ok) return undefined;
    if (!(status <= GRPC.unauthenticated))
      return statusError(trailers, GRPC.unknown, "the status is not a number from 0 to 16");
    return statusError(trailers, status);
  }

  /**
   * Returns the error of a broken stream: from its status if that arrived before the reset, otherwise from the reset. Undefined if the
   * status is OK.
   */
  broken(stream: http2.ClientHttp2Stream, cause: Error | undefined): GrpcError | undefined {
    if (this.#trailers?.["grpc-status"] !== undefined) return this.error();
    const { rstCode = 0 } = stream;
    const isUnprocessed = rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
    const status = rstCode === 0 ? GRPC.unavailable : (BY_RESET.get(rstCode) ?? GRPC.internal);
    const message = cause?.message ?? "the stream was closed";
    return new GrpcError({ status, message, code: "connection-lost", isUnprocessed, cause });
  }

  #headError(): GrpcError | undefined {
    const headers = this.#headers as Headers;
    const type = String(headers["content-type"] ?? "");
    const httpStatus = headers[":status"] ?? 0;
    const isGrpc = /^application\/grpc(?:[+;]|$)/i.test(type);
    if (httpStatus !== 200) {
      if (isGrpc && headers["grpc-status"] !== undefined) return undefined; // error() reads the status at the end
      const [status, code] = BY_HTTP_STATUS.get(httpStatus) ?? [GRPC.unknown, "wrong-peer"];
      return new GrpcError({ status, message: `HTTP ${httpStatus}`, code });
    }
    if (!isGrpc) {
      return new GrpcError({
        status: GRPC.unknown,
        message: "the content type is not application/grpc",
        code: "wrong-peer",
      });
    }
    const encoding = headers["grpc-encoding"];
    if (encoding !== undefined && String(encoding).toLowerCase() !== "identity") {
      const message = "the answer is compressed, and the client accepts no compression";
      return new GrpcError({ status: GRPC.internal, message, code: "wrong-peer" });
    }
    return undefined;
  }
}

/** Makes the error of a lost connection, or of an incomplete answer. */
export function lost(message: string, status: number): GrpcError {
  return new GrpcError({ status, message, code: "connection-lost" });
}

/** Makes the error for a status that the server sent. @param problem fault of the status itself, if any. */
function statusError(trailers: http2.IncomingHttpHeaders, status: number, problem = ""): GrpcError {
  const words = percentDecoded(String(trailers["grpc-message"] ?? "").slice(0, MAX_MESSAGE_CHARACTERS));
  const pushback = trailers["grpc-retry-pushback-ms"];
  return new GrpcError({
    status,
    message: [problem, words].filter(Boolean).join(": "),
    pushback: pushback === undefined ? undefined : String(pushback),
    details: detailsOf(trailers["grpc-status-details-bin"]),
  });
}

/** Decodes the message of a status ("Responses", Percent-Encoded). Badly encoded parts are kept unchanged. */
export function percentDecoded(text: string): string {
  if (!text.includes("%")) return text;
  const bytes = Buffer.from(text, "latin1");
  const decoded = Buffer.alloc(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const hex = bytes[i] === 0x25 ? /^[0-9a-f]{2}$/i.exec(text.slice(i + 1, i + 3)) : null;
    decoded[length++] = hex === null ? (bytes[i] as number) : Number.parseInt(hex[0], 16);
    if (hex !== null) i += 2;
  }
  return decoded.toString("utf8", 0, length);
}

/** Decodes binary metadata, with or without padding ("Requests", Custom-Metadata). Undefined if it is missing, too long or not base64. */
function detailsOf(value: string | string[] | undefined): Uint8Array | undefined {
  if (typeof value !== "string" || value.length > MAX_DETAILS_CHARACTERS) return undefined;
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(value) ? Buffer.from(value, "base64") : undefined;
}
