// The differences between kubelets of 1.38 and 1.37: what the reference kubelet serves, and what clients report.

import assert from "node:assert/strict";
import { RawClient } from "../../src/conformance/raw-client.js";
import { toKubernetesJson } from "../../src/index.js";
import type { PodInput } from "../../src/testing/index.js";
import { clientOf, environmentOf, kubeletAndClient, kubeletOf } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const UID = "2c4d8b1e-0000-4000-8000-000000000001";
const probe = { tcpSocket: { port: 80 } };
const WEB: PodInput = {
  metadata: { uid: UID, namespace: "shop", name: "web" },
  spec: { containers: [{ name: "main", image: "app:1", readinessProbe: probe, startupProbe: probe }] },
};
const PROFILES = ["1.38", "1.37"] as const;

/** Holds the rate limit of a kubelet for as long as its clock stands still. */
async function useUp(t: TestContext, socketPath: string): Promise<string[]> {
  const neighbour = new RawClient({ socketPath });
  t.after(() => neighbour[Symbol.asyncDispose]());
  const answers = await Promise.all(Array.from({ length: 20 }, () => neighbour.list()));
  return answers.map((answer) => (answer.ok ? "listed" : `${answer.code}: ${answer.text}`));
}

describe("the rate limit", () => {
  test("refuses a watch of 1.38, which is rate-limited and retried within 1.2 s", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { profile: "1.38", pods: [WEB] });
    assert.ok((await useUp(t, kubelet.socketPath)).includes("ResourceExhausted: rejected by rate limit"));
    const events: string[] = [];
    for await (const event of pods.watchPods()) {
      events.push(event.type === "DISCONNECTED" ? `${event.type} ${event.error.code}` : event.type);
      if (event.type === "SYNCED") break;
    }
    assert.deepEqual(events, ["DISCONNECTED rate-limited", "ADDED", "SYNCED"]);
  });

  test("does not refuse a watch of 1.37", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { profile: "1.37", pods: [WEB] });
    await useUp(t, kubelet.socketPath);
    for await (const event of pods.watchPods()) {
      assert.notEqual(event.type, "DISCONNECTED");
      if (event.type === "SYNCED") break;
    }
  });

  for (const kill of [true, false]) {
    test(`fifty clients are synced within 2 s of a restart ${kill ? "by SIGKILL" : "by SIGTERM"}, and none is dropped by the limit`, async (t) => {
      const { kubelet } = await kubeletAndClient(t, { profile: "1.38", pods: [WEB] });
      const clients = Array.from({ length: 50 }, () => clientOf(t, { socketPath: kubelet.socketPath }));
      const informers = clients.map((pods) => pods.informer());
      await Promise.all(informers.map((informer) => informer.synced()));
      const before = informers.map(({ state }) => state.counters.losses["dropped"] ?? 0);
      await kubelet.restart({ kill });
      const isBack = () => informers.every(({ state }) => state.phase === "synced");
      const { clock } = environmentOf(t);
      const startMs = clock.now();
      await until(t, isBack);
      assert.ok(clock.now() - startMs < 2_000, `${clock.now() - startMs} ms`);
      const { losses } = informers
        .map(({ state }) => state.counters)
        .reduce((a, b) => (a.losses["rate-limited"] ? a : b));
      assert.ok((losses["rate-limited"] ?? 0) > 0, "the limit refused some");
      const dropped = informers.map(({ state }, i) => (state.counters.losses["dropped"] ?? 0) - (before[i] ?? 0));
      assert.deepEqual([...new Set(dropped)], [kill ? 0 : 1], "only the end of the old process drops a watch");
    });
  }
});

describe("an evicted pod whose containers exit with 0", () => {
  for (const [profile, last] of [
    ["1.38", ["Failed", "Evicted"]],
    ["1.37", ["Succeeded", ""]],
  ] as const) {
    test(`${profile}: its last status is ${last.join(" ").trim()}`, async (t) => {
      const kubelet = await kubeletOf(t, { profile, pods: [WEB] });
      kubelet.startPod(UID);
      kubelet.evictPod(UID);
      kubelet.endContainer(UID, "main", { exitCode: 0 });
      const { phase, reason, message } = kubelet.pods[0]?.status ?? {};
      assert.deepEqual([phase, reason ?? ""], last);
      assert.equal((message ?? "") !== "", profile === "1.38");
    });
  }

  for (const profile of PROFILES) {
    test(`${profile}: an agent that was there reports Evicted`, async (t) => {
      const { kubelet, pods } = await kubeletAndClient(t, { profile, pods: [WEB] });
      kubelet.startPod(UID);
      const informer = pods.informer({ retainMs: 600_000 });
      await informer.synced();
      kubelet.evictPod(UID);
      kubelet.finishPod(UID);
      await until(t, () => informer.find({ uid: UID }).gone !== undefined);
      assert.equal(informer.find({ uid: UID }).gone?.end?.reason, "Evicted");
    });
  }
});

describe("a container that was replaced while the kubelet was down", () => {
  for (const [profile, expected] of [
    ["1.38", { ready: false, started: false }],
    ["1.37", { ready: true, started: true }],
  ] as const) {
    test(`${profile}: its first status is ${expected.ready ? "ready" : "neither ready nor started"}`, async (t) => {
      const { kubelet, pods } = await kubeletAndClient(t, { profile, pods: [WEB] });
      kubelet.startPod(UID);
      const statuses: object[] = [];
      let isDown = false;
      for await (const event of pods.watchPods()) {
        if (event.type === "SYNCED" && !isDown) void kubelet.restart({ downtimeMs: 10_000, kill: true });
        if (event.type === "DISCONNECTED" && !isDown) {
          isDown = true;
          kubelet.restartContainer(UID, "main");
        }
        if (event.type !== "MODIFIED") continue;
        const { ready, started } = event.pod.status.containerStatuses[0] ?? assert.fail();
        statuses.push({ ready, started });
        if (statuses.length === (profile === "1.38" ? 3 : 2)) break;
      }
      // The pod as the API server has it, its first status, and, once it was probed, the last one.
      assert.deepEqual(statuses[1], expected);
      assert.deepEqual(statuses.at(-1), { ready: true, started: true });
    });
  }
});

test("static pods have the same UIDs with 1.37 and 1.38, and others with 1.36", async (t) => {
  const kubelet = await kubeletOf(t, { profile: "1.36" });
  const uids = [
    kubelet.addStaticPod({ metadata: { name: "static" }, spec: { containers: [{ name: "main", image: "app:1" }] } }),
  ];
  for (const profile of ["1.37", "1.38"] as const) {
    await kubelet.restart({ profile, firstStatusMs: 0 });
    uids.push(kubelet.pods[0]?.metadata?.uid ?? "");
  }
  assert.notEqual(uids[0], uids[1]);
  assert.equal(uids[1], uids[2]);
});

test("a ready pod that was added while a 1.38 kubelet was down stays ready", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { profile: "1.38", pods: [WEB] });
  kubelet.startPod(UID);
  const json = toKubernetesJson(kubelet.pods[0] ?? assert.fail());
  const added: PodInput = { ...json, metadata: { uid: "added", namespace: "shop", name: "added" } };
  let isDown = false;
  for await (const event of pods.watchPods()) {
    if (event.type === "SYNCED" && !isDown) void kubelet.restart({ downtimeMs: 10_000, kill: true });
    if (event.type === "DISCONNECTED" && !isDown) {
      isDown = true;
      kubelet.addPod(added);
    }
    if (event.type !== "MODIFIED" || event.pod.metadata.uid !== "added") continue;
    assert.equal(event.pod.status.containerStatuses[0]?.ready, true, "its first status");
    break;
  }
});
