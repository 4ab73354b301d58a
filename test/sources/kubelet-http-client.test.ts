// What a kubelet's HTTP server tells beside its pods. Real kubelets judge it: test/node.

import assert from "node:assert/strict";
import { EventEmitter, getEventListeners, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { PodsError } from "../../src/index.js";
import { KubeletHttpClient, type KubeletHttpOptions } from "../../src/sources/kubelet-http/index.js";
import { certs, HttpKubelet } from "../helpers/http-kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";

type Answers = Readonly<Record<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>>;

async function kubeletOf(t: TestContext, answers: Answers, options: Partial<KubeletHttpOptions> = {}) {
  const kubelet = await HttpKubelet.start(t, () => [], { certificate: "server" });
  kubelet.answer = (request, response) => {
    const { pathname } = new URL(request.url ?? "", kubelet.url);
    const answer = answers[pathname];
    if (typeof answer === "function") answer(request, response);
    else if (answer === undefined) response.writeHead(404).end("no such thing");
    else response.end(answer);
  };
  const client = new KubeletHttpClient({ url: kubelet.url, caFile: join(certs, "ca.pem"), ...options });
  t.after(() => client.close());
  return { kubelet, client };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += Buffer.from(chunk).toString();
  return text;
}

const refused = (answer: Promise<unknown>) =>
  answer.then(
    () => assert.fail("it has succeeded"),
    ({ code, message, hint }: PodsError) => ({ code, message: message.replace(/localhost:\d+/, "node"), hint }),
  );

describe("configz()", () => {
  test("returns the kubelet's configuration without the field that may contain a secret", async (t) => {
    const kubeletconfig = {
      cgroupDriver: "systemd",
      podLogsDir: "/var/log/pods",
      containerLogMaxFiles: 5,
      featureGates: { PodsAPI: true },
      staticPodURLHeader: { Authorization: ["Bearer x"] },
      other: [1],
    };
    const { client } = await kubeletOf(t, { "/configz": JSON.stringify({ kubeletconfig }) });
    const { staticPodURLHeader: _, ...told } = kubeletconfig;
    assert.deepEqual(await client.configz(), told);
  });

  test("rejects an invalid configuration without quoting it", async (t) => {
    let body = "";
    const { client } = await kubeletOf(
      t,
      { "/configz": (_, response) => void response.end(body) },
      { maxResponseBytes: 1_000 },
    );
    for (const [given, code, words] of [
      ["secret", "corrupt", "the answer is not JSON"],
      ["[]", "corrupt", "the answer is not a kubelet configuration"],
      ['{"kubeletconfig":{"podLogsDir":7}}', "corrupt", "podLogsDir must be of type string"],
      ['{"kubeletconfig":{"featureGates":[]}}', "corrupt", "featureGates must be of type object"],
      ["[".repeat(300), "too-large", "the answer has nested deeper than 200"],
      [" ".repeat(1_001), "too-large", "more than 1000 bytes"],
    ] as const) {
      body = given;
      const { code: found, message } = await refused(client.configz());
      assert.deepEqual([found, message.replace(/;.*/, "")], [code, `${code}: https://node/configz: ${words}`]);
    }
  });
});

test("statsSummary() returns measurements by UID, and rejects invalid ones", async (t) => {
  const node = { nodeName: "n1", cpu: { time: "t", usageNanoCores: 5 } };
  const pod = { podRef: { namespace: "shop", name: "web", uid: "u1" }, memory: { time: "t", workingSetBytes: 7 } };
  let pods: unknown = [pod];
  const { client } = await kubeletOf(t, {
    "/stats/summary": (_, response) => void response.end(JSON.stringify({ node, pods })),
  });
  const summary = await client.statsSummary();
  assert.equal(summary.node.cpu?.usageNanoCores, 5);
  assert.equal(summary.pods.get("u1")?.memory?.workingSetBytes, 7);
  pods = null;
  assert.equal((await client.statsSummary()).pods.size, 0);
  for (const wrong of [{}, [{}], [{ podRef: { uid: 7 } }], [null]]) {
    pods = wrong;
    assert.equal((await refused(client.statsSummary())).code, "corrupt");
  }
});

test("runningPods() returns pods without a status, and rejects an invalid list", async (t) => {
  const item = {
    metadata: { namespace: "shop", name: "web", uid: "u1" },
    spec: { containers: [{ name: "main", image: "i" }] },
  };
  let list: unknown = { kind: "PodList", items: [{ ...item, later: 1 }] };
  const { client } = await kubeletOf(t, { "/runningpods/": (_, response) => void response.end(JSON.stringify(list)) });
  const [pod] = await client.runningPods();
  assert.deepEqual([pod?.metadata.uid, pod?.spec.containers[0]?.name], ["u1", "main"]);
  list = { kind: "PodList", items: null };
  assert.deepEqual(await client.runningPods(), []);
  for (const wrong of [
    { items: [] },
    { kind: "PodList", items: {} },
    { kind: "PodList", items: [{ spec: "s3cret" }] },
    [],
  ]) {
    list = wrong;
    const { code, message } = await refused(client.runningPods());
    assert.equal(code, "corrupt");
    assert.ok(!message.includes("s3cret"));
  }
});

describe("containerLogs()", () => {
  const pod = { namespace: "shop", name: "web-0" };

  test("passes its options on and returns the log", async (t) => {
    const { kubelet, client } = await kubeletOf(t, { "/containerLogs/shop/web-0/main": "one\ntwo\n" });
    const options = {
      container: "main",
      tailLines: 2,
      sinceSeconds: 60,
      timestamps: true,
      previous: false,
      limitBytes: 9,
    };
    assert.equal(await textOf(client.containerLogs(pod, options)), "one\ntwo\n");
    const query = "tailLines=2&sinceSeconds=60&timestamps=true&previous=false&limitBytes=9";
    assert.deepEqual(
      kubelet.requests.map(({ url }) => url),
      [`/containerLogs/shop/web-0/main?${query}`],
    );
    const missing = await refused(textOf(client.containerLogs(pod, { container: "other" })));
    assert.deepEqual(
      [missing.code, missing.message],
      ["not-found", "not-found: https://node/containerLogs/shop/web-0/other: HTTP 404"],
    );
  });

  test("reads no faster than the loop, and closes the connection when the loop ends", async (t) => {
    let written = 0;
    let gone: Promise<unknown> = Promise.resolve();
    const line = Buffer.alloc(64 * 1024, "x");
    const { client } = await kubeletOf(t, {
      "/containerLogs/shop/web-0/main": (_, response) => {
        gone = once(response, "close");
        const write = () => {
          while (!response.destroyed && written < 1 << 30) {
            written += line.length;
            if (!response.write(line)) return void response.once("drain", write);
          }
        };
        write();
      },
    });
    const log = client.containerLogs(pod, { container: "main", follow: true, timeoutMs: 60_000 });
    for await (const chunk of log) {
      assert.ok(chunk.length > 0);
      break;
    }
    await gone;
    assert.ok(written < 64 << 20, `${written} bytes were taken of one that was read once`);
  });

  test("followed logs leave connections for other calls", async (t) => {
    const { client } = await kubeletOf(t, {
      "/healthz": "ok",
      "/containerLogs/shop/web-0/main": (_, response) => void response.write("a line\n"),
    });
    const logs = Array.from({ length: 3 }, () => client.containerLogs(pod, { container: "main", follow: true }));
    const readers = logs.map((log) => log[Symbol.asyncIterator]());
    for (const reader of readers) assert.equal(String((await reader.next()).value), "a line\n");
    assert.equal(await client.healthz(), true);
    await Promise.all(readers.map((reader) => reader.return?.()));
  });

  test("return() ends a silent stream, and the next() that waits for it", async (t) => {
    let gone: Promise<unknown> = Promise.resolve();
    const { kubelet, client } = await kubeletOf(t, {
      "/containerLogs/shop/web-0/main": (_, response) => {
        gone = once(response, "close");
        response.write("a line\n");
      },
    });
    const user = new AbortController();
    const log = client.containerLogs(pod, { container: "main", follow: true, signal: user.signal });
    const reader = log[Symbol.asyncIterator]();
    await reader.next();
    const waiting = reader.next();
    const done = { done: true, value: undefined };
    assert.deepEqual([await reader.return?.(), await waiting, await reader.next()], [done, done, done]);
    await gone;
    assert.equal(getEventListeners(user.signal, "abort").length, 0);
    const unread = client.containerLogs(pod, { container: "main" })[Symbol.asyncIterator]();
    await unread.return?.();
    assert.deepEqual([await unread.next(), kubelet.requests.length], [done, 1]);
    const failed = client.containerLogs(pod, { container: "main" })[Symbol.asyncIterator]();
    await failed.next();
    await assert.rejects(async () => failed.throw?.(new Error("mine")), { message: "mine" });
    await gone;
  });

  test("applies its deadline only to the first byte, and its signal at any time", async (t) => {
    const clock = new VirtualClock();
    let isBegun = false;
    const asked = new EventEmitter();
    const kubelet = await HttpKubelet.start(t, () => []);
    kubelet.answer = (_, response) => {
      if (isBegun) {
        response.write("a line\n");
        asked.once("more", () => response.write("another\n"));
      } else asked.emit("asked");
    };
    const client = new KubeletHttpClient({ url: kubelet.url }, clock);
    t.after(() => client.close());
    const isAsked = once(asked, "asked");
    const late = refused(textOf(client.containerLogs(pod, { container: "main", timeoutMs: 5_000 })));
    await isAsked;
    await clock.advance(5_100);
    const { code, message } = await late;
    assert.deepEqual([code, message.replace(/^.*: /, "")], ["deadline", "no answer within 5000 ms"]);
    isBegun = true;
    const stop = new AbortController();
    const log = client.containerLogs(pod, { container: "main", follow: true, timeoutMs: 5_000, signal: stop.signal });
    const lines = log[Symbol.asyncIterator]();
    await lines.next();
    await clock.advance(60_000);
    asked.emit("more");
    assert.equal(String((await lines.next()).value), "another\n", "long after its deadline");
    stop.abort(new Error("enough"));
    await assert.rejects(lines.next(), { message: "enough" });
  });

  test("rejects invalid names and options before sending a request", async (t) => {
    const { kubelet, client } = await kubeletOf(t, {});
    for (const [of, options] of [
      [{ namespace: "..", name: "a" }, { container: "main" }],
      [{ namespace: "shop", name: "a/b" }, { container: "main" }],
      [pod, { container: "" }],
      [pod, { container: "main", tailLines: -1 }],
      [pod, { container: "main", sinceSeconds: 1.5 }],
      [pod, { container: "main", lines: 5 }],
    ] as const) {
      assert.throws(() => client.containerLogs(of, options as never), { code: "invalid-argument" });
    }
    assert.throws(() => client.metrics("all" as never), { code: "invalid-argument" });
    assert.deepEqual(kubelet.requests, []);
  });
});

test("metrics() uses its connection again", async (t) => {
  const { kubelet, client } = await kubeletOf(t, { "/metrics": "up 1\n" });
  let connections = 0;
  kubelet.server.on("connection", () => connections++);
  assert.deepEqual([await textOf(client.metrics()), await textOf(client.metrics())], ["up 1\n", "up 1\n"]);
  assert.equal(connections, 1);
});

test("metrics() reads the given metrics, up to maxResponseBytes", async (t) => {
  const { client } = await kubeletOf(
    t,
    { "/metrics": "a 1\n", "/metrics/cadvisor": "b ".repeat(600) },
    { maxResponseBytes: 1_000 },
  );
  assert.equal(await textOf(client.metrics()), "a 1\n");
  assert.equal((await refused(textOf(client.metrics("cadvisor")))).code, "too-large");
});

test("healthz() rejects unclear answers, and hints at a 403 name the missing permission", async (t) => {
  let status = 200;
  let words = "[+]ping ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n";
  const answer = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status).end(status === 200 ? "ok" : words);
  const paths = ["/healthz", "/configz", "/stats/summary", "/runningpods/", "/metrics", "/containerLogs/a/b/c"];
  const { client } = await kubeletOf(t, Object.fromEntries(paths.map((path) => [path, answer])));
  assert.equal(await client.healthz(), true);
  status = 500;
  assert.equal(await client.healthz(), false);
  words = "error trying to reach service";
  assert.equal(
    (await refused(client.healthz())).code,
    "corrupt",
    "a proxy's error does not mean that the kubelet is unhealthy",
  );
  for (status of [400, 502, 503]) assert.equal((await refused(client.healthz())).code, "server-error");
  status = 403;
  const calls = [
    client.healthz(),
    client.configz(),
    client.statsSummary(),
    client.runningPods(),
    textOf(client.metrics()),
    textOf(client.containerLogs({ namespace: "a", name: "b" }, { container: "c" })),
  ];
  const hints = await Promise.all(calls.map(async (call) => (await refused(call)).hint));
  const fine = " (kubelets of 1.33 and later); older kubelets and the API server's proxy need nodes/proxy";
  assert.deepEqual(
    hints.map((hint) => hint.replace("allow it `get` on ", "").replace(fine, " +")),
    ["nodes/healthz +", "nodes/configz +", "nodes/stats", "nodes/pods +", "nodes/metrics", "nodes/proxy"],
  );
  await client.close();
  assert.equal((await refused(client.healthz())).code, "closed");
});
