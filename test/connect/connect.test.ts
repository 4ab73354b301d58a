// Connect's own clients over a kubelet's socket.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import http2 from "node:http2";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { EventType, kubeletTransport, PodResourcesLister, Pods } from "../../src/connect/index.js";
import type { ConnectionMessage } from "../../src/diagnostics.js";
import { PodsError } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { resetStream, serveHttp2 } from "../helpers/hostile.js";
import { serveRaw } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

async function kubeletOf(t: { after(fn: () => Promise<void>): void }): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode(), podResources: true });
  t.after(() => kubelet.close());
  return kubelet;
}

test("supports unary calls with Connect's client, interceptors and deadlines", async (t) => {
  const kubelet = await kubeletOf(t);
  const called: string[] = [];
  const log: Interceptor = (next) => (request) => {
    called.push(request.method.name);
    return next(request);
  };
  await using transport = kubeletTransport({ socketPath: kubelet.socketPath, interceptors: [log] });
  const client = createClient(Pods, transport);
  const { pods } = await client.listPods({}, { timeoutMs: 10_000 });
  assert.equal(pods.length, sampleNode().length);
  const { uid } = decodePod(pods[0] as Uint8Array).metadata;
  const { pod } = await client.getPod({ podUID: uid });
  assert.equal(decodePod(pod).metadata.uid, uid);
  assert.deepEqual(called, ["ListPods", "GetPod"]);
  kubelet.faults.hang("request", 1);
  await assert.rejects(client.listPods({}, { timeoutMs: 50 }), { code: Code.DeadlineExceeded });
});

test("watches with Connect's client until the signal aborts", async (t) => {
  const kubelet = await kubeletOf(t);
  await using transport = kubeletTransport({ socketPath: kubelet.socketPath });
  const stop = new AbortController();
  const types: EventType[] = [];
  const watch = createClient(Pods, transport).watchPods({}, { signal: stop.signal });
  await assert.rejects(
    async () => {
      for await (const { type } of watch) {
        types.push(type);
        if (type === EventType.INITIAL_SYNC_COMPLETE) stop.abort();
      }
    },
    { code: Code.Canceled },
  );
  assert.deepEqual([types.length, types.at(-1)], [sampleNode().length + 1, EventType.INITIAL_SYNC_COMPLETE]);
});

test("rejects with a ConnectError that PodsError.from classifies", async (t) => {
  const kubelet = await kubeletOf(t);
  await using transport = kubeletTransport({ socketPath: kubelet.socketPath });
  const failure = await createClient(Pods, transport)
    .getPod({ podUID: "nobody" })
    .catch((error: unknown) => error);
  assert.ok(failure instanceof ConnectError && failure.code === Code.NotFound);
  assert.equal(PodsError.from(failure, { method: "GetPod" }).code, "not-found");
});

test("reports a lost connection as Unavailable and an aborted call as Canceled", async (t) => {
  const kubelet = await kubeletOf(t);
  await using transport = kubeletTransport({ socketPath: kubelet.socketPath });
  const client = createClient(Pods, transport);
  kubelet.faults.hang("request", 1);
  const call = client.listPods({});
  while (kubelet.faults.hanging === 0) await new Promise(setImmediate);
  kubelet.faults.dropConnection();
  await assert.rejects(call, { code: Code.Unavailable });
  await kubelet.faults.clear();
  const lost = (async () => {
    for await (const { type } of client.watchPods({}))
      if (type === EventType.INITIAL_SYNC_COMPLETE) kubelet.faults.dropConnection();
  })();
  await assert.rejects(lost, { code: Code.Unavailable });
  kubelet.faults.hang("request", 1);
  const stop = new AbortController();
  const cancelled = client.listPods({}, { signal: stop.signal });
  while (kubelet.faults.hanging === 0) await new Promise(setImmediate);
  stop.abort();
  await assert.rejects(cancelled, { code: Code.Canceled }, "the caller's own cancel stays one");
});

test("close() ends calls and streams as Canceled, and later calls are rejected as closed", async (t) => {
  const kubelet = await kubeletOf(t);
  const transport = kubeletTransport({ socketPath: kubelet.socketPath });
  const client = createClient(Pods, transport);
  const watch = client.watchPods({})[Symbol.asyncIterator]();
  await watch.next();
  kubelet.faults.hang("request", 1);
  const call = client.listPods({});
  while (kubelet.faults.hanging === 0) await new Promise(setImmediate);
  const readAll = async () => {
    while (!(await watch.next()).done);
  };
  const ended = Promise.allSettled([call, readAll()]);
  await transport.close();
  const [listed, watched] = await ended;
  const later = await Promise.allSettled([client.listPods({})]);
  for (const result of [listed, watched, ...later]) {
    assert.ok(result.status === "rejected" && result.reason instanceof ConnectError);
    assert.deepEqual([result.reason.code, result.reason.rawMessage], [Code.Canceled, "the transport was closed"]);
    assert.equal(PodsError.from(result.reason).code, "closed");
  }
});

test("connects to the podresources API", async (t) => {
  const kubelet = await kubeletOf(t);
  await using transport = kubeletTransport({ socketPath: kubelet.podResourcesSocketPath as string });
  const { podResources } = await createClient(PodResourcesLister, transport).list({});
  assert.ok(podResources.length > 0);
});

test("reports wrong-peer for an HTTP/1.1 server and connection-lost for a missing response", async (t) => {
  const mute = await serveRaw(t, (socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\n"));
  await using wrong = kubeletTransport({ socketPath: mute });
  const failure = await createClient(Pods, wrong)
    .listPods({})
    .catch((error: unknown) => error);
  assert.equal(PodsError.from(failure).code, "wrong-peer");
  const silent = await serveHttp2(t, (stream) => resetStream(stream, http2.constants.NGHTTP2_NO_ERROR));
  await using empty = kubeletTransport({ socketPath: silent });
  const unanswered = await createClient(Pods, empty)
    .listPods({})
    .catch((error: unknown) => error);
  assert.match(String(unanswered), /^ConnectError: \[unavailable\] the stream was closed without an answer/);
  assert.equal(PodsError.from(unanswered).code, "connection-lost");
});

test("publishes connections on the diagnostics channel and does not accept compression", async (t) => {
  const told: string[] = [];
  const hear = (message: unknown) => {
    const { type, socketPath } = message as ConnectionMessage;
    if (socketPath === kubelet.socketPath) told.push(type);
  };
  subscribe("kubelet-pods:connection", hear);
  t.after(() => unsubscribe("kubelet-pods:connection", hear));
  const kubelet = await kubeletOf(t);
  let accepted: string | null = "";
  const look: Interceptor = (next) => (request) => {
    accepted = request.header.get("grpc-accept-encoding");
    return next(request);
  };
  await using transport = kubeletTransport({ socketPath: kubelet.socketPath, interceptors: [look] });
  await createClient(Pods, transport).listPods({});
  assert.equal(accepted, null);
  assert.deepEqual(told, ["connected"]);
});

test("rejects invalid options", () => {
  for (const name of ["socketPath", "rootDir"]) {
    assert.throws(() => kubeletTransport({ [name]: 1 }), new RegExp(`kubeletTransport: ${name}`));
  }
  assert.throws(() => kubeletTransport({ maxMessageBytes: "1" as never }), /kubeletTransport: maxMessageBytes/);
  assert.throws(() => kubeletTransport({ timeoutMs: 1 } as never), /kubeletTransport: unknown option timeoutMs/);
  assert.throws(() => kubeletTransport({ socketPath: `/${"x".repeat(200)}` }), { code: "invalid-path" });
});
