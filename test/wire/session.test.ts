import assert from "node:assert/strict";
import { once } from "node:events";
import { renameSync } from "node:fs";
import http2 from "node:http2";
import net from "node:net";
import { join } from "node:path";
import { podMask } from "../../src/pod/mask.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { UnixSession } from "../../src/wire/session.js";
import { answer, endSession, envelope, resetStream, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { clientOf, environmentOf, serveRaw, temporaryDirectory } from "../helpers/kubelet.js";
import { singly } from "../helpers/source-events.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { randomPaths } from "../pod/random-pods.js";

const { signal } = new AbortController();

function apiOf(t: TestContext, socketPath: string, handshakeTimeoutMs = 5000): PodsApi {
  const options = { socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs } as const;
  const api = new PodsApi(options, environmentOf(t).clock);
  t.after(() => api.close());
  return api;
}

test("reports connection-timeout for a peer that accepts and sends nothing [#11]", async (t) => {
  const socketPath = await serveRaw(t, () => {});
  await assert.rejects(apiOf(t, socketPath, 20).list({ signal }), {
    code: "connection-timeout",
    retryable: true,
    rawMessage: `cannot talk to ${socketPath}: the peer sent no HTTP/2 settings`,
  });
});

test("reports wrong-peer for a peer that does not speak HTTP/2 [#21]", async (t) => {
  const socketPath = await serveRaw(t, (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
  await assert.rejects(apiOf(t, socketPath).list({ signal }), {
    code: "wrong-peer",
    rawMessage: `cannot connect to ${socketPath}: the peer does not speak HTTP/2`,
  });
});

test("reports connection-lost for a stream that closes without a response [#25]", async (t) => {
  const socketPath = await serveHttp2(t, (stream) => resetStream(stream, http2.constants.NGHTTP2_NO_ERROR));
  const watch = singly(apiOf(t, socketPath).open(signal));
  assert.equal((await watch.next()).value?.type, "CONNECTED");
  await assert.rejects(watch.next(), {
    code: "connection-lost",
    message: /was lost: (?:the stream ended without an answer|the stream was closed)/,
  });
});

test("reports connected, closed and failed connections", async (t) => {
  const events: object[] = [];
  const directory = temporaryDirectory(t);
  const socketPath = await serveHttp2(t, (stream) => answer(stream), join(directory, "s.sock"));
  let path = socketPath;
  const unix = new UnixSession({
    socketPath: () => path,
    handshakeTimeoutMs: 5_000,
    onEvent: ({ type, socketPath, error }) => events.push({ type, socketPath, code: error?.code }),
  });
  assert.equal(unix.ready(), undefined);
  const connection = await unix.connect();
  assert.equal(unix.ready(), connection);
  const stream = connection.request("POST", "/x", {}, {});
  const { session } = stream.on("error", () => {});
  endSession(session);
  await once(session as http2.Http2Session, "close");
  path = join(directory, "none.sock");
  await assert.rejects(unix.connect(), { code: "socket-missing" });
  assert.equal(unix.ready(), undefined);
  await unix.close();
  assert.deepEqual(events, [
    { type: "connected", socketPath, code: undefined },
    { type: "closed", socketPath, code: undefined },
    { type: "failed", socketPath: path, code: "socket-missing" },
  ]);
});

test("learns the API version from a kubelet that is initializing", async (t) => {
  const paths: unknown[] = [];
  const socketPath = await serveHttp2(t, (stream, headers) => {
    paths.push(headers[":path"]);
    trailersOnly(stream, { "grpc-status": "9" });
  });
  const api = apiOf(t, socketPath);
  await assert.rejects(api.list({ signal }), { code: "initializing" });
  assert.deepEqual([api.version, paths], ["v1alpha1", ["/v1alpha1.Pods/ListPods"]]);
});

test("sends the headers that a gRPC server expects and reuses one connection", async (t) => {
  const requests: http2.IncomingHttpHeaders[] = [];
  const sessions = new Set<unknown>();
  const socketPath = await serveHttp2(t, (stream, headers) => {
    requests.push(headers);
    sessions.add(stream.session);
    answer(stream);
  });
  const api = apiOf(t, socketPath);
  await Promise.all([api.list({ signal }), api.list({ signal }), api.get("u", { signal, timeoutMs: 1234 })]);
  assert.equal(sessions.size, 1);
  assert.equal(api.version, "v1alpha1");
  const [list, , get] = requests;
  assert.equal(list?.[":path"], "/v1alpha1.Pods/ListPods");
  assert.equal(list?.[":authority"], "localhost");
  assert.equal(list?.["te"], "trailers");
  assert.equal(list?.["grpc-accept-encoding"], "identity");
  assert.equal(list?.["content-type"], "application/grpc");
  assert.equal(list?.["grpc-timeout"], undefined);
  assert.match(list?.["user-agent"] ?? "", /^kubelet-pods\/\S+ node\/\d+/);
  const [, leftMs] = /^(\d+)m$/.exec(String(get?.["grpc-timeout"])) ?? [];
  assert.ok(Number(leftMs) >= 1 && Number(leftMs) <= 1234, "the timeout that remains after connecting");
});

test("sends a short field mask and omits one too long for HTTP/2 headers", async (t) => {
  const masks: unknown[] = [];
  const socketPath = await serveHttp2(t, (stream, headers) => {
    masks.push(headers["x-kubernetes-fieldmask"]);
    answer(stream);
  });
  const api = apiOf(t, socketPath);
  const short = podMask.parse("metadata.name,metadata.uid");
  const paths = new Set(Array.from({ length: 20_000 }, (_, seed) => randomPaths(seed)).flat());
  const texts = [...paths]
    .filter((path) => path.length > 30)
    .join(",")
    .slice(0, 29_000)
    .split(",")
    .slice(0, -1);
  const long = podMask.parse(texts.join(","));
  assert.ok(long.toString().length > 8_192);
  for (const mask of [short, long]) await api.list({ signal, mask });
  await api.open(signal, long).next();
  assert.deepEqual(masks, [short.toString(), undefined]);
});

test("destroys a connection that is closed during a read after that read", async (t) => {
  const socketPath = await serveHttp2(t, (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.write(envelope(Uint8Array.of(8, 4)));
  });
  const unix = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 5_000, onEvent() {} });
  const stream = (await unix.connect()).request("POST", "/v1alpha1.Pods/WatchPods", {}, {});
  await once(stream.resume(), "data");
  const { session } = stream;
  const closed = unix.close();
  assert.equal(session?.destroyed, false, "Node.js is still reading (nodejs/node#64113)");
  await closed;
  assert.equal(session.destroyed, true);
});

test("resets a stream with an oversized message as CANCEL", async (t) => {
  let resetAs: Promise<number> | undefined;
  const socketPath = await serveHttp2(t, (stream) => {
    resetAs = once(stream, "close").then(() => stream.rstCode);
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.write(Buffer.of(0, 0x10, 0, 0, 0)); // the length of a message that is too large
  });
  const watch = singly(apiOf(t, socketPath).open(signal));
  assert.equal((await watch.next()).value?.type, "CONNECTED");
  await assert.rejects(watch.next(), { code: "too-large" });
  assert.equal(await resetAs, http2.constants.NGHTTP2_CANCEL, "Node.js sends any other code during the read");
});

test("keeps an open stream after GOAWAY and makes new calls over a new connection [#22]", async (t) => {
  const sessions = new Set<http2.Http2Session | undefined>();
  let watched: http2.ServerHttp2Stream | undefined;
  const socketPath = await serveHttp2(t, (stream, headers) => {
    sessions.add(stream.session);
    if (!headers[":path"]?.endsWith("WatchPods")) return answer(stream);
    watched = stream;
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.write(envelope(Uint8Array.of(8, 4))); // INITIAL_SYNC_COMPLETE
  });
  const api = apiOf(t, socketPath);
  const watch = singly(api.open(signal));
  assert.equal((await watch.next()).value?.type, "CONNECTED");
  assert.equal((await watch.next()).value?.type, "SYNCED");
  watched?.session?.goaway(0, watched.id);
  // The frame is on its way: a call that crosses it is refused, the one after it finds a new connection.
  await api.list({ signal }).catch(() => {});
  await api.list({ signal });
  assert.equal(sessions.size, 2);
  watched?.write(envelope(Uint8Array.of(8, 1)));
  assert.equal((await watch.next()).value?.type, "ADDED", "the old stream is still open");
  await watch.return();
});

test("reports connection-lost when the server ends a stream with status OK [#26 #27]", async (t) => {
  for (const body of [Buffer.alloc(0), envelope(Uint8Array.of(8, 4))]) {
    const stream = singly(apiOf(t, await serveHttp2(t, (s) => answer(s, { body }))).open(signal));
    assert.equal((await stream.next()).value?.type, "CONNECTED");
    if (body.length > 0) assert.equal((await stream.next()).value?.type, "SYNCED");
    await assert.rejects(stream.next(), { code: "connection-lost", message: /ended the stream/ });
  }
});

test("does not try another API version when UNIMPLEMENTED follows events", async (t) => {
  const trailers = { "grpc-status": "12", "grpc-message": "late" };
  const body = envelope(Uint8Array.of(8, 4));
  const stream = singly(apiOf(t, await serveHttp2(t, (s) => answer(s, { body, trailers }))).open(signal));
  assert.equal((await stream.next()).value?.type, "CONNECTED");
  assert.equal((await stream.next()).value?.type, "SYNCED");
  await assert.rejects(stream.next(), { code: "not-served" });
});

test("reports messages of an unknown type as UNKNOWN [#48]", async (t) => {
  const kinds = [Uint8Array.of(), Uint8Array.of(8, 5), Uint8Array.of(8, 1)];
  const body = Buffer.concat(kinds.map((kind) => envelope(kind)));
  const stream = singly(apiOf(t, await serveHttp2(t, (s) => answer(s, { body }))).open(signal));
  const seen: (string | undefined)[] = [];
  for (let i = 0; i < 4; i++) seen.push((await stream.next()).value?.type);
  assert.deepEqual(seen, ["CONNECTED", "UNKNOWN", "UNKNOWN", "ADDED"]);
});

test("reports connection-lost, not wrong-peer, for a peer that closes after a few bytes", async (t) => {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  // What the client has sent by then is unread when the socket is closed: that makes it ECONNRESET.
  const server = net.createServer({ pauseOnConnect: true }, async (socket) => {
    socket.write(Buffer.alloc(5));
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
  });
  server.listen(socketPath);
  await once(server, "listening");
  t.after(() => server.close());
  await assert.rejects(apiOf(t, socketPath).list({ signal }), { code: "connection-lost", retryable: true });
});

test("calls without retries reach a new socket that replaces the old one", async (t) => {
  const [path, other] = ["a.sock", "b.sock"].map((name) => join(temporaryDirectory(t), name)) as [string, string];
  const asked: string[] = [];
  for (const socketPath of [path, other]) {
    const serve = (stream: http2.ServerHttp2Stream) => {
      asked.push(socketPath);
      answer(stream);
    };
    await serveHttp2(t, serve, socketPath);
  }
  const pods = clientOf(t, { socketPath: path, retry: false });
  await pods.listPods();
  renameSync(other, path);
  await until(t, async () => {
    await pods.listPods();
    return asked.at(-1) === other;
  });
  const before = asked.length;
  await pods.listPods();
  assert.deepEqual(asked.slice(before), [other]);
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("keeps no timer for an idle connection or a completed call", async (t) => {
  const before = timers();
  const api = apiOf(t, await serveHttp2(t, (stream) => answer(stream)), 100_000);
  await api.list({ signal, timeoutMs: 100_000 });
  assert.equal(timers(), before);
});

test("leaves no timer after a failed connection attempt", async (t) => {
  const before = timers();
  const api = apiOf(t, join(temporaryDirectory(t), "none.sock"), 100_000);
  await assert.rejects(api.list({ signal }), { code: "socket-missing" });
  assert.equal(timers(), before);
});
