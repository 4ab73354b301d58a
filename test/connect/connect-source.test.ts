// A client over any transport of connect: what it does over the kubelet's socket it does over gRPC, gRPC-web and connect, too.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createClient,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";
import {
  connectNodeAdapter,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { connectSource, EventType, kubeletTransport, Pods } from "../../src/connect/index.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type ClientOptions, PodsError, podMask, podsApi } from "../../src/index.js";
import { kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import type { ReferenceKubelet, ReferenceKubeletOptions } from "../../src/testing/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { untilAborted } from "../../src/timing/abort.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { certs } from "../helpers/http-kubelet.js";
import { changed, clientOf as clientIn, kubeletOf as kubeletIn } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

// Servers on ports are in no turn of the event loop's: the time is the machine's.
const clientOf = (t: TestContext, options: ClientOptions) =>
  clientIn(t, { timeoutMs: 60_000, ...options }, systemEnvironment);
const kubeletOf = (t: TestContext, options: ReferenceKubeletOptions) => kubeletIn(t, options, systemEnvironment);

/** A kubelet, a relay of its three calls, and what the relay answers with first. */
interface Node {
  readonly kubelet: ReferenceKubelet;
  readonly routes: (router: ConnectRouter) => void;
  /** Statuses with which the next calls are refused. */
  readonly refusals: Code[];
  /** Ends the streams that there are. */
  readonly streams: Set<AbortController>;
}

async function nodeOf(t: TestContext, options: ReferenceKubeletOptions = {}): Promise<Node> {
  const kubelet = await kubeletOf(t, { pods: sampleNode(), ...options });
  const transport = kubeletTransport({ socketPath: kubelet.socketPath });
  t.after(() => transport.close());
  const client = createClient(Pods, transport);
  const refusals: Code[] = [];
  const streams = new Set<AbortController>();
  const refuse = () => {
    const code = refusals.shift();
    if (code !== undefined) throw new ConnectError("not now", code);
  };
  const routes = (router: ConnectRouter) =>
    router.service(Pods, {
      listPods(request) {
        refuse();
        return client.listPods(request);
      },
      getPod(request) {
        refuse();
        return client.getPod(request).catch((error: ConnectError) => {
          throw new ConnectError(error.rawMessage, error.code); // the metadata is that of another answer
        });
      },
      async *watchPods(request, context) {
        refuse();
        const end = new AbortController();
        streams.add(end);
        yield* client.watchPods(request, { signal: AbortSignal.any([context.signal, end.signal]) });
      },
    });
  return { kubelet, routes, refusals, streams };
}

/** Listens on a port for as long as the test runs. */
async function listening(t: TestContext, server: http.Server | http2.Http2Server): Promise<number> {
  const sessions = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sessions.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sessions) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const ca = readFileSync(join(certs, "ca.pem"));
const tls = { key: readFileSync(join(certs, "server.key")), cert: readFileSync(join(certs, "server.pem")) };

type Way = (t: TestContext, node: Node, interceptors?: Interceptor[]) => Promise<Transport>;
const http1 = async (t: TestContext, { routes }: Node) =>
  `http://127.0.0.1:${await listening(t, http.createServer(connectNodeAdapter({ routes })))}`;
const plain = async (t: TestContext, { routes }: Node) =>
  `http://127.0.0.1:${await listening(t, http2.createServer(connectNodeAdapter({ routes })))}`;
const secure = async (t: TestContext, { routes }: Node) =>
  `https://localhost:${await listening(t, http2.createSecureServer(tls, connectNodeAdapter({ routes })))}`;

const WAYS: Readonly<Record<string, Way>> = {
  "a router in memory": async (_, { routes }, interceptors = []) =>
    createRouterTransport(routes, { transport: { interceptors } }),
  "gRPC over TCP": async (t, node, interceptors = []) =>
    createGrpcTransport({ baseUrl: await plain(t, node), interceptors }),
  "gRPC over TLS": async (t, node, interceptors = []) =>
    createGrpcTransport({ baseUrl: await secure(t, node), nodeOptions: { ca }, interceptors }),
  "gRPC-web": async (t, node, interceptors = []) =>
    createGrpcWebTransport({ baseUrl: await http1(t, node), httpVersion: "1.1", interceptors }),
  "connect, binary": async (t, node, interceptors = []) =>
    createConnectTransport({ baseUrl: await plain(t, node), httpVersion: "2", useBinaryFormat: true, interceptors }),
  "connect, JSON": async (t, node, interceptors = []) =>
    createConnectTransport({ baseUrl: await http1(t, node), httpVersion: "1.1", useBinaryFormat: false, interceptors }),
};

for (const [name, way] of Object.entries(WAYS)) {
  describe(name, () => {
    test("lists pods, gets a pod, reports not-found and retries transient errors", async (t) => {
      const node = await nodeOf(t);
      const pods = clientOf(t, { sources: [connectSource(await way(t, node))] });
      node.refusals.push(Code.FailedPrecondition, Code.ResourceExhausted, Code.Unavailable);
      const list = await pods.listPods();
      assert.equal(list.length, sampleNode().length);
      assert.deepEqual(pods.informer().state.counters.retries, {
        initializing: 1,
        "rate-limited": 1,
        "connection-lost": 1,
      });
      const uid = list[0]?.metadata.uid ?? "";
      assert.equal((await pods.getPod(uid)).metadata.uid, uid);
      await assert.rejects(pods.getPod("nobody"), { code: "not-found", method: "GetPod", attempts: 1 });
      node.refusals.push(Code.PermissionDenied);
      await assert.rejects(pods.listPods(), { code: "not-permitted" });
    });

    test("an informer receives pods and recovers when its stream is lost or refused", async (t) => {
      const node = await nodeOf(t);
      const pods = clientOf(t, { sources: [connectSource(await way(t, node))] });
      const informer = pods.informer({ mask: podMask("metadata.name", "metadata.labels", "status.podIPs") });
      await informer.synced();
      assert.ok(informer.size > 10);
      const [pod = {}] = sampleNode();
      const told = () => informer.get({ uid: pod.metadata?.uid ?? "" })?.metadata.labels["changed"];
      node.kubelet.updatePod(changed(pod, "live"));
      await until(t, () => told() === "live");
      node.refusals.push(Code.FailedPrecondition, Code.ResourceExhausted);
      for (const stream of node.streams) stream.abort();
      node.kubelet.updatePod(changed(pod, "again"));
      await until(t, () => told() === "again");
      const { losses } = informer.state.counters;
      assert.deepEqual([losses.initializing, losses.dropped], [1, 1]);
    });

    test("interceptors see each attempt and its field mask", async (t) => {
      const node = await nodeOf(t);
      const seen: [string, string | null][] = [];
      const look: Interceptor = (next) => (request) => {
        seen.push([request.method.name, request.header.get("x-kubernetes-fieldmask")]);
        return next(request);
      };
      const pods = clientOf(t, { sources: [connectSource(await way(t, node, [look]))] });
      node.refusals.push(Code.FailedPrecondition);
      await pods.listPods({ mask: podMask("status.phase") });
      const watch = pods.watchPods({ mask: podMask("status.phase") });
      await watch.next();
      await watch.return?.();
      for (const [i, method] of ["ListPods", "ListPods", "WatchPods"].entries()) {
        assert.equal(seen[i]?.[0], method);
        assert.match(seen[i]?.[1] ?? "", /status\.phase/);
      }
    });
  });
}

test("kubeletTransport works as a source with every API version", async (t) => {
  for (const profile of ["1.37", "v1beta1", "v1"] as const) {
    const kubelet = await kubeletOf(t, { pods: sampleNode(), profile });
    const transport = kubeletTransport({ socketPath: kubelet.socketPath });
    t.after(() => transport.close());
    const source = connectSource(transport);
    const pods = clientOf(t, { sources: [source] });
    const informer = pods.informer();
    await informer.synced();
    assert.equal(source.version, profile === "1.37" ? "v1alpha1" : profile);
    assert.equal((await pods.listPods()).length, sampleNode().length);
    const first = clientOf(t, { sources: [connectSource(transport)] });
    assert.equal(
      (await first.listPods()).length,
      sampleNode().length,
      "a call detects the version without an informer",
    );
  }
});

test("syncs from a router without the kubelet's annotations and confirms absent pods", async (t) => {
  const pod = toBinary(PodSchema, create(PodSchema, { metadata: { uid: "a", namespace: "shop", name: "web-0" } }));
  const transport = createRouterTransport((router) =>
    router.service(Pods, {
      listPods: () => ({ pods: [pod] }),
      async *watchPods(_, { signal }) {
        yield { type: EventType.ADDED, pod };
        yield { type: EventType.INITIAL_SYNC_COMPLETE };
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
  );
  const pods = clientOf(t, { sources: [connectSource(transport)] });
  assert.equal((await pods.listPods()).length, 1);
  await using informer = pods.informer();
  await informer.synced();
  assert.equal(informer.get({ namespace: "shop", name: "web-0" })?.metadata.uid, "a");
  assert.deepEqual(await informer.confirmAbsent(["a", "b"]), ["b"]);
});

test("an aborted call rejects with the reason of its signal", async (t) => {
  const stop = new AbortController();
  const transport = createRouterTransport((router) =>
    router.service(Pods, {
      listPods(_, { signal }) {
        stop.abort(reason);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("ended"))));
      },
    }),
  );
  const reason = new Error("enough");
  const pods = clientOf(t, { sources: [connectSource(transport)] });
  assert.equal(await pods.listPods({ signal: stop.signal }).catch((error) => error), reason);
});

describe("a transport that hangs, floods or returns wrong responses", () => {
  const hang: Interceptor = () => () => new Promise(() => {});
  const hanging = () => createRouterTransport(() => {}, { transport: { interceptors: [hang] } });
  const podOf = (uid: string) => toBinary(PodSchema, create(PodSchema, { metadata: { uid } }));

  test("calls over a hanging transport heed deadlines and signals and leave no listener", async (t) => {
    const pods = clientOf(t, { sources: [connectSource(hanging())] });
    await assert.rejects(pods.getPod("a", { timeoutMs: 30 }), { code: "deadline" });
    await assert.rejects(pods.listPods({ timeoutMs: 30 }), { code: "deadline" });
    const stop = new AbortController();
    const { signal } = stop;
    const asked = Array.from({ length: 100 }, () => pods.getPod("a", { signal }).catch((error) => error));
    const reason = new Error("enough");
    stop.abort(reason);
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([reason]));
    assert.deepEqual(getEventListeners(signal, "abort"), []);
    const source = connectSource(hanging());
    const aborted = new AbortController();
    const direct = source.get("a", { signal: aborted.signal });
    aborted.abort(reason);
    assert.equal(await direct.catch((error) => error), reason);
    const open = source.get("a", { signal: new AbortController().signal });
    await source.close();
    await assert.rejects(open, { code: "closed" });
  });

  test("1,000 calls and 1,000 abandoned streams leave no listener and no stream", async () => {
    let streams = 0;
    const transport = createRouterTransport((router) =>
      router.service(Pods, {
        getPod: () => ({ pod: podOf("a") }),
        watchPods: async function* (_, { signal }) {
          streams++;
          signal.addEventListener("abort", () => streams--);
          yield { type: EventType.INITIAL_SYNC_COMPLETE };
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      }),
    );
    const source = connectSource(transport);
    const { signal } = new AbortController();
    for (let i = 0; i < 1_000; i++) await source.get("a", { signal, timeoutMs: 60_000 });
    for (let i = 0; i < 1_000; i++)
      for await (const event of source.open(signal)) if ("type" in event && event.type === "SYNCED") break;
    assert.deepEqual([getEventListeners(signal, "abort").length, streams], [0, 0]);
    const stop = new AbortController();
    const hung = connectSource(hanging()).open(stop.signal)[Symbol.asyncIterator]();
    await hung.next();
    const next = hung.next();
    stop.abort(new Error("enough"));
    await assert.rejects(next, { message: "enough" });
    await source.close();
  });

  test("timers run during a flood of events", async () => {
    const pod = podOf("a");
    const transport = createRouterTransport((router) =>
      router.service(Pods, {
        watchPods: async function* () {
          for (;;) yield { type: EventType.MODIFIED, pod };
        },
      }),
    );
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 20);
    let events = 0;
    for await (const _ of connectSource(transport).open(new AbortController().signal)) {
      if (isOver) break;
      assert.ok(++events < 1_000_000, "the timer has not fired");
    }
  });

  test("negotiates no other version after a stream has answered", async () => {
    let streams = 0;
    const transport = createRouterTransport((router) =>
      router.service(Pods, {
        watchPods: async function* () {
          if (++streams > 1) return;
          yield { type: EventType.INITIAL_SYNC_COMPLETE };
          throw new ConnectError("no longer", Code.Unimplemented);
        },
      }),
    );
    const read = async () => {
      for await (const _ of connectSource(transport).open(new AbortController().signal));
    };
    await assert.rejects(read(), { code: "not-served" });
    assert.equal(streams, 1);
  });

  test("rejects a response that contains another pod than requested", async (t) => {
    const answers = ["b", "", "a"];
    const transport = createRouterTransport((router) =>
      router.service(Pods, { getPod: () => ({ pod: podOf(answers.shift() ?? "") }) }),
    );
    const pods = clientOf(t, { sources: [connectSource(transport)] });
    await assert.rejects(pods.getPod("a"), { code: "corrupt", message: /the kubelet answered with another pod/ });
    assert.equal((await pods.getPod("a", { mask: ["status.phase"] })).status.phase, "", "the mask may omit the UID");
    assert.equal((await pods.getPod("a")).metadata.uid, "a");
  });
});

test("without a server Connect reports Unavailable and the client the specific code", async (t) => {
  await using transport = kubeletTransport({ socketPath: "/nowhere/kubelet.sock" });
  await assert.rejects(createClient(Pods, transport).listPods({}), { code: Code.Unavailable });
  const pods = clientOf(t, { sources: [connectSource(transport)] });
  // One attempt: how long it takes is the machine's, and decides nothing.
  await assert.rejects(pods.listPods({ retry: false }), { code: "socket-missing" });
  const refused = createGrpcTransport({ baseUrl: "http://127.0.0.1:1" });
  await assert.rejects(clientOf(t, { sources: [connectSource(refused)] }).listPods({ retry: false }), {
    code: "connection-refused",
    hint: "nothing listens at the address of the transport",
  });
});

test("hints name the credentials and certificates of the transport", async (t) => {
  const denied = createRouterTransport((router) => {
    router.service(Pods, {
      listPods() {
        throw new ConnectError("no", Code.Unauthenticated);
      },
    });
  });
  const port = await listening(t, http2.createSecureServer(tls)); // its certificate is of a CA that is not trusted here
  const distrusted = createGrpcTransport({ baseUrl: `https://localhost:${port}` });
  const list = { pods: [new Uint8Array(1_000)] };
  const small = createRouterTransport((router) => router.service(Pods, { listPods: () => list }), {
    transport: { readMaxBytes: 100 },
  });
  for (const [transport, code, hint] of [
    [small, "too-large", "raise readMaxBytes of the transport, which is maxMessageBytes of kubeletTransport()"],
    [denied, "not-permitted", "the server refuses the credentials of the transport"],
    [distrusted, "connection-lost", "check the certificates of client and server"],
  ] as const) {
    const error = await clientOf(t, { transport })
      .listPods({ retry: false })
      .catch((error: unknown) => error);
    assert.ok(PodsError.is(error) && error.code === code && error.hint === hint, String(error));
    assert.ok(!error.message.includes("\\u000a"), error.message);
  }
});

test("limits the number of pods in a list and counts unknown events as malformed", async (t) => {
  const pod = new Uint8Array([0x0a, 0]);
  const crowd = createRouterTransport((router) =>
    router.service(Pods, {
      listPods: () => ({ pods: Array.from({ length: 20_001 }, () => pod) }),
      watchPods: async function* () {
        yield { type: 9 as EventType, pod };
        yield { type: EventType.INITIAL_SYNC_COMPLETE };
      },
    }),
  );
  const pods = clientOf(t, { sources: [connectSource(crowd)] });
  await assert.rejects(pods.listPods(), { code: "too-large" });
  const informer = pods.informer();
  await until(t, () => informer.state.counters.malformed > 0);
});

test("a client accepts a transport and does not close it", async (t) => {
  const node = await nodeOf(t);
  const transport = await (WAYS["a router in memory"] as Way)(t, node, []);
  const pods = clientOf(t, { transport });
  const informer = pods.informer();
  await informer.synced();
  const [pod] = await pods.listPods();
  assert.equal((await pods.getPod(pod?.metadata.uid ?? "")).metadata.name, pod?.metadata.name);
  assert.equal(informer.list().length > 0, true);
  assert.equal((await pods.probe()).ready, true);
  await pods.close();
  await assert.rejects(pods.listPods(), { code: "closed" });
  assert.ok((await createClient(Pods, transport).listPods({})).pods.length > 0, "the transport goes on");
  await clientOf(t, { transport }).close(); // one that was never used
  const refused = (options: object, message: RegExp) =>
    assert.throws(() => clientOf(t, options as ClientOptions), { code: "invalid-argument", message });
  for (const not of [{}, null, "t", { unary() {} }, { stream() {} }])
    refused({ transport: not }, /transport must be a connect transport; for example createGrpcTransport/);
  refused({ transport, sources: [] }, /transport cannot be combined with sources; leave sources out/);
  refused({ transport, rootDir: "/x" }, /transport cannot be combined with rootDir; leave rootDir out/);
  refused(
    { sources: [connectSource(transport)], kubeletVersion: "1.37" },
    /combined with kubeletVersion; pass kubeletV/,
  );
  refused({ transport, kubeletVersion: "1.35" }, /kubeletVersion: 1.35 has no Pods API/);
});

test("with kubeletVersion 1.37, one list over a transport without API pods proves that a pod is absent", async (t) => {
  const uid = "0f1b80f9-0789-4f8b-9360-e46b89fa5f29";
  const transport = createRouterTransport(({ service }) =>
    service(Pods, {
      async *watchPods(_, { signal }) {
        yield { type: EventType.INITIAL_SYNC_COMPLETE };
        await untilAborted(signal);
      },
    }),
  );
  const absent = async (options: ClientOptions) => {
    const informer = clientOf(t, { timeoutMs: 2_500, ...options }).informer();
    return informer.confirmAbsent([uid]).catch(({ code }) => code);
  };
  const kubeletVersion = "1.37";
  const ways = [
    { transport },
    { transport, kubeletVersion },
    { sources: [connectSource(transport, { kubeletVersion })] },
  ];
  assert.deepEqual(await Promise.all(ways.map(absent)), ["initializing", [uid], [uid]]);
});

test("the environment's kubelet version applies only to the socket of this node", (t) => {
  const transport = createRouterTransport(() => {});
  const { env } = process;
  t.after(() => {
    process.env = env;
  });
  process.env = { ...env, KUBELET_PODS_KUBELET_VERSION: "1.35" };
  assert.throws(() => clientOf(t, {}), /1.35 has no Pods API/);
  assert.throws(() => podsApi(), /1.35 has no Pods API/);
  clientOf(t, { transport });
  clientOf(t, { sources: [kubeletHttp({ url: "https://127.0.0.1:1" }), connectSource(transport)] });
});

test("each transport counts as a server of its own", () => {
  const [one, another] = [0, 1].map(() => connectSource(createRouterTransport(() => {})));
  assert.notEqual(one?.server(), another?.server());
});

test("closing the client aborts its requests and keeps the caller's transport open", async (t) => {
  const node = await nodeOf(t);
  const signals: AbortSignal[] = [];
  const look: Interceptor = (next) => (request) => {
    signals.push(request.signal);
    return next(request);
  };
  const transport = await (WAYS["a router in memory"] as Way)(t, node, [look]);
  const pods = clientOf(t, { sources: [connectSource(transport)] });
  const informer = pods.informer();
  await informer.synced();
  await pods.close();
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
  const source = connectSource(transport);
  await source.close();
  await assert.rejects(source.list({ signal: new AbortController().signal }), { code: "closed" });
  assert.ok((await createClient(Pods, transport).listPods({})).pods.length > 0, "the transport goes on");
  assert.throws(() => connectSource({} as never), {
    code: "invalid-argument",
    message: /connectSource: transport must be a connect transport/,
  });
});
