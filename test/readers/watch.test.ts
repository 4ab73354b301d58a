// The watch and the informer over real sockets and the reference kubelet.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import type { WatchMessage } from "../../src/diagnostics.js";
import { watchChannel } from "../../src/diagnostics.js";
import { type Pod, type PodEvent, PodsClient } from "../../src/index.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { pause } from "../../src/timing/pause.js";
import { serveHttp2, trailersOnly } from "../helpers/hostile.js";
import {
  changed,
  clientOf,
  environmentOf,
  kubeletAndClient,
  kubeletOf,
  temporaryDirectory,
} from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const uidOf = (pod: Pod | PodJson | undefined) => pod?.metadata?.uid ?? "";
/** The pods of the sample that a kubelet has not finished: the Job's is, and the evicted one. */
const unfinished = sampleNode().filter((pod) => !["Succeeded", "Failed"].includes(pod.status?.phase ?? ""));

async function next(watch: AsyncIterator<PodEvent<Pod>, undefined>): Promise<PodEvent<Pod>> {
  const { value, done } = await watch.next();
  assert.ok(!done && value);
  return value;
}

/** Everything up to SYNCED. */
async function synced(watch: AsyncIterator<PodEvent<Pod>, undefined>): Promise<PodEvent<Pod>[]> {
  const events: PodEvent<Pod>[] = [];
  for (;;) {
    const event = await next(watch);
    events.push(event);
    if (event.type === "SYNCED") return events;
  }
}

/** Resolves at the next complete list of a watch on the socket. */
function listed(socketPath: string): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      const { type, socketPath: path } = message as WatchMessage;
      if (type !== "synced" || path !== socketPath) return;
      watchChannel.unsubscribe(onMessage);
      resolve();
    };
    watchChannel.subscribe(onMessage);
  });
}

const told = (event: PodEvent<Pod>) => ("pod" in event ? `${event.type} ${uidOf(event.pod)}` : event.type);

for (const profile of ["1.38", "1.37", "1.36", "v1beta1", "v1", "documented"] as const) {
  test(`emits the pods, then their changes (${profile}) [#83]`, async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { profile, pods: sampleNode() });
    const watch = pods.watchPods();
    const events = await synced(watch);
    assert.deepEqual(events.map(told), [...unfinished.map((pod) => `ADDED ${uidOf(pod)}`).sort(), "SYNCED"]);
    assert.deepEqual(events.at(-1), {
      type: "SYNCED",
      initial: true,
      count: unfinished.length,
      unconfirmed: { count: 0, reasons: [] },
      unreadable: new Set(),
    });
    while (kubelet.watchers === 0) await new Promise((resolve) => setImmediate(resolve));

    const [first] = unfinished;
    assert.ok(first);
    kubelet.updatePod(changed(first, "1"));
    const modified = await next(watch);
    assert.ok(modified.type === "MODIFIED");
    assert.equal(modified.pod.metadata?.labels["changed"], "1");
    assert.equal(modified.previous.metadata?.labels["changed"], undefined);
    await watch.return?.();
  });
}

test("DELETED carries the last known pod and its cause, although the kubelet sends only its identity [#45]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods();
  await synced(watch);
  const pod = unfinished.find((p) => p.metadata?.annotations?.["kubernetes.io/config.source"] === "api");
  kubelet.finishPod(uidOf(pod));
  assert.equal((await next(watch)).type, "MODIFIED", "its containers have ended");
  const deleted = await next(watch);
  assert.ok(deleted.type === "DELETED");
  assert.deepEqual([uidOf(deleted.pod), deleted.cause], [uidOf(pod), "finished"]);
  assert.ok(deleted.pod.spec?.containers[0]?.image);
  await watch.return?.();
});

test("a restart emits DISCONNECTED, then the changes and deletions during it [#51 #13]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods();
  await synced(watch);
  const [gone, kept] = unfinished;
  const restarted = kubelet.restart({ downtimeMs: 30, firstStatusMs: 0 });
  const lost = await next(watch);
  assert.ok(lost.type === "DISCONNECTED" && lost.error.retryable);
  kubelet.removePod(uidOf(gone));
  kubelet.updatePod(changed(kept ?? {}, "2"));
  await restarted;
  const events: PodEvent<Pod>[] = [];
  for (let type = ""; type !== "SYNCED"; ) {
    const event = await next(watch);
    type = event.type;
    if (type !== "DISCONNECTED") events.push(event); // told again as the reason changes
  }
  // 1.37 has not said that it initializes: an absence is believed when two lists agree on it.
  assert.deepEqual(events.map(told), [`MODIFIED ${uidOf(kept)}`, "SYNCED"]);
  assert.deepEqual(events.at(-1), {
    type: "SYNCED",
    initial: false,
    count: unfinished.length,
    unconfirmed: { count: 1, reasons: ["absent"] },
    unreadable: new Set(),
  });
  const deleted = await next(watch);
  assert.ok(deleted.type === "DELETED" && deleted.cause === "missing" && uidOf(deleted.pod) === uidOf(gone));
  await watch.return?.();
});

test("waits for an initializing kubelet, then accepts its first list as complete [#29]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods();
  await synced(watch);
  const [gone] = unfinished;
  kubelet.setInitializing(true);
  const restarted = kubelet.restart({ firstProbesMs: 0 });
  for (;;) {
    const event = await next(watch);
    assert.ok(event.type === "DISCONNECTED");
    if (event.error.code === "initializing") break;
  }
  await restarted;
  kubelet.removePod(uidOf(gone));
  kubelet.setInitializing(false);
  // It lacks the pod for certain. Its containers may run for as long as its grace period.
  assert.deepEqual(await next(watch), {
    type: "SYNCED",
    initial: false,
    count: unfinished.length,
    unconfirmed: { count: 1, reasons: ["ending"] },
    unreadable: new Set(),
  });
  const deleted = await next(watch);
  assert.ok(deleted.type === "DELETED" && deleted.cause === "missing" && uidOf(deleted.pod) === uidOf(gone));
  await watch.return?.();
});

test("reports a missing socket once and connects when it appears [#1 #94]", async (t) => {
  const socketPath = join(temporaryDirectory(t), "a", "pods-api.sock");
  const watch = clientOf(t, { socketPath }).watchPods();
  const away = await next(watch);
  assert.ok(away.type === "DISCONNECTED" && away.error.code === "socket-missing");
  await kubeletOf(t, { socketPath, pods: sampleNode() });
  assert.equal((await synced(watch)).length, unfinished.length + 1);
  await watch.return?.();
});

test("throws a permanent error before the first SYNCED [#34 #35]", async (t) => {
  for (const [status, code] of [
    ["12", "not-served"],
    ["7", "not-permitted"],
  ] as const) {
    const socketPath = await serveHttp2(t, (stream) => trailersOnly(stream, { "grpc-status": status }));
    const pods = clientOf(t, { socketPath });
    const watch = pods.watchPods();
    await assert.rejects(watch.next(), { code });
    assert.deepEqual(await watch.next(), { done: true, value: undefined });
    await assert.rejects(pods.informer().synced(), { code });
  }
});

test("a label change without an event is emitted after the next list [#85]", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const watch = pods.watchPods({ resyncIntervalMs: 1_000 });
  await synced(watch);
  const [pod] = unfinished;
  kubelet.setLabels(uidOf(pod), { quietly: "changed" });
  const modified = await next(watch);
  assert.ok(modified.type === "MODIFIED" && modified.pod.metadata?.labels["quietly"] === "changed");
  await watch.return?.();
});

test("switches to a replaced socket without DISCONNECTED [#17]", async (t) => {
  const directory = temporaryDirectory(t);
  const { kubelet, pods } = await kubeletAndClient(t, { socketPath: join(directory, "a.sock"), pods: sampleNode() });
  const watch = pods.watchPods();
  await synced(watch);
  const [pod] = unfinished;
  const other = await kubeletOf(t, {
    socketPath: join(directory, "b.sock"),
    pods: [changed(pod ?? {}, "3"), ...sampleNode().slice(1)],
  });
  const { renameSync } = await import("node:fs");
  renameSync(other.socketPath, kubelet.socketPath);
  const modified = await next(watch);
  assert.ok(modified.type === "MODIFIED" && modified.pod.metadata?.labels["changed"] === "3");
  await watch.return?.();
});

describe("shared stream", () => {
  test("opens with the first reader, closes with the last, and sends late readers a snapshot", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const unread = pods.watchPods();
    const first = pods.watchPods();
    await synced(first);
    const second = pods.watchPods();
    assert.equal((await synced(second)).length, unfinished.length + 1);
    assert.equal(kubelet.watchers, 1);
    kubelet.updatePod(changed(unfinished[0] ?? {}, "4"));
    for (const watch of [first, second]) assert.equal((await next(watch)).type, "MODIFIED");
    await first.return?.();
    assert.equal(kubelet.watchers, 1);
    await second.return?.();
    await unread.return?.();
    while (kubelet.watchers > 0) await pods.probe();
    // And again, on a new one.
    for await (const event of pods.watchPods()) if (event.type === "SYNCED") break;
  });

  test("a blocked reader does not affect others, and receives the newest state once [#67 #66]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const [stuck, lively] = [pods.watchPods(), pods.watchPods()];
    await synced(stuck);
    await synced(lively);
    const [pod] = unfinished;
    for (let i = 1; i <= 500; i++) {
      kubelet.updatePod(changed(pod ?? {}, String(i)));
      if (i % 50 > 0) continue;
      for (let value = ""; value !== String(i); ) {
        const event = await next(lively);
        value = event.type === "MODIFIED" ? (event.pod.metadata?.labels["changed"] ?? "") : "";
      }
    }
    const only = await next(stuck);
    assert.ok(only.type === "MODIFIED" && only.pod.metadata?.labels["changed"] === "500");
    await Promise.all([stuck.return?.(), lively.return?.()]);
  });

  test("a loop body that throws ends its own watch alone [#68]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const other = pods.watchPods();
    await synced(other);
    await assert.rejects(
      async () => {
        for await (const _ of pods.watchPods()) throw new Error("mine");
      },
      { message: "mine" },
    );
    kubelet.updatePod(changed(unfinished[0] ?? {}, "5"));
    assert.equal((await next(other)).type, "MODIFIED");
    await other.return?.();
  });
});

describe("end of a watch", () => {
  test("ends pending next() calls on return(), abort and close() [#75 #72]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const controller = new AbortController();
    const watches = [pods.watchPods(), pods.watchPods({ signal: controller.signal }), pods.watchPods()] as const;
    for (const watch of watches) await synced(watch);
    const [left, aborted, closed] = watches.map((watch) => watch.next());
    assert.deepEqual(await watches[0].return?.(), { done: true, value: undefined });
    assert.deepEqual(await left, { done: true, value: undefined });
    const reason = new Error("mine");
    controller.abort(reason);
    assert.equal(await aborted?.catch((error) => error), reason);
    assert.equal(getEventListeners(controller.signal, "abort").length, 0);
    const done = assert.rejects(closed ?? Promise.resolve(), { code: "closed" });
    await pods.close();
    await done;
    for (const watch of watches) assert.deepEqual(await watch.next(), { done: true, value: undefined });
    while (kubelet.watchers > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test("throw() ends only its own stream and rejects with the given error", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const other = pods.watchPods();
    await synced(other);
    for (const stream of [pods.watchPods(), pods.informer().snapshots()]) {
      assert.equal((await stream.next()).done, false);
      const reason = new Error("mine");
      assert.equal(await stream.throw?.(reason).catch((error) => error), reason);
      assert.deepEqual(await stream.next(), { done: true, value: undefined });
    }
    kubelet.updatePod(changed(unfinished[0] ?? {}, "6"));
    assert.equal((await next(other)).type, "MODIFIED");
    await other.return?.();
  });

  test("rejects resync intervals below a second or above an hour", async (t) => {
    const { pods } = await kubeletAndClient(t);
    const readers = [pods.watchPods, pods.watchContainers, pods.informer].map((open) => open.bind(pods));
    for (const open of readers) {
      for (const resyncIntervalMs of [999, 3_600_001, Number.POSITIVE_INFINITY])
        assert.throws(() => open({ resyncIntervalMs }), { code: "invalid-argument", message: /resyncIntervalMs/ });
      for (const resyncIntervalMs of [1_000, 3_600_000]) open({ resyncIntervalMs });
    }
  });

  test("rejects a second iteration and invalid options", async (t) => {
    const { pods } = await kubeletAndClient(t);
    const watch = pods.watchPods();
    for await (const event of watch) if (event.type === "SYNCED") break;
    assert.throws(() => watch[Symbol.asyncIterator](), { code: "invalid-argument", message: /once/ });
    assert.throws(() => pods.watchPods({ resyncIntervalMs: 10 }), { code: "invalid-argument" });
    assert.throws(() => pods.watchPods({ timeoutMs: 10 } as never), { message: /unknown option timeoutMs/ });
  });
});

describe("the informer", { concurrency: true }, () => {
  async function informed(t: TestContext) {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const informer = pods.informer();
    await informer.synced();
    return { kubelet, pods, informer };
  }

  test("finds pods by UID, name, address and container", async (t) => {
    const { informer } = await informed(t);
    assert.equal(informer.size, unfinished.length);
    const web = informer.get({ namespace: "shop", name: "web-6bf9d8c7d5-2lm8z" });
    assert.ok(web?.status);
    assert.equal(informer.get({ uid: uidOf(web) }), web);
    assert.equal(informer.get({ ip: web.status.podIP }), web);
    const id = web.status.containerStatuses[0]?.containerID ?? "";
    assert.match(id, /^containerd:\/\//);
    assert.equal(informer.get({ containerID: id }), web);
    assert.equal(informer.get({ containerID: id.replace("containerd://", "") }), web);
    assert.equal(
      informer.get({ ip: "10.0.0.11" }),
      undefined,
      "pods on the host's network have no address of their own",
    );
    assert.equal(informer.list((pod) => pod.metadata?.namespace === "shop").length, 7);
    assert.deepEqual(
      [informer.get({ uid: "nobody" }), informer.get({ namespace: "a", name: "b" })],
      [undefined, undefined],
    );
    assert.throws(() => informer.get({ uid: undefined } as never), /get: uid is undefined/);
    assert.throws(() => informer.list({ namespace: "shop" } as never), {
      code: "invalid-argument",
      hint: /options of informer/,
    });
    await assert.rejects(informer.confirmAbsent("a-uid" as never), {
      code: "invalid-argument",
      message: /must be a list of UIDs/,
    });
  });

  test("confirmAbsent() confirms none while a listed pod has no readable UID", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const informer = pods.informer();
    await informer.synced();
    assert.deepEqual(await informer.confirmAbsent(["ghost"]), ["ghost"]);
    const [pod] = informer.list();
    kubelet.faults.corruptPod(pod?.metadata.uid ?? "", "before-identity");
    assert.deepEqual(await informer.confirmAbsent(["ghost"]), [], "it may be that one");
  });

  test("counts streams and later lists, and diagnostics report the number of pods", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const told: unknown[] = [];
    const onMessage = (message: unknown) => {
      const news = message as WatchMessage;
      if (news.socketPath === kubelet.socketPath && news.type === "synced") told.push(news);
    };
    watchChannel.subscribe(onMessage);
    t.after(() => watchChannel.unsubscribe(onMessage));
    const informer = pods.informer();
    await informer.synced();
    const { counters } = informer.state;
    assert.deepEqual([counters.streams, counters.resyncs, counters.malformed], [1, 0, 0]);
    const again = listed(kubelet.socketPath);
    await kubelet.restart({ firstStatusMs: 0 });
    await again;
    const { streams, resyncs } = informer.state.counters;
    assert.ok(streams >= 2, "failed streams count, too");
    assert.equal(resyncs, 1);
    const all = sampleNode().length;
    const synced = { type: "synced", socketPath: kubelet.socketPath, pods: all, changes: all, unconfirmed: 0 };
    assert.deepEqual(told, [synced, synced], "the new process has stamped them all anew");
    await informer.close();
  });

  test("is stale during an outage and keeps the last known pods", async (t) => {
    const { kubelet, informer } = await informed(t);
    const before = informer.state;
    assert.equal(before.phase, "synced");
    await pause(environmentOf(t).clock, 20); // so that the two times differ
    const restarted = kubelet.restart({ downtimeMs: 50, firstStatusMs: 0 });
    for await (const event of informer) if (event.type === "DISCONNECTED") break;
    const { phase, error, since } = informer.state;
    assert.equal(phase, "stale");
    assert.ok(error?.retryable);
    assert.ok(since.getTime() >= before.since.getTime() + 15, "since the outage, not since the start");
    assert.equal(informer.size, unfinished.length);
    await restarted;
    await informer.synced();
    assert.deepEqual([informer.state.phase, informer.state.error], ["synced", undefined]);
  });

  test("a closed informer keeps its last pods and state", async (t) => {
    const { kubelet, pods, informer } = await informed(t);
    const other = pods.informer({ mask: ["metadata.uid"], resyncIntervalMs: 1_000 });
    await other.synced();
    const before = { size: informer.size, list: informer.list(), state: informer.state.unconfirmed };
    await informer.close();
    const [gone] = unfinished;
    kubelet.finishPod(uidOf(gone));
    for await (const event of other) if (event.type === "DELETED") break;
    await listed(kubelet.socketPath); // with less of each pod than the closed one had
    assert.deepEqual({ size: informer.size, list: informer.list(), state: informer.state.unconfirmed }, before);
    assert.equal(informer.get({ uid: uidOf(gone) })?.metadata?.uid, uidOf(gone));
    assert.deepEqual(
      informer.get({ namespace: gone?.metadata?.namespace ?? "", name: gone?.metadata?.name ?? "" }),
      informer.get({ uid: uidOf(gone) }),
    );
  });

  test("emits a snapshot after an outage, even if nothing changed", async (t) => {
    const { kubelet, informer } = await informed(t);
    const snapshots = informer.snapshots();
    await snapshots.next();
    const stale = (async () => {
      for await (const event of informer) if (event.type === "DISCONNECTED") return;
    })();
    const restarted = kubelet.restart({ downtimeMs: 50, firstStatusMs: 0 });
    await stale;
    const again = snapshots.next();
    await restarted;
    assert.equal((await again).value?.length, unfinished.length);
    await snapshots.return?.();
  });

  test("`await using` ends watches, informer iterators and snapshots", async (t) => {
    const { pods, informer } = await informed(t);
    const made = [pods.watchPods(), informer[Symbol.asyncIterator](), informer.snapshots()];
    for (const stream of made) {
      {
        await using used = stream;
        assert.equal((await used.next()).done, false);
      }
      assert.deepEqual(await stream.next(), { done: true, value: undefined });
      await stream[Symbol.asyncDispose]();
    }
  });

  test("a name resolves to the latest pod that is neither finished nor terminating", async (t) => {
    const now = environmentOf(t).clock.wallMs();
    const at = (seconds: number) => new Date(Math.floor(now / 1_000) * 1_000 + seconds * 1_000).toISOString();
    const pod = (
      uid: string,
      more: PodJson["metadata"],
      status: PodJson["status"] = { phase: "Running" },
    ): PodJson => ({
      metadata: { name: "twin", namespace: "d", uid, creationTimestamp: at(0).replace(".000", ""), ...more },
      spec: { containers: [] },
      status,
    });
    const staticPod = (uid: string, seenS: number) => {
      const made = pod(uid, {
        annotations: { "kubernetes.io/config.source": "file", "kubernetes.io/config.seen": at(seenS) },
      });
      delete made.metadata?.creationTimestamp;
      return made;
    };
    const orders: [PodJson, PodJson][] = [
      [pod("a", {}), pod("b", { creationTimestamp: at(9).replace(".000", "") }, { phase: "Succeeded" })],
      [
        pod("a", {}),
        pod("b", { creationTimestamp: at(9).replace(".000", ""), deletionTimestamp: at(30).replace(".000", "") }),
      ],
      [pod("a", { creationTimestamp: at(9).replace(".000", "") }), pod("b", {})],
      [staticPod("a", 9), staticPod("b", 3)],
      [pod("a", {}), pod("b", {})],
    ];
    for (const [first, second] of orders) {
      const { pods } = await kubeletAndClient(t, { pods: [second, first] });
      const twins = pods.informer({ includeFinished: true });
      await twins.synced();
      assert.equal(twins.get({ namespace: "d", name: "twin" })?.metadata?.uid, "a");
    }
  });

  test("synced() rejects with the current error, the signal's reason, or `closed`", async (t) => {
    const informer = clientOf(t, { socketPath: join(temporaryDirectory(t), "no.sock") }).informer();
    for await (const { type } of informer) if (type === "DISCONNECTED") break; // it knows what is in the way
    await assert.rejects(informer.synced({ timeoutMs: 1 }), { code: "socket-missing" });
    assert.equal(informer.state.phase, "connecting");
    assert.deepEqual([informer.size, informer.list(), informer.get({ ip: "10.244.1.15" })], [0, [], undefined]);
    await assert.rejects(informer.synced({ timeout: 1 } as never), /synced: unknown option timeout/);
    await assert.rejects(informer.synced({ signal: AbortSignal.abort(new Error("mine")) }), { message: "mine" });
    const closed = assert.rejects(informer.synced(), { code: "closed" });
    await informer.close();
    await closed;
    const { since } = informer.state;
    assert.equal(informer.state.phase, "closed");
    await informer.close();
    assert.equal(informer.state.since, since, "it is closed once");
    await assert.rejects(informer[Symbol.asyncIterator]().next(), { code: "closed" });
  });

  test("iterators and snapshots share the informer's stream and end with it", async (t) => {
    const { kubelet, pods, informer } = await informed(t);
    const snapshots = informer.snapshots();
    assert.equal((await snapshots.next()).value?.length, unfinished.length);
    const [iterator, waiting] = [informer[Symbol.asyncIterator](), snapshots.next()];
    assert.equal((await synced(iterator)).length, unfinished.length + 1);
    assert.equal(kubelet.watchers, 1);
    kubelet.finishPod(uidOf(unfinished[0]));
    // Its containers end, then it: told one after the other, or both at once to who was busy.
    let list = (await waiting).value;
    if (list?.length === unfinished.length) list = (await snapshots.next()).value;
    assert.equal(list?.length, unfinished.length - 1);
    let event = await next(iterator);
    if (event.type === "MODIFIED") event = await next(iterator);
    assert.equal(event.type, "DELETED");
    const ended = assert.rejects(iterator.next(), { code: "closed" });
    await informer.close();
    await informer.close();
    await ended;
    assert.equal(informer.size, unfinished.length - 1, "reads go on");
    while (kubelet.watchers > 0) await pods.probe();
  });

  test("emits the removal of a finished pod after the next list [#84]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    await using informer = pods.informer({ includeFinished: true, resyncIntervalMs: 1_000 });
    await informer.synced();
    assert.equal(informer.size, sampleNode().length);
    const finished = sampleNode().find((pod) => pod.status?.phase === "Succeeded");
    kubelet.removePod(uidOf(finished));
    for await (const event of informer) if (event.type === "DELETED") break;
    assert.equal(informer.get({ uid: uidOf(finished) }), undefined);
  });

  test("closing the client closes the informer", async (t) => {
    const { kubelet } = await kubeletAndClient(t);
    const pods = new PodsClient({ socketPath: kubelet.socketPath });
    const informer = pods.informer();
    await informer.synced();
    await pods.close();
    assert.equal(informer.state.phase, "closed");
    assert.throws(() => pods.informer(), { code: "closed" });
  });
});

test("a slow loop over known pods yields to the event loop", async (t) => {
  const { socketPath } = await kubeletOf(t, { pods: sampleNode() });
  const pods = clientOf(t, { socketPath }, systemEnvironment); // on whose clock time passes while somebody is busy
  const first = pods.watchPods();
  await synced(first); // so that the second is told everything from memory
  let turns = 0;
  const interval = setInterval(() => turns++, 0);
  for await (const event of pods.watchPods()) {
    if (event.type === "SYNCED") break;
    for (const startMs = performance.now(); performance.now() - startMs < 5; );
  }
  clearInterval(interval);
  assert.ok(turns >= 3, `${turns} turns while ${unfinished.length} pods took 5 ms each`);
  await first.return?.();
});

test("concurrent next() calls receive snapshots in order", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: [] });
  const manifest = (uid: string) => ({ metadata: { uid, namespace: "n", name: uid }, spec: { containers: [] } });
  kubelet.addPod(manifest("a"));
  const lists = pods.informer().snapshots();
  const waiting = [lists.next(), lists.next()];
  await Promise.race(waiting);
  kubelet.addPod(manifest("b"));
  const sizes = (await Promise.all(waiting)).map(({ value }) => value?.length);
  assert.deepEqual(sizes, [1, 2]);
});
