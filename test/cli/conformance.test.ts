// The checks find what is wrong: a kubelet that is well passes them, and each that is bent in one way fails one.

import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { run } from "../../src/cli/run.js";
import { checkConformance } from "../../src/conformance/conformance.js";
import { RawClient } from "../../src/conformance/raw-client.js";
import { STRESS_CHECKS } from "../../src/conformance/stress.js";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { PodResourcesLister } from "../../src/gen/podresources/podresources_pb.js";
import { EventType, Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import type { Call } from "../../src/serving/grpc-router.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import { churn, ReferenceKubelet, type ReferenceKubeletOptions, seededRandom } from "../../src/testing/index.js";
import { sampleNode } from "../../src/testing/sample-node.js";
import { HttpKubelet } from "../helpers/http-kubelet.js";
import { serve, serveRaw } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { TurnClock } from "../helpers/turn-clock.js";
import { consoleOf } from "./console.js";

type Asked = Parameters<typeof checkConformance>[0];

const clocks = new WeakMap<TestContext, TurnClock>();

/** The one clock of a test, of the kubelet and of who judges it. */
function clockOf(t: TestContext): TurnClock {
  const clock = clocks.get(t) ?? new TurnClock();
  clocks.set(t, clock);
  return clock;
}

async function kubeletOf(t: TestContext, options: ReferenceKubeletOptions): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start(options, clockOf(t));
  t.after(() => kubelet.close());
  return kubelet;
}

const check = (t: TestContext, asked: Asked) => checkConformance({ observeMs: 50, ...asked }, clockOf(t));

async function report(t: TestContext, options: ReferenceKubeletOptions, more: Asked = {}) {
  const { socketPath, podResourcesSocketPath } = await kubeletOf(t, options);
  return check(t, { socketPath, podResourcesSocketPath, ...more });
}

/** Runs the command. */
async function ran(t: TestContext, ...args: string[]) {
  const console = consoleOf({ environment: clockOf(t).environment });
  return { code: await run(["conformance", ...args], console), console };
}

for (const profile of ["1.37", "1.36", "v1beta1", "v1", "documented"] as const) {
  test(`the ${profile} kubelet passes, in fewer than 40 requests`, async (t) => {
    const { checks, requests, versions } = await report(t, { profile, pods: sampleNode(), podResources: true });
    assert.deepEqual(versions, { api: profile.startsWith("1.") ? "v1alpha1" : profile, kubelet: undefined });
    const masks = profile === "documented" ? "note" : "ok";
    // How fast a machine is decides nothing here.
    const notOk = checks
      .filter(({ name, outcome }) => outcome !== "ok" && name !== "service level")
      .map(({ name, outcome }) => `${name}: ${outcome}`);
    assert.deepEqual(notOk, [
      ...(profile === "documented" ? [`masks: ${masks}`, "first events: skip"] : []),
      "metrics: skip",
    ]);
    assert.ok(requests < 40, `${requests} requests`);
  });
}

test("an empty node passes, with what cannot be seen there skipped", async (t) => {
  const { counts, checks } = await report(t, {});
  assert.equal(counts.fail, 0);
  const skipped = checks.filter(({ outcome }) => outcome === "skip").map(({ name }) => name);
  assert.deepEqual(skipped.slice(0, 4), ["order", "static pods", "get = list", "masks"]);
  const list = checks.find(({ name }) => name === "list");
  assert.equal(list?.detail, "no pods; a 1.36 kubelet that has not read its sources answers so, too");
});

test("a busy node passes too, in fewer than 40 requests", async (t) => {
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

test("stress meets the limit and the ping policy", async (t) => {
  const { checks, counts } = await report(t, { pods: sampleNode() }, { stress: true });
  assert.equal(counts.fail, 0);
  const [limit, pings] = checks.filter(({ name }) => name === "rate limit" || name === "pings");
  assert.match(limit?.detail ?? "", /of 150 calls at once: rejected by rate limit; watches are not limited/);
  assert.equal(pings?.detail, "5 on a quiet connection: GOAWAY 11 too_many_pings");
});

interface Answers {
  pods: Uint8Array<ArrayBuffer>[];
  list(headers: Headers): Uint8Array<ArrayBuffer>[];
  get(uid: string): Uint8Array<ArrayBuffer>;
  watch(context: Call): AsyncIterable<{ type: EventType; pod?: Uint8Array<ArrayBuffer> }>;
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
const bends: [check: string, outcome: "fail" | "note", what: string, bend: Partial<Answers>][] = [
  ["list", "fail", "an envelope", { pods: [Buffer.concat([Buffer.from("k8s\0"), A]) as Uint8Array<ArrayBuffer>] }],
  ["list", "fail", "bytes that end too early", { pods: [A.slice(0, A.length - 2)] }],
  ["list", "fail", "a pod without UID", { pods: [bytesOf(podOf(""))] }],
  ["list", "fail", "a UID twice", { pods: [A, A] }],
  ["order", "note", "another order", { pods: [B, A] }],
  ["static pods", "fail", "a mirror pod", { pods: [bytesOf(podOf("a", { "kubernetes.io/config.mirror": "x" }))] }],
  [
    "static pods",
    "fail",
    "a static pod with a UID of its own",
    { pods: [bytesOf(podOf("a", { "kubernetes.io/config.source": "file", "kubernetes.io/config.hash": "x" }))] },
  ],
  ["get = list", "fail", "another pod by the same UID", { get: (uid) => (uid === "a" ? OTHER : well().get(uid)) }],
  ["get = list", "fail", "the pod of another UID", { get: (uid) => (uid === "a" ? B : well().get(uid)) }],
  ["get = list", "fail", "a listed pod that is not found", { get: (uid) => well().get(uid === "a" ? "nobody" : uid) }],
  ["get = list", "fail", "an error", { get: (uid) => (uid === "a" ? failing() : well().get(uid)) }],
  ["not found", "fail", "any pod for any UID", { get: (uid) => (uid.length === 1 ? well().get(uid) : A) }],
  ["not found", "fail", "another code", { get: (uid) => (uid.length === 1 ? well().get(uid) : failing()) }],
  ["not found", "note", "other words", { get: (uid) => (uid.length === 1 ? well().get(uid) : missing()) }],
  ["masks", "fail", "a bad mask alone refused", { list: (headers) => (masked(headers, "no.such") ? failing() : [A]) }],
  ["masks", "fail", "a bad mask answered, a good one honoured", { list: (h) => [masked(h, "metadata") ? small() : A] }],
  ["masks", "fail", "an error for any mask", { list: (h) => (masked(h, "") ? failing() : [A, B, C]) }],
  ["first events", "fail", "no marker", { watch: tells(added(A)) }],
  ["first events", "fail", "a marker with a pod", { watch: tells(added(A), { ...MARKER, pod: A }) }],
  [
    "first events",
    "fail",
    "MODIFIED before the marker",
    { watch: tells({ type: EventType.MODIFIED, pod: A }, MARKER) },
  ],
  ["first events", "fail", "a pod twice", { watch: tells(added(A), added(A), added(B), added(C), MARKER) }],
  ["first events", "fail", "a pod too few", { watch: tells(added(A), added(B), MARKER) }],
  ["first events", "fail", "a pod too many", { watch: tells(...[A, B, C, bytesOf(podOf("d"))].map(added), MARKER) }],
  ["first events", "note", "another order", { watch: tells(...[B, A, C].map(added), MARKER) }],
  [
    "live events",
    "fail",
    "an event without UID",
    { watch: tells(...[A, B, C].map(added), MARKER, { type: EventType.MODIFIED, pod: bytesOf(podOf("")) }) },
  ],
  ["live events", "fail", "an end", { watch: ending }],
  [
    "live events",
    "fail",
    "an unknown type",
    { watch: tells(...[A, B, C].map(added), MARKER, { type: 99 as EventType }) },
  ],
  ["live events", "fail", "a second marker", { watch: tells(...[A, B, C].map(added), MARKER, MARKER) }],
  ["live events", "note", "being dropped", { watch: expelling }],
  ["masks", "fail", "more than was asked for", { list: (h) => [masked(h, "metadata") ? nodeToo() : A] }],
  ["masks", "fail", "half of a mask honoured", { list: (h) => [masked(h, "metadata") ? unlabelled() : A] }],
  ["contract", "fail", "an error for every list", { list: () => failing() }],
];

/** What is said of some of them. */
const WORDS: Readonly<Record<string, string>> = {
  "get = list: another pod by the same UID": "GetPod gives another pod than the lists before and after it",
  "first events: a pod too few": "a pod that is listed is missing",
  "first events: a pod too many": "a pod comes that no list has",
};

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
  return serve(t, (router) =>
    router.service(Pods, {
      listPods: (_, { requestHeader }) => ({ pods: answers.list(requestHeader) }),
      getPod: ({ podUID }) => ({ pod: answers.get(podUID) }),
      watchPods: (_, context) => answers.watch(context),
    }),
  );
}

describe("a server that is bent", { concurrency: true }, () => {
  test("in no way passes", async (t) => {
    const { checks } = await check(t, { socketPath: await bent(t, {}) });
    const contract = checks.slice(
      0,
      checks.findIndex(({ name }) => name === "podresources"),
    );
    const notOk = contract.filter(({ outcome }) => outcome !== "ok").map(({ name, outcome }) => [name, outcome]);
    assert.deepEqual(notOk, [["static pods", "skip"]]);
  });

  test("or in none that lasts: a pod that changed and changed back between two lists passes", async (t) => {
    let gets = 0;
    const get = (uid: string) => (uid === "a" && ++gets === 1 ? OTHER : well().get(uid));
    const { checks } = await check(t, { socketPath: await bent(t, { get }) });
    const found = checks.find((check) => check.name === "get = list");
    assert.deepEqual([found?.outcome, found?.detail], ["ok", "3 pods, byte for byte as in a list"]);
  });

  for (const [name, outcome, what, bend] of bends) {
    test(`${name}: ${what} is a ${outcome}`, async (t) => {
      const socketPath = await bent(t, bend);
      // What comes after the marker ends the check: it may take its time.
      const observeMs = name === "live events" ? 60_000 : 50;
      const markerTimeoutMs = what === "no marker" ? 200 : 60_000;
      const { checks } = await check(t, { socketPath, observeMs, markerTimeoutMs });
      const found = checks.find((check) => check.name === name);
      assert.equal(found?.outcome, outcome, found?.detail);
      assert.doesNotMatch(found?.detail ?? "", /undefined/);
      const words = WORDS[`${name}: ${what}`];
      if (words !== undefined) assert.equal(found?.detail, words);
    });
  }

  test("what serves another service is told so, and nothing else is asked", async (t) => {
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

  test("a list over 4 MiB, and a limit that does not hold, are notes", async (t) => {
    const large = bytesOf(podOf("a", { long: "x".repeat(5 << 20) }));
    const socketPath = await bent(t, { pods: [large] });
    const { checks } = await check(t, { socketPath, stress: true });
    const of = (name: string) => checks.find((check) => check.name === name);
    assert.equal(of("size")?.outcome, "note");
    assert.deepEqual(
      [of("rate limit")?.outcome, of("rate limit")?.detail],
      ["note", "150 calls at once, none rejected"],
    );
  });

  test("lists that differ from call to call are not called equal", async (t) => {
    let n = 0;
    const socketPath = await bent(t, { list: () => [bytesOf(podOf("a", { n: String(n++) }))] });
    const { checks } = await check(t, { socketPath });
    const found = checks.find(({ name }) => name === "same bytes");
    assert.deepEqual([found?.outcome, found?.detail], ["skip", "the pods changed between any two lists"]);
  });
});

describe("a peer that would keep it for ever, or show what it should not", { concurrency: true }, () => {
  test("pods without end before the marker", async (t) => {
    const endless: Answers["watch"] = async function* ({ signal }) {
      for (let i = 0; !signal.aborted; i++) {
        if (i % 100 === 0) await nextTurn(); // who reads it lives in this process too
        yield added(bytesOf(podOf(String(i))));
      }
    };
    const socketPath = await bent(t, { watch: endless });
    const { checks } = await check(t, { socketPath, markerTimeoutMs: 300 });
    assert.equal(checks.find(({ name }) => name === "first events")?.detail, "no marker within 0.3 s");
    assert.equal(checks.find(({ name }) => name === "live events")?.detail, "no marker came");
  });

  test("others who use up the limit are no failure, and the requests stay few", async (t) => {
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

  test("stress ends where the watch is silent and pings are not answered", async (t) => {
    const { counts, checks } = await report(t, { profile: "documented", pods: sampleNode() }, { stress: true });
    assert.equal(counts.fail, 0);
    assert.deepEqual(
      checks.slice(-3).map(({ name }) => name),
      ["rate limit", "pings", "podresources rate limit"],
    );
    const mute = await serveRaw(t, () => {});
    const clock = clockOf(t);
    const client = new RawClient({ socketPath: mute, clock });
    const version = API_VERSIONS[0];
    const subject = {
      client,
      clock,
      socketPath: mute,
      observeMs: 50,
      markerTimeoutMs: 50,
      version,
      list: [],
      resources: undefined,
      wantsResources: false,
      metrics: undefined,
      samples: 0,
    };
    const pings = STRESS_CHECKS.find(({ name }) => name === "pings");
    assert.equal((await pings?.run(subject))?.outcome, "note");
    await client[Symbol.asyncDispose]();
  });

  test("control characters of a server do not reach the terminal", async (t) => {
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

describe("the command", () => {
  test("prints a table that a person can read, and exits with 0", async (t) => {
    const kubelet = await kubeletOf(t, { pods: sampleNode() });
    const { code, console } = await ran(t, "--socket", kubelet.socketPath, "--observe", "0.05");
    assert.equal(code, 0);
    const lines = console.output.split("\n");
    assert.equal(lines[0], kubelet.socketPath);
    assert.match(
      lines[2] ?? "",
      /^ {2}ok {4}contract {10}v1alpha1; v1beta1, v1, documented: Unimplemented "unknown service ..."$/,
    );
    assert.match(lines.at(-2) ?? "", /^1[34] ok, (?:1 note, )?4 skip; \d+ requests in \d+ ms$/);
    assert.equal(console.errors, "");
    for (const { metadata } of sampleNode()) assert.ok(!console.output.includes(metadata?.name ?? ""));
  });

  test("exits with 1 where something fails, and says it in JSON too", async (t) => {
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
    ["nobody listens", async () => "/tmp/nobody-listens-here.sock", /socket-missing/],
    ["another server", (t) => serveRaw(t, (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")), /wrong-peer/],
    ["it is not a socket", async () => "/etc/hostname", /not-a-socket/],
    [
      "it initializes",
      async (t) => {
        const kubelet = await kubeletOf(t, { initializing: true });
        return kubelet.socketPath;
      },
      /initializing/,
    ],
  ];
  for (const [what, path, code] of unreachable) {
    test(`exits with 3 where it cannot judge: ${what}`, async (t) => {
      const socketPath = await path(t);
      const { code: exit, console } = await ran(t, "--socket", socketPath);
      assert.equal(exit, 3);
      assert.match(console.errors, code);
      assert.equal(console.output, "");
      const json = await ran(t, "--socket", socketPath, "--json");
      assert.equal(json.code, 3);
      assert.match(JSON.parse(json.console.output).error.code, code);
    });
  }
});

describe("podresources", () => {
  const devices = [{ resourceName: "nvidia.com/gpu", deviceIDs: ["g0"], numaNodes: [] }];

  async function withDevices(t: TestContext): Promise<ReferenceKubelet> {
    const metadata = { uid: "a", name: "a", namespace: "n" };
    const pod = { metadata, spec: { containers: [{ name: "c", image: "i" }] }, status: { phase: "Running" } };
    const kubelet = await kubeletOf(t, { podResources: true, pods: [pod] });
    kubelet.assignResources("a", "c", { devices });
    return kubelet;
  }

  const of = async (t: TestContext, { socketPath, podResourcesSocketPath }: ReferenceKubelet, stress = false) => {
    const { checks } = await check(t, { socketPath, podResourcesSocketPath, stress });
    return new Map(checks.map(({ name, outcome, detail }) => [name, `${outcome} ${detail}`]));
  };

  test("lists what is held, gets a pod as it is listed, and says what is not there", async (t) => {
    const kubelet = await withDevices(t);
    kubelet.setAllocatable({ devices });
    const found = await of(t, kubelet, true);
    assert.equal(found.get("podresources"), "ok 1 pod, 1 with something of their own");
    assert.equal(
      found.get("podresources get"),
      'ok as it is listed; an unknown pod: Unknown "pod pod in namespace no-such not found"',
    );
    assert.equal(found.get("allocatable"), "ok 1 device, 1 in use; 0 CPUs; 0 blocks of memory");
    assert.match(
      found.get("podresources rate limit") ?? "",
      /^ok 1\d\d of 150 calls at once: ResourceExhausted "rejected by rate limit"; the Pods API goes on$/,
    );
  });

  test("a device that is held and cannot be given is a note", async (t) => {
    const found = await of(t, await withDevices(t));
    assert.equal(
      found.get("allocatable"),
      "note 0 devices, 1 in use; 0 CPUs; 0 blocks of memory; 1 in use that the node can no longer give",
    );
  });

  test("devices in another order are the same, and a path that is given has to have a socket", async (t) => {
    const kubelet = await withDevices(t);
    let calls = 0;
    const shuffled = () => {
      const ids = ["g0", "g1", "g2"].map((id) => ({
        resourceName: "r",
        deviceIds: [id],
        topology: { nodes: [{ ID: BigInt(id.length) }] },
      }));
      const devices = calls++ % 2 === 0 ? ids : [...ids].reverse();
      return {
        name: "a",
        namespace: "n",
        containers: [{ name: "c", devices, cpuIds: calls % 2 === 0 ? [1n, 2n] : [2n, 1n] }],
      };
    };
    const podResourcesSocketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.list, () => ({ podResources: [shuffled()] }));
      router.rpc(PodResourcesLister.method.get, ({ podName }) => {
        if (podName === "pod") throw new ConnectError("pod pod in namespace no-such not found", Code.Unknown);
        return { podResources: shuffled() };
      });
    });
    const { socketPath } = kubelet;
    const { checks } = await check(t, { socketPath, podResourcesSocketPath });
    assert.match(checks.find(({ name }) => name === "podresources get")?.detail ?? "", /^as it is listed;/);
    const absent = await check(t, { socketPath, podResourcesSocketPath: `${socketPath}.no` });
    assert.equal(absent.checks.find(({ name }) => name === "podresources")?.outcome, "fail");
  });

  test("a limit that others use up is no failure", async (t) => {
    const kubelet = await withDevices(t);
    const limited = () => {
      throw new ConnectError("rejected by rate limit", Code.ResourceExhausted);
    };
    const podResourcesSocketPath = await serve(t, (router) => {
      for (const method of Object.values(PodResourcesLister.method))
        router.rpc(method as typeof PodResourcesLister.method.list, limited);
    });
    const { checks, counts } = await check(t, {
      socketPath: kubelet.socketPath,
      podResourcesSocketPath,
    });
    assert.equal(counts.fail, 0);
    assert.equal(checks.find(({ name }) => name === "podresources get")?.outcome, "skip");
  });

  test("other pods than those of the Pods API fail, and so does a Get that differs from the list", async (t) => {
    const kubelet = await withDevices(t);
    const pods = [
      { name: "x", namespace: "n" },
      { name: "y", namespace: "n" },
    ];
    const podResourcesSocketPath = await serve(t, (router) => {
      router.rpc(PodResourcesLister.method.list, () => ({ podResources: pods }));
      router.rpc(PodResourcesLister.method.get, ({ podName }) => {
        if (podName === "pod") throw new ConnectError("pod pod in namespace no-such not found", Code.Unknown);
        return { podResources: { name: "z", namespace: "n" } };
      });
    });
    const { checks } = await check(t, {
      socketPath: kubelet.socketPath,
      podResourcesSocketPath,
    });
    const outcome = (name: string) => checks.find((check) => check.name === name)?.outcome;
    assert.deepEqual(["podresources", "podresources get", "allocatable"].map(outcome), ["fail", "fail", "fail"]);
  });
});

describe("what is measured", () => {
  test("the service level is of as many calls as are asked for, and is no failure", async (t) => {
    const kubelet = await kubeletOf(t, { pods: sampleNode() });
    const { checks, counts } = await check(t, { socketPath: kubelet.socketPath, samples: 20 });
    const found = checks.find(({ name }) => name === "service level");
    assert.match(
      found?.detail ?? "",
      /^3\d calls: half within [\d.]+ ms, 99 % within [\d.]+ ms \(goal 5\), 100\.0 % answered \(goal 99\.9\)$/,
    );
    assert.equal(counts.fail, 0);
  });

  test("the kubelet's metrics are compared with what was called, and its version is told", async (t) => {
    const kubelet = await kubeletOf(t, { pods: sampleNode() });
    const http = await HttpKubelet.start(t, () => []);
    for (const [step, outcome, detail] of [
      [100, "ok", /^v1\.37\.1: ListPods \+100 \(\d+ from here\), GetPod \+100 \(\d+ from here\)$/],
      [0, "fail", /^v1\.37\.1: ListPods counted 0 times, and answered \d+ times$/],
      [undefined, "note", /^v1\.37\.1: there is no kubelet_pod_requests_total, as before 1\.37$/],
    ] as const) {
      let n = 5;
      http.answer = ({ url }, response) => {
        assert.equal(url, "/metrics");
        const lines = ['kubernetes_build_info{git_commit="x",git_version="v1.37.1"} 1'];
        for (const name of step === undefined ? [] : ["list", "get"]) {
          lines.push(`kubelet_pod_requests_${name}_total{server_api_version="v1alpha1",status_code="OK"} ${n}`);
          lines.push(`kubelet_pod_requests_${name}_total{server_api_version="v1alpha1",status_code="NotFound"} 2`);
        }
        n += step ?? 0;
        response.end(`${lines.join("\n")}\n`);
      };
      const { checks, versions } = await check(t, {
        socketPath: kubelet.socketPath,
        metrics: { url: http.url },
      });
      const found = checks.find(({ name }) => name === "metrics");
      assert.deepEqual([found?.outcome, versions.kubelet], [outcome, "v1.37.1"]);
      assert.match(found?.detail ?? "", detail);
    }
    http.answer = (_, response) => void response.writeHead(403).end();
    const { checks } = await check(t, {
      socketPath: kubelet.socketPath,
      metrics: { url: http.url },
    });
    assert.match(checks.find(({ name }) => name === "metrics")?.detail ?? "", /^cannot be read: not-permitted/);
  });
});
