// Of which kubelet process a list is: what a watch tells when a connection is lost, and when another process answers.

import assert from "node:assert/strict";
import type http2 from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import type { ConnectionMessage } from "../../src/diagnostics.js";
import { connectionChannel } from "../../src/diagnostics.js";
import { EventType, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Pod, PodEvent } from "../../src/index.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { answer, endSession, envelope, serveHttp2 } from "../helpers/hostile.js";
import { clientOf } from "../helpers/kubelet.js";
import { singly } from "../helpers/source-events.js";
import { type TestContext, test } from "../helpers/test.js";
import { encode } from "../schedules/model-pod.js";

const UIDS = ["a", "b", "c", "d", "e"];
const message = (type: EventType, pod: Uint8Array = new Uint8Array()) =>
  envelope(toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { type, pod: Buffer.from(pod) })));

/** The list of a process that has these pods, as a watch brings it. */
function burst(stream: http2.ServerHttp2Stream, process: number, uids: readonly string[]): void {
  stream.respond({ ":status": 200, "content-type": "application/grpc" });
  for (const uid of uids) {
    const pod = encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, process);
    stream.write(message(EventType.ADDED, pod));
  }
  stream.write(message(EventType.INITIAL_SYNC_COMPLETE));
}

async function told(watch: AsyncIterator<PodEvent<Pod>, undefined>, type: string): Promise<PodEvent<Pod>[]> {
  for (const events: PodEvent<Pod>[] = []; ; ) {
    const { value } = await watch.next();
    assert.ok(value);
    events.push(value);
    if (value.type === type) return events;
  }
}

/** The socket's file stays the same: its first connection is process 1's, the second leads to this list. */
async function afterLoss(t: TestContext, second: (stream: http2.ServerHttp2Stream) => void) {
  const socketPath = await serveHttp2(t, (stream, _, nth) => {
    if (nth > 1) return second(stream);
    burst(stream, 1, UIDS);
    endSession(stream.session);
    return undefined;
  });
  const watch = clientOf(t, { socketPath }).watchPods();
  t.after(() => watch.return?.());
  await told(watch, "SYNCED");
  await told(watch, "DISCONNECTED");
  const events = await told(watch, "SYNCED");
  const synced = events.at(-1);
  assert.ok(synced?.type === "SYNCED");
  return { types: events.map(({ type }) => type), unconfirmed: synced.unconfirmed };
}

test("marks a missing pod as ending after a reconnect to the same process", async (t) => {
  const { types, unconfirmed } = await afterLoss(t, (stream) => burst(stream, 1, UIDS.slice(1)));
  assert.deepEqual([types, unconfirmed], [["SYNCED"], { count: 1, reasons: ["ending"] }]);
});

test("marks a missing pod as absent when another process serves the socket", async (t) => {
  const { types, unconfirmed } = await afterLoss(t, (stream) => burst(stream, 2, UIDS.slice(1)));
  assert.deepEqual([types, unconfirmed], [["SYNCED"], { count: 1, reasons: ["absent"] }]);
});

test("marks all pods as unconfirmed when another process lists none", async (t) => {
  const { types, unconfirmed } = await afterLoss(t, (stream) => burst(stream, 2, []));
  assert.deepEqual([types, unconfirmed], [["SYNCED"], { count: 5, reasons: ["source"] }]);
});

test("opens a stream only over the connection that CONNECTED named", async (t) => {
  let watches = 0;
  const sessions = new Set<http2.ServerHttp2Session>();
  const socketPath = await serveHttp2(t, (stream, headers) => {
    if (stream.session !== undefined) sessions.add(stream.session as http2.ServerHttp2Session);
    if (!headers[":path"]?.endsWith("WatchPods")) return answer(stream);
    watches++;
    return burst(stream, watches, UIDS);
  });
  const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 });
  t.after(() => api.close());
  const { signal } = new AbortController();
  await api.list({ signal });
  const events = singly(api.open(signal));
  const first = (await events.next()).value;
  assert.ok(first?.type === "CONNECTED" && first.connection);
  const closed = new Promise<void>((resolve) => {
    const onMessage = (news: unknown) => {
      const { type, socketPath: path } = news as ConnectionMessage;
      if (type === "closed" && path === socketPath) resolve();
    };
    connectionChannel.subscribe(onMessage);
    t.after(() => connectionChannel.unsubscribe(onMessage));
  });
  for (const session of sessions) endSession(session);
  await closed;
  await assert.rejects(events.next(), { code: "connection-lost" });
  assert.equal(watches, 0, "the request was not sent over another connection");
  const again = (await singly(api.open(signal)).next()).value;
  assert.ok(again?.type === "CONNECTED" && again.connection !== first.connection);
});
