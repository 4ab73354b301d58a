import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { promisify } from "node:util";
import { PodsClient } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { serveFrames } from "../helpers/hostile.js";
import { clientOf, kubeletAndClient, serveRaw } from "../helpers/kubelet.js";
import { published } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";

test("NODE_DEBUG prints calls and connections but no pod names", async (t) => {
  const { kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
  const program = `
    import { PodsClient } from ${JSON.stringify(published("index.js"))};
    const pods = new PodsClient({ socketPath: process.argv[1] });
    await pods.listPods();
    for await (const event of pods.watchPods()) if (event.type === "SYNCED") break;
    await pods.close();
    await new PodsClient({ socketPath: "/nowhere.sock", timeoutMs: 100 }).listPods().catch(() => {});
  `;
  const node = ["--input-type=module", "-e", program, kubelet.socketPath];
  const run = (NODE_DEBUG: string) =>
    promisify(execFile)(process.execPath, node, { env: { ...process.env, NODE_DEBUG } });
  const { stdout, stderr } = await run("kubelet-pods");
  assert.equal(stdout, "");
  assert.match(stderr, new RegExp(`connection connected ${kubelet.socketPath}`));
  assert.match(stderr, new RegExp(`ListPods ${kubelet.socketPath} \\(v1alpha1, 1 attempts\\): ok`));
  assert.match(stderr, new RegExp(`watch opening ${kubelet.socketPath}`));
  assert.match(
    stderr,
    new RegExp(`watch synced ${kubelet.socketPath} ${sampleNode().length} pods, \\d+ changes, 0 unconfirmed`),
  );
  assert.match(stderr, /connection failed \/nowhere\.sock socket-missing/);
  assert.match(stderr, /ListPods \S+ attempt 1: socket-missing, again in \d+ ms/);
  for (const pod of sampleNode()) assert.ok(!stderr.includes(pod.metadata?.name ?? ""));
  assert.deepEqual(await run(""), { stdout: "", stderr: "" });
});

describe("diagnostics subscribers do not change the results of calls", () => {
  const calls = ["start", "end", "asyncStart", "asyncEnd", "error"].map((name) => `tracing:kubelet-pods:call:${name}`);
  const others = ["retry", "watch", "connection"].map((name) => `kubelet-pods:${name}`);
  for (const names of [...[...calls, ...others].map((name) => [name]), [...calls, ...others]]) {
    test(names.length === 1 ? `on ${names[0]}` : "on all channels", async (t) => {
      const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
      const uids = kubelet.pods.map(({ metadata }) => metadata?.uid ?? "").sort();
      const unheard = await pods.listPods({ mask: ["metadata.name"] });
      const hear = () => {};
      for (const name of names) channel(name).subscribe(hear);
      t.after(() => {
        for (const name of names) channel(name).unsubscribe(hear);
      });
      assert.deepEqual(await pods.listPods({ mask: ["metadata.name"] }), unheard);
      const listed = await pods.listPods();
      assert.deepEqual(
        listed.map(({ metadata }) => metadata.uid),
        uids,
      );
      assert.deepEqual(await pods.getPod(uids[0] ?? ""), listed[0]);
      assert.ok((await pods.probe()).ready);
      await assert.rejects(pods.getPod("nobody"), { name: "PodsError", code: "not-found" });
      const reason = new Error("mine");
      const aborted = pods.listPods({ signal: AbortSignal.abort(reason) });
      assert.equal(await aborted.catch((error) => error), reason);
    });
  }
});

test("reports unsupported-platform on Windows", (t) => {
  const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  t.after(() => Object.defineProperty(process, "platform", platform));
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  assert.throws(() => new PodsClient(), {
    message: String.raw`unsupported-platform: kubelets on Windows serve the Pods API on the named pipe \\.\pipe\kubelet-pods-api; kubelet-pods connects only to Unix sockets; on Windows nodes use the API server`,
  });
});

describe("an abort over a real socket rejects with its reason [#72]", () => {
  const cases = [
    ["during the handshake", (t: Parameters<typeof serveRaw>[0], asked: () => void) => serveRaw(t, asked)],
    ["after the request was sent", (t: Parameters<typeof serveRaw>[0], asked: () => void) => serveFrames(t, asked)],
  ] as const;
  for (const [when, serve] of cases) {
    test(when, async (t) => {
      let asked = () => {};
      const arrived = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const pods = clientOf(t, { socketPath: await serve(t, asked) });
      const controller = new AbortController();
      const calls = [
        pods.listPods({ signal: controller.signal }),
        pods.getPod("a", { signal: controller.signal }),
        pods.watchPods({ signal: controller.signal }).next(),
      ];
      await arrived;
      const reason = new Error("mine");
      controller.abort(reason);
      for (const call of calls) assert.equal(await call.catch((error) => error), reason);
    });
  }

  test("while the call is queued", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const uid = kubelet.pods[0]?.metadata?.uid ?? "";
    const controller = new AbortController();
    const calls = Array.from({ length: 30 }, () => pods.getPod(uid, { signal: controller.signal }));
    await calls[0];
    controller.abort("enough");
    const outcomes = await Promise.allSettled(calls);
    const rejected = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.ok(rejected.length > 10, String(rejected.length));
    assert.ok(rejected.every(({ reason }) => reason === "enough"));
  });
});
