// node --import tsx --test examples/test-your-agent/agent.test.ts

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ReferenceKubelet, type ReferenceKubeletOptions, sampleNode } from "kubelet-pods/testing";
import { agent } from "./agent.js";

const WEB = sampleNode().find((pod) => pod.metadata?.name === "web-6bf9d8c7d5-2lm8z") ?? {};
const LEDGER = sampleNode().find((pod) => pod.metadata?.name === "ledger-1") ?? {};
const [WEB_IP, LEDGER_IP] = [WEB, LEDGER].map((pod) => pod.status?.podIP ?? "") as [string, string];
const [WEB_UID, LEDGER_UID] = [WEB, LEDGER].map((pod) => pod.metadata?.uid ?? "") as [string, string];

/** Starts the agent on a kubelet with two pods. Returns a function that waits for its reports. */
async function started(t: TestContext, options: ReferenceKubeletOptions = {}) {
  const kubelet = await ReferenceKubelet.start({ pods: [WEB, LEDGER], ...options });
  const controller = new AbortController();
  const reports: string[] = [];
  let wake = () => {};
  const running = agent({
    socketPath: kubelet.socketPath,
    resyncIntervalMs: 1_000, // finds changes without an event soon; the minimum is one second
    signal: controller.signal,
    report(addresses, state) {
      reports.push(`${state}: ${addresses.join(" ")}`);
      wake();
    },
  });
  t.after(async () => {
    controller.abort();
    await running;
    await kubelet.close();
  });
  const reported = async (what: string) => {
    while (reports.at(-1) !== what) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { kubelet, reports, reported };
}

const both = `current: ${[WEB_IP, LEDGER_IP].sort().join(" ")}`;

test("knows the pods that are ready, and those that come and go", async (t) => {
  const { kubelet, reports, reported } = await started(t);
  await reported(both);
  assert.deepEqual(reports, [both], "nothing is reported before everything is known");
  kubelet.finishPod(WEB_UID);
  await reported(`current: ${LEDGER_IP}`);
});

test("an evicted pod is no target, though it is Ready and its containers run for a while", async (t) => {
  const { kubelet, reported } = await started(t);
  await reported(both);
  kubelet.evictPod(WEB_UID);
  await reported(`current: ${LEDGER_IP}`);
});

test("waits for a kubelet that has not read its pods yet", async (t) => {
  const { kubelet, reported } = await started(t, { initializing: true });
  await reported("stale: ");
  kubelet.setInitializing(false);
  await reported(both);
});

test("keeps what it knows while the kubelet restarts, and says that it may be out of date", async (t) => {
  const { kubelet, reports, reported } = await started(t);
  await reported(both);
  const restarted = kubelet.restart({ downtimeMs: 200, initializingMs: 200 });
  await reported(`stale: ${both.slice("current: ".length)}`);
  await restarted;
  await reported(both);
  assert.ok(reports.length > 2);
});

test("finds a change without an event", async (t) => {
  const { kubelet, reported } = await started(t);
  await reported(both);
  kubelet.faults.dropEvents(2);
  kubelet.finishPod(LEDGER_UID);
  await reported(`current: ${WEB_IP}`);
});
