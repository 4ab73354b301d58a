// Our calls against the kubelet's own limiter, its readiness, its death, and grpc-go's ping policy.

import assert from "node:assert/strict";
import { once } from "node:events";
import http2 from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import type { RetryMessage } from "../../src/diagnostics.js";
import { retryChannel } from "../../src/diagnostics.js";
import { EventType } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsClient, type PodsError } from "../../src/index.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { sampleNode } from "../../src/testing/index.js";
import { endSession } from "../helpers/hostile.js";
import { describe, test } from "../helpers/test.js";
import { heard, until } from "../helpers/until.js";
import { eventsIn, openRaw } from "../scenarios/raw-watch.js";
import { GoKubelet, goVersions, noGo } from "./go-kubelet.js";

const [pod] = sampleNode();
const uid = pod?.metadata?.uid ?? "";

for (const version of goVersions) {
  describe(`calls to the kubelet of ${version}`, { skip: noGo }, () => {
    test("500 concurrent getPod calls succeed with the defaults", async (t) => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await kubelet.do("add", { pods: sampleNode() });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const retries = countRetries(kubelet.socketPath);
      const startMs = performance.now();
      await Promise.all(Array.from({ length: 500 }, () => pods.getPod(uid)));
      t.diagnostic(`${Math.round(performance.now() - startMs)} ms, ${retries.stop()} rejections`);
    });

    test("calls of fifty looping clients all succeed, with fewer rejections than without pacing [#31 #71]", async (t) => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await kubelet.do("add", { pods: sampleNode() });
      const [unpaced, paced] = [await loopUnpaced(kubelet.socketPath), await loopPaced(kubelet.socketPath)];
      t.diagnostic(`without pacing: ${unpaced.rejected} of ${unpaced.sent} rejected, ${unpaced.done} lists in 5 s`);
      t.diagnostic(`with pacing: ${paced.rejected} of ${paced.sent} rejected, ${paced.done} lists in 5 s`);
      assert.equal(paced.failed, 0, "every call within its deadline");
      assert.ok(paced.rejected / paced.sent < unpaced.rejected / unpaced.sent);
    });

    test("waits for a kubelet that becomes ready [#29]", async () => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim", ready: false });
      await kubelet.do("add", { pods: sampleNode() });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const refused = heard<RetryMessage>("kubelet-pods:retry", kubelet.socketPath, ({ error }) => {
        return error.code === "initializing";
      });
      const call = pods.listPods();
      await Promise.race([refused, call]); // 1.36 answers, ready or not
      await kubelet.do("ready", { value: true });
      assert.equal((await call).length, sampleNode().length);
    });

    test("recovers from SIGKILL and a restart at the same path, and waits until the new process has read its pods", async () => {
      const first = await GoKubelet.start(version, { mode: "verbatim" });
      await first.do("add", { pods: sampleNode() });
      await using pods = new PodsClient({ socketPath: first.socketPath, kubeletVersion: version });
      assert.equal((await pods.listPods()).length, sampleNode().length);
      await first.kill();
      const call = pods.listPods();
      const directory = first.socketPath.replace(/\/[^/]*$/, "");
      await using second = await GoKubelet.start(version, { mode: "verbatim", directory, ready: false });
      // 1.37 refuses calls, and 1.36 lists no pods.
      const refused = heard<RetryMessage>("kubelet-pods:retry", first.socketPath, ({ error }) => {
        return error.code === "initializing";
      });
      await Promise.race([refused, call]);
      await second.do("add", { pods: sampleNode() });
      await second.do("ready", { value: true });
      assert.equal((await call).length, sampleNode().length);
      await first[Symbol.asyncDispose]();
    });

    test("the kubelet disconnects a client that pings often, but not ours [#23]", async (t) => {
      await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
      await kubelet.do("add", { pods: sampleNode() });
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      const watch = pods.watchPods();
      while ((await watch.next()).value?.type !== "SYNCED");
      let ended = false;
      const next = watch.next().catch(() => {
        ended = true;
      });

      // grpc-go allows one PING in five minutes and tolerates two more. It resets its count when it sends data, so the test waits for the
      // last event of the list before it sends PINGs.
      const { session, stream } = openRaw(kubelet.socketPath);
      const goaway = once(session, "goaway");
      let bytes = Buffer.alloc(0);
      stream.on("data", (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
      });
      await until(t, () => eventsIn(bytes).at(-1)?.type === EventType.INITIAL_SYNC_COMPLETE);
      for (let i = 0; i < 5; i++) session.ping(() => {});
      const [code, , opaque] = (await goaway) as [number, number, Buffer];
      assert.equal(code, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      assert.equal(opaque.toString(), "too_many_pings");
      endSession(session);

      assert.equal(ended, false);
      await watch.return?.();
      await next;
    });
  });
}

function countRetries(ofSocketPath: string): { stop(): number } {
  let count = 0;
  const listener = (message: unknown) => {
    const { error, socketPath } = message as RetryMessage;
    if (socketPath === ofSocketPath && error.code === "rate-limited") count++;
  };
  retryChannel.subscribe(listener);
  return {
    stop() {
      retryChannel.unsubscribe(listener);
      return count;
    },
  };
}

interface Figures {
  sent: number;
  rejected: number;
  done: number;
  failed: number;
}

/** Fifty clients that ask again as soon as they are answered, for five seconds. */
async function loop(one: (figures: Figures, signal: AbortSignal) => Promise<void>): Promise<Figures> {
  const figures: Figures = { sent: 0, rejected: 0, done: 0, failed: 0 };
  const end = AbortSignal.timeout(5_000);
  await Promise.all(Array.from({ length: 50 }, () => one(figures, end)));
  return figures;
}

async function loopPaced(socketPath: string): Promise<Figures> {
  const retries = countRetries(socketPath);
  const figures = await loop(async (figures, end) => {
    await using pods = new PodsClient({ socketPath });
    while (!end.aborted) {
      await pods.listPods().then(
        () => figures.done++,
        () => figures.failed++,
      );
    }
  });
  const rejected = retries.stop();
  return { ...figures, rejected, sent: figures.done + figures.failed + rejected };
}

/** The same with the retries of the calls, and without pacing. */
async function loopUnpaced(socketPath: string): Promise<Figures> {
  return loop(async (figures, end) => {
    const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 26, handshakeTimeoutMs: 5_000 });
    const { signal } = new AbortController();
    for (let failures = 0; !end.aborted; ) {
      figures.sent++;
      try {
        await api.list({ signal });
        figures.done++;
        failures = 0;
      } catch (error) {
        if ((error as PodsError).code !== "rate-limited") throw error;
        figures.rejected++;
        await sleep(Math.max(10, Math.random() * Math.min(1_000, 50 * 2 ** failures++)));
      }
    }
    await api.close();
  });
}
