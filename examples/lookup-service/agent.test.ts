// node --import tsx --test examples/lookup-service/agent.test.ts

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ReferenceKubelet, sampleNode } from "kubelet-pods/testing";
import { type LookupServiceOptions, lookupService } from "./agent.js";

interface Reply {
  status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes
  body: any;
}

async function started(t: TestContext, options: Partial<LookupServiceOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "lookup-"));
  const path = join(directory, "lookup.sock");
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  const stop = new AbortController();
  t.after(async () => {
    stop.abort();
    await kubelet.close();
    rmSync(directory, { recursive: true });
  });
  await lookupService({ path, socketPath: kubelet.socketPath, signal: stop.signal, ...options });
  const ask = (url: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const request = get({ socketPath: path, path: url, agent: false }, async (response) => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
      request.once("error", reject);
    });
  const ready = async () => {
    while ((await ask("/pods")).status === 503) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { kubelet, path, stop, ask, ready };
}

test("finds the pod of an address, a UID and a container, and only the fields of its mask", async (t) => {
  const { ask, ready } = await started(t);
  await ready();
  const { body } = await ask("/find?ip=10.244.1.21");
  assert.equal(body.pod.metadata.name, "ledger-1");
  assert.deepEqual([body.pod.spec, body.others], [undefined, 0]);
  const { uid } = body.pod.metadata;
  assert.equal((await ask(`/find?uid=${uid}`)).body.confidence, "confirmed");
  const status = sampleNode().find(({ metadata }) => metadata?.uid === uid)?.status;
  const id = status?.containerStatuses?.[0]?.containerID ?? "";
  assert.equal((await ask(`/find?containerID=${encodeURIComponent(id)}`)).body.container, "ledger");
  const none = await ask("/find?ip=10.9.9.9");
  assert.deepEqual([none.status, none.body.pod], [200, undefined]);
});

test("lists the pods of the node", async (t) => {
  const { ask, ready } = await started(t);
  await ready();
  const { body } = await ask("/pods");
  assert.deepEqual([body.phase, body.pods.length], ["synced", 14]);
  assert.deepEqual(Object.keys(body.pods[0]).sort(), ["apiVersion", "kind", "metadata", "status"]);
});

test("refuses what it cannot answer, with a message", async (t) => {
  const { ask, ready } = await started(t);
  await ready();
  for (const url of ["/find", "/find?ip=999", "/find?ip=10.0.0.1&at=yesterday"]) {
    const { status, body } = await ask(url);
    assert.equal(status, 400, url);
    assert.match(body.error, /^invalid-argument: /);
  }
  assert.equal((await ask("/exec")).status, 404);
});

test("gives the socket its mode and group, and takes the place of an earlier one", async (t) => {
  const group = process.getgid?.() ?? 0;
  const { path, ask, ready, kubelet, stop } = await started(t, { mode: 0o600, group });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(path).gid, group);
  writeFileSync(`${path}.new`, ""); // from a process that was killed
  await lookupService({ path, socketPath: kubelet.socketPath, signal: stop.signal });
  assert.equal(statSync(path).mode & 0o777, 0o660);
  await ready();
  assert.equal((await ask("/pods")).status, 200);
});

test("answers after 200 aborted requests and beside 70 idle connections", async (t) => {
  const { path, ask, ready } = await started(t, { timeoutMs: 300 });
  await ready();
  for (let i = 0; i < 200; i++) {
    const socket = connect(path);
    socket.on("error", () => {});
    socket.write(i % 2 === 0 ? "GET /pods HTTP/1.1\r\nHost: node\r\n\r\n" : "GET /pods HTT");
    await once(socket, "connect");
    socket.destroy();
  }
  const idle = Array.from({ length: 70 }, () =>
    connect(path)
      .on("error", () => {})
      .resume(),
  );
  await Promise.all(idle.map((socket) => once(socket, "connect")));
  assert.equal((await ask("/find?ip=10.244.1.21")).body.pod.metadata.name, "ledger-1");
  await Promise.all(idle.map((socket) => socket.closed || once(socket, "close"))); // after their timeout
});

test("says that it does not know the pods before the kubelet has listed them", async (t) => {
  const { kubelet, ask, ready } = await started(t);
  await ready();
  await kubelet.restart({ initializingMs: 60_000, kill: true });
  const { body } = await ask("/pods");
  assert.deepEqual([body.phase, body.pods.length], ["stale", 14]);
  const { ask: early } = await started(t, { socketPath: kubelet.socketPath });
  assert.equal((await early("/pods")).status, 503);
});
