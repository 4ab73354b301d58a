// The watch over real sockets while something goes wrong.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { renameSync } from "node:fs";
import http2 from "node:http2";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import type { WatchMessage } from "../../src/diagnostics.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Pod, PodEvent } from "../../src/index.js";
import { WatchCore } from "../../src/stream/core.js";
import { sampleNode } from "../../src/testing/index.js";
import { answer, envelope, resetStream, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { changed, clientOf, kubeletAndClient, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { until as polled } from "../helpers/until.js";
import { encode } from "../schedules/model-pod.js";

const NONE_UNCONFIRMED = { count: 0, reasons: [] };

type Watch = AsyncIterator<PodEvent<Pod>, undefined>;

async function next(watch: Watch): Promise<PodEvent<Pod>> {
  const { value, done } = await watch.next();
  assert.ok(!done && value);
  return value;
}

async function until(watch: Watch, type: PodEvent<Pod>["type"]): Promise<PodEvent<Pod>[]> {
  const events: PodEvent<Pod>[] = [];
  for (;;) {
    const event = await next(watch);
    events.push(event);
    if (event.type === type) return events;
  }
}

const message = (type: EventType, pod: Uint8Array = new Uint8Array()) =>
  envelope(toBinary(WatchPodsEventSchema, create(WatchPodsEventSchema, { type, pod: Buffer.from(pod) })));
const pod = (uid: string, version = 1) =>
  encode({ uid, version, failed: false, finished: false, isStatic: false, created: 1 }, 1);
/** A server whose first watch sends what it is given and ends as it is told; all later ones are well. */
function once(
  t: Parameters<typeof serveHttp2>[0],
  body: Buffer[],
  end?: Parameters<typeof answer>[1],
): Promise<string> {
  return serveHttp2(t, (stream, _, nth) => {
    if (nth === 1 && end !== undefined) return answer(stream, { ...end, body: Buffer.concat(body) });
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    for (const part of nth === 1 ? body : [message(EventType.ADDED, pod("a")), message(4)]) stream.write(part);
    return undefined;
  });
}

describe("how a stream ends", () => {
  const cases: [rows: string, status: string, text: string, code: string][] = [
    ["UNAVAILABLE before the marker [#28]", "14", "going away", "connection-lost"],
    ["INTERNAL before the marker [#33]", "13", "error marshalling pod: oops", "server-error"],
    ["DATA_LOSS before the marker [#36]", "15", "lost", "server-error"],
  ];
  for (const [rows, status, text, code] of cases) {
    test(`${rows}: emits DISCONNECTED with the error and no DELETED`, async (t) => {
      const end = { trailers: { "grpc-status": status, "grpc-message": text } };
      const watch = clientOf(t, { socketPath: await once(t, [message(EventType.ADDED, pod("b"))], end) }).watchPods();
      const told = await next(watch);
      assert.ok(told.type === "DISCONNECTED" && told.error.code === code && told.error.message.includes(text));
      assert.deepEqual(
        (await until(watch, "SYNCED")).map((event) => event.type),
        ["ADDED", "SYNCED"],
      );
      await watch.return?.();
    });
  }

  test("status OK before the sync marker discards the list; after it, the pods stay [#26 #27]", async (t) => {
    for (const [body, first] of [
      [[message(EventType.ADDED, pod("b"))], ["DISCONNECTED"]],
      [
        [message(EventType.ADDED, pod("a")), message(4)],
        ["ADDED", "SYNCED", "DISCONNECTED"],
      ],
    ] as const) {
      const watch = clientOf(t, { socketPath: await once(t, [...body], {}) }).watchPods();
      assert.deepEqual(
        (await until(watch, "DISCONNECTED")).map(({ type }) => type),
        first,
      );
      const again = (await until(watch, "SYNCED")).map(({ type }) => type);
      assert.deepEqual(again, first.length === 1 ? ["ADDED", "SYNCED"] : ["SYNCED"]);
      await watch.return?.();
    }
  });

  test("a refused stream is reopened without delay [#24]", async (t) => {
    const socketPath = await serveHttp2(t, (stream, _, nth) => {
      if (nth === 1) return resetStream(stream, http2.constants.NGHTTP2_REFUSED_STREAM);
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(message(4));
      return undefined;
    });
    const delays: number[] = [];
    const onMessage = (published: unknown) => {
      const news = published as WatchMessage;
      if (news.type === "lost" && news.socketPath === socketPath) delays.push(news.delayMs);
    };
    subscribe("kubelet-pods:watch", onMessage);
    t.after(() => unsubscribe("kubelet-pods:watch", onMessage));
    const watch = clientOf(t, { socketPath }).watchPods();
    await until(watch, "SYNCED");
    assert.deepEqual(delays, [0]);
    await watch.return?.();
  });

  test("a dropped slow watch keeps its events and catches up with the next list [#30]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const watch = pods.watchPods();
    await until(watch, "SYNCED");
    const [changing] = sampleNode();
    for (let i = 1; i <= 100; i++) kubelet.updatePod(changed(changing ?? {}, String(i)));
    for (let value = ""; value !== "100"; ) {
      const event = await next(watch);
      value = event.type === "MODIFIED" ? (event.pod.metadata?.labels["changed"] ?? "") : "";
    }
    kubelet.faults.expelWatchers();
    for (let i = 101; i <= 300; i++) kubelet.updatePod(changed(changing ?? {}, String(i)));
    const events = await until(watch, "SYNCED");
    const lost = events.find((event) => event.type === "DISCONNECTED");
    assert.ok(lost?.type === "DISCONNECTED" && lost.error.code === "dropped");
    const last = events.filter((event) => event.type === "MODIFIED").at(-1);
    assert.ok(last?.type === "MODIFIED" && last.pod.metadata?.labels["changed"] === "300");
    await watch.return?.();
  });
});

describe("stream contents", () => {
  function core() {
    const watch = new WatchCore(
      () => 0.5,
      () => Number.POSITIVE_INFINITY,
    );
    watch.step({ type: "start" }, 0);
    watch.receive({ type: "CONNECTED", server: "1", lists: "complete" }, 0, 0);
    const says = (type: "ADDED" | "MODIFIED" | "DELETED", bytes: Uint8Array) =>
      watch.receive({ type, pod: bytes }, 0, 0);
    const kinds = (effects: readonly { type: string }[]) => effects.map(({ type }) => type);
    return { watch, says, kinds };
  }

  test("accepts events before the sync marker and counts a second marker as malformed [#59]", () => {
    const { watch, says, kinds } = core();
    says("MODIFIED", pod("a"));
    says("DELETED", pod("b"));
    assert.ok(kinds(watch.receive({ type: "SYNCED" }, 0, 0)).includes("synced"));
    assert.deepEqual(
      [...watch.ledger.records()].map(({ uid }) => uid),
      ["a"],
    );
    assert.deepEqual(kinds(watch.receive({ type: "SYNCED" }, 0, 0)), ["malformed"]);
    assert.equal(watch.ledger.malformed, 1);
    assert.deepEqual(kinds(says("MODIFIED", pod("a", 2))), ["changes"], "the stream continues");
  });

  test("ignores a pod in a sync marker [#59]", async (t) => {
    const watch = clientOf(t, { socketPath: await once(t, [message(4, pod("a"))]) }).watchPods();
    assert.deepEqual(await next(watch), {
      type: "SYNCED",
      initial: true,
      count: 0,
      unconfirmed: NONE_UNCONFIRMED,
      unreadable: new Set(),
    });
    await watch.return?.();
  });

  test("emits nothing when a restarted kubelet changes only config.seen annotations [#54]", async (t) => {
    const seen = (at: string) =>
      sampleNode().map((json) => ({
        ...json,
        metadata: { ...json.metadata, annotations: { ...json.metadata?.annotations, "kubernetes.io/config.seen": at } },
      }));
    const socketPath = join(temporaryDirectory(t), "s.sock");
    const before = await kubeletOf(t, { socketPath, pods: seen("2026-01-01T00:00:00Z") });
    const watch = clientOf(t, { socketPath }).watchPods();
    await until(watch, "SYNCED");
    await before.close();
    await kubeletOf(t, { socketPath, pods: seen("2026-02-02T00:00:00Z") });
    const told = (await until(watch, "SYNCED")).filter((event) => event.type !== "DISCONNECTED");
    assert.deepEqual(
      told.map(({ type }) => type),
      ["SYNCED"],
    );
    await watch.return?.();
  });

  test("keeps unknown fields and emits MODIFIED when one changes [#47]", async (t) => {
    const newer = (value: number) => Uint8Array.from([...pod("a"), 0xfa, 0x7f, 1, value]); // field 2047, bytes
    const body = [message(EventType.ADDED, newer(1)), message(4), message(EventType.MODIFIED, newer(2))];
    const watch = clientOf(t, { socketPath: await once(t, body) }).watchPods();
    await until(watch, "SYNCED");
    const modified = await next(watch);
    assert.ok(modified.type === "MODIFIED" && modified.pod.metadata?.uid === "a");
    assert.deepEqual(modified.pod.$unknown?.[0]?.no, 2047);
    assert.deepEqual(toBinary(PodSchema, modified.pod).at(-1), 2);
    await watch.return?.();
  });
});

test("deletes no pods while a restarted 1.36 kubelet has not read them [#63 #89]", async (t) => {
  const directory = temporaryDirectory(t);
  const socketPath = join(directory, "s.sock");
  const first = await kubeletOf(t, { socketPath, profile: "1.36", pods: sampleNode() });
  const informer = clientOf(t, { socketPath }).informer();
  await informer.synced();
  const { size } = informer;
  const told: string[] = [];
  const events = informer[Symbol.asyncIterator]();
  await until(events, "SYNCED");
  const reading = (async () => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) return;
      told.push(value.type);
    }
  })().catch(() => {});
  await first.close();
  const early = await kubeletOf(t, { socketPath, profile: "1.36" });
  await polled(t, () => informer.state.unconfirmed.count > 0);
  assert.equal(informer.state.phase, "synced");
  assert.deepEqual([informer.state.unconfirmed.count, informer.size], [size, size]); // those that this reader has
  for (const json of sampleNode()) early.addPod(json);
  await polled(t, () => informer.state.unconfirmed.count === 0);
  assert.equal(informer.size, size);
  await informer.close();
  await reading;
  assert.deepEqual(
    told.filter((type) => type !== "DISCONNECTED" && type !== "SYNCED"),
    [],
  );
});

test("an evicted pod stays listed until its containers stop [#91]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods();
  await until(watch, "SYNCED");
  const running = sampleNode().find((json) => json.metadata?.name?.startsWith("web-")) ?? {};
  kubelet.evictPod(running.metadata?.uid ?? "");
  assert.equal((await next(watch)).type, "MODIFIED");
  const late = (await until(pods.watchPods(), "SYNCED")).map((event) => "pod" in event && event.pod.metadata?.uid);
  assert.ok(late.includes(running.metadata?.uid ?? ""));
  kubelet.finishPod(running.metadata?.uid ?? "", "Failed");
  assert.equal((await next(watch)).type, "MODIFIED");
  assert.equal((await next(watch)).type, "DELETED");
  await watch.return?.();
});

test("reports not-served while the feature gate is off and recovers when it is on [#64]", async (t) => {
  const directory = temporaryDirectory(t);
  const socketPath = join(directory, "s.sock");
  const on = await kubeletOf(t, { socketPath, pods: sampleNode() });
  const watch = clientOf(t, { socketPath }).watchPods();
  await until(watch, "SYNCED");
  await on.close();
  await serveHttp2(t, (stream) => trailersOnly(stream, { "grpc-status": "12" }), socketPath);
  for (;;) {
    const event = await next(watch);
    assert.ok(event.type === "DISCONNECTED");
    if (event.error.code === "not-served") break;
  }
  const again = await kubeletOf(t, { socketPath: join(directory, "next.sock"), pods: sampleNode() });
  renameSync(again.socketPath, socketPath);
  const told = (await until(watch, "SYNCED")).filter((event) => event.type !== "DISCONNECTED");
  assert.deepEqual(
    told.map(({ type }) => type),
    ["SYNCED"],
  );
  await watch.return?.();
});

test("a jump of the wall clock does not disturb a watch [#69]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods({ resyncIntervalMs: 1_000 });
  await until(watch, "SYNCED");
  for (const years of [10, -10]) {
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + years * 365 * 86_400_000 });
    const json = sampleNode()[0] ?? {};
    kubelet.setLabels(json.metadata?.uid ?? "", { leaped: String(years) });
    const modified = await next(watch);
    assert.ok(modified.type === "MODIFIED" && modified.pod.metadata?.labels["leaped"] === String(years));
    t.mock.timers.reset();
  }
  await watch.return?.();
});
