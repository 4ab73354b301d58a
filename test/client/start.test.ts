// Agents that start beside a kubelet that has just started, or beside none.

import assert from "node:assert/strict";
import { fromKubernetesJson, type PodJson, type PodSource, PodsClient, podsApi } from "../../src/index.js";
import { type ReferenceKubeletOptions, sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { untilAborted } from "../../src/timing/abort.js";
import { clientOf, environmentOf, kubeletAndClient, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const STATIC: PodJson = {
  metadata: {
    uid: "9b1b2b3c4d5e6f708192a3b4c5d6e7f8",
    namespace: "kube-system",
    name: "etcd-node",
    annotations: { "kubernetes.io/config.source": "file" },
  },
};
const ABSENT = "00000000-0000-0000-0000-000000000000";

/** What an agent is told at its start, and after how long. */
async function startOf(t: TestContext, options: ReferenceKubeletOptions, kubeletVersion?: string) {
  const { pods } = await kubeletAndClient(t, options, { kubeletVersion });
  return { pods, within: withinOf(t) };
}

function withinOf(t: TestContext): (ms: number) => boolean {
  const { clock } = environmentOf(t);
  const startMs = clock.now();
  return (ms) => clock.now() - startMs <= ms;
}

describe("a client of a kubelet that has just started", () => {
  for (const [name, options, version] of [
    ["1.37", { pods: sampleNode() }],
    ["1.37 with kubeletVersion", { pods: sampleNode() }, "v1.37.1"],
    ["1.37 without API pods", { pods: [] }],
    ["1.36 without kubeletVersion", { profile: "1.36", pods: sampleNode() }],
  ] as const) {
    test(`lists and syncs at once with ${name}`, async (t) => {
      const { pods, within } = await startOf(t, options, version);
      assert.equal((await pods.listPods()).length > 0, options.pods.length > 0);
      await using informer = pods.informer();
      await informer.synced();
      assert.equal((await pods.watchPods().next()).value?.type, options.pods.length > 0 ? "ADDED" : "SYNCED");
      assert.ok(within(500));
    });
  }

  test("with kubeletVersion 1.36 syncs only after two lists agree", async (t) => {
    const { pods, kubelet } = await kubeletAndClient(
      t,
      { profile: "1.36", pods: sampleNode() },
      { kubeletVersion: "1.36" },
    );
    await kubelet.restart();
    const within = withinOf(t);
    await assert.rejects(pods.listPods({ retry: false }), { code: "initializing", hint: /kubeletVersion/ });
    await using informer = pods.informer();
    await informer.synced();
    assert.ok(!within(1_900) && within(3_000));
    assert.ok((await pods.listPods()).length > 0);
  });

  test("with kubeletVersion 1.36 does not sync without API pods", async (t) => {
    const { pods } = await startOf(t, { profile: "1.36", pods: [] }, "1.36.4");
    await assert.rejects(pods.listPods(), { code: "initializing" });
    await assert.rejects(pods.informer().synced(), { code: "initializing" });
  });
});

test("an informer lists again only when a lookup finds no pod", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { clock } = environmentOf(t);
  await using informer = pods.informer({ resyncIntervalMs: 120_000 });
  await informer.synced();
  const resyncs = () => informer.state.counters.resyncs;
  const pass = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  await pass(30_000);
  const { pod } = informer.find({ ip: "192.0.2.1" });
  assert.deepEqual([pod, resyncs()], [undefined, 0]);
  await pass(1_000);
  assert.equal(resyncs(), 1);
});

test("a slow first list of a source that may lack pods is no proof together with the next one", async (t) => {
  const { clock } = environmentOf(t);
  const podOf = (name: string) => {
    const annotations = { "kubernetes.io/config.source": "api", "kubernetes.io/config.seen": "2025-12-31T23:00:00Z" };
    return encodePod(fromKubernetesJson({ metadata: { uid: `uid-${name}`, name, namespace: "shop", annotations } }));
  };
  const [a, b] = [podOf("a"), podOf("b")];
  let lists = 0;
  const source: PodSource = {
    socketPath: "own",
    version: "own",
    lists: "partial",
    connect: async () => {},
    changed: (signal) => untilAborted(signal),
    get: () => assert.fail("nobody asks"),
    open: () => assert.fail("nobody watches"),
    server: () => "own",
    close: async () => {},
    async list() {
      if (++lists === 1) await new Promise<void>((resolve) => clock.after(2_100, resolve));
      return lists < 3 ? [a] : [a, b];
    },
  };
  const pods = clientOf(t, { sources: [source], timeoutMs: 60_000 });
  assert.equal((await pods.listPods()).length, 2);
});

describe("confirmAbsent", () => {
  test("confirms after two lists with API pods, two seconds apart", async (t) => {
    const { pods, within } = await startOf(t, { pods: sampleNode() });
    await using informer = pods.informer();
    assert.deepEqual(await informer.confirmAbsent([ABSENT]), [ABSENT]);
    assert.ok(!within(1_900) && within(5_000));
  });

  test("confirms at once if kubeletVersion is 1.37", async (t) => {
    const { pods, within } = await startOf(t, { pods: [] }, "1.37");
    await using informer = pods.informer();
    assert.deepEqual(await informer.confirmAbsent([ABSENT]), [ABSENT]);
    assert.ok(within(1_500));
  });

  test("confirms if the kubelet reported that it was initializing", async (t) => {
    const { pods, kubelet } = await kubeletAndClient(t, { pods: [], initializing: true });
    await using informer = pods.informer();
    await assert.rejects(informer.synced({ timeoutMs: 2_000 }), { code: "initializing" });
    kubelet.setInitializing(false);
    assert.deepEqual(await informer.confirmAbsent([ABSENT]), [ABSENT]);
  });

  test("rejects with a hint to set kubeletVersion if the kubelet lists only static pods", async (t) => {
    const { pods } = await startOf(t, { pods: [STATIC] });
    await using informer = pods.informer();
    await assert.rejects(informer.confirmAbsent([ABSENT]), { code: "initializing", hint: /kubeletVersion/ });
    assert.equal(informer.state.phase, "synced");
  });

  test("waits until the first API pod is listed", async (t) => {
    const { pods, kubelet } = await kubeletAndClient(t, { pods: [] });
    await using informer = pods.informer();
    await informer.synced();
    const proof = informer.confirmAbsent([ABSENT], { timeoutMs: 0 });
    kubelet.addPod({ metadata: { ...STATIC.metadata, annotations: {} } });
    assert.deepEqual(await proof, [ABSENT]);
  });
});

test("rejects an invalid kubeletVersion in the options and the environment", () => {
  for (const kubeletVersion of ["", "latest", "1", "v1", "1.x", "1.37beta"])
    assert.throws(() => new PodsClient({ kubeletVersion }), { code: "invalid-argument", message: /kubeletVersion/ });
  for (const kubeletVersion of ["1.37", "v1.36.4", "1.37.1+k3s1", "v1.38.0-eks-1234"])
    assert.doesNotThrow(() => podsApi({ kubeletVersion }));
  process.env["KUBELET_PODS_KUBELET_VERSION"] = "new";
  try {
    assert.throws(() => new PodsClient(), { message: /kubeletVersion must be a Kubernetes version, not new/ });
  } finally {
    delete process.env["KUBELET_PODS_KUBELET_VERSION"];
  }
});

describe("without a kubelet", () => {
  const nowhere = (t: TestContext) =>
    clientOf(t, { socketPath: `${temporaryDirectory(t)}/none.sock`, timeoutMs: 3_000 });

  test("synced() rejects with socket-missing after the client's timeoutMs", async (t) => {
    const pods = nowhere(t);
    const { clock } = environmentOf(t);
    await assert.rejects(pods.informer().synced(), { code: "socket-missing" });
    assert.ok(clock.now() >= 3_000 && clock.now() < 3_500);
  });

  test("synced({ timeoutMs: 0 }) waits without a limit", async (t) => {
    const pods = nowhere(t);
    const { clock } = environmentOf(t);
    const waiting = pods.informer().synced({ timeoutMs: 0 });
    await new Promise<void>((resolve) => clock.after(60_000, resolve));
    await Promise.all([assert.rejects(waiting, { code: "closed" }), pods.close()]);
  });

  test("waitFor() limits only the time that the informer is not synced", async (t) => {
    await assert.rejects(nowhere(t).informer().waitFor({ ip: "10.9.9.9" }), { code: "socket-missing" });
    const { pods, kubelet } = await kubeletAndClient(t, { pods: sampleNode() }, { timeoutMs: 3_000 });
    const { clock } = environmentOf(t);
    const informer = pods.informer();
    await informer.synced();
    const waiting = informer.waitFor({ ip: "10.9.9.9" });
    const settled = waiting.then(
      () => "found",
      (error) => error.code,
    );
    await new Promise<void>((resolve) => clock.after(60_000, resolve));
    assert.equal(informer.state.waiting, 1, "pulling an image may take minutes");
    const awayMs = clock.now();
    await kubelet.close();
    assert.notEqual(await settled, "found");
    assert.ok(clock.now() - awayMs >= 3_000 && clock.now() - awayMs < 7_000);
  });
});
