import assert from "node:assert/strict";
import { once } from "node:events";
import http2 from "node:http2";
import { join } from "node:path";
import { test } from "node:test";
import { PodsApi } from "../../src/wire/pods-api.js";
import { serveRaw, temporaryDirectory } from "../helpers/kubelet.js";

const { signal } = new AbortController();

function apiOf(t: { after(fn: () => unknown): void }, socketPath: string, handshakeTimeoutMs = 5000): PodsApi {
  const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs });
  t.after(() => api.close());
  return api;
}

test("a peer that accepts and never speaks is connect-timeout", async (t) => {
  const socketPath = await serveRaw(t, () => {});
  await assert.rejects(apiOf(t, socketPath, 20).list({ signal }), { code: "connect-timeout", retryable: true });
});

test("requests carry what a gRPC server expects, and one connection serves them", async (t) => {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  const requests: http2.IncomingHttpHeaders[] = [];
  let connections = 0;
  const server = http2.createServer();
  server.on("session", (session) => {
    connections++;
    t.after(() => session.destroy());
  });
  server.on("stream", (stream, headers) => {
    requests.push(headers);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(Buffer.alloc(5)); // one empty message
  });
  server.listen(socketPath);
  await once(server, "listening");
  t.after(() => server.close());

  const api = apiOf(t, socketPath);
  await Promise.all([api.list({ signal }), api.list({ signal }), api.get("u", { signal, timeoutMs: 1234 })]);
  assert.equal(connections, 1);
  assert.equal(api.version, "v1alpha1");
  const [list, , get] = requests;
  assert.equal(list?.[":path"], "/v1alpha1.Pods/ListPods");
  assert.equal(list?.[":authority"], "localhost");
  assert.equal(list?.["te"], "trailers");
  assert.equal(list?.["grpc-accept-encoding"], undefined);
  assert.equal(list?.["grpc-timeout"], undefined);
  assert.match(list?.["user-agent"] ?? "", /^kubelet-pods\/\S+ node\/\d+/);
  assert.equal(get?.["grpc-timeout"], "1234m");
});

test("after GOAWAY an open stream goes on and new calls get a new connection", async (t) => {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  const sessions: http2.ServerHttp2Session[] = [];
  const streams: http2.ServerHttp2Stream[] = [];
  const server = http2.createServer();
  server.on("session", (session) => {
    sessions.push(session);
    t.after(() => session.destroy());
  });
  server.on("stream", (stream, headers) => {
    stream.on("error", () => {});
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    if (!headers[":path"]?.endsWith("WatchPods")) return stream.end(Buffer.alloc(5));
    streams.push(stream);
    stream.write(Buffer.from([0, 0, 0, 0, 2, 8, 4])); // INITIAL_SYNC_COMPLETE
  });
  server.listen(socketPath);
  await once(server, "listening");
  t.after(() => server.close());

  const api = apiOf(t, socketPath);
  const watch = api.watch(signal);
  assert.equal((await watch.next()).value?.type, "SYNCED");
  sessions[0]?.goaway(0, streams[0]?.id ?? 0);
  // The frame is on its way: a call that crosses it is refused, the one after it finds a new connection.
  await api.list({ signal }).catch(() => {});
  await api.list({ signal });
  assert.equal(sessions.length, 2);
  streams[0]?.write(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
  assert.equal((await watch.next()).value?.type, "ADDED", "the old stream still speaks");
  await watch.return();
});

test("a stream that is reset without error and without answer fails", async (t) => {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  const server = http2.createServer();
  server.on("session", (session) => t.after(() => session.destroy()));
  server.on("stream", (stream) => stream.close(http2.constants.NGHTTP2_NO_ERROR));
  server.listen(socketPath);
  await once(server, "listening");
  t.after(() => server.close());
  await assert.rejects(apiOf(t, socketPath).list({ signal }), { code: "connection-lost" });
});
