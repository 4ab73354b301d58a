// Which version of the API a server is asked for, in which order, and what is remembered of the server.

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { PodsError, type PodsErrorCode } from "../../src/index.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import { Negotiation, type Peer } from "../../src/sources/negotiation.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { answer, envelope, serveHttp2, trailersOnly } from "../helpers/hostile.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { singly } from "../helpers/source-events.js";
import { type TestContext, test } from "../helpers/test.js";

const [alpha, beta] = API_VERSIONS;
const error = (code: PodsErrorCode) => new PodsError({ code, message: "x", grpcCode: 12 });

test("tries each version once if it lacks the method, and then reports the first error", () => {
  const peer: Peer = { version: undefined, masksRefused: false };
  const negotiation = new Negotiation(peer, undefined);
  const asked: string[] = [];
  const first = error("not-served");
  let failure = negotiation.failed(first);
  asked.push(alpha.name);
  while (failure === undefined) {
    asked.push(negotiation.ask().version.name);
    failure = negotiation.failed(error("not-served"));
  }
  assert.equal(failure, first);
  assert.deepEqual(
    asked,
    API_VERSIONS.map(({ name }) => name),
  );
  assert.equal(peer.version, undefined);
});

test("an error that only the method itself returns confirms the version", () => {
  for (const [code, isKnown] of [
    ["not-found", true],
    ["initializing", true],
    ["connection-lost", false],
    ["server-error", false],
  ] as const) {
    const peer: Peer = { version: undefined, masksRefused: false };
    const negotiation = new Negotiation(peer, undefined);
    negotiation.failed(error("not-served"));
    const other = error(code);
    assert.equal(negotiation.failed(other), other);
    assert.equal(peer.version, isKnown ? beta : undefined, code);
    assert.equal(new Negotiation(peer, undefined).ask().version, isKnown ? beta : alpha, code);
  }
});

/** A server of v1beta1 alone, and the paths that it is asked for. */
async function serveBeta(t: TestContext, socketPath: string): Promise<string[]> {
  const paths: string[] = [];
  await serveHttp2(
    t,
    (stream, headers) => {
      const path = String(headers[":path"]);
      paths.push(path);
      if (!path.startsWith("/v1beta1.")) return trailersOnly(stream, { "grpc-status": "12" });
      if (!path.endsWith("WatchPods")) return answer(stream);
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      return stream.write(envelope(Uint8Array.of(8, 4)));
    },
    socketPath,
  );
  return paths;
}

test("calls reuse the version that a watch found, until the socket is replaced", async (t) => {
  const [path, other] = ["a.sock", "b.sock"].map((name) => join(temporaryDirectory(t), name)) as [string, string];
  const [paths, others] = [await serveBeta(t, path), await serveBeta(t, other)];
  const options = { socketPaths: [path] as [string], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 60_000 };
  const api = new PodsApi(options);
  t.after(() => api.close());
  const { signal } = new AbortController();
  const watch = singly(api.open(signal));
  for (const type of ["CONNECTED", "CONNECTED", "SYNCED"]) assert.equal((await watch.next()).value?.type, type);
  await api.list({ signal });
  await watch.return();
  const asked = ["/v1alpha1.Pods/WatchPods", "/v1beta1.Pods/WatchPods", "/v1beta1.Pods/ListPods"];
  assert.deepEqual(paths, asked);
  renameSync(other, path);
  await new Promise((resolve) => setImmediate(resolve));
  while (others.length === 0) await api.list({ signal }); // the look at the file counts for a millisecond
  assert.deepEqual(others, ["/v1alpha1.Pods/ListPods", "/v1beta1.Pods/ListPods"]);
});

test("skips an unreleased version if its first response contains no valid pods", async (t) => {
  const paths: string[] = [];
  const pod = toBinary(PodSchema, create(PodSchema, { metadata: { uid: "a" } }));
  const listOf = (bytes: Uint8Array) => envelope(Buffer.concat([Uint8Array.of(0x0a, bytes.length), bytes]));
  const event = (bytes: Uint8Array) => envelope(Buffer.concat([Uint8Array.of(8, 1, 0x12, bytes.length), bytes]));
  const socketPath = await serveHttp2(t, (stream, headers) => {
    const path = String(headers[":path"]);
    paths.push(path);
    const isOther = path.startsWith("/v1beta1.");
    if (!isOther && !path.startsWith("/v1.")) return trailersOnly(stream, { "grpc-status": "12" });
    const bytes = isOther ? Uint8Array.of(0x78, 1) : pod; // a field that no pod has
    if (path.endsWith("ListPods")) return answer(stream, { body: listOf(bytes) });
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    return stream.write(Buffer.concat([event(bytes), envelope(Uint8Array.of(8, 4))]));
  });
  const options = { socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 } as const;
  const { signal } = new AbortController();
  const api = new PodsApi(options);
  t.after(() => api.close());
  assert.equal((await api.list({ signal })).length, 1);
  assert.equal(api.version, "v1");
  assert.deepEqual(paths, ["/v1alpha1.Pods/ListPods", "/v1beta1.Pods/ListPods", "/v1.Pods/ListPods"]);
  const watched = new PodsApi(options);
  t.after(() => watched.close());
  for await (const each of singly(watched.open(signal))) if (each.type === "SYNCED") break;
  assert.equal(watched.version, "v1");
});
