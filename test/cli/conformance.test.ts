// The checks find what is wrong: a kubelet that is well passes them, and each that is bent in one way fails one.

import assert from "node:assert/strict";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { run } from "../../src/cli/run.js";
import { checkConformance } from "../../src/conformance/conformance.js";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { EventType, Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Call } from "../../src/serving/grpc-router.js";
import { churn, ReferenceKubelet, type ReferenceKubeletOptions, seededRandom } from "../../src/testing/index.js";
import { sampleNode } from "../../src/testing/sample-node.js";
import { pause } from "../../src/timing/pause.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { serve, serveRaw } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { consoleOf } from "./console.js";

type Asked = Parameters<typeof checkConformance>[0];

const clocks = new WeakMap<TestContext, AutoAdvanceClock>();

/** The one clock of a test, of the kubelet and of who judges it. */
function clockOf(t: TestContext): AutoAdvanceClock {
  const clock = clocks.get(t) ?? new AutoAdvanceClock();
  clocks.set(t, clock);
  return clock;
}

async function kubeletOf(t: TestContext, options: ReferenceKubeletOptions): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start(options, clockOf(t));
  t.after(() => kubelet.close());
  return kubelet;
}

const check = (t: TestContext, asked: Asked) => checkConformance({ observeMs: 50, ...asked }, clockOf(t));

async function report(t: TestContext, options: ReferenceKubeletOptions) {
  const { socketPath } = await kubeletOf(t, options);
  return check(t, { socketPath });
}

/** Runs the command. */
async function ran(t: TestContext, ...args: string[]) {
  const console = consoleOf({ environment: clockOf(t).environment });
  return { code: await run(["conformance", ...args], console), console };
}

for (const profile of ["1.38", "1.37", "1.36", "v1beta1", "v1", "documented"] as const) {
  test(`the ${profile} kubelet passes with fewer than 40 requests`, async (t) => {
    const { checks, requests, apiVersion } = await report(t, { profile, pods: sampleNode() });
    assert.equal(apiVersion, profile.startsWith("1.") ? "v1alpha1" : profile);
    const notOk = checks.filter(({ outcome }) => outcome !== "ok").map(({ name, outcome }) => `${name}: ${outcome}`);
    assert.deepEqual(notOk, profile === "documented" ? ["masks: note", "first events: skip"] : []);
    assert.ok(requests < 40, `${requests} requests`);
  });
}

test("an empty node passes, and checks that need pods are skipped", async (t) => {
  const { counts, checks } = await report(t, {});
  assert.equal(counts.fail, 0);
  const skipped = checks.filter(({ outcome }) => outcome === "skip").map(({ name }) => name);
  assert.deepEqual(skipped.slice(0, 4), ["order", "static pods", "get = list", "masks"]);
  const list = checks.find(({ name }) => name === "list");
  assert.equal(list?.detail, "no pods; a 1.36 kubelet also returns an empty list until it has read its pod sources");
});

test("each finding says what was found", async (t) => {
  const pods = sampleNode().slice(0, 1);
  const { checks, counts, requests } = await report(t, { pods });
  const details = Object.fromEntries(checks.map(({ name, detail }) => [name, detail.replace(/in \d+ ms/, "in N ms")]));
  assert.match(details["socket"] ?? "", /^mode 0\d{3}, owner \d+:\d+; connected$/);
  assert.deepEqual(details, {
    socket: details["socket"],
    contract: 'v1alpha1; v1beta1, v1, documented: Unimplemented "unknown service ..."',
    methods: 'unknown method: Unimplemented "unknown method NoSuchMethod for service v1alpha1.Pods"',
    list: "1 pod, all decoded, each with a different UID",
    order: "fewer than two pods",
    "static pods": "1, and no mirror pod",
    size: "1 KiB of pods in one answer",
    "same bytes": "two lists are equal, byte for byte; not compressed",
    "get = list": "1 pod, byte for byte as in a list",
    "not found": "unknown and empty UIDs: NotFound, with the kubelet's message",
    masks: "ignored, as by all released kubelets",
    "first events": "1 pod as ADDED and INITIAL_SYNC_COMPLETE in N ms; equal to the lists",
    "live events": "none within 0.1 s",
  });
  assert.deepEqual([counts.ok, counts.note, counts.fail, requests], [12, 0, 0, 19]);
});

test("a busy node passes with fewer than 40 requests", async (t) => {
  const clock = clockOf(t);
  const kubelet = await kubeletOf(t, { pods: sampleNode() });
  const random = seededRandom(4);
  const change = () => {
    churn(kubelet, random);
    cancel = clock.after(2, change);
  };
  let cancel = clock.after(2, change);
  const { checks, requests } = await check(t, { socketPath: kubelet.socketPath, observeMs: 200 });
  cancel();
  assert.deepEqual(
    checks.filter(({ outcome }) => outcome === "fail"),
    [],
  );
  assert.match(checks.find(({ name }) => name === "live events")?.detail ?? "", /MODIFIED/);
  assert.ok(requests < 40, `${requests} requests`);
});

interface Answers {
  pods: Uint8Array<ArrayBuffer>[];
  list(headers: Headers): Uint8Array<ArrayBuffer>[];
  get(uid: string): Uint8Array<ArrayBuffer>;
  watch(context: Call): AsyncIterable<{ type: EventType; pod?: Uint8Array<ArrayBuffer> }>;
  /** The answer to an unknown method of the service, if there is one. */
  unknown?: () => object;
  /** Answers of other services to ListPods. */
  others?: Readonly<Record<string, () => object>>;
  /** Headers of every list. */
  headers?: Readonly<Record<string, string>>;
}

const podOf = (uid: string, annotations: Record<string, string> = {}): Pod =>
  create(PodSchema, { metadata: { uid, name: uid, annotations }, spec: {}, status: { phase: "Running" } });
const bytesOf = (pod: Pod): Uint8Array<ArrayBuffer> => toBinary(PodSchema, pod);
const [A, B, C] = [bytesOf(podOf("a")), bytesOf(podOf("b")), bytesOf(podOf("c"))];
const OTHER = bytesOf(create(PodSchema, { metadata: { uid: "a", name: "other" } }));

function well(): Answers {
  const answers: Answers = {
    pods: [A, B, C],
    list: () => answers.pods,
    get(uid) {
      const place = ["a", "b", "c"].indexOf(uid);
      if (place < 0) throw new ConnectError(`pod with UID ${uid} not found`, Code.NotFound);
      return answers.pods[place] ?? A;
    },
    async *watch({ signal }) {
      for (const pod of answers.pods) yield { type: EventType.ADDED, pod };
      yield { type: EventType.INITIAL_SYNC_COMPLETE };
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  };
  return answers;
}

type Event = { type: EventType; pod?: Uint8Array<ArrayBuffer> };
const tells = (...events: Event[]): Answers["watch"] =>
  async function* ({ signal }) {
    yield* events;
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };
const added = (pod: Uint8Array<ArrayBuffer>): Event => ({ type: EventType.ADDED, pod });
const MARKER: Event = { type: EventType.INITIAL_SYNC_COMPLETE };
const bends: [check: string, outcome: "fail" | "note" | "ok", what: string, detail: string, bend: Partial<Answers>][] =
  [
    [
      "list",
      "fail",
      "a pod in an envelope",
      "pod 0 begins with the envelope k8s\\0 of the API server",
      { pods: [Buffer.concat([Buffer.from("k8s\0"), A]) as Uint8Array<ArrayBuffer>] },
    ],
    ["list", "fail", "truncated bytes", "pod 0 cannot be decoded", { pods: [A.slice(0, A.length - 2)] }],
    ["list", "fail", "a pod without UID", "pod 0 has no UID", { pods: [bytesOf(podOf(""))] }],
    ["list", "fail", "a duplicate UID", "two pods have UID a", { pods: [A, A] }],
    ["order", "note", "another order", "not sorted by UID from pod 1 on; kubelets sort", { pods: [B, A] }],
    [
      "static pods",
      "fail",
      "a mirror pod",
      "pod 0 is a mirror pod",
      { pods: [bytesOf(podOf("a", { "kubernetes.io/config.mirror": "x" }))] },
    ],
    [
      "static pods",
      "fail",
      "a static pod whose UID is not its hash",
      "pod 0 is static, and its UID is not its config.hash",
      { pods: [bytesOf(podOf("a", { "kubernetes.io/config.source": "file", "kubernetes.io/config.hash": "x" }))] },
    ],
    [
      "get = list",
      "fail",
      "a different pod with the same UID",
      "GetPod gives another pod than the lists before and after it",
      { get: (uid) => (uid === "a" ? OTHER : well().get(uid)) },
    ],
    [
      "get = list",
      "fail",
      "a pod with another UID",
      "GetPod answered with another pod",
      { get: (uid) => (uid === "a" ? B : well().get(uid)) },
    ],
    [
      "get = list",
      "fail",
      "a listed pod that is not found",
      "a listed pod was not found",
      { get: (uid) => well().get(uid === "a" ? "nobody" : uid) },
    ],
    [
      "get = list",
      "fail",
      "an error",
      'DataLoss "broken"',
      { get: (uid) => (uid === "a" ? failing() : well().get(uid)) },
    ],
    [
      "not found",
      "fail",
      "a pod returned for an unknown UID",
      "an unknown UID is answered with a pod",
      { get: (uid) => (uid.length === 1 ? well().get(uid) : A) },
    ],
    [
      "not found",
      "fail",
      "another status code",
      'an unknown UID: DataLoss "broken"',
      { get: (uid) => (uid.length === 1 ? well().get(uid) : failing()) },
    ],
    [
      "not found",
      "note",
      "another message",
      'an unknown UID: NotFound "no"',
      { get: (uid) => (uid.length === 1 ? well().get(uid) : missing()) },
    ],
    [
      "masks",
      "fail",
      "a server that ignores valid masks and rejects invalid ones",
      "masks are ignored, but an invalid mask is rejected",
      { list: (headers) => (masked(headers, "no.such") ? invalid() : [A]) },
    ],
    [
      "masks",
      "fail",
      "a server that applies valid masks and accepts invalid ones",
      "masks are applied, but an invalid mask is accepted",
      { list: (h) => [masked(h, "metadata") ? small() : A] },
    ],
    [
      "masks",
      "fail",
      "another status code for an invalid mask",
      'an invalid mask: DataLoss "broken"',
      { list: (h) => (masked(h, "no.such") ? failing() : [A]) },
    ],
    [
      "masks",
      "fail",
      "an error for every mask",
      'a mask: DataLoss "broken"',
      { list: (h) => (masked(h, "") ? failing() : [A, B, C]) },
    ],
    ["first events", "fail", "a missing marker", "no INITIAL_SYNC_COMPLETE within 0.2 s", { watch: tells(added(A)) }],
    [
      "first events",
      "fail",
      "a marker with a pod",
      "INITIAL_SYNC_COMPLETE has a pod",
      { watch: tells(added(A), { ...MARKER, pod: A }) },
    ],
    [
      "first events",
      "fail",
      "MODIFIED before INITIAL_SYNC_COMPLETE",
      "MODIFIED before INITIAL_SYNC_COMPLETE",
      { watch: tells({ type: EventType.MODIFIED, pod: A }, MARKER) },
    ],
    [
      "first events",
      "fail",
      "a repeated pod",
      "the watch sent a pod twice before INITIAL_SYNC_COMPLETE",
      { watch: tells(added(A), added(A), added(B), added(C), MARKER) },
    ],
    ["first events", "fail", "a missing pod", "a listed pod is missing", { watch: tells(added(A), added(B), MARKER) }],
    [
      "first events",
      "fail",
      "an extra pod",
      "the watch sent a pod that no list has",
      { watch: tells(...[A, B, C, bytesOf(podOf("d"))].map(added), MARKER) },
    ],
    [
      "first events",
      "note",
      "another order",
      "3 pods as ADDED and INITIAL_SYNC_COMPLETE in N ms; equal to the lists; not sorted by UID",
      { watch: tells(...[B, A, C].map(added), MARKER) },
    ],
    [
      "live events",
      "fail",
      "an event without UID",
      "MODIFIED without a UID",
      { watch: tells(...[A, B, C].map(added), MARKER, { type: EventType.MODIFIED, pod: bytesOf(podOf("")) }) },
    ],
    ["live events", "fail", "a stream that ends", "the watch ended: OK", { watch: ending }],
    [
      "live events",
      "fail",
      "an unknown event type",
      "type 99 after INITIAL_SYNC_COMPLETE",
      { watch: tells(...[A, B, C].map(added), MARKER, { type: 99 as EventType }) },
    ],
    [
      "live events",
      "fail",
      "a second marker",
      "INITIAL_SYNC_COMPLETE after INITIAL_SYNC_COMPLETE",
      { watch: tells(...[A, B, C].map(added), MARKER, MARKER) },
    ],
    [
      "live events",
      "note",
      "a watch that the server drops as too slow",
      "the kubelet dropped the watch: this check reads events too slowly",
      { watch: expelling },
    ],
    [
      "masks",
      "fail",
      "fields outside the mask",
      "a mask selects other fields than it names",
      { list: (h) => [masked(h, "metadata") ? nodeToo() : A] },
    ],
    [
      "masks",
      "fail",
      "a partially applied mask",
      "a mask selects other fields than it names",
      { list: (h) => [masked(h, "metadata") ? unlabelled() : A] },
    ],
    ["contract", "fail", "an error for every list", 'v1alpha1: DataLoss "broken"', { list: () => failing() }],
    [
      "list",
      "fail",
      "a pod whose spec cannot be decoded",
      "pod 1 cannot be decoded",
      { pods: [A, Buffer.concat([B, Buffer.from("120157", "hex")])] },
    ],
    ["methods", "fail", "an answer to an unknown method", "an unknown method is answered", { unknown: () => ({}) }],
    [
      "methods",
      "fail",
      "another status code for an unknown method",
      'an unknown method: DataLoss "broken"',
      { unknown: failing },
    ],
    [
      "contract",
      "fail",
      "a compressed list",
      'v1alpha1: Internal "the answer is compressed, and the client accepts no compression"',
      { headers: { "grpc-encoding": "gzip" } },
    ],
    [
      "contract",
      "note",
      "two versions at once",
      "v1alpha1 and v1beta1 at once",
      { others: { "v1beta1.Pods": () => ({}) } },
    ],
    [
      "contract",
      "ok",
      "other statuses of other versions",
      'v1alpha1; v1beta1, v1, documented: NotFound "no", DataLoss "broken", Unimplemented "unknown service ..."',
      { others: { "v1beta1.Pods": missing, "v1.Pods": failing } },
    ],
  ];

function invalid(): never {
  throw new ConnectError("no", Code.InvalidArgument);
}

function failing(): never {
  throw new ConnectError("broken", Code.DataLoss);
}

function missing(): never {
  throw new ConnectError("no", Code.NotFound);
}

function nodeToo(): Uint8Array<ArrayBuffer> {
  return bytesOf(create(PodSchema, { metadata: { uid: "a" }, spec: { nodeName: "n" } }));
}

function small(): Uint8Array<ArrayBuffer> {
  return bytesOf(create(PodSchema, { metadata: { uid: "a" } }));
}

function masked(headers: Headers, start: string): boolean {
  return headers.get("x-kubernetes-fieldmask")?.startsWith(start) === true;
}

function unlabelled(): Uint8Array<ArrayBuffer> {
  return bytesOf(create(PodSchema, { metadata: { uid: "a", name: "a" }, spec: {} }));
}

async function* expelling(): AsyncGenerator<Event> {
  yield* ending();
  throw new ConnectError("watch client channel closed", Code.ResourceExhausted);
}

async function* ending(): AsyncGenerator<Event> {
  yield* [A, B, C].map(added);
  yield MARKER;
}

async function bent(t: Parameters<typeof serve>[0], bend: Partial<Answers>): Promise<string> {
  const answers = well();
  Object.assign(answers, bend);
  const { listPods } = Pods.method;
  return serve(t, (router) => {
    router.service(Pods, {
      listPods(_, { requestHeader, responseHeader }) {
        Object.assign(responseHeader, answers.headers);
        return { pods: answers.list(requestHeader) };
      },
      getPod: ({ podUID }) => ({ pod: answers.get(podUID) }),
      watchPods: (_, context) => answers.watch(context),
    });
    if (answers.unknown !== undefined) router.rpc({ ...listPods, name: "NoSuchMethod" }, answers.unknown);
    for (const [typeName, answer] of Object.entries(answers.others ?? {}))
      router.rpc({ ...listPods, parent: { ...Pods, typeName } }, answer);
  });
}

describe("checks of a fake server", { concurrency: true }, () => {
  test("pass if the server is correct", async (t) => {
    const { checks, tookMs } = await check(t, { socketPath: await bent(t, {}) });
    const [, burstMs] = / in (\d+) ms/.exec(checks.find(({ name }) => name === "first events")?.detail ?? "") ?? [];
    assert.ok(Number(burstMs) <= tookMs, `${burstMs} of ${tookMs} ms`);
    const notOk = checks.filter(({ outcome }) => outcome !== "ok").map(({ name, outcome }) => [name, outcome]);
    assert.deepEqual(notOk, [["static pods", "skip"]]);
  });

  test("pass if a pod changes and changes back between two lists", async (t) => {
    let gets = 0;
    const get = (uid: string) => (uid === "a" && ++gets === 1 ? OTHER : well().get(uid));
    const { checks } = await check(t, { socketPath: await bent(t, { get }) });
    const found = checks.find((check) => check.name === "get = list");
    assert.deepEqual([found?.outcome, found?.detail], ["ok", "3 pods, byte for byte as in a list"]);
  });

  test("pass if a pod disappears before it is requested", async (t) => {
    let lists = 0;
    const list = () => (++lists === 1 ? [A, B, C] : [B, C]);
    const get = (uid: string) => well().get(uid === "a" ? "nobody" : uid);
    const watch = tells(added(B), added(C), MARKER);
    const { checks } = await check(t, { socketPath: await bent(t, { list, get, watch }) });
    const found = checks.find(({ name }) => name === "get = list");
    assert.deepEqual([found?.outcome, found?.detail], ["ok", "2 pods, byte for byte as in a list"]);
  });

  test("pass if one pod appears and another disappears during a watch", async (t) => {
    let isOpen = false;
    const list = () => (isOpen ? [B, C] : [A, B]);
    const watch: Answers["watch"] = (call) => {
      isOpen = true;
      return tells(...[A, B, C].map(added), MARKER)(call);
    };
    const { checks } = await check(t, { socketPath: await bent(t, { list, watch }) });
    assert.equal(checks.find(({ name }) => name === "first events")?.outcome, "ok");
  });

  for (const [name, outcome, what, detail, bend] of bends) {
    test(`${name}: report ${outcome} for ${what}`, async (t) => {
      const socketPath = await bent(t, bend);
      // What comes after the marker ends the check: it may take its time.
      const observeMs = name === "live events" ? 60_000 : 50;
      const markerTimeoutMs = what === "a missing marker" ? 200 : 60_000;
      const { checks } = await check(t, { socketPath, observeMs, markerTimeoutMs });
      const found = checks.find((check) => check.name === name);
      assert.deepEqual([found?.outcome, found?.detail.replace(/in \d+ ms/, "in N ms")], [outcome, detail]);
    });
  }

  test("stop after the contract check if the server has another service", async (t) => {
    const { checks } = await check(t, { socketPath: await serve(t, () => {}) });
    assert.deepEqual(
      checks.map(({ name, outcome }) => [name, outcome]),
      [
        ["socket", "ok"],
        ["contract", "fail"],
      ],
    );
    assert.match(
      checks[1]?.detail ?? "",
      /no known version: v1alpha1, v1beta1, v1, documented: Unimplemented "unknown service ..."/,
    );
  });

  test("report a note for a list over 4 MiB", async (t) => {
    const large = bytesOf(podOf("a", { long: "x".repeat(5 << 20) }));
    const socketPath = await bent(t, { pods: [large] });
    const { checks } = await check(t, { socketPath });
    assert.equal(checks.find(({ name }) => name === "size")?.outcome, "note");
  });

  test("skip the comparison of lists that differ from call to call", async (t) => {
    let n = 0;
    const socketPath = await bent(t, { list: () => [bytesOf(podOf("a", { n: String(n++) }))] });
    const { checks } = await check(t, { socketPath });
    const found = checks.find(({ name }) => name === "same bytes");
    assert.deepEqual([found?.outcome, found?.detail], ["skip", "the pods changed between any two lists"]);
  });
});

describe("checks of a misbehaving server", { concurrency: true }, () => {
  test("stop waiting for the marker of an endless list of pods", async (t) => {
    const endless: Answers["watch"] = async function* ({ signal }) {
      for (let i = 0; !signal.aborted; i++) {
        yield added(bytesOf(podOf(String(i))));
        await pause(clockOf(t), 10);
      }
    };
    const socketPath = await bent(t, { watch: endless });
    const { checks } = await check(t, { socketPath, markerTimeoutMs: 300 });
    assert.equal(checks.find(({ name }) => name === "first events")?.detail, "no INITIAL_SYNC_COMPLETE within 0.3 s");
    assert.equal(checks.find(({ name }) => name === "live events")?.detail, "no INITIAL_SYNC_COMPLETE received");
  });

  test("do not fail, and send few requests, if other clients use up the rate limit", async (t) => {
    let calls = 0;
    const limited = () => {
      if (calls++ % 2 > 0) throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
    };
    const socketPath = await bent(t, {
      list() {
        limited();
        return [bytesOf(podOf("a", { n: String(calls) }))];
      },
      get(uid) {
        limited();
        return well().get(uid);
      },
    });
    const { counts, requests } = await check(t, { socketPath });
    assert.equal(counts.fail, 0);
    assert.ok(requests < 40, `${requests} requests`);
  });

  test("repeat a call that the rate limit refuses once, and stop with rate-limited if it refuses every list", async (t) => {
    let calls = 0;
    const half = await bent(t, {
      list() {
        if (calls++ % 2 === 0) throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
        return well().pods;
      },
    });
    const { counts, requests } = await check(t, { socketPath: half });
    assert.deepEqual([counts.ok, counts.note, counts.fail], [12, 0, 0]);
    assert.ok(requests < 40, `${requests} requests`);
    const full = await bent(t, {
      list() {
        throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
      },
    });
    const { error, checks } = await check(t, { socketPath: full });
    assert.deepEqual([error?.code, error?.socketPath, checks.at(-1)?.name], ["rate-limited", full, "contract"]);
  });

  test("escape control characters of the server", async (t) => {
    const socketPath = await bent(t, {
      get(uid) {
        if (uid.length === 1) return well().get(uid);
        throw new ConnectError("\u001b[2Jgone", Code.NotFound);
      },
    });
    const { console } = await ran(t, "--socket", socketPath, "--observe", "0.05");
    assert.ok(!console.output.includes("\u001b"));
    assert.match(console.output, /\\u001b\[2Jgone/);
  });
});

describe("kubelet-pods conformance", () => {
  test("prints a table without names of pods, and exits with 0", async (t) => {
    const kubelet = await kubeletOf(t, { pods: sampleNode() });
    const { code, console } = await ran(t, "--socket", kubelet.socketPath, "--observe", "0.05");
    assert.equal(code, 0);
    const lines = console.output.split("\n");
    assert.equal(lines[0], kubelet.socketPath);
    assert.match(
      lines[2] ?? "",
      /^ {2}ok {4}contract {6}v1alpha1; v1beta1, v1, documented: Unimplemented "unknown service ..."$/,
    );
    assert.match(lines.at(-2) ?? "", /^13 ok; \d+ requests in \d+ ms$/);
    assert.equal(console.errors, "");
    for (const { metadata } of sampleNode()) assert.ok(!console.output.includes(metadata?.name ?? ""));
  });

  test("exits with 1 if a check fails, and prints the failure as JSON", async (t) => {
    const socketPath = await bent(t, { pods: [A, A] });
    const { code, console } = await ran(t, "--socket", socketPath, "--json", "--observe", "0.05");
    assert.equal(code, 1);
    const { checks, counts } = JSON.parse(console.output);
    assert.deepEqual(
      checks.find((check: { name: string }) => check.name === "list"),
      { name: "list", outcome: "fail", detail: "two pods have UID a" },
    );
    assert.ok(counts.fail >= 1);
  });

  const unreachable: [what: string, path: (t: Parameters<typeof serve>[0]) => Promise<string>, code: RegExp][] = [
    ["nothing listens", async () => "/tmp/nobody-listens-here.sock", /socket-missing/],
    [
      "the server is not a kubelet",
      (t) => serveRaw(t, (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      /wrong-peer/,
    ],
    ["the path is not a socket", async () => "/etc/hostname", /not-a-socket/],
    [
      "the kubelet is initializing",
      async (t) => {
        const kubelet = await kubeletOf(t, { initializing: true });
        return kubelet.socketPath;
      },
      /initializing/,
    ],
  ];
  for (const [what, path, code] of unreachable) {
    test(`exits with 3 if it cannot check: ${what}`, async (t) => {
      const socketPath = await path(t);
      const { code: exit, console } = await ran(t, "--socket", socketPath);
      assert.equal(exit, 3);
      assert.match(console.errors, code);
      assert.equal((await check(t, { socketPath })).error?.socketPath, socketPath);
      assert.equal(console.output, "");
      const json = await ran(t, "--socket", socketPath, "--json");
      assert.equal(json.code, 3);
      assert.match(JSON.parse(json.console.output).error.code, code);
    });
  }
});
