import http2 from "node:http2";

// Callbacks and promises of node:http2 run within nghttp2's read of a connection. If one of them ends the session, or resets a
// stream with another code than CANCEL, that read goes on: in memory that is freed, or into an assertion that ends the process
// when the peer's next frame is wrong (https://github.com/nodejs/node/issues/64113).

/** Postpones `session.destroy()` to the next turn, whoever calls it: Node.js itself does. */
export function destroyAfterRead(session: http2.Http2Session): void {
  const destroy = session.destroy.bind(session);
  session.destroy = (...args) => void setImmediate(() => destroy(...args));
}

/** Makes `stream.close()` of a client reset as CANCEL, whatever code it is given: Node.js sends that one after its read. */
export function resetAfterRead(stream: http2.ClientHttp2Stream): void {
  const close = stream.close.bind(stream);
  stream.close = (_code, callback) => close(http2.constants.NGHTTP2_CANCEL, callback);
}

/** Postpones `stream.close()` of a server to the next turn. */
export function closeAfterRead(stream: http2.ServerHttp2Stream): void {
  const close = stream.close.bind(stream);
  stream.close = (...args) => void setImmediate(() => close(...args));
}
