// Pods of kubelets that have no Pods API, from their HTTP server.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { callChannel, retryChannel, watchChannel } from "../../src/diagnostics.js";
import { type PodEvent, type PodJson, type PodsClient, type PodsError, toKubernetesJson } from "../../src/index.js";
import { resolveHttpOptions } from "../../src/sources/kubelet-http/http-options.js";
import { KubeletHttpSource } from "../../src/sources/kubelet-http/http-source.js";
import { type KubeletHttpOptions, kubeletHttp } from "../../src/sources/kubelet-http/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { Deadline } from "../../src/timing/deadline.js";
import { podLists } from "../helpers/fixtures.js";
import { certs, HttpKubelet } from "../helpers/http-kubelet.js";
import { clientOf, environmentOf, httpSource, temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

const caFile = join(certs, "ca.pem");

function httpClient(t: TestContext, options: KubeletHttpOptions, timeoutMs = 30_000, retry = false): PodsClient {
  return clientOf(t, { sources: [httpSource(t, { standalone: true, ...options })], retry, timeoutMs });
}

const uidOf = ({ metadata }: PodJson) => metadata?.uid ?? "";
const byUid = (a: PodJson, b: PodJson) => (uidOf(a) < uidOf(b) ? -1 : 1);

async function next<P>(watch: AsyncIterator<PodEvent<P>, undefined>): Promise<PodEvent<P>> {
  const { value, done } = await watch.next();
  assert.ok(!done && value);
  return value;
}

async function errorOf(promise: Promise<unknown>): Promise<PodsError> {
  return promise.then(
    () => assert.fail("it has succeeded"),
    (error: PodsError) => error,
  );
}

describe("lists of real kubelets", () => {
  for (const { name, pods: listed } of podLists()) {
    test(`${name}: listPods, getPod, informer and probe`, async (t) => {
      const given = listed.sort(byUid);
      const kubelet = await HttpKubelet.start(t, () => given, { certificate: "server" });
      const pods = httpClient(t, { url: kubelet.url, caFile });
      const list = await pods.listPods();
      assert.deepEqual(
        list.map(({ metadata }) => metadata?.uid),
        given.map(uidOf),
      );
      for (const [i, pod] of list.entries()) {
        const json = toKubernetesJson(pod);
        assert.deepEqual(json.spec?.containers, given[i]?.spec?.containers);
        assert.deepEqual(json.status?.phase, given[i]?.status?.phase);
      }
      const [first] = given;
      assert.equal((await pods.getPod(uidOf(first ?? {}))).metadata?.name, first?.metadata?.name);
      await assert.rejects(pods.getPod("nobody"), { code: "not-found" });
      const informer = pods.informer({ includeFinished: true });
      await informer.synced();
      assert.equal(informer.size, given.length);
      assert.equal((await pods.probe()).ready, true);
    });
  }
});

/** Lets the pod ledger-1 have run to its end: a list that lacks it then proves that it has gone. */
function leaving(json: PodJson): PodJson {
  if (json.metadata?.name !== "ledger-1") return json;
  const ended = json.status?.containerStatuses?.map((each) => ({ ...each, state: { terminated: { exitCode: 0 } } }));
  return {
    ...json,
    status: {
      ...json.status,
      phase: "Succeeded",
      containerStatuses: ended ?? [],
      initContainerStatuses: [],
      ephemeralContainerStatuses: [],
    },
  };
}

test("repeats a request after a reset of a kept connection, but not of a new one", async (t) => {
  let isKept = false;
  const kubelet = await HttpKubelet.start(t, () => sampleNode());
  kubelet.answer = (request, response) => {
    if (!isKept || kubelet.requests.length > 1) request.socket.resetAndDestroy();
    else response.end(JSON.stringify({ kind: "PodList", items: sampleNode() }));
  };
  const source = new KubeletHttpSource(resolveHttpOptions({ url: kubelet.url }));
  t.after(() => source.close());
  const list = () => source.list({ signal: new AbortController().signal, timeoutMs: 10_000, mask: undefined });
  assert.equal((await errorOf(list())).code, "connection-lost");
  assert.equal(kubelet.requests.length, 1);
  isKept = true;
  kubelet.requests.length = 0;
  assert.equal((await list()).length, sampleNode().length);
  assert.equal((await errorOf(list())).code, "connection-lost");
  assert.equal(kubelet.requests.length, 3, "on the kept connection, and on a new one");
});

describe("a watch", { concurrency: true }, () => {
  test("emits the changes and deletions that each poll finds, with selectors and masks", async (t) => {
    let list = sampleNode().map(leaving);
    const kubelet = await HttpKubelet.start(t, () => list);
    const pods = httpClient(t, { url: `${kubelet.url}/api/v1/nodes/n/proxy/`, pollIntervalMs: 1_000 });
    const watch = pods.watchPods({ namespace: "shop", mask: ["metadata.name", "status.phase"], includeFinished: true });
    const names: string[] = [];
    for (let event = await next(watch); event.type !== "SYNCED"; event = await next(watch)) {
      assert.ok(event.type === "ADDED");
      names.push(event.pod.metadata?.name ?? "");
    }
    assert.equal(names.length, 7);
    list = list.filter(({ metadata }) => metadata?.name !== "ledger-1");
    const gone = await next(watch);
    assert.ok(gone.type === "DELETED" && gone.cause === "missing" && gone.pod.metadata?.name === "ledger-1");
    list = list.map((json) =>
      json.metadata?.name === "search-0" ? { ...json, status: { ...json.status, phase: "Pending" } } : json,
    );
    const modified = await next(watch);
    assert.ok(modified.type === "MODIFIED" && modified.pod.metadata?.name === "search-0");
    assert.deepEqual([modified.previous.status?.phase, modified.pod.status?.phase], ["Running", "Pending"]);
    assert.equal(kubelet.requests[0]?.url, "/api/v1/nodes/n/proxy/pods");
    await watch.return?.();
  });

  test("reports an outage, and afterwards the deletions that it hid", async (t) => {
    let list = sampleNode().map(leaving);
    const kubelet = await HttpKubelet.start(t, () => list);
    const pods = httpClient(t, { url: kubelet.url, pollIntervalMs: 1_000 });
    const watch = pods.watchPods({ mask: ["metadata.name"], includeFinished: true });
    while ((await next(watch)).type !== "SYNCED");
    kubelet.answer = (_, response) => response.writeHead(503).end();
    const lost = await next(watch);
    assert.ok(lost.type === "DISCONNECTED");
    assert.equal(lost.error.code, "server-error");
    list = list.filter(({ metadata }) => metadata?.name !== "ledger-1");
    kubelet.answer = undefined;
    const gone = await next(watch);
    assert.ok(gone.type === "DELETED" && gone.pod.metadata?.name === "ledger-1");
    assert.equal((await next(watch)).type, "SYNCED");
    await watch.return?.();
  });

  test("keeps a pod that becomes unreadable, and reports its UID", async (t) => {
    let list: PodJson[] = sampleNode();
    const kubelet = await HttpKubelet.start(t, () => list);
    const pods = httpClient(t, { url: kubelet.url, pollIntervalMs: 1_000 });
    const informer = pods.informer();
    await informer.synced();
    const [first] = list;
    const before = informer.size;
    list = list.map((json) => (json === first ? ({ ...json, spec: { containers: "none" } } as never) : json));
    await until(t, () => informer.state.unreadable.size > 0);
    assert.deepEqual([[...informer.state.unreadable], informer.size], [[uidOf(first ?? {})], before]);
    assert.equal((await errorOf(pods.listPods())).code, "corrupt");
  });

  test("keeps missing pods unconfirmed after a restart that config.seen shows", async (t) => {
    const stamped = (list: readonly PodJson[], at: string) =>
      list.map((json) => ({
        ...json,
        metadata: { ...json.metadata, annotations: { ...json.metadata?.annotations, "kubernetes.io/config.seen": at } },
      }));
    let list = stamped(sampleNode(), "2026-11-20T08:00:00Z");
    const kubelet = await HttpKubelet.start(t, () => list);
    const pods = httpClient(t, { url: kubelet.url, pollIntervalMs: 1_000 });
    const informer = pods.informer({ includeFinished: true });
    await informer.synced();
    const all = informer.size;
    list = stamped(sampleNode().slice(0, 3), "2026-11-20T09:00:00Z"); // it has not read the others yet
    await until(t, () => informer.state.unconfirmed.count > 0);
    assert.equal(informer.size, all);
    list = stamped(sampleNode(), "2026-11-20T09:00:00Z");
    await until(t, () => informer.state.unconfirmed.count === 0);
    assert.equal(informer.size, all);
  });
});

describe("errors", () => {
  const cases: [
    name: string,
    start: Parameters<typeof HttpKubelet.start>[2],
    options: object,
    code: string,
    says: RegExp,
  ][] = [
    [
      "a certificate of another CA is rejected",
      { certificate: "server" },
      { caFile: join(certs, "other-ca.pem") },
      "wrong-peer",
      /its certificate is not trusted \(/,
    ],
    [
      "a certificate without a configured CA is rejected",
      { certificate: "server" },
      {},
      "wrong-peer",
      /caFile must contain the CA/,
    ],
    ["an expired certificate is rejected", { certificate: "expired" }, { caFile }, "wrong-peer", /CERT_HAS_EXPIRED/],
    [
      "a missing client certificate is reported",
      { certificate: "server", mutual: true },
      { caFile },
      "wrong-peer",
      /certificate|TLS/i,
    ],
    [
      "a missing token file is reported",
      { certificate: "server" },
      { caFile, tokenFile: "/no/token" },
      "not-permitted",
      /\/no\/token does not exist; check the path/,
    ],
  ];
  for (const [name, start, options, code, says] of cases) {
    test(name, async (t) => {
      const kubelet = await HttpKubelet.start(t, sampleNode, start);
      const error = await errorOf(httpClient(t, { url: kubelet.url, ...options }).listPods());
      assert.equal(error.code, code, error.message);
      assert.match(error.message, says);
    });
  }

  const statuses: [status: number, code: string, says: RegExp, retryable: boolean][] = [
    [401, "not-permitted", /HTTP 401; the kubelet rejects the token/, false],
    [403, "not-permitted", /nodes\/pods .* nodes\/proxy/, false],
    [404, "not-served", /HTTP 404; is this the URL of a kubelet/, false],
    [429, "rate-limited", /HTTP 429/, true],
    [408, "server-error", /HTTP 408/, true],
    [421, "server-error", /HTTP 421/, true],
    [425, "server-error", /HTTP 425/, true],
    [409, "server-error", /HTTP 409/, false],
    [500, "server-error", /HTTP 500/, true],
  ];
  for (const [status, code, says, retryable] of statuses) {
    test(`HTTP ${status} is reported as ${code} without quoting the body`, async (t) => {
      const kubelet = await HttpKubelet.start(t, sampleNode);
      kubelet.answer = (_, response) => response.writeHead(status).end("secret of the answer");
      const error = await errorOf(httpClient(t, { url: kubelet.url }).listPods());
      assert.deepEqual([error.code, error.retryable], [code, retryable]);
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /secret/);
    });
  }

  test("the client sends no request until Retry-After has passed, at most one minute", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const clock = new VirtualClock();
    const source = new KubeletHttpSource(resolveHttpOptions({ url: kubelet.url }), clock);
    t.after(() => source.close());
    const { signal } = new AbortController();
    const ways: [retryAfter: string, seconds: number][] = [
      ["30", 30],
      [new Date(clock.wallMs() + 30_000 + 20_000).toUTCString(), 20],
      ["86400", 60], // no longer than a minute, whatever it says
    ];
    for (const [retryAfter, seconds] of ways) {
      kubelet.answer = (_, response) => response.writeHead(429, { "retry-after": retryAfter }).end();
      assert.equal((await errorOf(source.list({ signal }))).code, "rate-limited");
      const asked = kubelet.requests.length;
      kubelet.answer = undefined;
      await clock.advance(seconds * 1_000 - 1);
      const told = await errorOf(source.list({ signal }));
      assert.match(told.message, /the server asks clients to wait 1 s more; the client sends no request until then/);
      assert.equal(kubelet.requests.length, asked);
      await clock.advance(1);
      assert.equal((await source.list({ signal })).length, sampleNode().length);
    }
  });

  test("missing servers and interrupted, oversized, late or invalid responses have distinct codes", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const pods = httpClient(t, { url: kubelet.url, maxResponseBytes: 200_000 });
    const never = () => {};
    const codes: string[] = [];
    const answers: NonNullable<HttpKubelet["answer"]>[] = [
      (_, response) => {
        response.writeHead(200, { "content-length": "1000" }).write("{", () => response.destroy());
      },
      (_, response) => response.end("x".repeat(1_000_000)),
      never,
      (_, response) => response.end("{ secret"),
      (_, response) => response.end('{"kind":"Status"}'),
    ];
    for (const answer of answers) {
      kubelet.answer = answer;
      const error = await errorOf(pods.listPods(answer === never ? { timeoutMs: 300 } : {}));
      assert.doesNotMatch(error.message, /secret/);
      codes.push(error.code);
    }
    kubelet.answer = undefined;
    await kubelet.close();
    codes.push((await errorOf(pods.listPods())).code);
    assert.deepEqual(codes, ["connection-lost", "too-large", "deadline", "corrupt", "corrupt", "connection-refused"]);
  });

  test("a call that waits for a free connection ends at its deadline or signal", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    kubelet.answer = () => {};
    const pods = httpClient(t, { url: kubelet.url }, 20_000);
    const busy = ["a", "b", "c"].map((uid) => pods.getPod(uid).catch(() => {}));
    assert.equal((await errorOf(pods.getPod("d", { timeoutMs: 100 }))).code, "deadline");
    const { signal } = new Deadline({ clock: environmentOf(t).clock, timeoutMs: 50, reason: () => new Error("mine") });
    await assert.rejects(pods.getPod("e", { signal }), { message: "mine" });
    await pods.close();
    await Promise.all(busy);
  });

  test("calls share the next poll, and leave a connection for the watch", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const uids = sampleNode().map(uidOf);
    const answers: (() => void)[] = [];
    const answered = kubelet.answer;
    kubelet.answer = (_, response) => {
      const body = JSON.stringify({ kind: "PodList", items: sampleNode() });
      answers.push(() => response.end(body));
    };
    const requested = async (count: number) => {
      while (kubelet.requests.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const pods = httpClient(t, { url: kubelet.url }, 20_000);
    const first = pods.getPod(uids[0] ?? "");
    await requested(1);
    const others = Promise.all([pods.listPods(), ...uids.slice(0, 2).map((uid) => pods.getPod(uid))]);
    const watch = pods.watchPods();
    const event = next(watch);
    await requested(2);
    answers.pop()?.();
    assert.equal((await event).type, "ADDED", "the watch does not wait for the call");
    await watch.return?.();
    answers.pop()?.();
    await first;
    await requested(3);
    kubelet.answer = answered;
    answers.pop()?.();
    await others;
    assert.equal(kubelet.requests.length, 3);
  });

  test("a call sends its own poll if that of another call is not answered within a second", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const clock = new VirtualClock();
    const source = new KubeletHttpSource(resolveHttpOptions({ url: kubelet.url }), clock);
    t.after(() => source.close());
    const { signal } = new AbortController();
    kubelet.answer = () => {};
    const stuck = errorOf(source.list({ signal, timeoutMs: 5_000 }));
    await once(kubelet.server, "request");
    kubelet.answer = undefined;
    const list = source.list({ signal });
    await clock.advance(999);
    assert.equal(kubelet.requests.length, 1);
    await clock.advance(2);
    assert.equal((await list).length, sampleNode().length);
    await clock.advance(5_000);
    assert.match((await stuck).message, /\/pods: no answer within 5000 ms/);
  });

  test("a proved list without the pod is enough for not-found", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const pods = httpClient(t, { url: kubelet.url });
    assert.deepEqual([(await errorOf(pods.getPod("none"))).code, kubelet.requests.length], ["not-found", 1]);
  });

  test("endless error responses, redirects and an invalid token file are rejected", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const tokenFile = join(temporaryDirectory(t), "token");
    writeFileSync(tokenFile, "one\ntwo");
    const refused = await errorOf(httpClient(t, { url: kubelet.url, caFile, tokenFile }).listPods());
    assert.match(refused.message, /^not-permitted: .*token contains no token; the file must contain one line/);
    const pods = httpClient(t, { url: kubelet.url, caFile });
    kubelet.answer = (_, response) => response.writeHead(500, { "content-length": "1000000" }).write("x");
    for (let i = 0; i < 3; i++) assert.equal((await errorOf(pods.getPod("a"))).code, "server-error");
    kubelet.answer = (_, response) => response.writeHead(302, { location: "https://elsewhere/" }).end();
    assert.match((await errorOf(pods.listPods())).message, /^not-served: .*HTTP 302; redirects are not followed/);
  });

  test("a list without pods, also with null items, is valid", async (t) => {
    const kubelet = await HttpKubelet.start(t, () => []);
    const pods = httpClient(t, { url: kubelet.url }, 30_000, true);
    assert.deepEqual(await pods.listPods(), []);
    assert.ok(environmentOf(t).clock.now() >= 10_000, "an empty list does not show how old the kubelet is");
    kubelet.answer = (_, response) => response.end('{"kind":"PodList","items":null}');
    assert.deepEqual(await pods.listPods(), []);
  });

  test("a response of 30 MB is read", async (t) => {
    const [pod = {}] = sampleNode();
    const big = { ...pod, metadata: { ...pod.metadata, annotations: { filler: "x".repeat(100_000) } } };
    const list = Array.from({ length: 300 }, (_, i) => ({ ...big, metadata: { ...big.metadata, uid: `uid-${i}` } }));
    const kubelet = await HttpKubelet.start(t, () => list);
    const found = await httpClient(t, { url: kubelet.url }, 20_000).listPods({ mask: ["metadata.uid"] });
    assert.equal(found.length, 300);
  });
});

describe("oversized and invalid lists", () => {
  const bodies: [what: string, body: string][] = [
    ["half a MiB of zeros", `{"kind":"PodList","items":[${"0,".repeat(262_144)}0]}`],
    ["two MiB of empty objects", `{"kind":"PodList","items":[${"{},".repeat(700_000)}{}]}`],
    ["unclosed brackets", `{"kind":"PodList","items":${"[".repeat(2_000_000)}`],
    ["brackets within one pod", `{"kind":"PodList","items":[{"a":[${"[],".repeat(1_600_000)}[]]}]}`],
  ];
  for (const [what, body] of bodies) {
    test(`${what}: rejected by a call and a watch, and the next list is accepted`, async (t) => {
      const kubelet = await HttpKubelet.start(t, sampleNode);
      const pods = httpClient(t, { url: kubelet.url }, 20_000);
      kubelet.answer = (_, response) => response.end(body);
      const error = await errorOf(pods.listPods());
      assert.deepEqual([error.code, error.retryable], ["too-large", false]);
      const watch = pods.watchPods({ mask: ["metadata.uid"] });
      const first = await watch.next();
      assert.ok(first.value?.type === "DISCONNECTED" && first.value.error.code === "too-large");
      kubelet.answer = undefined;
      while ((await watch.next()).value?.type !== "SYNCED");
      await watch.return?.();
    });
  }

  test("a pod with too many values is unreadable, and the others are listed", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const [pod = {}] = sampleNode();
    const labels = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key-${i}`, ""]));
    const spec = { ...pod.spec, ephemeralContainers: Array(60_000).fill({}) };
    for (const large of [
      { ...pod, spec },
      { ...pod, metadata: { ...pod.metadata, labels } },
    ]) {
      kubelet.pods = () => sampleNode().map((each, i) => (i === 0 ? large : each));
      const unreadable: string[] = [];
      const onUnreadable = (uid: string) => unreadable.push(uid);
      const list = await httpClient(t, { url: kubelet.url }).listPods({ mask: ["metadata.uid"], onUnreadable });
      assert.deepEqual([unreadable, list.length], [[uidOf(pod)], sampleNode().length - 1]);
    }
  });

  test("brackets and commas inside strings do not count", async (t) => {
    const [pod = {}] = sampleNode();
    const text = `${"[".repeat(1_000)}\\"${",".repeat(30_000)}\\\\`;
    const kubelet = await HttpKubelet.start(t, () => [
      { ...pod, metadata: { ...pod.metadata, annotations: { text } } },
    ]);
    const [found] = await httpClient(t, { url: kubelet.url }).listPods({ mask: ["metadata.annotations"] });
    assert.equal(found?.metadata?.annotations["text"], text);
  });

  test("invalid entries are skipped, and do not confirm that other pods are missing", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const pods = httpClient(t, { url: kubelet.url, pollIntervalMs: 1_000 });
    const informer = pods.informer({ mask: ["metadata.uid"] });
    await informer.synced();
    const { size } = informer;
    const listed = kubelet.requests.length;
    kubelet.answer = (_, response) => response.end('{"kind":"PodList","items":[0,null,"x",[],{}]}');
    await until(t, () => kubelet.requests.length >= listed + 2);
    assert.equal(informer.size, size);
    assert.ok(informer.state.unconfirmed.count > 0);
    await informer.close();
  });
});

describe("a kubelet that has not read all pods", () => {
  for (const [uid, expected] of [
    ["late", "late"],
    ["never", "not-found"],
  ] as const) {
    test(`getPod() of a pod that is listed ${uid} waits until the list is proved`, async (t) => {
      const pod = (name: string): PodJson => ({
        metadata: { uid: name, annotations: { "kubernetes.io/config.source": "api" } },
      });
      const kubelet = await HttpKubelet.start(t, () => [
        pod("first"),
        ...(kubelet.requests.length > 2 ? [pod("late")] : []),
      ]);
      const pods = clientOf(t, { sources: [httpSource(t, { url: kubelet.url })], timeoutMs: 30_000 });
      const refused = await errorOf(pods.getPod(uid, { retry: false }));
      assert.deepEqual([refused.code, refused.method, refused.retryable], ["initializing", "GetPod", true]);
      const found = await pods.getPod(uid).then(
        ({ metadata }) => metadata?.uid,
        ({ code }: PodsError) => code,
      );
      assert.equal(found, expected);
    });
  }
});

test("close() resolves once no connection is left, also that of a running call", async (t) => {
  const kubelet = await HttpKubelet.start(t, sampleNode);
  const sockets: Socket[] = [];
  const collect = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", collect);
  t.after(() => unsubscribe("net.client.socket", collect));
  const pods = httpClient(t, { url: kubelet.url });
  await Promise.all([pods.listPods(), next(pods.watchPods())]);
  kubelet.answer = () => {};
  const running = errorOf(pods.getPod("none"));
  await once(kubelet.server, "request");
  await pods.close();
  assert.deepEqual(
    sockets.map(({ closed }) => closed),
    [true, true],
  );
  assert.equal((await running).code, "closed");
});

test("a list is a PodList or a List, with or without items, and nothing else", async (t) => {
  const kubelet = await HttpKubelet.start(t, sampleNode);
  const pods = httpClient(t, { url: kubelet.url }, 30_000, true);
  kubelet.pods = () => [];
  await pods.listPods();
  for (const [body, expected] of [
    ['{"kind":"PodList","items":null}', 0],
    ['{"kind":"PodList"}', 0],
    ['\ufeff{"kind":"List","items":[]}', 0],
    ['{"items":[]}', 0],
    ['{"kind":"List"}', "corrupt"],
    ['{"kind":"Status","items":[]}', "corrupt"],
    ['{"kind":"PodList","items":{}}', "corrupt"],
  ] as const) {
    kubelet.answer = (_, response) => response.end(body);
    assert.equal(
      await pods.listPods({ retry: false }).then(
        ({ length }) => length,
        ({ code }) => code,
      ),
      expected,
      body,
    );
  }
});

describe("token, certificate and key files", () => {
  test("a token file of more than 1 MiB is rejected", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const tokenFile = join(temporaryDirectory(t), "token");
    writeFileSync(tokenFile, "x".repeat(1024 * 1024 + 1));
    const { message } = await errorOf(httpClient(t, { url: kubelet.url, caFile, tokenFile }).listPods());
    assert.match(message, /token is larger than 1 MiB; a token or certificates are expected$/);
  });

  test("a FIFO as token file is reported by a call and a watch", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const tokenFile = join(temporaryDirectory(t), "token");
    execFileSync("mkfifo", [tokenFile]);
    const pods = httpClient(t, { url: kubelet.url, caFile, tokenFile });
    assert.match((await errorOf(pods.listPods())).message, /^not-permitted: .*token is not a regular file/);
    await assert.rejects(pods.watchPods().next(), { code: "not-permitted" });
    rmSync(tokenFile);
    writeFileSync(tokenFile, "token");
    assert.equal((await pods.listPods()).length, sampleNode().length);
  });

  test("rotating a certificate interrupts no pending request", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const directory = temporaryDirectory(t);
    const bundle = join(directory, "ca.pem");
    copyFileSync(caFile, bundle);
    const pods = httpClient(t, { url: kubelet.url, caFile: bundle });
    const waiting: (() => void)[] = [];
    const asked = new Promise<void>((resolve) => {
      kubelet.answer = (_, response) => {
        const body = JSON.stringify({ kind: "PodList", items: sampleNode().slice(0, 1) });
        waiting.push(() => response.end(body));
        if (waiting.length === 2) resolve();
      };
    });
    const watch = pods.watchPods();
    const before = next(watch);
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(bundle, `${readFileSync(caFile, "utf8")}\n`);
    const after = pods.listPods();
    await asked;
    for (const answer of waiting) answer();
    assert.deepEqual([(await before).type, (await after).length], ["ADDED", 1]);
    await watch.return?.();
  });

  test("a key that does not match its certificate is a retryable error", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server", mutual: true });
    const [certFile, keyFile] = [join(certs, "client.pem"), join(certs, "server.key")];
    const error = await errorOf(httpClient(t, { url: kubelet.url, caFile, certFile, keyFile }).listPods());
    assert.deepEqual([error.code, error.retryable], ["connection-lost", true]);
    assert.match(error.message, /keyFile is not the key of certFile; if the files are rotated/);
  });

  test("a malformed certificate is a retryable error that names the options", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const certFile = join(temporaryDirectory(t), "half.pem");
    writeFileSync(certFile, readFileSync(join(certs, "client.pem"), "utf8").slice(0, 200));
    const options = { caFile, certFile, keyFile: join(certs, "client.key") };
    const error = await errorOf(httpClient(t, { url: kubelet.url, ...options }).listPods());
    assert.deepEqual([error.code, error.retryable], ["connection-lost", true]);
    assert.match(
      error.message,
      /a certificate or key is malformed \(ERR_OSSL_\w+\); check caFile, certFile and keyFile/,
    );
  });

  test("an empty file of CAs, certificates or keys is rejected, and the token is not sent", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const directory = temporaryDirectory(t);
    const [tokenFile, empty] = ["token", "empty"].map((name) => join(directory, name)) as [string, string];
    writeFileSync(tokenFile, "token-one");
    for (const content of ["", "\n"]) {
      writeFileSync(empty, content);
      const keyFile = join(certs, "client.key");
      for (const options of [{ caFile: empty }, { caFile, certFile: empty, keyFile }]) {
        const error = await errorOf(httpClient(t, { url: kubelet.url, tokenFile, ...options }).listPods());
        assert.equal(error.code, "not-permitted");
        assert.match(error.message, /empty contains no certificate or key; the file must be in PEM format/);
      }
    }
    assert.deepEqual(kubelet.requests, []);
  });

  for (const length of [9, 280, 300, 2_000])
    test(`a message that repeats a token of ${length} characters is left out`, async (t) => {
      const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
      const tokenFile = join(temporaryDirectory(t), "token");
      writeFileSync(tokenFile, "t".repeat(length));
      kubelet.answer = ({ headers }, response) => {
        response.writeHead(401, { "content-type": "application/json" });
        response.end(JSON.stringify({ kind: "Status", message: `not valid: ${headers.authorization}` }));
      };
      const { message } = await errorOf(httpClient(t, { url: kubelet.url, caFile, tokenFile }).listPods());
      assert.match(message, /HTTP 401; /);
    });

  test("an API server's message for HTTP 400 is reported, and the request is not retried", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode);
    const message = "error trying to reach service: address not allowed\u001b[31m";
    kubelet.answer = (_, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ kind: "Status", code: 400, message }));
    };
    const error = await errorOf(httpClient(t, { url: kubelet.url }, 5_000).listPods({ retry: true }));
    assert.deepEqual([error.code, error.retryable, kubelet.requests.length], ["server-error", false, 1]);
    assert.match(error.message, /HTTP 400: error trying to reach service: address not allowed/);
    assert.ok(!error.message.includes("\u001b"));
  });
});

describe("authentication", () => {
  test("reads the token for each request, and never prints it", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server" });
    const tokenFile = join(temporaryDirectory(t), "token");
    writeFileSync(tokenFile, "token-one\n");
    const told: string[] = [];
    const listen = (message: unknown) => void told.push(inspect(message, { depth: 6 }));
    for (const channel of [retryChannel, watchChannel, callChannel.asyncEnd, callChannel.error]) {
      channel.subscribe(listen);
      t.after(() => channel.unsubscribe(listen));
    }
    const pods = httpClient(t, { url: kubelet.url, caFile, tokenFile });
    await pods.listPods();
    writeFileSync(tokenFile, "token-two\n");
    await pods.listPods();
    kubelet.answer = (_, response) => response.writeHead(401).end();
    const error = await errorOf(pods.listPods());
    assert.deepEqual(kubelet.requests.map(({ token }) => token).slice(0, 2), ["Bearer token-one", "Bearer token-two"]);
    assert.ok(told.length > 0);
    assert.doesNotMatch(told.join("\n") + inspect(error, { depth: 6 }), /token-(one|two)/);
  });

  test("uses a client certificate", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "server", mutual: true });
    const [certFile, keyFile] = [join(certs, "client.pem"), join(certs, "client.key")];
    const pods = httpClient(t, { url: kubelet.url, caFile, certFile, keyFile });
    assert.equal((await pods.listPods()).length, sampleNode().length);
  });

  test("accepts an invalid server certificate with insecureSkipTlsVerify", async (t) => {
    const kubelet = await HttpKubelet.start(t, sampleNode, { certificate: "expired" });
    const pods = httpClient(t, { url: kubelet.url, insecureSkipTlsVerify: true });
    assert.equal((await pods.listPods()).length, sampleNode().length);
  });
});

test("a watch keeps its process alive, and an idle client does not", async (t) => {
  const given = sampleNode().map(leaving);
  const kubelet = await HttpKubelet.start(t, () => given);
  const program = `
    import { PodsClient } from "kubelet-pods";
    import { kubeletHttp } from "kubelet-pods/kubelet-http";
    const sources = () => [kubeletHttp({ url: "${kubelet.url}", pollIntervalMs: 1000, standalone: true })];
    const idle = new PodsClient({ sources: sources() });
    await idle.listPods(); // never closed
    const pods = new PodsClient({ sources: sources() });
    let deleted = 0;
    for await (const event of pods.watchPods({ includeFinished: true })) {
      if (event.type === "SYNCED") console.log("synced");
      if (event.type === "DELETED" && ++deleted === 1) break;
    }
    console.log("deleted");`;
  const args = ["--input-type=module", "-e", program];
  const child = spawn(process.execPath, args, { cwd: root });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (output.includes("synced")) kubelet.pods = () => given.filter((json) => json.metadata?.name !== "ledger-1");
  });
  const [code] = await once(child, "close");
  assert.deepEqual([code, output], [0, "synced\ndeleted\n"]);
});

test("CONNECTED has the time since the list was requested", async (t) => {
  const kubelet = await HttpKubelet.start(t, sampleNode);
  const clock = new VirtualClock();
  const source = new KubeletHttpSource(resolveHttpOptions({ url: kubelet.url }), clock);
  t.after(() => source.close());
  kubelet.answer = async (_, response) => {
    await clock.advance(1_700);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "PodList", items: [] }));
  };
  for await (const event of source.open(new AbortController().signal)) {
    assert.deepEqual([event.type, event.type === "CONNECTED" && event.ageMs], ["CONNECTED", 1_700]);
    break;
  }
});

test("reuses the pods of a response that equals the last one", async (t) => {
  const kubelet = await HttpKubelet.start(t, sampleNode);
  const source = kubeletHttp({ url: kubelet.url });
  t.after(() => source.close());
  const { signal } = new AbortController();
  const first = await source.list({ signal });
  const second = await source.list({ signal });
  assert.ok(
    first.every((bytes, i) => bytes === second[i]),
    "the same buffers, not copies",
  );
});

test("rejects invalid options by name", () => {
  const cases: [options: object, message: RegExp][] = [
    [{}, /url must be an http or https URL/],
    [{ url: "ftp://a" }, /url must be an http or https URL/],
    [{ url: "https://user:password@a" }, /url must have only a scheme, a host, a port and a path/],
    [{ url: "https://a//b.example" }, /two slashes in a row/],
    [{ url: "http://a", tokenFile: "/t" }, /need an https URL/],
    [{ url: "https://a", certFile: "/c" }, /certFile and keyFile must be given together/],
    [{ url: "https://a", pollIntervalMs: 10 }, /pollIntervalMs must be at least 1000/],
    [{ url: "https://a", maxResponseBytes: 0 }, /maxResponseBytes/],
    [{ url: "https://a", token: "t" }, /kubeletHttp: unknown option token/],
  ];
  for (const [options, message] of cases) assert.throws(() => kubeletHttp(options as never), message);
});
