// An informer's health, for the probes of an agent.

import assert from "node:assert/strict";
import { PodsClient } from "../../src/client.js";
import { healthOf } from "../../src/readers/health.js";
import { sampleNode } from "../../src/testing/index.js";
import { type Clock, systemClock } from "../../src/timing/clock.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

test("health is derived from the phase and the age of the view", () => {
  const error = { code: "connection-refused" } as never;
  for (const [phase, why, ageMs, expected] of [
    ["connecting", undefined, undefined, "live, not ready: connecting"],
    ["connecting", error, undefined, "live, not ready: connecting (connection-refused)"],
    ["synced", undefined, 0, "live, ready: synced"],
    ["synced", undefined, 1_000, "live, ready: synced"],
    ["synced", undefined, 61_000, "live, not ready: not confirmed for 61 s"],
    ["stale", error, 12_400, "live, ready: stale for 12 s (connection-refused)"],
    ["stale", error, 60_001, "live, not ready: stale for 60 s (connection-refused)"],
    ["closed", undefined, 5, "not live, not ready: closed"],
  ] as const) {
    const health = healthOf({ phase, error: why }, ageMs, 60_000);
    const words = `${health.live ? "" : "not "}live, ${health.ready ? "" : "not "}ready: ${health.reason}`;
    assert.deepEqual([words, health.ageMs], [expected, ageMs]);
  }
});

test("an informer is live until closed, and ready while its view is recent", async (t) => {
  const { kubelet } = await kubeletAndClient(t, { pods: sampleNode(), initializing: true });
  let skippedMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
  const client = new PodsClient({ socketPath: kubelet.socketPath }, { clock, random: Math.random });
  t.after(() => client.close());
  const informer = client.informer({ resyncIntervalMs: 1_000_000 });
  const health = () => informer.health({ maxAgeMs: 1_500_000 });
  const { live, ready, ageMs } = health();
  assert.deepEqual([live, ready, ageMs], [true, false, undefined]);
  kubelet.setInitializing(false);
  await informer.synced();
  assert.equal(health().ready, true);
  assert.ok((health().ageMs ?? -1) >= 0);
  skippedMs = 1_600_000;
  assert.equal(health().ready, false);
  assert.match(health().reason, /^not confirmed for 16\d\d s$/);
  const events = informer[Symbol.asyncIterator]();
  kubelet.addPod({
    metadata: { uid: "u", namespace: "n", name: "a" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  for (;;) {
    const { value } = await events.next();
    if (value?.type === "ADDED" && value.pod.metadata.uid === "u") break;
  }
  assert.equal(health().ready, true, "an event confirms it");
  await informer.close();
  assert.deepEqual([health().live, health().ready, health().reason], [false, false, "closed"]);
});

test("an informer is live but not ready while the list may be incomplete", async (t) => {
  const { pods } = await kubeletAndClient(t, { profile: "1.36" }, { kubeletVersion: "1.36" });
  const informer = pods.informer();
  await until(t, () => informer.state.error !== undefined);
  assert.deepEqual(informer.health(), {
    live: true,
    ready: false,
    ageMs: undefined,
    reason: "connecting (initializing)",
  });
});

test("rejects a maxAgeMs that a quiet node exceeds, with a hint", async (t) => {
  const { pods } = await kubeletAndClient(t);
  const informer = pods.informer();
  for (const maxAgeMs of [143_999, 0, -1, Number.NaN]) {
    assert.throws(() => informer.health({ maxAgeMs }), { code: "invalid-argument", hint: /144000/ });
  }
  assert.throws(() => informer.health({ maxAge: 1 } as never), { code: "invalid-argument" });
  assert.equal(informer.health({ maxAgeMs: 144_000 }).live, true);
  assert.equal(informer.health().live, true);
});
