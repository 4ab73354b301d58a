// Doors that speak HTTP with JSON: every path, and what strangers send.

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { create } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { seededRandom } from "../../src/testing/index.js";
import { environmentOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { A, B, C, relayOf, secretive } from "./relay-of.js";

interface Got {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON is what it is.
  readonly json: any;
  readonly headers: http.IncomingHttpHeaders;
}

function get(path: string, url: string, options: http.RequestOptions = {}, body?: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request({ socketPath: path, path: url, agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        const isJson = response.headers["content-type"] === "application/json";
        resolve({
          status: response.statusCode ?? 0,
          text,
          json: isJson ? JSON.parse(text) : undefined,
          headers: response.headers,
        });
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The lines of a watch, as they come. */
function watched(
  t: TestContext,
  path: string,
): { type: string; pod?: { metadata: { name: string } }; count?: number }[] {
  const lines: { type: string }[] = [];
  const request = http.get({ socketPath: path, path: "/v1alpha1/watch", agent: false }, (response) => {
    let rest = "";
    response.setEncoding("utf8").on("data", (chunk) => {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map((line) => JSON.parse(line)));
    });
    response.on("error", () => {});
  });
  request.on("error", () => {});
  t.after(() => request.destroy());
  return lines;
}

test("every path answers, with the door's scope and the grade", async (t) => {
  const directory = temporaryDirectory(t);
  const { paths, kubelet, informer } = await relayOf(
    t,
    [{ serve: "http" }],
    {},
    { journal: { directory: `${directory}/ends` } },
  );
  await informer.synced();
  const [path = ""] = paths;
  kubelet.startPod(A, { ip: "10.1.1.1" });
  await until(t, () => informer.get({ ip: "10.1.1.1" }) !== undefined);
  const list = await get(path, "/v1alpha1/pods");
  assert.equal(list.status, 200);
  assert.deepEqual(list.json.pods.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid).sort(), [A, B, C]);
  assert.deepEqual([list.json.scope.namespaces, list.json.staleSince, list.json.unreadable], [null, null, []]);
  assert.ok(list.json.scope.mask.includes("status"));
  assert.ok(!list.text.includes("SECRET"));
  const one = await get(path, `/v1alpha1/pods/${A}`);
  assert.deepEqual([one.status, one.json.pod.status.podIP, one.json.pod.apiVersion], [200, "10.1.1.1", "v1"]);
  const none = await get(path, "/v1alpha1/pods/nobody");
  assert.deepEqual([none.status, none.json.error.code], [404, "not-found"]);
  const found = (await get(path, "/v1alpha1/find?ip=::ffff:10.1.1.1")).json;
  assert.deepEqual(
    [found.pod.metadata.uid, found.certainty, found.doubt, found.gone, found.others],
    [A, "recent", null, null, 0],
  );
  const life = (await get(path, `/v1alpha1/find?uid=${A}&containerName=app`)).json;
  assert.deepEqual([life.certainty, life.container.name], ["proved", "app"]);
  const before = (await get(path, "/v1alpha1/find?ip=10.9.9.9&at=2020-01-01T00:00:00Z")).json;
  assert.deepEqual([before.pod, before.certainty, before.doubt], [null, "contested", "before-start"]);
  const waiting = get(path, "/v1alpha1/wait?ip=10.1.1.2&timeoutMs=300000");
  kubelet.startPod(B, { ip: "10.1.1.2" });
  assert.equal((await waiting).json.pod.metadata.uid, B);
  const late = await get(path, "/v1alpha1/wait?ip=10.1.1.3&timeoutMs=100");
  assert.deepEqual([late.status, late.json.error], [504, { code: "deadline", message: "not found within 100 ms" }]);
  kubelet.restartContainer(A, "app", { exitCode: 3 });
  await until(t, async () => (await get(path, `/v1alpha1/ended?uid=${A}`)).json.ends.length === 1);
  const ended = (await get(path, `/v1alpha1/ended?uid=${A}`)).json;
  assert.deepEqual([ended.truncated, ended.ends[0].end.exitCode, ended.ends[0].container.name], [false, 3, "app"]);
  assert.equal((await get(path, "/healthz")).text, "ok\n");
  assert.equal((await get(path, "/readyz")).status, 200);
  assert.match((await get(path, "/metrics")).text, /^kubelet_pods_door_pods 3$/m);
});

test("a watch tells pods as lines, an outage, and the end of the relay", async (t) => {
  const { paths, kubelet, relay } = await relayOf(t, [{ serve: "http", maxStaleMs: 600_000 }], { initializing: true });
  const [path = ""] = paths;
  const early = await get(path, "/v1alpha1/watch");
  assert.deepEqual([early.status, early.json.error.code, early.headers["retry-after"]], [503, "initializing", "1"]);
  assert.equal((await get(path, "/readyz")).status, 503);
  assert.equal((await get(path, "/healthz")).status, 200);
  kubelet.setInitializing(false);
  await until(t, async () => (await get(path, "/readyz")).status === 200);
  const lines = watched(t, path);
  await until(t, () => lines.length === 4);
  assert.deepEqual(lines[3], { type: "SYNCED", initial: true, count: 3, unreadable: [] });
  kubelet.startPod(A);
  await until(t, () => lines.some(({ type }) => type === "MODIFIED"));
  await kubelet.close();
  await until(t, () => lines.at(-1)?.type === "DISCONNECTED");
  assert.match(String((await get(path, "/v1alpha1/pods")).json.staleSince), /^20\d\d-/);
  const told = lines.length;
  await kubeletOf(t, { pods: [secretive(A), secretive(B), secretive(C, "bank")], socketPath: kubelet.socketPath });
  await until(t, () => lines.slice(told).some(({ type }) => type === "SYNCED"));
  await relay.close();
  await until(t, () => lines.at(-1)?.type === "ENDED");
  assert.deepEqual(lines.at(-1), { type: "ENDED", error: { code: "closing", message: "the relay ends" } });
});

test("a door of one namespace says nothing of others: in finds, waits, ends, counts and errors", async (t) => {
  const directory = temporaryDirectory(t);
  const doors = [{ serve: "http", namespaces: ["shop"] }, { serve: "http" }] as const;
  const { paths, kubelet, informer } = await relayOf(t, doors, {}, { journal: { directory: `${directory}/ends` } });
  await informer.synced();
  const [path = "", all = ""] = paths;
  kubelet.startPod(C, { ip: "10.1.1.9" });
  await until(t, async () => (await get(all, "/v1alpha1/find?ip=10.1.1.9")).json.pod !== null);
  kubelet.restartContainer(C, "app", { exitCode: 9 });
  kubelet.startPod(A, { ip: "10.1.1.1" });
  kubelet.restartContainer(A, "app", { exitCode: 1 });
  await until(t, async () => (await get(path, "/v1alpha1/ended")).json.ends.length === 1);
  await until(t, async () => (await get(all, "/v1alpha1/ended")).json.ends.length === 2);
  for (const url of [
    "/v1alpha1/pods",
    `/v1alpha1/pods/${C}`,
    `/v1alpha1/find?uid=${C}`,
    "/v1alpha1/find?ip=10.1.1.9",
    "/v1alpha1/find?namespace=bank&name=web-c",
    "/v1alpha1/ended?namespace=bank",
    "/v1alpha1/ended",
    "/v1alpha1/wait?ip=10.1.1.9&timeoutMs=50",
    "/metrics",
  ]) {
    const { text } = await get(path, url);
    assert.ok(!text.includes("bank") && !text.includes("web-c") && !text.includes(C), `${url}: ${text}`);
  }
  const { json } = await get(path, "/v1alpha1/find?ip=10.1.1.9");
  assert.deepEqual([json.pod, json.others, json.scope.namespaces], [null, undefined, ["shop"]]);
  const graded = async (query: string) => {
    const { certainty, doubt, pod } = (await get(path, `/v1alpha1/find?${query}`)).json;
    return { certainty, doubt, pod };
  };
  const none = "2c4d8b1e-0000-4000-8000-0000000000ff";
  assert.deepEqual(await graded(`uid=${C}`), await graded(`uid=${none}`), "no grade tells who is there");
  assert.deepEqual(await graded("ip=10.1.1.9"), await graded("ip=10.200.0.1"));
  assert.deepEqual(await graded("namespace=bank&name=web-c"), await graded("namespace=bank&name=none"));
  const [hidden, absent] = await Promise.all([
    get(path, `/v1alpha1/pods/${C}`),
    get(path, `/v1alpha1/pods/${C.replace(/c$/, "f")}`),
  ]);
  assert.equal(hidden.text, absent.text);
  assert.match((await get(path, "/metrics")).text, /^kubelet_pods_door_pods 2$/m);
});

test("what is asked wrongly is refused with what to write, and the connection goes on", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "http" }]);
  await informer.synced();
  const [path = ""] = paths;
  const refused = async (
    url: string,
    status: number,
    words: RegExp,
    options: http.RequestOptions = {},
    body?: string,
  ) => {
    const got = await get(path, url, options, body);
    assert.equal(got.status, status, `${url}: ${got.text}`);
    assert.match(got.json.error.message, words);
  };
  await refused("/", 404, /no such path; there are \/healthz/);
  await refused("//", 404, /no such path/);
  await refused("/v1alpha1/../etc/passwd", 404, /no such path/);
  await refused("/v1alpha1/pods/%2e%2e", 404, /no such path/);
  await refused("/v1alpha1/pods/a/b", 404, /no such path/);
  await refused("/__proto__", 404, /no such path/);
  await refused("/v1alpha1/find", 400, /a key is expected/);
  await refused("/v1alpha1/find?ip=x", 400, /ip/);
  await refused("/v1alpha1/find?ip=10.1.1.1&ip=10.1.1.2", 400, /given twice/);
  await refused("/v1alpha1/find?__proto__=1", 400, /no such parameter: __proto__/);
  await refused("/v1alpha1/find?ip=10.1.1.1&at=yesterday", 400, /RFC 3339/);
  await refused("/v1alpha1/find?cgroupID=1", 400, /cgroups/);
  await refused("/v1alpha1/find?cgroupID=-1", 400, /whole number/);
  await refused("/v1alpha1/wait?ip=10.1.1.1&timeoutMs=999999", 400, /timeoutMs/);
  await refused("/v1alpha1/ended", 400, /this relay has no journal/);
  await refused("/v1alpha1/pods", 405, /GET alone/, { method: "DELETE" });
  await refused("/v1alpha1/pods", 413, /no body/, { method: "POST" }, "x");
  await refused("/v1alpha1/pods", 413, /no body/, { headers: { "content-length": 3 } }, "x=1");
  assert.equal((await get(path, `/v1alpha1/find?ip=${"1".repeat(9_000)}`)).status, 431);
  assert.equal((await get(path, "/v1alpha1/pods")).status, 200);
});

test("smuggled and slow requests end their connection, and no other", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "http", maxConnections: 4 }]);
  await informer.synced();
  const [path = ""] = paths;
  const said = async (text: string) => {
    const socket = net.connect(path);
    socket.on("error", () => {});
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.write(text);
    await once(socket, "close");
    return Buffer.concat(chunks).toString();
  };
  const inner = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const text of [
    `POST /v1alpha1/pods HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    `GET /v1alpha1/pods HTTP/1.1\r\nHost: x\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    `GET /v1alpha1/pods HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx${inner}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\0\u0001\u0002\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: x\r\nSlow",
    "",
  ]) {
    const answer = await said(text);
    assert.ok(!answer.includes("kubelet_pods_door"), JSON.stringify([text, answer]));
  }
  assert.equal((await get(path, "/healthz")).status, 200);
});

test("by chance: no bytes end the relay, and good requests are answered among them", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "http" }, { serve: "grpc" }], {}, { retainMs: 1_000 });
  await informer.synced();
  const random = seededRandom(7);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const words = [
    "GET",
    "POST",
    " ",
    "/",
    "//",
    "/v1alpha1/find",
    "?ip=",
    "10.1.1.1",
    "&",
    "=",
    "%",
    "%00",
    "\r\n",
    "\n",
    "HTTP/1.1",
    "Host: x",
    ":",
    "Content-Length: 5",
    "Transfer-Encoding: chunked",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\0\0\0\u0004\0\0\0\0\0",
    "\u00ff",
    "Upgrade: h2c",
    "Connection: upgrade",
  ];
  for (let round = 0; round < 150; round++) {
    const socket = net.connect(pick(paths)).resume();
    socket.on("error", () => {});
    socket.end(Array.from({ length: 1 + Math.floor(random() * 20) }, () => pick(words)).join(""), "latin1");
    if (round % 10 === 0) assert.equal((await get(paths[0] as string, "/healthz")).status, 200);
  }
  await until(t, async () => (await get(paths[0] as string, "/v1alpha1/pods")).status === 200);
});

test("bounds of a door: requests a second, waits, and a watcher that takes nothing", async (t) => {
  const { paths, informer, kubelet } = await relayOf(t, [
    { serve: "http", maxRequestsPerSecond: 1, stallMs: 500 },
    { serve: "http", stallMs: 500 },
  ]);
  await informer.synced();
  const [slow = "", path = ""] = paths;
  const all = await Promise.all(Array.from({ length: 40 }, () => get(slow, "/v1alpha1/pods")));
  const limited = all.filter(({ status }) => status === 429);
  assert.ok(limited.length > 20, `${limited.length}`);
  assert.deepEqual(limited[0]?.json.error.code, "rate");
  for (let i = 0; i < 60; i++)
    kubelet.addPod(
      secretive(`2c4d8b1e-0000-4000-8000-2000000000${String(i).padStart(2, "0")}`, "shop", {
        status: { message: "x".repeat(20_000) },
      }),
    );
  await until(t, () => informer.size === 63);
  const stalled = net.connect(path);
  stalled.on("error", () => {});
  stalled.pause();
  stalled.write("GET /v1alpha1/watch HTTP/1.1\r\nHost: x\r\n\r\n");
  const open = /^kubelet_pods_door_watches (\d+)$/m;
  await until(t, async () => open.exec((await get(path, "/metrics")).text)?.[1] === "1");
  await until(t, async () => open.exec((await get(path, "/metrics")).text)?.[1] === "0");
  stalled.destroy();
  assert.ok(environmentOf(t).clock.now() > 500);
});

test("requests behind each other end their connection, and leave no watch and no wait", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "http" }]);
  await informer.synced();
  const [path = ""] = paths;
  for (const url of ["/v1alpha1/watch", "/v1alpha1/wait?ip=10.9.9.9&timeoutMs=300000"]) {
    const socket = net.connect(path).resume();
    socket.on("error", () => {});
    socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
    await once(socket, "close");
  }
  await until(t, async () => {
    const { text } = await get(path, "/metrics");
    return /^kubelet_pods_door_watches 0$/m.test(text) && /^kubelet_pods_door_waiting 0$/m.test(text);
  });
});

test("a pod that JSON cannot say is unreadable there, and the others are shown", async (t) => {
  const creationTimestamp = { seconds: 253_402_300_800n }; // the year 10000
  const strange = create(PodSchema, {
    metadata: { uid: B, name: "b", namespace: "shop", creationTimestamp },
    spec: {},
    status: {},
  });
  const { paths, informer, kubelet } = await relayOf(t, [{ serve: "http" }], { pods: [secretive(A)] });
  await informer.synced();
  kubelet.addPod(strange as never);
  const [path = ""] = paths;
  await until(t, () => informer.size === 2);
  const { json } = await get(path, "/v1alpha1/pods");
  assert.deepEqual([json.pods.length, json.unreadable], [1, [B]]);
});

test("a door without the status says nothing of containers, addresses and ends", async (t) => {
  const directory = temporaryDirectory(t);
  const door = { serve: "http", mask: ["metadata.name", "metadata.uid"] } as const;
  const { paths, informer } = await relayOf(t, [door], {}, { journal: { directory: `${directory}/ends` } });
  await informer.synced();
  const [path = ""] = paths;
  for (const url of ["/v1alpha1/ended", "/v1alpha1/find?ip=10.1.1.1", "/v1alpha1/wait?containerID=x"]) {
    const { status, json } = await get(path, url);
    assert.deepEqual([status, json.error.message], [403, "this door does not show status"], url);
  }
  const { json } = await get(path, `/v1alpha1/find?uid=${A}`);
  assert.deepEqual([json.pod.metadata.name, json.container], ["web-a", null]);
});
