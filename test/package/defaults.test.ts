// Each `@default` of a doc comment, beside the code: a literal is compared with what the code falls back to, a sentence has a check of its
// own in the table below. A default without a row fails, and so does a row whose default is gone.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toBinary } from "@bufbuild/protobuf";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import ts from "typescript";
import { Caller, type Endpoint } from "../../src/calls/caller.js";
import { checkConformance } from "../../src/conformance/conformance.js";
import { CODES, type OutageClass } from "../../src/errors/error-code.js";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import {
  fromKubernetesJson,
  type MaskedPod,
  type Pod,
  PodsClient,
  PodsError,
  type PodsErrorCode,
  podMask,
  toKubernetesJson,
} from "../../src/index.js";
import { Lookups } from "../../src/lookup/lookups.js";
import { resolveInformerOptions, resolveOptions } from "../../src/options.js";
import { attributesOf, podResourceDetector, registerMetrics } from "../../src/otel/index.js";
import { decodeBy } from "../../src/pod/decode.js";
import { planOf, resolveMask } from "../../src/pod/mask.js";
import { resolveSelector } from "../../src/pod/selector.js";
import { PodInformer } from "../../src/readers/informer.js";
import { resolveHttpOptions } from "../../src/sources/kubelet-http/http-options.js";
import { OutageBackoff } from "../../src/stream/outage-backoff.js";
import { Upstream } from "../../src/stream/upstream.js";
import { EVICTIONS } from "../../src/testing/disruption.js";
import {
  type EvictionReason,
  ReferenceKubelet,
  type ReferenceKubeletOptions,
  Replay,
  type RestartOptions,
  sampleNode,
} from "../../src/testing/index.js";
import { Deadline } from "../../src/timing/deadline.js";
import { socketCandidates } from "../../src/wire/socket-path.js";
import { scriptedSource } from "../helpers/scripted-source.js";
import { constantsOf, sources as files, literal, literalOf, walk } from "../helpers/source-text.js";
import { test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { Node, versionOf as podVersion, told } from "../lookup/node.js";

interface Default {
  /** The type and its member. */
  readonly key: string;
  readonly text: string;
  readonly file: string;
}

const defaults: Default[] = files.flatMap(({ file, source }) => {
  const found: Default[] = [];
  walk(source, (node) => {
    for (const tag of ts.getJSDocTags(node)) {
      if (tag.tagName.text !== "default" || tag.parent.parent !== node) continue;
      const { name } = node as ts.PropertySignature;
      const owner = (node.parent as ts.InterfaceDeclaration).name?.getText();
      const text = (ts.getTextOfJSDocComment(tag.comment) ?? "").replace(/\s+/g, " ").trim();
      found.push({ key: `${owner}.${name.getText()}`, text, file });
    }
  });
  return found;
});

/**
 * What the code falls back to where a name has no value: `name = literal` in a pattern, or `name ?? literal`; in the files of the folder,
 * and where they have nothing of it, in all.
 */
function fallbacks(file: string, name: string): unknown[] {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const isBeside = (other: string) => other.slice(0, other.lastIndexOf("/") + 1) === folder;
  const beside = fallbacksIn(
    files.filter((each) => isBeside(each.file)),
    name,
  );
  return beside.length > 0 ? beside : fallbacksIn(files, name);
}

function fallbacksIn(where: typeof files, name: string): unknown[] {
  const constants = new Map(where.flatMap(({ source }) => [...constantsOf(source)]));
  const found: ts.Expression[] = [];
  for (const { source } of where) {
    walk(source, (node) => {
      if (ts.isBindingElement(node) && node.name.getText() === name && node.initializer !== undefined) {
        found.push(node.initializer);
      }
      if (ts.isPropertyAssignment(node) && node.name.getText() === name) found.push(...defaultOfRow(node.initializer));
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken) return;
      if (new RegExp(`(?:^|\\.)${name}$`).test(node.left.getText())) found.push(node.right);
    });
  }
  return found.map((expression) => literalOf(expression, constants));
}

/** The default in the row of an option: `name: { type: "number", default: 1 }`. */
function defaultOfRow(row: ts.Expression): ts.Expression[] {
  if (!ts.isObjectLiteralExpression(row)) return [];
  const given = row.properties.filter(ts.isPropertyAssignment);
  return given.filter((each) => each.name.getText() === "default").map((each) => each.initializer);
}

/** The value that a doc gives: a number, a text in quotes, true or false; what stands behind it explains it. */
function given(text: string): unknown {
  const [, number, quotedOrWord] = /^(?:(\d[\d_,]*)|("[^"]*"|true|false))(?=$|[ :,])/.exec(text) ?? [];
  if (number !== undefined) return literal(number);
  return quotedOrWord === undefined ? undefined : JSON.parse(quotedOrWord);
}

/** A call that fails as soon as it is made, of a client with these defaults; gives what each attempt was told to take. */
async function failedCall(defaults: { timeoutMs: number; retry: boolean }): Promise<(number | undefined)[]> {
  const endpoint: Endpoint = {
    socketPath: "/s",
    connect: async () => {},
    changed: () => new Promise(() => {}),
    close: async () => {},
  };
  const clock = new VirtualClock();
  const attempts: (number | undefined)[] = [];
  const call = new Caller(endpoint, defaults, { clock, random: () => 1 }).call("GetPod", {}, async ({ timeoutMs }) => {
    attempts.push(timeoutMs);
    throw new PodsError({ code: attempts.length > 1 ? "not-found" : "connection-lost", message: "x" });
  });
  const failed = assert.rejects(call);
  await clock.advance(1_000);
  await failed;
  return attempts;
}

/** An informer on a virtual clock, which has its first list. */
async function informed() {
  const { source, say } = scriptedSource();
  const clock = new VirtualClock();
  const upstream = new Upstream({ source, clock, random: () => 1, index: (pods) => new Lookups(pods, clock) });
  const host = { clock, timeoutMs: undefined, upstream: () => upstream, enter: () => () => {} };
  const informer = new PodInformer<Pod>(host, resolveInformerOptions({}, "informer"));
  const pod = podVersion({ uid: "a", ip: "10.0.0.1", created: 1 }).bytes;
  await say(
    { type: "CONNECTED", server: "1", connection: "1", lists: "complete" },
    { type: "ADDED", pod },
    { type: "SYNCED" },
  );
  return { informer, clock, say };
}

async function onKubelet(options: ReferenceKubeletOptions, check: (kubelet: ReferenceKubelet) => unknown) {
  await using kubelet = await ReferenceKubelet.start(options);
  await check(kubelet);
}

/** Starts a pod, and gives its UID and the name of a container that runs. */
function startedIn(kubelet: ReferenceKubelet): { uid: string; name: string } {
  const { metadata, spec } = kubelet.pods.find((pod) => pod.metadata?.name.startsWith("web-")) ?? {};
  kubelet.startPod(metadata?.uid ?? "");
  return { uid: metadata?.uid ?? "", name: spec?.containers[0]?.name ?? "" };
}

const labelled: Pod = fromKubernetesJson({
  metadata: { uid: "u", name: "n", labels: { a: "labelled" }, annotations: { a: "annotated" } },
});
const attributes = () => Object.values(attributesOf(labelled, undefined)).map(String);
const http = resolveHttpOptions({ url: "https://127.0.0.1:10250" });
const restarted = (options: RestartOptions, check: (kubelet: ReferenceKubelet) => unknown, start = {}) =>
  onKubelet({ pods: sampleNode(), ...start }, async (kubelet) => {
    await kubelet.restart(options);
    await check(kubelet);
  });
const versionOf = async ({ socketPath }: ReferenceKubelet, options = {}) => {
  await using pods = new PodsClient({ socketPath, ...options });
  return await pods.probe({ timeoutMs: 10_000 });
};

/** Of defaults that are no literal: what the doc says, and what shows that it is so. */
const SENTENCES: Readonly<Record<string, readonly [says: string, holds: () => unknown]>> = {
  "HealthOptions.maxAgeMs": [
    "no limit: once synced, it stays ready",
    async () => {
      const { informer, clock, say } = await informed();
      await say(new PodsError({ code: "socket-missing", message: "x" }));
      await clock.advance(86_400_000);
      const { ready, ageMs = 0 } = informer.health();
      assert.deepEqual([ready, ageMs >= 86_400_000], [true, true]);
      await informer.close();
    },
  ],
  "ToJsonOptions.mask": [
    "the mask with which the pod was requested; all keys for other pods",
    () => {
      const bytes = toBinary(PodSchema, fromKubernetesJson({ metadata: { uid: "u", name: "n" } }));
      const pod = decodeBy(podMask("metadata.name").plan, bytes) as MaskedPod<["metadata.name"]>;
      assert.deepEqual(Object.keys(toKubernetesJson(pod)), ["apiVersion", "kind", "metadata"]);
      assert.deepEqual(Object.keys(toKubernetesJson(structuredClone(pod))), [
        "apiVersion",
        "kind",
        "metadata",
        "spec",
        "status",
      ]);
    },
  ],
  "UpstreamOptions.counters": [
    "counters of its own",
    () => {
      const make = () =>
        new Upstream({
          source: scriptedSource().source,
          clock: new VirtualClock(),
          random: () => 1,
        });
      assert.notEqual(make().counters, make().counters);
    },
  ],
  "PodResourceDetectorOptions.env": [
    "the environment of the process",
    async () => {
      Object.assign(process.env, { POD_UID: "uid-of-the-environment" });
      const { attributes } = podResourceDetector().detect();
      assert.equal(await attributes?.["k8s.pod.uid"], "uid-of-the-environment");
      delete process.env["POD_UID"];
    },
  ],
  "AttributesOptions.labels": ["no labels", () => assert.ok(!attributes().includes("labelled"))],
  "AttributesOptions.annotations": ["no annotations", () => assert.ok(!attributes().includes("annotated"))],
  "AttributesOptions.service": [
    "false",
    () => assert.ok(!Object.keys(attributesOf(labelled)).includes("service.name")),
  ],
  "MetricsOptions.name": [
    '"0", "1" and so on, in the order in which a client\'s informers are registered',
    () => {
      const reader = new TestReader();
      const meter = new MeterProvider({ readers: [reader] }).getMeter("test");
      return onKubelet({}, async ({ socketPath }) => {
        await using pods = new PodsClient({ socketPath });
        for (const informer of [pods.informer(), pods.informer()]) registerMetrics(informer, meter);
        const { resourceMetrics } = await reader.collect();
        const points = resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
          metrics.flatMap((each) => [...each.dataPoints]),
        );
        const names = points.flatMap(({ attributes }) => attributes["kubelet_pods.informer"] ?? []);
        assert.deepEqual([...new Set(names)], ["0", "1"]);
      });
    },
  ],
  "KubeletTransportOptions.interceptors": [
    "none",
    () => assert.deepEqual(fallbacks("connect/kubelet-transport.ts", "interceptors"), ["code: []"]),
  ],
  "ClientOptions.socketPath": [
    "`<rootDir>/pods-api/pods-api.sock` or `<rootDir>/pods/kubelet.sock`, whichever exists when the client connects",
    () =>
      assert.deepEqual(socketCandidates({ rootDir: "/r" }, {}), ["/r/pods-api/pods-api.sock", "/r/pods/kubelet.sock"]),
  ],
  "ClientOptions.kubeletVersion": ["unknown", () => assert.equal(resolveOptions({}).lists, undefined)],
  "ClientOptions.sources": [
    "only the Pods API",
    () => onKubelet({}, async (kubelet) => assert.equal((await versionOf(kubelet)).apiVersion, "v1alpha1")),
  ],
  "ClientOptions.transport": [
    "the client's own gRPC over the kubelet's socket",
    () => onKubelet({}, async (kubelet) => assert.equal((await versionOf(kubelet)).socketPath, kubelet.socketPath)),
  ],
  "CallOptions.timeoutMs": [
    "the client's `timeoutMs`",
    async () => assert.equal((await failedCall({ timeoutMs: 1_234, retry: false }))[0], 1_234),
  ],
  "CallOptions.retry": [
    "the client's `retry`",
    async () => {
      assert.equal((await failedCall({ timeoutMs: 10_000, retry: false })).length, 1);
      assert.equal((await failedCall({ timeoutMs: 10_000, retry: true })).length, 2);
    },
  ],
  "MaskOptions.mask": ["whole pods", () => assert.ok(planOf(resolveMask(undefined, "listPods")).whole)],
  "FindOptions.at": [
    "the pod that has the key now, otherwise the last one that had it",
    () => {
      const node = new Node();
      for (const uid of ["a", "b"]) node.put({ uid, name: "same", ip: "10.0.0.1", created: 1 });
      const found = () => told(node.find({ ip: "10.0.0.1" }));
      node.drop("b");
      assert.equal(found(), "a likely");
      node.drop("a");
      assert.equal(found(), "a reused gone");
    },
  ],
  "ListOptions.onUnreadable": [
    "the call rejects with `corrupt`",
    async () => {
      const { source } = scriptedSource();
      const never = () => Promise.reject(new Error("not asked for"));
      const list = () => Promise.resolve([Uint8Array.of(0x0a, 200, 1)]);
      const calls = { list, get: never, connect: () => Promise.resolve(), close: () => Promise.resolve() };
      await using pods = new PodsClient({ sources: [{ ...source, ...calls }] });
      await assert.rejects(pods.listPods(), { code: "corrupt" });
      assert.deepEqual(await pods.listPods({ onUnreadable: () => {} }), []);
    },
  ],
  "WaitOptions.timeoutMs": [
    "as long as the informer is synced, or has been within the client's `timeoutMs`",
    async () => {
      const { informer, clock } = await informed();
      const { timers } = clock;
      const timeouts = [{}, { timeoutMs: 0 }, { timeoutMs: Number.POSITIVE_INFINITY }]; // this client has no limit
      const waits = timeouts.map((timeout) => informer.waitFor({ uid: "later" }, timeout).catch(({ code }) => code));
      assert.deepEqual([clock.timers, informer.state.waiting], [timers, 3]);
      await informer.close();
      assert.deepEqual(await Promise.all(waits), ["closed", "closed", "closed"]);
    },
  ],
  "WaitOptions.until": [
    "the first answer with a pod",
    async () => {
      const { informer } = await informed();
      assert.equal((await informer.waitFor({ ip: "10.0.0.1" })).pod.metadata.uid, "a");
      await informer.close();
    },
  ],
  "SelectorOptions.namespace": ["all namespaces", () => assert.equal(resolveSelector({}), undefined)],
  "SelectorOptions.labelSelector": ["all pods", () => assert.equal(resolveSelector({}), undefined)],
  "DeadlineOptions.reason": [
    "a PodsError `deadline`",
    async () => {
      const clock = new VirtualClock();
      const { signal } = new Deadline({ clock, timeoutMs: 1 });
      await clock.advance(1);
      assert.equal(signal.reason.code, "deadline");
    },
  ],
  "PodsErrorInit.hint": [
    "the hint of the code",
    () => assert.equal(new PodsError({ code: "dropped", message: "x" }).hint, CODES.dropped.hint),
  ],
  "PodsErrorInit.elapsedMs": [
    "undefined: the call was not timed",
    () => assert.equal(new PodsError({ code: "dropped", message: "x" }).elapsedMs, undefined),
  ],
  "CodeFacts.watch": ["`transient`", () => assert.equal(outageOf("connection-lost", 1), "transient")],
  "CodeFacts.watchAgain": ["`watch`", () => assert.equal(outageOf("socket-missing", 2), CODES["socket-missing"].watch)],
  "KubeletHttpOptions.tokenFile": ["no token", () => assert.equal(http.tokenFile, undefined)],
  "KubeletHttpOptions.caFile": ["the CA certificates of Node.js", () => assert.equal(http.caFile, undefined)],
  "KubeletHttpOptions.certFile": ["no client certificate", () => assert.equal(http.certFile, undefined)],
  "ReferenceKubeletOptions.pods": ["no pods", () => onKubelet({}, ({ pods }) => assert.deepEqual(pods, []))],
  "ReferenceKubeletOptions.socketPath": [
    "a socket in a new directory below the system's temporary directory",
    () => onKubelet({}, ({ socketPath }) => assert.equal(dirname(dirname(socketPath)), tmpdir())),
  ],
  "ReplayOptions.socketPath": [
    "a socket in a new directory below the system's temporary directory",
    async () => {
      await using replay = await Replay.start([{ atMs: 0, start: 1 }]);
      assert.equal(dirname(dirname(replay.socketPath)), tmpdir());
    },
  ],
  "ReferenceKubeletOptions.podResources": [
    "false",
    () => onKubelet({}, ({ podResourcesSocketPath }) => assert.equal(podResourcesSocketPath, undefined)),
  ],
  "ReferenceKubeletOptions.procRoot": [
    "none: `addProcess` throws",
    () =>
      onKubelet({ pods: sampleNode() }, (kubelet) => {
        const { uid, name } = startedIn(kubelet);
        assert.throws(() => kubelet.addProcess(uid, name, { pid: 7 }), {
          code: "invalid-argument",
          message: /procRoot/,
        });
      }),
  ],
  "ReferenceKubeletOptions.cgroupRoot": [
    "none",
    async () => {
      const procRoot = mkdtempSync(join(tmpdir(), "defaults-"));
      await onKubelet({ pods: sampleNode(), procRoot }, () => assert.deepEqual(readdirSync(procRoot), []));
      rmSync(procRoot, { recursive: true });
    },
  ],
  "ReferenceKubeletOptions.now": [
    "the system's clock",
    () => onKubelet({}, ({ now }) => assert.ok(Math.abs(Number(now) - Date.now()) < 10_000)),
  ],
  "EvictionOptions.reason": [
    '"Evicted"',
    () => stopped((kubelet, uid) => kubelet.evictPod(uid), "Failed Evicted TerminationByKubelet"),
  ],
  "EvictionOptions.message": [
    "the kubelet's message for the reason; for `Evicted`, that the node is low on memory",
    async () => {
      for (const reason of Object.keys(EVICTIONS) as EvictionReason[])
        await stopped(
          (kubelet, uid) => kubelet.evictPod(uid, { reason }),
          `Failed ${reason} .*${EVICTIONS[reason].message}`,
        );
      assert.match(EVICTIONS.Evicted.message, /^The node was low on resource: memory/);
    },
  ],
  "DeletionOptions.reason": [
    "no such condition",
    () => stopped((kubelet, uid) => kubelet.deletePod(uid), "Running  ; $"),
  ],
  "RestartOptions.firstProbesMs": [
    "100, or 0 if `firstStatusMs` is 0",
    () =>
      assert.deepEqual(fallbacks("testing/kubelet-process.ts", "firstProbesMs"), [
        "code: firstStatusMs === 0 ? 0 : 100",
      ]),
  ],
  "RestartOptions.profile": [
    "the current one",
    () =>
      restarted({}, async (kubelet) => assert.equal((await versionOf(kubelet)).apiVersion, "v1beta1"), {
        profile: "v1beta1",
      }),
  ],
  "RestartOptions.gate": [
    "unchanged",
    () => restarted({}, async (kubelet) => assert.equal((await versionOf(kubelet)).ready, false), { gate: false }),
  ],
  "RawClientOptions.maxRequests": [
    "no limit",
    () => assert.deepEqual(fallbacks("conformance/raw-client.ts", "maxRequests"), ["code: Number.POSITIVE_INFINITY"]),
  ],
  "ConformanceOptions.socketPath": [
    "the socket that the client would dial",
    async () => {
      process.env["KUBELET_PODS_SOCKET"] = "/nowhere/a.sock";
      assert.equal((await checkConformance()).socketPath, "/nowhere/a.sock");
      delete process.env["KUBELET_PODS_SOCKET"];
    },
  ],
};

/** Stops a running pod, and compares its phase, reason, condition and message. */
async function stopped(stop: (kubelet: ReferenceKubelet, uid: string) => void, expected: string): Promise<void> {
  await onKubelet({ pods: sampleNode() }, (kubelet) => {
    const { uid } = startedIn(kubelet);
    stop(kubelet, uid);
    const { phase, reason, message, conditions } =
      kubelet.pods.find(({ metadata }) => metadata.uid === uid)?.status ?? assert.fail();
    const condition = conditions.find(({ type }) => type === "DisruptionTarget")?.reason ?? "";
    assert.match(`${phase} ${reason} ${condition}; ${message}`, new RegExp(expected));
  });
}

/** The class of an outage that has come so often within a minute. */
function outageOf(code: PodsErrorCode, times: number): OutageClass | undefined {
  const backoff = new OutageBackoff(() => 1);
  let outage: OutageClass | undefined;
  for (let n = 0; n < times; n++) ({ outage } = backoff.failed(new PodsError({ code, message: "x" }), 0, n));
  return outage;
}

class TestReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

test("every @default tag belongs to an option", () => {
  const tags = files.reduce((sum, { text }) => sum + (text.match(/^ *\* @default/gm)?.length ?? 0), 0);
  assert.equal(defaults.length, tags);
  assert.ok(tags > 50);
  const keys = new Set(defaults.map(({ key }) => key));
  assert.deepEqual(
    Object.keys(SENTENCES).filter((key) => !keys.has(key)),
    [],
  );
});

for (const { key, text, file } of defaults) {
  test(`the default of ${key} is ${text}`, async () => {
    const [says, holds] = SENTENCES[key] ?? [];
    if (holds !== undefined) {
      assert.equal(text, says);
      await holds();
      return;
    }
    const value = given(text);
    assert.notEqual(value, undefined, "a default that is a sentence needs a row in SENTENCES");
    const found = fallbacks(file, key.slice(key.indexOf(".") + 1)).filter((each) => !String(each).startsWith("code: "));
    assert.ok(found.length > 0, "the code has no such default");
    for (const each of found) assert.equal(each, value);
  });
}

test("an empty options object has the documented defaults", () => {
  const { timeoutMs, retry, maxMessageBytes } = resolveOptions({});
  const { includeFinished, resyncIntervalMs, retainMs, maxRetained } = resolveInformerOptions({}, "informer");
  const values = { timeoutMs, retry, maxMessageBytes, includeFinished, resyncIntervalMs, retainMs, maxRetained };
  for (const [name, value] of Object.entries(values)) {
    const { text } = defaults.find(({ key, file }) => key.endsWith(`.${name}`) && file === "options.ts") as Default;
    assert.equal(given(text), value, name);
  }
  for (const name of ["insecureSkipTlsVerify", "pollIntervalMs", "maxResponseBytes"] as const) {
    const { text } = defaults.find(({ key }) => key === `KubeletHttpOptions.${name}`) as Default;
    assert.equal(given(text), http[name], name);
  }
  assert.throws(() => fromKubernetesJson({ whatever: 1 }), { message: /unknown key/ });
});
