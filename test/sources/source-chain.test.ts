// Several sources of one client: the best that works, for each call and each list of a watch anew.

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  isFinished,
  type PodEvent,
  type PodJson,
  type PodsClient,
  PodsError,
  podsApi,
  toKubernetesJson,
} from "../../src/index.js";
import type { PodSource, SourceBatch, SourceEvent } from "../../src/sources/pod-source.js";
import { SourceChain } from "../../src/sources/source-chain.js";
import { churn, type ReferenceKubeletOptions, sampleNode, seededRandom } from "../../src/testing/index.js";
import { HttpKubelet } from "../helpers/http-kubelet.js";
import { clientOf, httpSource, kubeletOf, podsApiSource, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

/** A kubelet with both, and a client that prefers the Pods API; the gate decides whether it is there. */
async function nodeOf(t: TestContext, options: ReferenceKubeletOptions = {}) {
  const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
  const kubelet = await kubeletOf(t, { pods: sampleNode(), socketPath, ...options });
  const served = (): PodJson[] => kubelet.pods.map((pod) => toKubernetesJson(pod));
  const http = await HttpKubelet.start(t, served);
  const sources = [
    podsApiSource(t, socketPath),
    httpSource(t, { url: http.url, pollIntervalMs: 1_000, standalone: true }),
  ];
  const pods = clientOf(t, { sources, timeoutMs: 5_000 });
  return { kubelet, http, pods };
}

const names = (list: readonly { metadata?: { name: string } | undefined }[]) =>
  list.map(({ metadata }) => metadata?.name).sort();

/** What a watch tells, as a reader keeps it: every event has to fit what was told before. */
function reader(t: TestContext, pods: PodsClient) {
  const stop = new AbortController();
  const known = new Map<string, string>();
  const state = { synced: false, deleted: [] as string[], outages: 0 };
  const take = (event: PodEvent<{ metadata?: { uid: string; name: string } | undefined }>) => {
    if (event.type === "SYNCED") state.synced = true;
    else if (event.type === "DISCONNECTED") {
      state.synced = false;
      state.outages++;
    } else {
      const { uid = "", name = "" } = event.pod.metadata ?? {};
      assert.equal(known.has(uid), event.type !== "ADDED", `${event.type} of ${name}`);
      if (event.type === "DELETED") {
        known.delete(uid);
        state.deleted.push(name);
      } else known.set(uid, name);
    }
  };
  const done = (async () => {
    for await (const event of pods.watchPods({ mask: ["metadata.uid", "metadata.name"], signal: stop.signal }))
      take(event);
  })().catch((error) => {
    if (error !== stop.signal.reason && error.code !== "closed") throw error; // the client may be closed first
  });
  t.after(async () => {
    stop.abort();
    await done;
  });
  return { known, state };
}

test("a list counts as requested when its source connected, although CONNECTED follows with the answer", async () => {
  const clock = new VirtualClock();
  const waiting: PodSource = {
    ...podsApi({ socketPath: "/nowhere/a.sock" }),
    async *open() {
      yield { type: "CONNECTED", server: "a", ageMs: 300 };
      await clock.advance(1_200);
      yield { type: "SYNCED" };
    },
  };
  const chain = new SourceChain([waiting, podsApi({ socketPath: "/nowhere/b.sock" })], clock);
  const received: (SourceEvent | SourceBatch)[] = [];
  for await (const event of chain.open(new AbortController().signal)) received.push(event);
  assert.deepEqual(
    received.map((event) => "type" in event && [event.type, event.type === "CONNECTED" && event.ageMs]),
    [
      ["CONNECTED", 1_500],
      ["SYNCED", false],
    ],
  );
});

describe("calls", { concurrency: true }, () => {
  test("use the first source that works, and return to the preferred one once it works", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t, { gate: false });
    const early = await pods.probe();
    assert.deepEqual([early.ready, early.apiVersion], [true, "http"], "the source that has answered");
    http.requests.length = 0;
    assert.equal((await pods.listPods()).length, 16);
    assert.equal(http.requests.length, 1);
    const probe = await pods.probe();
    assert.deepEqual([probe.ready, probe.apiVersion], [true, "http"]);
    assert.equal(http.requests.length, 3, "one to see whether it answers, one to see whether it has read its pods");
    await kubelet.restart({ gate: true });
    assert.equal((await pods.listPods()).length, 16);
    const [first] = sampleNode();
    assert.equal((await pods.getPod(first?.metadata?.uid ?? "")).metadata?.name, first?.metadata?.name);
    assert.equal(http.requests.length, 3, "the Pods API answers now");
    assert.equal((await pods.probe()).apiVersion, "v1alpha1");
    await assert.rejects(pods.getPod("nobody"), { code: "not-found" });
    assert.equal(http.requests.length, 3, "not-found is not retried with the other source");
  });

  test("fail with the first source's error if none works", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t);
    await kubelet.close();
    await http.close();
    // One attempt, which no time limit cuts off: a refusal over TCP takes as long as the machine does.
    const error = await pods.listPods({ retry: false, timeoutMs: 0 }).catch((error: unknown) => error);
    assert.ok(PodsError.is(error));
    assert.equal(error.code, "socket-missing");
    assert.match(
      error.message,
      /; also connection-refused: https?:\/\/localhost:\d+\/pods: ECONNREFUSED/,
      "the message names the other source's error",
    );
  });

  test("do not use the kubelet's HTTP server while the Pods API is initializing", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t);
    kubelet.setInitializing(true);
    await assert.rejects(pods.listPods({ retry: false }), { code: "initializing" });
    assert.equal(http.requests.length, 0);
    kubelet.setInitializing(false);
    assert.equal((await pods.listPods()).length, 16);
    assert.equal(http.requests.length, 0);
  });
});

describe("a watch", { concurrency: true }, () => {
  test("emits no false DELETED while the Pods API appears, restarts and disappears", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t, { gate: false });
    const { known, state } = reader(t, pods);
    const random = seededRandom(3);
    const truth = async () => names(kubelet.pods.filter((pod) => !isFinished(pod)));
    const agrees = async () => state.synced && String([...known.values()].sort()) === String(await truth());
    const churned = async () => {
      for (let i = 0; i < 5; i++) churn(kubelet, random);
      await until(t, agrees);
    };
    const gone = new Set<string>();
    const look = async () => {
      for (const name of state.deleted.splice(0)) {
        assert.ok(!(await truth()).includes(name), `${name} was told as gone, and is there`);
        gone.add(name);
      }
    };
    await until(t, agrees);
    await churned();
    await look();
    const polls = http.requests.length;
    assert.ok(polls > 0);

    await kubelet.restart({ gate: true });
    await until(t, () => kubelet.watchers === 1);
    await churned();
    await look();
    const before = http.requests.length;

    await kubelet.restart({ downtimeMs: 200, firstStatusMs: 0 });
    await until(t, () => kubelet.watchers === 1);
    await churned();
    await look();

    await kubelet.restart({ gate: false });
    await until(t, () => http.requests.length > before);
    await churned();
    await look();
    assert.ok(state.outages >= 1);
  });

  test("uses the next source if the Pods API hangs", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t);
    kubelet.faults.hang("request", 100);
    const informer = pods.informer();
    await informer.synced({ timeoutMs: 20_000 });
    assert.deepEqual([informer.size, http.requests.length], [14, 1]);
  });

  test("trusts the first list after initialization, as with a single source", async (t) => {
    const { kubelet, pods } = await nodeOf(t);
    const informer = pods.informer({ mask: ["metadata.name"] });
    await informer.synced();
    const ledger = kubelet.pods.find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "";
    kubelet.setInitializing(true);
    const restarted = kubelet.restart();
    await until(t, () => informer.state.error?.code === "initializing");
    await restarted;
    kubelet.finishPod(ledger);
    kubelet.removePod(ledger);
    kubelet.setInitializing(false);
    await informer.synced();
    assert.deepEqual(
      informer.state.unconfirmed,
      { count: 1, reasons: ["ending"] },
      "its absence is confirmed, but its containers may still run",
    );
  });

  test("throws a permanent error only if no source works", async (t) => {
    const { kubelet, http, pods } = await nodeOf(t, { profile: "1.36", gate: false });
    await kubelet.close();
    http.answer = (_, response) => response.writeHead(403).end();
    const only = clientOf(t, { sources: [httpSource(t, { url: http.url, standalone: true })] });
    await assert.rejects(only.watchPods().next(), { code: "not-permitted" });
    http.answer = undefined;
    const informer = pods.informer();
    await informer.synced();
    assert.equal(informer.size, 14);
  });
});

test("rejects a first list of the next source that may be incomplete", async (t) => {
  const http = await HttpKubelet.start(t, () => []);
  const sources = [podsApiSource(t, "/nowhere/kubelet.sock"), httpSource(t, { url: http.url })];
  const pods = clientOf(t, { sources, retry: false });
  await assert.rejects(pods.listPods(), { code: "initializing" });
  await assert.rejects(pods.listPods({ mask: ["metadata.name"] }), { code: "initializing" });
});

test("rejects invalid sources", (t) => {
  assert.throws(() => clientOf(t, { sources: [] }), /sources must be a list of one or more sources/);
  assert.throws(() => clientOf(t, { sources: [{}] as never }), /sources must be a list of one or more sources/);
  assert.throws(() => clientOf(t, { sources: [podsApi()], socketPath: "/s" }), /pass socketPath to podsApi/);
  assert.throws(() => podsApi({ timeoutMs: 1 } as never), /podsApi: unknown option timeoutMs/);
});
