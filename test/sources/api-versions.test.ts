// Which version of the API is asked for, and how often.

import assert from "node:assert/strict";
import type { ServerHttp2Stream } from "node:http2";
import { PodsApi } from "../../src/sources/pods-api.js";
import { answer, endSession, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const { signal } = new AbortController();
const V1ALPHA1 = "/v1alpha1.Pods/ListPods";
const V1BETA1 = "/v1beta1.Pods/ListPods";
const V1 = "/v1.Pods/ListPods";
const DOCUMENTED = "/Pods/ListPods";

/** A kubelet that serves one service, and the paths that it was asked for. */
async function serving(t: TestContext, service: string) {
  const paths: string[] = [];
  const streams: ServerHttp2Stream[] = [];
  const server = { service };
  const socketPath = await serveHttp2(t, (stream, headers) => {
    const path = String(headers[":path"]);
    paths.push(path);
    streams.push(stream);
    if (path.startsWith(`/${server.service}/`)) answer(stream);
    else trailersOnly(stream, { "grpc-status": "12", "grpc-message": `unknown service of ${path}` });
  });
  const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 });
  t.after(() => api.close());
  return { api, paths, server, cut: () => endSession(streams.at(-1)?.session) };
}

describe("negotiation of the API version", () => {
  test("requests only v1alpha1 while the server supports it", async (t) => {
    const { api, paths } = await serving(t, "v1alpha1.Pods");
    for (let i = 0; i < 3; i++) await api.list({ signal });
    assert.deepEqual([api.version, paths], ["v1alpha1", [V1ALPHA1, V1ALPHA1, V1ALPHA1]]);
  });

  test("tries v1beta1, v1 and the documented service next, each once", async (t) => {
    for (const [service, asked] of [
      ["v1beta1.Pods", [V1ALPHA1, V1BETA1]],
      ["v1.Pods", [V1ALPHA1, V1BETA1, V1]],
      ["Pods", [V1ALPHA1, V1BETA1, V1, DOCUMENTED]],
    ] as const) {
      const { api, paths } = await serving(t, service);
      await api.list({ signal });
      await api.list({ signal });
      assert.deepEqual(paths, [...asked, asked.at(-1)]);
    }
  });

  test("remembers the version over a reconnect, and starts again with another server", async (t) => {
    const { api, paths, server, cut } = await serving(t, "v1.Pods");
    await api.list({ signal });
    cut();
    while (paths.length < 4) await api.list({ signal }).catch(() => {});
    assert.deepEqual(paths, [V1ALPHA1, V1BETA1, V1, V1]);
    server.service = "v1alpha1.Pods"; // behind the same file, as nobody does
    await api.list({ signal });
    assert.deepEqual([api.version, paths.slice(4)], ["v1alpha1", [V1, V1ALPHA1]]);
  });

  test("uses the version that a concurrent call has found", async (t) => {
    const paths: string[] = [];
    let refuse = () => {};
    const socketPath = await serveHttp2(t, (stream, headers) => {
      const path = String(headers[":path"]);
      paths.push(path);
      if (path === DOCUMENTED) answer(stream);
      else if (paths.length > 1) trailersOnly(stream, { "grpc-status": "12" });
      else refuse = () => trailersOnly(stream, { "grpc-status": "12" }); // the first waits
    });
    const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 });
    t.after(() => api.close());
    const first = api.list({ signal });
    while (paths.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await api.list({ signal });
    refuse();
    await first;
    assert.deepEqual(paths, [V1ALPHA1, V1ALPHA1, V1BETA1, V1, DOCUMENTED, DOCUMENTED]);
  });

  test("fails with not-served after trying each version once", async (t) => {
    const { api, paths } = await serving(t, "other.Pods");
    await assert.rejects(api.list({ signal }), { code: "not-served" });
    assert.deepEqual(paths, [V1ALPHA1, V1BETA1, V1, DOCUMENTED]);
  });
});
