import assert from "node:assert/strict";
import { join } from "node:path";
import { sampleNode } from "../../src/testing/index.js";
import { serveFrames } from "../helpers/hostile.js";
import { clientOf, environmentOf, kubeletAndClient, serve, temporaryDirectory } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

test("reports a kubelet as ready with every API version", async (t) => {
  for (const [profile, apiVersion] of [
    ["1.37", "v1alpha1"],
    ["v1beta1", "v1beta1"],
    ["v1", "v1"],
    ["documented", "documented"],
  ] as const) {
    const { kubelet, pods } = await kubeletAndClient(t, { profile, pods: sampleNode() });
    kubelet.faults.delay(30);
    const { latencyMs, ...result } = await pods.probe();
    assert.deepEqual(result, { ready: true, socketPath: kubelet.socketPath, apiVersion });
    assert.ok(latencyMs >= 30 && latencyMs < 10_000, `${latencyMs}`);
  }
});

test("reports the error code and hint of a failure instead of rejecting", async (t) => {
  const absent = join(temporaryDirectory(t), "no.sock");
  const { pods: initializing } = await kubeletAndClient(t, { initializing: true });
  const closed = clientOf(t, { socketPath: absent });
  await closed.close();
  const cases = [
    [clientOf(t, { socketPath: absent }), "socket-missing", true],
    [clientOf(t, { socketPath: temporaryDirectory(t) }), "not-a-socket", false],
    [initializing, "initializing", true],
    [clientOf(t, { socketPath: await serve(t, () => {}) }), "not-served", false],
    [clientOf(t, { socketPath: await serveFrames(t, () => {}), timeoutMs: 50 }), "deadline", true],
    [closed, "closed", false],
  ] as const;
  for (const [pods, code, retryable] of cases) {
    const result = await pods.probe();
    assert.ok(!result.ready);
    assert.deepEqual([result.code, result.retryable], [code, retryable]);
    assert.ok(
      result.message !== "" && (result.hint === "" || !result.message.includes(result.hint)),
      "the message does not repeat the hint",
    );
  }
});

test("timeoutMs limits probe(), and an invalid value is reported as a failure", async (t) => {
  const pods = clientOf(t, { socketPath: await serveFrames(t, () => {}) });
  const late = await pods.probe({ timeoutMs: 30 });
  assert.ok(!late.ready && late.code === "deadline");
  const wrong = await pods.probe({ timeoutMs: Number.NaN });
  assert.ok(!wrong.ready && wrong.code === "invalid-argument");
});

test("a probe of a 1.36 kubelet waits for its pods without retry, too, and never longer than timeoutMs", async (t) => {
  const { clock } = environmentOf(t);
  const { kubelet } = await kubeletAndClient(t, { profile: "1.36", pods: sampleNode(), initializing: true });
  const pods = clientOf(t, { socketPath: kubelet.socketPath, kubeletVersion: "1.36", retry: false });
  const startMs = clock.now();
  const early = await pods.probe({ timeoutMs: 3_000 });
  assert.ok(!early.ready && early.code === "initializing");
  assert.ok(clock.now() - startMs <= 3_000, `${clock.now() - startMs} ms`);
  kubelet.setInitializing(false);
  assert.ok((await pods.probe()).ready);
});
