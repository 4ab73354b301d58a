// Resyncs over real sockets: a list beside the stream, and when the stream is opened anew in its place.

import assert from "node:assert/strict";
import type { PodEvent } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { environmentOf, kubeletAndClient } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";

const RESYNC_MS = 60_000;

/** A kubelet with pods, and the events of a watch that is synced. */
async function watched(t: TestContext) {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { clock } = environmentOf(t);
  const informer = pods.informer({ resyncIntervalMs: RESYNC_MS });
  t.after(() => informer.close());
  const events: string[] = [];
  const textOf = (event: PodEvent<unknown>) =>
    event.type === "DELETED" ? `DELETED ${event.cause}` : event.type === "DISCONNECTED" ? event.error.code : event.type;
  (async () => {
    for await (const event of informer) events.push(textOf(event));
  })().catch(() => {});
  await informer.synced();
  const pass = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  await pass(1);
  events.length = 0;
  const counters = () => informer.state.counters;
  return { kubelet, informer, events, pass, counters };
}

test("resyncs list over the connection of the stream, which goes on", async (t) => {
  const { kubelet, informer, events, pass, counters } = await watched(t);
  const [pod] = informer.list();
  await pass(3 * RESYNC_MS);
  kubelet.setLabels(pod?.metadata.uid ?? "", { only: "lists show it" });
  await pass(1.3 * RESYNC_MS);
  assert.deepEqual(events, ["MODIFIED"]);
  assert.equal(counters().streams, 1);
  assert.ok(counters().resyncs >= 3, `${counters().resyncs} resyncs`);
  assert.ok((informer.state.listAgeMs ?? 0) <= 1.2 * RESYNC_MS);
});

test("after GOAWAY the next resync opens a stream, without an outage", async (t) => {
  const { kubelet, events, pass, counters } = await watched(t);
  kubelet.faults.goAway();
  await pass(1.3 * RESYNC_MS);
  assert.deepEqual([events, counters().streams], [[], 2]);
});

test("a kubelet that hangs is noticed ten seconds after the list was sent", async (t) => {
  const { kubelet, events, pass } = await watched(t);
  kubelet.faults.pause();
  await pass(1.2 * RESYNC_MS + 11_000);
  assert.equal(events[0], "stalled");
  kubelet.faults.resume();
  await pass(30_000);
  assert.equal(events.at(-1), "SYNCED");
});

test("each pod that is deleted around lists ends once, with its cause", async (t) => {
  const { kubelet, informer, events, pass } = await watched(t);
  const uids = informer.list().map(({ metadata }) => metadata.uid);
  for (const uid of uids) {
    kubelet.deletePod(uid);
    await pass(4_000);
    kubelet.finishPod(uid);
    await pass(1_000);
    kubelet.removePod(uid);
  }
  await pass(3 * RESYNC_MS);
  const ends = events.filter((event) => event.startsWith("DELETED"));
  assert.deepEqual([...new Set(ends)], ["DELETED finished"]);
  assert.equal(ends.length, uids.length);
});

test("lists go before calls that wait for the client's rate", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() }, { timeoutMs: 60_000 });
  const { clock } = environmentOf(t);
  const informer = pods.informer({ resyncIntervalMs: 1_000 });
  t.after(() => informer.close());
  await informer.synced();
  const uid = kubelet.pods[0]?.metadata.uid ?? "";
  let answered = 0;
  const calls = Array.from({ length: 1_000 }, () => pods.getPod(uid).then(() => answered++));
  for (let i = 0; i < 100 && answered < 900; i++) {
    await new Promise<void>((resolve) => clock.after(50, resolve));
    assert.ok((informer.state.listAgeMs ?? 0) <= 1_200 + 100, `${informer.state.listAgeMs} ms, ${answered} answered`);
  }
  assert.ok(answered > 100 && informer.state.counters.resyncs >= 3, `${answered} answered`);
  await Promise.all(calls);
});
