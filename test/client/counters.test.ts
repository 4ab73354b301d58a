// What a client counts: the same numbers in state, diagnostics and metrics.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Counters, type EndedCall } from "../../src/counters.js";
import type { WatchMessage } from "../../src/diagnostics.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { sampleNode } from "../../src/testing/index.js";
import { changed, kubeletAndClient } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

test("counts calls, retries and errors and reports the duration of each call", () => {
  const counters = new Counters();
  const heard: EndedCall[] = [];
  counters.observers.add((call) => heard.push(call));
  counters.ended("ListPods", 12, undefined);
  counters.retried(new PodsError({ code: "connection-lost", message: "x" }));
  counters.ended("GetPod", 7, new PodsError({ code: "not-found", message: "x" }));
  counters.observers.add(() => {
    throw new Error("an observer's own");
  });
  counters.ended("GetPod", 3, "aborted");
  const { calls, retries, errors } = counters.counts;
  assert.deepEqual([calls, retries, errors], [3, { "connection-lost": 1 }, { "not-found": 1 }]);
  assert.deepEqual(heard, [
    { method: "ListPods", durationMs: 12, error: undefined },
    { method: "GetPod", durationMs: 7, error: "not-found" },
    { method: "GetPod", durationMs: 3, error: "aborted" },
  ]);
});

test("every informer of a client reports the same counters of streams, events and calls", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const told: WatchMessage[] = [];
  const hear = (message: unknown) => {
    const { socketPath } = message as WatchMessage;
    if (socketPath === kubelet.socketPath) told.push(message as WatchMessage);
  };
  subscribe("kubelet-pods:watch", hear);
  t.after(() => unsubscribe("kubelet-pods:watch", hear));

  const first = pods.informer();
  await first.synced();
  const second = pods.informer({ namespace: "shop" });
  await second.synced();
  await pods.listPods();
  await assert.rejects(pods.getPod("nobody"), { code: "not-found" });
  assert.ok((await pods.probe()).ready, "probe() asks for a pod that does not exist and counts no error");
  const pod = sampleNode()[0];
  assert.ok(pod);
  kubelet.updatePod(changed(pod, "once"));
  await until(t, () => first.state.counters.events.MODIFIED === 1);

  const { listed, ...counts } = { ...first.state.counters, listed: first.state.counters.events.ADDED };
  assert.deepEqual(second.state.counters, first.state.counters);
  assert.equal(listed, kubelet.pods.length);
  assert.deepEqual(counts, {
    streams: 1,
    resyncs: 0,
    wedged: 0,
    malformed: 0,
    events: { ADDED: listed, MODIFIED: 1, DELETED: 0 },
    losses: {},
    calls: 3,
    retries: {},
    errors: { "not-found": 1 },
    journals: { failures: 0, lostEnds: 0 },
  });

  await kubelet.restart();
  await until(t, () => first.state.counters.resyncs === 1 && first.state.phase === "synced");
  const { streams, losses } = first.state.counters;
  const lost = told.filter(({ type }) => type === "lost").length;
  assert.equal(told.filter(({ type }) => type === "opening").length, streams);
  assert.equal(
    Object.values(losses).reduce((sum, count) => sum + count, 0),
    lost,
  );
  assert.ok(lost > 0);
});

test("does not count an aborted call as an error if the reason is a PodsError", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const informer = pods.informer();
  const stop = new AbortController();
  const failed = pods.getPod("nobody").catch((error) => stop.abort(error));
  const calls = ["a", "b"].map(() => pods.listPods({ signal: stop.signal, timeoutMs: 0, retry: true }));
  stop.abort(new PodsError({ code: "not-found", message: "x" }));
  await Promise.allSettled([failed, ...calls]);
  const { errors, calls: count } = informer.state.counters;
  assert.deepEqual([errors, count], [{ "not-found": 1 }, 3]);
});

test("counters continue when a new informer follows a closed one", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const first = pods.informer();
  await first.synced();
  await first.close();
  assert.equal(first.state.counters.streams, 1);
  const second = pods.informer();
  await second.synced();
  assert.deepEqual([second.state.counters.streams, second.state.counters.resyncs], [2, 1]);
  assert.equal(first.state.counters.streams, 1, "the counters of a closed informer do not change");
});
