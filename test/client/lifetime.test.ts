import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Pods as ServedPods } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsClient } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { envelope, frame, serveFrames } from "../helpers/hostile.js";
import { changed, clientOf, kubeletAndClient, serve, serveRaw, temporaryDirectory } from "../helpers/kubelet.js";
import { published } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";

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
  test("rejects with the signal's reason and removes its listener [#73]", async (t) => {
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

  test("an already aborted signal opens no connection [#73]", async (t) => {
    let connections = 0;
    const pods = clientOf(t, { socketPath: await serveRaw(t, () => connections++) });
    const signal = AbortSignal.abort(new Error("mine"));
    await assert.rejects(pods.listPods({ signal }), { message: "mine" });
    await assert.rejects(pods.watchPods({ signal }).next(), { message: "mine" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(connections, 0);
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
  test("rejects pending and later calls with closed and returns the same promise twice [#74]", async (t) => {
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

  test("resolves on a draining connection whose peer does not close its side [#74]", async (t) => {
    const goaway = frame(7, 0, 0, Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0));
    const headers = Buffer.from("885f8b1d75d0620d263d4c4d6564", "hex"); // :status 200, content-type application/grpc
    const synced = frame(0, 0, 1, envelope(Uint8Array.of(8, 4)));
    for (const how of ["close", "break"]) {
      const connections: Socket[] = [];
      const socketPath = await serveFrames(t, (socket) => {
        connections.push(socket);
        socket.write(Buffer.concat([frame(1, 4, 1, headers), synced, goaway]));
      });
      const pods = new PodsClient({ socketPath });
      const watch = pods.watchPods();
      assert.equal((await watch.next()).value?.type, "SYNCED");
      if (how === "break") await watch.return?.();
      await pods.close();
      assert.equal(connections.length, 1);
    }
  });

  test("rejects a call while the client is connecting [#74]", async (t) => {
    const { socketPath } = await silent(t);
    const pods = new PodsClient({ socketPath });
    const call = assert.rejects(pods.listPods(), { code: "closed" });
    await pods.close();
    await call;
  });

  test("resolves for a client that was never used [#74]", () => new PodsClient().close());

  test("happens at the end of an await using block [#76]", async (t) => {
    const { kubelet } = await kubeletAndClient(t);
    let used: PodsClient;
    {
      await using pods = new PodsClient({ socketPath: kubelet.socketPath });
      await pods.listPods();
      used = pods;
    }
    await assert.rejects(used.listPods(), { code: "closed" });
  });

  test("can be called in a callback of the client and repeated by disposing twice [#74 #76]", async (t) => {
    const { kubelet } = await kubeletAndClient(t);
    const pods = new PodsClient({ socketPath: kubelet.socketPath });
    await pods.listPods().then(() => pods.close());
    await Promise.all([pods[Symbol.asyncDispose](), pods[Symbol.asyncDispose]()]);
  });
});

test("a closed client adds no listener to the signals of rejected calls", async (t) => {
  const pods = clientOf(t, { socketPath: join(temporaryDirectory(t), "nobody.sock") });
  await pods.close();
  const { signal } = new AbortController();
  await assert.rejects(pods.watchPods({ signal }).next(), { code: "closed" });
  assert.throws(() => pods.informer({ signal }), { code: "closed" });
  await assert.rejects(pods.listPods({ signal }), { code: "closed" });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("an open watch keeps the process alive and an idle client does not [#77]", async (t) => {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  t.after(() => kubelet.close());
  const program = `
    import { PodsClient } from ${JSON.stringify(published("index.js"))};
    const pods = new PodsClient({ socketPath: process.argv[1] });
    console.log((await pods.listPods()).length);
    if (process.argv[2] === "watch") for await (const event of pods.watchPods()) setImmediate(() => console.log(event.type));
  `;
  const node = ["--input-type=module", "-e", program, kubelet.socketPath];
  const idle = await promisify(execFile)(process.execPath, node);
  assert.equal(idle.stdout, `${sampleNode().length}\n`);

  // It says SYNCED when nothing else is left to do: if nothing kept it, it would end with that turn.
  const watching = execFile(process.execPath, [...node, "watch"]);
  const exited = once(watching, "exit");
  let output = "";
  for await (const chunk of watching.stdout ?? []) {
    output += chunk;
    if (output.endsWith("SYNCED\n")) {
      const [pod] = sampleNode();
      kubelet.updatePod(changed(pod ?? {}, "1"));
    }
    if (output.endsWith("MODIFIED\n")) break;
  }
  assert.match(output, /MODIFIED\n$/);
  watching.kill();
  await exited;
});
