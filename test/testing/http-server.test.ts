// The HTTP server of the reference kubelet.

import assert from "node:assert/strict";
import net from "node:net";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { type PodJson, sampleNode } from "../../src/testing/index.js";
import { clientOf, kubeletOf } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

test("serves its pods also without the Pods API, before and after a restart", async (t) => {
  const kubelet = await kubeletOf(t, { pods: sampleNode(), http: true, gate: false });
  const { httpURL: url = "" } = kubelet;
  const client = clientOf(t, { sources: [kubeletHttp({ url })] });
  const uids = kubelet.pods.map(({ metadata }) => metadata.uid);
  const listed = async () => (await client.listPods()).map(({ metadata }) => metadata.uid);
  assert.deepEqual(await listed(), uids);
  await kubelet.restart({ kill: true });
  assert.equal(kubelet.httpURL, url);
  const { items } = (await (await fetch(`${url}/pods`)).json()) as { items: PodJson[] };
  assert.deepEqual(
    items.map(({ metadata }) => metadata?.uid),
    uids,
  );
});

test("rejects what a read-only port rejects, and connections after close()", async (t) => {
  const kubelet = await kubeletOf(t, { http: true });
  const { httpURL: url = "" } = kubelet;
  const statusOf = async (path: string, method = "GET") => (await fetch(url + path, { method })).status;
  const asked = ["/healthz", "/pods", "/exec", "//"].map((path) => statusOf(path));
  assert.deepEqual(await Promise.all(asked), [200, 200, 404, 404]);
  assert.equal(await statusOf("/pods", "POST"), 405);
  const idle = net.connect(Number(new URL(url).port), "127.0.0.1");
  await new Promise((resolve) => idle.once("connect", resolve));
  const closed = new Promise((resolve) => idle.once("close", resolve));
  await kubelet.close();
  await closed;
  await assert.rejects(fetch(`${url}/pods`));
});

test("starts no HTTP server by default", async (t) => {
  assert.equal((await kubeletOf(t)).httpURL, undefined);
});
