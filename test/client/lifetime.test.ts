import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { Pods as ServedPods } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsClient } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { clientOf, kubeletAndClient, serve } from "../helpers/kubelet.js";

/** A server whose calls never end by themselves; `asked` resolves when the first has come. */
async function silent(t: Parameters<typeof serve>[0]) {
  let arrived = () => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const wait = (_: unknown, { signal }: { signal: AbortSignal }) => {
    arrived();
    return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const socketPath = await serve(t, (router) => router.service(ServedPods, { listPods: wait, getPod: wait }));
  return { socketPath, asked };
}

describe("signal", () => {
  test("rejects with its reason, untouched, and keeps no listener", async (t) => {
    const { socketPath, asked } = await silent(t);
    const controller = new AbortController();
    const call = clientOf(t, { socketPath }).listPods({ signal: controller.signal });
    await asked;
    assert.equal(getEventListeners(controller.signal, "abort").length, 1);
    const reason = { any: "value" };
    controller.abort(reason);
    assert.equal(await call.catch((error) => error), reason);
    assert.equal(getEventListeners(controller.signal, "abort").length, 0);
  });

  test("an aborted one sends nothing", async (t) => {
    const pods = clientOf(t, { socketPath: "/nowhere/at/all" });
    await assert.rejects(pods.listPods({ signal: AbortSignal.abort(new Error("mine")) }), { message: "mine" });
  });

  test("a hundred calls share one listener", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const { signal } = new AbortController();
    const uid = kubelet.pods[0]?.metadata?.uid ?? "";
    const calls = Array.from({ length: 100 }, () => pods.getPod(uid, { signal }));
    assert.equal(getEventListeners(signal, "abort").length, 1);
    await Promise.all(calls);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
});

describe("close", () => {
  test("rejects what is pending and what comes after with closed, and is the same promise twice", async (t) => {
    const { socketPath, asked } = await silent(t);
    const pods = new PodsClient({ socketPath });
    const call = assert.rejects(pods.listPods(), { code: "closed" });
    await asked;
    assert.equal(pods.close(), pods.close());
    await pods.close();
    await call;
    await assert.rejects(pods.listPods(), { code: "closed" });
    await assert.rejects(pods.watchPods().next(), { code: "closed" });
  });

  test("while it connects", async (t) => {
    const { socketPath } = await silent(t);
    const pods = new PodsClient({ socketPath });
    const call = assert.rejects(pods.listPods(), { code: "closed" });
    await pods.close();
    await call;
  });

  test("of a client that was never used", () => new PodsClient().close());

  test("by await using", async (t) => {
    const { kubelet } = await kubeletAndClient(t);
    {
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      await pods.listPods();
    }
  });
});

describe("watch", () => {
  for (const profile of ["1.37", "1.36"] as const) {
    test(`tells what is there, then changes as they happen (${profile})`, async (t) => {
      const all = sampleNode();
      const [late] = all.splice(-1);
      const { kubelet, pods } = await kubeletAndClient(t, { profile, pods: all });
      assert.ok(late?.metadata?.uid);
      const uid = late.metadata.uid;
      const seen: string[] = [];
      for await (const event of pods.watchPods()) {
        seen.push(event.type === "SYNCED" ? "SYNCED" : `${event.type} ${event.pod.metadata?.uid}`);
        if (event.type === "SYNCED") {
          kubelet.addPod(late);
          kubelet.updatePod({ ...late, metadata: { ...late.metadata, labels: { a: "b" } } });
          kubelet.finishPod(uid);
        }
        if (event.type === "DELETED") {
          assert.deepEqual(event.pod.status, undefined, "a deletion carries the identity only");
          assert.equal(event.pod.metadata?.name, late.metadata.name);
          break;
        }
      }
      const there = all.map((pod) => `ADDED ${pod.metadata?.uid}`).sort();
      assert.deepEqual(seen, [...there, "SYNCED", `ADDED ${uid}`, `MODIFIED ${uid}`, `DELETED ${uid}`]);
      const listed = kubelet.pods.find((pod) => pod.metadata?.uid === uid);
      assert.equal(listed?.status?.phase, "Succeeded", "a finished pod stays listed");
      kubelet.removePod(uid);
      assert.equal((await pods.listPods()).length, all.length);
    });
  }

  test("the documented one tells only pods that change", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { profile: "documented", pods: sampleNode() });
    const watch = pods.watchPods();
    const first = watch.next();
    while (kubelet.watchers === 0) await pods.listPods();
    kubelet.finishPod(sampleNode()[0]?.metadata?.uid ?? "");
    kubelet.updatePod(sampleNode()[1] ?? {});
    const { value } = await first;
    assert.equal(value?.type === "MODIFIED" && value.pod.metadata?.uid, sampleNode()[1]?.metadata?.uid);
    await watch.return();
  });

  test("nothing is sent before it is read, and break cancels it", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const unread = pods.watchPods();
    await pods.listPods();
    assert.equal(kubelet.watchers, 0);
    for await (const event of pods.watchPods()) if (event.type === "SYNCED") break;
    while (kubelet.watchers > 0) await pods.listPods();
    await unread.return();
  });

  test("signal and close end it while it waits", async (t) => {
    const { pods } = await kubeletAndClient(t);
    const controller = new AbortController();
    const first = pods.watchPods({ signal: controller.signal });
    const second = pods.watchPods();
    assert.deepEqual((await first.next()).value, { type: "SYNCED" });
    assert.deepEqual((await second.next()).value, { type: "SYNCED" });
    const [aborted, closed] = [first.next(), second.next()];
    controller.abort(new Error("mine"));
    await assert.rejects(aborted, { message: "mine" });
    assert.deepEqual(getEventListeners(controller.signal, "abort").length, 0);
    const done = assert.rejects(closed, { code: "closed" });
    await pods.close();
    await done;
  });

  test("a killed kubelet is connection-lost, and the next watch works", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const watch = pods.watchPods();
    await watch.next();
    const lost = assert.rejects(watch.next(), { code: "connection-lost", method: "WatchPods", retryable: true });
    await kubelet.restart();
    await lost;
    for await (const event of pods.watchPods()) {
      assert.equal(event.type, "SYNCED");
      break;
    }
  });
});

test("an idle client does not keep the process alive, and an open watch does", async (t) => {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  t.after(() => kubelet.close());
  const program = `
    import { PodsClient } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)};
    const pods = new PodsClient({ socketPath: process.argv[1] });
    console.log((await pods.listPods()).length);
    if (process.argv[2] === "watch") for await (const event of pods.watchPods()) console.log(event.type);
  `;
  const node = ["--import", "tsx", "--input-type=module", "-e", program, kubelet.socketPath];
  const idle = await promisify(execFile)(process.execPath, node);
  assert.equal(idle.stdout, `${sampleNode().length}\n`);

  const watching = execFile(process.execPath, [...node, "watch"]);
  const exited = once(watching, "exit");
  for await (const chunk of watching.stdout ?? []) if (String(chunk).includes("SYNCED")) break;
  assert.equal(watching.exitCode, null);
  watching.kill();
  await exited;
});
