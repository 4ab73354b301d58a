// A pipe before a kubelet: a client behind it finds what it would find at the kubelet's socket.

import assert from "node:assert/strict";
import { once } from "node:events";
import { lstatSync, rmSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { type PipeOptions, servePipe } from "../../src/relay/pipe.js";
import type { ReferenceKubeletOptions } from "../../src/testing/index.js";
import { socketIdentity } from "../../src/wire/socket-path.js";
import { clientOf, environmentOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const POD = { metadata: { name: "web-a", namespace: "shop", uid: "2c4d8b1e-0000-4000-8000-00000000000a" } };

async function pipeOf(t: TestContext, options: ReferenceKubeletOptions = {}, more: Partial<PipeOptions> = {}) {
  const kubelet = await kubeletOf(t, { pods: [POD], ...options });
  const path = join(temporaryDirectory(t), "pipe", "kubelet.sock");
  const pipe = await servePipe({ path, socketPath: kubelet.socketPath, ...more }, environmentOf(t).clock);
  t.after(() => pipe.close());
  return { kubelet, pipe, path, pods: clientOf(t, { socketPath: path }) };
}

test("a list, a watch and an informer over a pipe are those of the kubelet, over its restarts", async (t) => {
  const { kubelet, pods, path } = await pipeOf(t);
  assert.equal((await pods.listPods())[0]?.metadata.name, "web-a");
  const informer = pods.informer();
  await informer.synced();
  const first = socketIdentity(path);
  await kubelet.restart({ kill: true });
  kubelet.addPod({ metadata: { name: "web-b", namespace: "shop", uid: "2c4d8b1e-0000-4000-8000-00000000000b" } });
  await until(t, () => informer.size === 2);
  assert.notEqual(socketIdentity(path), first, "another kubelet has another socket");
  const apartMs = lstatSync(path).mtimeMs - lstatSync(kubelet.socketPath).mtimeMs;
  assert.ok(Math.abs(apartMs) <= 1, "as old as the kubelet's");
});

test("no connection leads to a kubelet over a socket that stands for the one before", async (t) => {
  const { kubelet, path, pipe } = await pipeOf(t);
  const before = socketIdentity(path);
  await kubelet.restart({ kill: true });
  const early = net.connect(path).resume();
  early.on("error", () => {});
  await once(early, "close");
  if (socketIdentity(path) === before) assert.equal(early.bytesRead, 0);
  await until(t, () => socketIdentity(path) !== before);
  const socket = net.connect(path);
  t.after(() => socket.destroy());
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0");
  await once(socket, "data");
  assert.equal(pipe.connections, 1);
});

test("where no kubelet is, a pipe waits for it, and lets nobody hang", async (t) => {
  const { kubelet, path, pods } = await pipeOf(t);
  await kubelet.close();
  rmSync(kubelet.socketPath, { force: true });
  const socket = net.connect(path).resume();
  socket.on("error", () => {});
  await once(socket, "close");
  const informer = pods.informer();
  await kubeletOf(t, { pods: [POD], socketPath: kubelet.socketPath });
  await informer.synced();
  assert.equal(informer.size, 1);
});

test("a pipe has no more connections than it may, and ends with all of them", async (t) => {
  const { path, pipe } = await pipeOf(t, {}, { maxConnections: 1 });
  const first = net.connect(path);
  first.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0");
  await once(first, "data");
  const second = net.connect(path).resume();
  second.on("error", () => {});
  await once(second, "close");
  assert.equal(pipe.connections, 1);
  await pipe.close();
  await once(first, "close");
  const late = net.connect(path);
  const [error] = await once(late, "error");
  assert.equal(error.code, "ECONNREFUSED");
});

test("a pipe that cannot be is refused", async (t) => {
  const { path, kubelet } = await pipeOf(t);
  const refused = (options: PipeOptions) => assert.rejects(servePipe(options), { code: "invalid-argument" });
  await refused({ path: kubelet.socketPath, socketPath: kubelet.socketPath });
  await refused({ path, socketPath: kubelet.socketPath, maxConnections: 0 });
  await refused({ path, socket: "x" } as unknown as PipeOptions);
  await refused({ path, group: {} } as unknown as PipeOptions);
});
