// `kubelet-pods probe`, as a shell sees it.

import assert from "node:assert/strict";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { test } from "../helpers/test.js";
import { kubeletOf, ran } from "./console.js";

test("prints the version, the socket and the time of the answer, also as JSON", async (t) => {
  const kubelet = await kubeletOf(t);
  const { code, output, errors } = await ran(kubelet, ["probe"]);
  assert.deepEqual([code, errors], [0, ""]);
  assert.match(output, /^ready: v1alpha1 on \/\S+, answered in \d+ ms\n$/);
  for (const args of [["-o", "json"], ["--output", "json"], ["--json"]]) {
    const { ready, apiVersion, socketPath, latencyMs } = JSON.parse((await ran(kubelet, ["probe", ...args])).output);
    assert.deepEqual([ready, apiVersion, socketPath], [true, "v1alpha1", kubelet.socketPath]);
    assert.ok(Number.isInteger(latencyMs), `${latencyMs}`);
  }
});

test("prints why a kubelet is not ready, and what to do", async (t) => {
  const kubelet = await kubeletOf(t);
  kubelet.setInitializing(true);
  const { code, output, errors } = await ran(kubelet, ["probe"]);
  assert.deepEqual([code, output], [3, ""]);
  assert.match(errors, /^kubelet-pods probe: initializing: [^\n]+\nhint: [^\n]+\n$/);
  const json = await ran(kubelet, ["probe", "-o", "json"]);
  assert.deepEqual([json.code, JSON.parse(json.output).code], [3, "initializing"]);
});

test("--kubelet-version 1.36 waits until the kubelet has read its pods", async (t) => {
  const clock = new AutoAdvanceClock();
  const kubelet = await ReferenceKubelet.start({ profile: "1.36", pods: sampleNode(), initializing: true }, clock);
  t.after(() => kubelet.close());
  const probe = () => ran(kubelet, ["probe", "--kubelet-version", "1.36"], clock);
  const { code, output, errors } = await probe();
  assert.deepEqual([code, output], [3, ""]);
  assert.match(errors, /probe: initializing: the kubelet may not have read all of its pods\nhint: /);
  kubelet.setInitializing(false);
  const startMs = clock.now();
  const read = await probe();
  assert.equal(read.code, 0, read.errors);
  assert.match(read.output, /answered in \d{1,2} ms\n$/);
  assert.ok(clock.now() - startMs < 5_000, `${clock.now() - startMs} ms`);
});
