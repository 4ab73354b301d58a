import http2 from "node:http2";

// node:http2 runs callbacks and promise reactions inside nghttp2's read of a connection. If one of them destroys the session, or resets a
// stream with a code other than CANCEL, the read continues in freed memory, or fails an assertion that aborts the process if the peer's
// next frame is invalid (https://github.com/nodejs/node/issues/64113).

/** Postpones every `session.destroy()` to the next turn of the event loop, including Node.js' own calls. */
export function destroyAfterRead(session: http2.Http2Session): void {
  const destroy = session.destroy.bind(session);
  session.destroy = (...args) => void setImmediate(() => destroy(...args));
}

/** Makes `stream.close()` of a client stream reset with CANCEL, whatever code it is passed: Node.js sends CANCEL only after its read. */
export function resetAfterRead(stream: http2.ClientHttp2Stream): void {
  const close = stream.close.bind(stream);
  stream.close = (_code, callback) => close(http2.constants.NGHTTP2_CANCEL, callback);
}

/** Postpones `stream.close()` of a server stream to the next turn of the event loop. */
export function closeAfterRead(stream: http2.ServerHttp2Stream): void {
  const close = stream.close.bind(stream);
  stream.close = (...args) => void setImmediate(() => close(...args));
}
