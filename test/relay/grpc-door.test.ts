// Doors that speak the kubelet's own contract: our client, and raw messages.

import assert from "node:assert/strict";
import { once } from "node:events";
import http2 from "node:http2";
import net from "node:net";
import { run } from "../../src/cli/run.js";
import { parsePodMask, podMask } from "../../src/index.js";
import { serveRelay } from "../../src/relay/relay.js";
import { consoleOf } from "../cli/console.js";
import { clientOf, environmentOf, kubeletOf } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";
import { heard, until } from "../helpers/until.js";
import { A, B, C, relayOf, secretive } from "./relay-of.js";

const SHOWN = podMask(
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.labels",
  "status",
  "spec.nodeName",
);
const MASK = ["metadata.uid", "metadata.namespace", "metadata.name", "status.phase", "status.podIP"] as const;

/** Sends one request, and returns all bytes of its answer, its headers and its trailers. */
async function raw(t: import("node:test").TestContext, path: string, method: string, headers = {}, message = "") {
  const session = http2.connect("http://localhost", { createConnection: () => net.connect(path) });
  t.after(() => session.destroy());
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": `/v1alpha1.Pods/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  const body = Buffer.from(message, "hex");
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  stream.end(Buffer.concat([head, body]));
  const chunks: Buffer[] = [];
  let trailers: http2.IncomingHttpHeaders = {};
  let answered: http2.IncomingHttpHeaders = {};
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("response", (each) => {
    answered = each;
  });
  stream.on("trailers", (each) => {
    trailers = each;
  });
  stream.on("error", () => {});
  await once(stream, "close");
  session.destroy(); // a door has room for so many connections
  return {
    bytes: Buffer.concat(chunks),
    status: trailers["grpc-status"] ?? answered["grpc-status"],
    headers: answered,
  };
}

test("a client behind a door has its list, its watch and its informer, over a restart of the kubelet", async (t) => {
  const { kubelet, paths } = await relayOf(t, [{ serve: "grpc" }]);
  const reader = clientOf(t, { socketPath: paths[0] as string });
  const informer = reader.informer({ mask: MASK });
  await informer.synced();
  assert.deepEqual(
    informer
      .list()
      .map(({ metadata }) => metadata.name)
      .sort(),
    ["web-a", "web-b", "web-c"],
  );
  const events: string[] = [];
  const watching = (async () => {
    for await (const event of informer)
      events.push("pod" in event ? `${event.type} ${event.pod.metadata.name}` : event.type);
  })();
  await until(t, () => events.includes("SYNCED"));
  kubelet.startPod(A, { ip: "10.1.1.1" });
  await until(t, () => informer.get({ ip: "10.1.1.1" })?.metadata.uid === A);
  await kubelet.restart({ kill: true, downtimeMs: 100 });
  kubelet.deletePod(B);
  kubelet.finishPod(B);
  kubelet.removePod(B);
  await until(t, () => informer.size === 2);
  assert.ok(events.includes("DISCONNECTED"), "that the kubelet was away is told");
  assert.equal(events.filter((event) => event === "DELETED web-b").length, 1);
  assert.deepEqual(
    (await reader.listPods({ mask: MASK })).map(({ metadata }) => metadata.uid),
    [A, C],
  );
  assert.equal((await reader.getPod(A, { mask: MASK })).status.podIP, "10.1.1.1");
  await assert.rejects(reader.getPod(B, { mask: MASK }), { code: "not-found" });
  await assert.rejects(informer.lacking([B]), /a relay's door proves no absence/);
  await informer.close();
  await watching.catch(() => {});
});

test("what a door does not show is in no byte of any answer, whatever is asked for", async (t) => {
  const { paths, kubelet, informer } = await relayOf(t, [{ serve: "grpc" }, { serve: "grpc", mask: SHOWN }]);
  await informer.synced();
  for (const path of paths) {
    for (const [method, message] of [
      ["ListPods", ""],
      ["GetPod", `0a24${Buffer.from(A).toString("hex")}`],
    ] as const) {
      const { bytes, status } = await raw(t, path, method, {}, message);
      assert.equal(status, "0");
      assert.ok(bytes.includes("web-a"));
      assert.ok(!bytes.includes("SECRET"), method);
      assert.ok(bytes.includes("kubernetes.io/config.source"), "the kubelet's own annotations no mask takes away");
    }
    for (const mask of [
      "spec",
      "spec.containers",
      "spec.containers.env",
      "spec.volumes.csi",
      "metadata",
      "spec.containers.args",
    ]) {
      const { bytes, status } = await raw(t, path, "ListPods", { "x-kubernetes-fieldmask": mask });
      assert.deepEqual([status, bytes.length], ["7", 0], mask);
    }
    const { status, bytes } = await raw(t, path, "ListPods", { "x-kubernetes-fieldmask": "metadata.annotations" });
    assert.equal(status, "0");
    assert.ok(!bytes.includes("SECRET"));
  }
  const masked = await raw(t, paths[0] as string, "ListPods", { "x-kubernetes-fieldmask": "metadata.name" });
  assert.ok(masked.bytes.includes("web-a") && !masked.bytes.includes("shop"), "masks are honoured");
  assert.equal((await raw(t, paths[0] as string, "ListPods", { "x-kubernetes-fieldmask": "spec.nope" })).status, "3");
  void kubelet;
});

test("a reader that asks our client for more than the door shows is refused by name, never given a part", async (t) => {
  const { paths } = await relayOf(t, [{ serve: "grpc" }]);
  const reader = clientOf(t, { socketPath: paths[0] as string });
  const says = (words: RegExp) => (error: Error) =>
    /not-permitted/.test(String((error as { code?: string }).code)) && words.test(error.message);
  await assert.rejects(reader.listPods(), says(/whole pods/));
  await assert.rejects(reader.getPod(A), says(/whole pods/));
  await assert.rejects(
    reader.listPods({ mask: ["metadata.name", "spec.containers.env"] }),
    says(/spec\.containers\.env/),
  );
  await assert.rejects(reader.informer().synced(), says(/whole pods/));
  const watch = reader.watchPods({ mask: ["spec.volumes.name"] });
  await assert.rejects(watch.next(), says(/spec\.volumes\.name/));
  assert.equal((await reader.listPods({ mask: ["metadata.name"] })).length, 3, "and goes on with what it may");
});

test("a door of one namespace shows no other: in lists, watches, UIDs, and the words for what is not there", async (t) => {
  const { paths, kubelet, informer } = await relayOf(t, [{ serve: "grpc", namespaces: ["shop"] }]);
  await informer.synced();
  const [path = ""] = paths;
  assert.ok(!(await raw(t, path, "ListPods")).bytes.includes("bank"));
  const of = async (uid: string) => {
    const { status, headers, bytes } = await raw(t, path, "GetPod", {}, `0a24${Buffer.from(uid).toString("hex")}`);
    return [status, headers["grpc-message"], bytes.length];
  };
  assert.deepEqual(await of(C), await of("2c4d8b1e-0000-4000-8000-0000000000ff"), "hidden is as absent");
  const reader = clientOf(t, { socketPath: path });
  const told: string[] = [];
  const watch = reader.watchPods({ mask: MASK });
  const watching = (async () => {
    for await (const event of watch) if ("pod" in event) told.push(`${event.type} ${event.pod.metadata.name}`);
  })();
  await until(t, () => told.includes("ADDED web-a"));
  const next = informer[Symbol.asyncIterator]() as AsyncIterator<{ type: string }, undefined>;
  kubelet.startPod(C);
  while ((await next.next()).value?.type !== "MODIFIED"); // it has been told to everybody
  kubelet.startPod(A);
  await until(t, () => told.includes("MODIFIED web-a"));
  assert.deepEqual(
    told.filter((each) => each.endsWith("web-c")),
    [],
  );
  await watch[Symbol.asyncDispose]();
  await watching;
});

test("a change of what a door hides tells its readers nothing, not even that it was", async (t) => {
  const { paths, kubelet, informer } = await relayOf(t, [{ serve: "grpc", mask: ["metadata.name"] }]);
  await informer.synced();
  const reader = clientOf(t, { socketPath: paths[0] as string });
  const told: string[] = [];
  const watch = reader.watchPods({ mask: ["metadata.name"] });
  const watching = (async () => {
    for await (const event of watch) told.push(event.type);
  })();
  await until(t, () => told.includes("SYNCED"));
  const next = informer[Symbol.asyncIterator]() as AsyncIterator<{ type: string }, undefined>;
  kubelet.updatePod(
    secretive(A, "shop", {
      metadata: { annotations: { other: "1" } },
      status: { message: "hidden", podIP: "10.1.1.9" },
    }),
  );
  while ((await next.next()).value?.type !== "MODIFIED");
  kubelet.finishPod(B);
  kubelet.removePod(B);
  await until(t, () => told.includes("DELETED"));
  assert.deepEqual(
    told.filter((type) => type === "MODIFIED"),
    [],
  );
  await watch[Symbol.asyncDispose]();
  await watching;
});

test("before everything is known calls are refused as a kubelet refuses them, and readers come to their lists", async (t) => {
  const { paths, kubelet, informer } = await relayOf(t, [{ serve: "grpc" }], { initializing: true });
  const [path = ""] = paths;
  assert.equal((await raw(t, path, "ListPods")).status, "9");
  const reader = clientOf(t, { socketPath: path });
  const waiting = reader.informer({ mask: MASK });
  const retried = heard("kubelet-pods:watch", path, () => true);
  await retried;
  kubelet.setInitializing(false);
  await waiting.synced();
  assert.equal(waiting.size, 3);
  assert.equal(informer.size, 3);
});

test("while the kubelet is away answers say since when, and after the door's time calls are refused", async (t) => {
  const { paths, kubelet, informer } = await relayOf(t, [{ serve: "grpc", maxStaleMs: 60_000 }]);
  await informer.synced();
  const [path = ""] = paths;
  assert.equal((await raw(t, path, "ListPods")).headers["kubelet-pods-stale-since"], undefined);
  const { clock } = environmentOf(t);
  await kubelet.close();
  await until(t, () => informer.state.phase === "stale");
  const { headers, status } = await raw(t, path, "ListPods");
  assert.equal(status, "0");
  assert.deepEqual(
    [headers["kubelet-pods-complete"], headers["kubelet-pods-stale-since"]],
    ["false", informer.state.since.toISOString()],
  );
  const sinceMs = informer.state.since.getTime();
  await until(t, async () => (await raw(t, path, "ListPods")).status === "14");
  assert.ok(clock.wallMs() - sinceMs > 60_000);
  await kubeletOf(t, { pods: [secretive(A)], socketPath: kubelet.socketPath });
  await until(t, async () => (await raw(t, path, "ListPods")).status === "0");
});

test("a pod that the relay cannot read is one that its readers cannot read, and nobody proves that it is gone", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "grpc" }], {}, {}, ({ faults }) => faults.corruptPod(B));
  await informer.synced();
  assert.equal(informer.size, 2);
  const reader = clientOf(t, { socketPath: paths[0] as string }).informer({ mask: MASK });
  await reader.synced();
  assert.deepEqual([...reader.state.unreadable], [B]);
  const { pod, certainty, doubt } = reader.find({ ip: "10.9.9.9" });
  assert.deepEqual([pod, certainty, doubt], [undefined, "contested", "unreadable"], "it may have the address");
});

test("twenty readers of a door are no leak of listeners", async (t) => {
  const { paths } = await relayOf(t, [{ serve: "grpc" }]);
  const warned: Error[] = [];
  const warn = (warning: Error) => warned.push(warning);
  process.on("warning", warn);
  t.after(() => process.off("warning", warn));
  const readers = Array.from({ length: 20 }, () =>
    clientOf(t, { socketPath: paths[0] as string }).informer({ mask: MASK }),
  );
  await Promise.all(readers.map((reader) => reader.synced()));
  await new Promise(setImmediate);
  assert.deepEqual(warned, []);
});

test("a client that pings after what it is sent stays, as those of Go and Python do: a quiet one that pings is expelled", async (t) => {
  const { paths, informer, kubelet } = await relayOf(t, [{ serve: "grpc" }]);
  await informer.synced();
  const session = http2.connect("http://localhost", { createConnection: () => net.connect(paths[0] ?? "") });
  t.after(() => session.destroy());
  session.on("error", () => {});
  const codes: number[] = [];
  session.on("goaway", (code) => codes.push(code));
  const watch = session.request({
    ":method": "POST",
    ":path": "/v1alpha1.Pods/WatchPods",
    "content-type": "application/grpc",
    te: "trailers",
  });
  watch.on("error", () => {});
  watch.end(Buffer.alloc(5));
  const ping = () => new Promise<void>((resolve) => session.ping(() => resolve()));
  await once(watch, "data");
  for (let i = 0; i < 8; i++) {
    const told = once(watch, "data");
    kubelet.addPod(secretive(`2c4d8b1e-0000-4000-8000-30000000000${i}`, "shop"));
    await told;
    await ping();
  }
  assert.deepEqual([codes, watch.closed], [[], false]);
  const gone = new Promise((resolve) => session.once("close", resolve));
  for (let i = 0; i < 5; i++) session.ping(() => {});
  await gone;
  assert.deepEqual(codes, [http2.constants.NGHTTP2_ENHANCE_YOUR_CALM]);
});

test("bounds: large requests, garbage, silence, and one reader that takes nothing", async (t) => {
  const { paths, informer, kubelet } = await relayOf(t, [{ serve: "grpc", stallMs: 500 }]);
  await informer.synced();
  const [path = ""] = paths;
  assert.equal((await raw(t, path, "ListPods", {}, "00".repeat(20_000))).status, "8");
  assert.equal((await raw(t, path, "ListPods", { "grpc-encoding": "gzip" })).status, "12");
  const garbage = net.connect(path).resume();
  garbage.on("error", () => {});
  garbage.write("GET / HTTP/1.1\r\n\r\n".repeat(10));
  await once(garbage, "close");
  const silent = net.connect(path).resume();
  await once(silent, "close");
  for (let i = 0; i < 100; i++)
    kubelet.addPod(
      secretive(`2c4d8b1e-0000-4000-8000-1000000000${String(i).padStart(2, "0")}`, "shop", {
        status: { message: "x".repeat(20_000) },
      }),
    );
  await until(t, () => informer.size === 103);
  const session = http2.connect("http://localhost", {
    createConnection: () => net.connect(path),
    settings: { initialWindowSize: 0 },
  });
  t.after(() => session.destroy());
  session.on("error", () => {});
  const stalled = session.request({
    ":method": "POST",
    ":path": "/v1alpha1.Pods/WatchPods",
    "content-type": "application/grpc",
    te: "trailers",
  });
  stalled.on("error", () => {});
  stalled.end(Buffer.alloc(5));
  await new Promise((resolve) => stalled.once("close", resolve));
  assert.equal(stalled.rstCode, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, "expelled, and told why");
  assert.equal((await raw(t, path, "ListPods")).status, "0", "others go on");
});

test("a relay that closes ends its watches with UNAVAILABLE, and the next one goes on at the same path", async (t) => {
  const { paths, relay, informer } = await relayOf(t, [{ serve: "grpc" }]);
  const [path = ""] = paths;
  const reader = clientOf(t, { socketPath: path });
  const behind = reader.informer({ mask: MASK });
  await behind.synced();
  const lost = heard<{ type: string; socketPath: string }>("kubelet-pods:watch", path, ({ type }) => type === "lost");
  const second = await serveRelay(informer, [{ path, serve: "grpc" }], environmentOf(t).clock);
  t.after(() => second.close());
  await relay.close();
  await lost;
  await until(t, () => behind.state.phase === "synced");
  assert.equal(behind.size, 3);
  await informer.close();
  await second.closed;
});

test("a relay is refused with what is wrong, and then no door is open", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "grpc" }]);
  const [path = ""] = paths;
  const refused = (doors: unknown, words: RegExp, of = informer) =>
    assert.rejects(serveRelay(of, doors as never), (error: Error) => words.test(error.message));
  await refused([], /from 1 to 64 doors/);
  await refused([{ path, serve: "tcp" }], /neither grpc nor http/);
  await refused([{ serve: "grpc" }], /no path/);
  await refused([{ path, serve: "grpc", masks: [] }], /no such option: masks/);
  await refused([{ path, serve: "grpc", mask: ["spec.nope"] }], /nope/);
  await refused([{ path, serve: "grpc", namespaces: [] }], /namespaces/);
  await refused([{ path, serve: "grpc", namespaces: ["a,b"] }], /namespaces/);
  await refused([{ path, serve: "grpc", maxConnections: 0 }], /maxConnections/);
  await refused(
    [
      { path, serve: "grpc" },
      { path, serve: "http" },
    ],
    /two doors/,
  );
});

test("an informer that keeps less than its doors show has it for them; and the commands go on behind a door", async (t) => {
  const { paths, informer } = await relayOf(t, [{ serve: "grpc" }], {}, { mask: parsePodMask("metadata.uid") });
  await informer.synced();
  const [path = ""] = paths;
  await until(t, async () => (await raw(t, path, "ListPods")).status === "0");
  assert.ok((await raw(t, path, "ListPods")).bytes.includes("registry.example/web:1"));
  for (const args of [["get"], ["get", "-o", "wide"], ["get", "-o", "name"], ["containers"], ["find", A], ["probe"]]) {
    const console = consoleOf({ environment: environmentOf(t) });
    assert.equal(await run([...args, "--standalone", "--socket", path], console), 0, `${args}: ${console.errors}`);
    assert.match(console.output, /web-a|ready: v1alpha1/, args.join(" "));
  }
  const console = consoleOf({ environment: environmentOf(t) });
  assert.equal(await run(["get", "-o", "yaml", "--socket", path], console), 3);
  assert.match(console.errors, /does not show whole pods/);
  const denied = consoleOf({ environment: environmentOf(t) });
  assert.equal(await run(["get", "-o", "mask=spec.containers.env", "--socket", path], denied), 3);
  assert.match(denied.errors, /does not show spec.containers.env.*\nhint: ask for less by mask, or for a relay's door/);
});
