// Metrics of informers and clients, through the SDK's own reader.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { PodsError } from "../../src/errors/pods-error.js";
import { attributesMask, containerEndCounter, registerMetrics } from "../../src/otel/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { clientOf, kubeletAndClient } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { endOf } from "../journal/ends.js";

function metered(t: TestContext) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 86_400_000 });
  const provider = new MeterProvider({ readers: [reader] });
  t.after(() => provider.shutdown());
  /** Returns the points that are exported now, by the metrics' names. */
  const collect = async () => {
    exporter.reset();
    await provider.forceFlush();
    const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
    const points = new Map<string, DataPoint<unknown>[]>();
    for (const { descriptor, dataPoints } of metrics) points.set(descriptor.name, [...dataPoints]);
    return {
      names: [...points].flatMap(([name, { length }]) => (length > 0 ? [name] : [])).sort(),
      /** Returns a metric's values by its attributes, but the client's number where there is one client. */
      of: (name: string) =>
        (points.get(`kubelet_pods.${name}`) ?? []).map(({ attributes, value }) => ({ ...attributes, value })),
      sum: (name: string) =>
        (points.get(`kubelet_pods.${name}`) ?? []).reduce((sum, { value }) => sum + Number(value), 0),
    };
  };
  return { meter: provider.getMeter("test"), collect };
}

const CLIENT = { "kubelet_pods.client": "0" };

test("reports each event and call once for two informers of one client", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const all = pods.informer({ retainMs: 60_000 });
  const shop = pods.informer({ namespace: "shop" });
  await Promise.all([all.synced(), shop.synced()]);
  registerMetrics(all, meter);
  registerMetrics(shop, meter, { name: "shop" });
  registerMetrics(all, meter); // again
  await pods.listPods();
  await assert.rejects(pods.getPod("nobody"), { code: "not-found" });
  const ledger = all.get({ namespace: "shop", name: "ledger-1" })?.metadata.uid ?? assert.fail();
  kubelet.finishPod(ledger);
  await until(t, () => all.get({ uid: ledger }) === undefined);

  const { names, of, sum } = await collect();
  const { counters, retained } = all.state;
  assert.deepEqual(names, [
    "kubelet_pods.call.duration",
    "kubelet_pods.evicted",
    "kubelet_pods.informer.age",
    "kubelet_pods.informer.list_age",
    "kubelet_pods.informer.pods",
    "kubelet_pods.informer.synced",
    "kubelet_pods.informer.unconfirmed",
    "kubelet_pods.informer.unreadable",
    "kubelet_pods.journal.failures",
    "kubelet_pods.journal.lost_ends",
    "kubelet_pods.retained",
    "kubelet_pods.waiting",
    "kubelet_pods.watch.events",
    "kubelet_pods.watch.malformed",
    "kubelet_pods.watch.resyncs",
    "kubelet_pods.watch.streams",
    "kubelet_pods.watch.wedged",
  ]);
  assert.deepEqual(of("informer.pods"), [
    { ...CLIENT, "kubelet_pods.informer": "0", value: all.size },
    { ...CLIENT, "kubelet_pods.informer": "shop", value: shop.size },
  ]);
  assert.equal(sum("informer.synced"), 2);
  assert.deepEqual(of("watch.streams"), [{ ...CLIENT, value: counters.streams }]);
  assert.ok(retained > 0);
  assert.deepEqual(of("retained"), [{ ...CLIENT, value: retained }]);
  assert.equal(
    sum("watch.events"),
    Object.values(counters.events).reduce((total, count) => total + count, 0),
  );
  const durations = of("call.duration").map(({ value, ...attributes }) => [attributes, (value as Histogram).count]);
  assert.deepEqual(durations, [
    [{ ...CLIENT, "rpc.method": "ListPods" }, 1],
    [{ ...CLIENT, "rpc.method": "GetPod", "error.type": "not-found" }, 1],
  ]);
  assert.equal(counters.calls, 2);
});

test("reports ends that were dropped because more than maxRetained were retained", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const informer = pods.informer({ retainMs: 600_000, maxRetained: 1 });
  await informer.synced();
  registerMetrics(informer, meter);
  for (const { metadata } of informer.list(({ metadata }) => metadata.namespace === "shop"))
    kubelet.removePod(metadata.uid);
  await until(
    t,
    () => informer.state.evicted > 0 && informer.list(({ metadata }) => metadata.namespace === "shop").length === 0,
  );
  assert.deepEqual((await collect()).of("evicted"), [{ ...CLIENT, value: informer.state.evicted }]);
});

test("an informer that waits for a starting kubelet has synced 0 and no age", async (t) => {
  const { pods } = await kubeletAndClient(t, { profile: "1.36" }, { kubeletVersion: "1.36" });
  const { meter, collect } = metered(t);
  const informer = pods.informer();
  registerMetrics(informer, meter);
  await until(t, () => informer.state.error !== undefined);
  const { of, sum } = await collect();
  assert.deepEqual([sum("informer.synced"), of("informer.age")], [0, []]);
});

test("two clients have separate series, and dispose ends a series", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const other = clientOf(t, { socketPath: kubelet.socketPath });
  const informers = [pods.informer(), other.informer()];
  await Promise.all(informers.map((informer) => informer.synced()));
  const [one, two] = informers.map((informer) => registerMetrics(informer, meter));
  assert.deepEqual((await collect()).of("watch.streams"), [
    { "kubelet_pods.client": "0", value: 1 },
    { "kubelet_pods.client": "1", value: 1 },
  ]);
  one?.[Symbol.dispose]();
  one?.[Symbol.dispose]();
  const synced = async () => (await collect()).of("informer.synced").map(({ value }) => value);
  assert.deepEqual(await synced(), [0, 1]);
  two?.[Symbol.dispose]();
  assert.deepEqual(await synced(), [0, 0], "the SDK repeats the last value");
  await pods.listPods(); // nobody hears of it
  const again = registerMetrics(informers[0] as (typeof informers)[0], meter);
  const { of } = await collect();
  assert.deepEqual(of("informer.synced")[0], {
    "kubelet_pods.client": "0",
    "kubelet_pods.informer": "0",
    value: 1,
  });
  assert.deepEqual(of("call.duration"), []);
  again[Symbol.dispose]();
});

test("reports outages and the end of an informer", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const informer = pods.informer();
  registerMetrics(informer, meter);
  await informer.synced();
  await kubelet.close();
  await until(t, () => informer.state.phase === "stale");
  await assert.rejects(pods.listPods({ timeoutMs: 200 }));
  const away = await collect();
  const { losses, retries } = informer.state.counters;
  assert.equal(away.sum("informer.synced"), 0);
  assert.equal(away.sum("informer.pods"), informer.size);
  const sumOf = (counts: object) => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);
  assert.ok(sumOf(losses) > 0 && sumOf(retries) > 0);
  assert.ok(away.sum("watch.losses") <= sumOf(losses) && away.sum("watch.losses") > 0);
  assert.equal(away.sum("call.retries"), sumOf(retries));
  for (const { "error.type": code } of away.of("watch.losses") as Record<string, unknown>[]) {
    assert.ok(typeof code === "string" && code in losses);
  }
  await informer.close();
  assert.equal((await collect()).sum("informer.synced"), 0);
});

test("operating.md lists each metric with its Prometheus name, unit and labels", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [exporter] });
  t.after(() => provider.shutdown());
  const informer = pods.informer();
  await informer.synced();
  registerMetrics(informer, provider.getMeter("test"));
  const { counters } = informer;
  counters.ended("ListPods", 1, undefined);
  counters.ended("GetPod", 1, new PodsError({ code: "not-found", message: "" }));
  counters.watch({ type: "lost", error: new PodsError({ code: "dropped", message: "" }) });
  counters.retried(new PodsError({ code: "rate-limited", message: "" }));

  const { resourceMetrics } = await exporter.collect();
  const text = new PrometheusSerializer(undefined, undefined, undefined, true, true).serialize(resourceMetrics);
  const told = [...text.matchAll(/^# HELP (\S+) (.*)\n# UNIT \S+ (.*)\n# TYPE \S+ (.*)$/gm)].map(
    ([, name = "", help, unit, type]) => {
      const lines = [...text.matchAll(new RegExp(`^${name}(?:_count)?\\{(.*)\\}`, "gm"))];
      const labels = lines.flatMap(([, labels = ""]) =>
        [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
      );
      return [name, type, unit, [...new Set(labels)].sort(), help];
    },
  );
  const page = readFileSync(join(root, "docs/guides/operating.md"), "utf8");
  const rows = page.matchAll(/^\| `(kubelet_pods_\w+)` +\| (\w+) +\| `(.+?)` +\| (.+?) +\| (.+?) +\|$/gm);
  const own = (labels: string) => [...labels.matchAll(/\w+/g)].map(([label]) => label);
  const documented = [...rows].map(([, name, type, unit, labels = "", help]) => {
    return [name, type, unit, ["kubelet_pods_client", ...own(labels)].sort(), help];
  });
  const byName = ([a = ""]: unknown[], [b = ""]: unknown[]) => (String(a) < String(b) ? -1 : 1);
  assert.equal(documented.length, 19);
  assert.deepEqual(told.sort(byName), documented.sort(byName));
});

test("reports the age of an informer in seconds", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const informer = pods.informer();
  await informer.synced();
  registerMetrics(informer, meter);
  t.mock.method(informer, "health", () => ({ live: true, ready: true, ageMs: 1_500 }));
  assert.equal((await collect()).sum("informer.age"), 1.5);
});

test("an informer registered twice is reported until both registrations are disposed", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const informer = pods.informer();
  await informer.synced();
  const [one, two] = [registerMetrics(informer, meter), registerMetrics(informer, meter)];
  one[Symbol.dispose]();
  assert.equal((await collect()).sum("informer.synced"), 1);
  two[Symbol.dispose]();
  assert.equal((await collect()).sum("informer.synced"), 0);
});

test("rejects invalid registrations without side effects and skips used informer numbers", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const [one, two] = [pods.informer(), pods.informer()];
  registerMetrics(one, meter, { name: "a" });
  assert.throws(() => registerMetrics(two, meter, { name: "a" }), { code: "invalid-argument" });
  assert.throws(() => registerMetrics({} as never, meter), { code: "invalid-argument" });
  assert.throws(() => registerMetrics(two, meter, { nme: "b" } as never), { code: "invalid-argument" });
  assert.equal((await collect()).of("informer.pods").length, 1);
  registerMetrics(two, meter, { name: "1" });
  registerMetrics(pods.informer(), meter);
  const names = (await collect()).of("informer.synced") as Record<string, unknown>[];
  assert.deepEqual(
    names.map((point) => point["kubelet_pods.informer"]),
    ["a", "1", "2"],
    "a number in use is skipped",
  );
});

test("reports call durations in seconds with method and error", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const informer = pods.informer();
  registerMetrics(informer, meter);
  informer.counters.ended("ListPods", 2_500, undefined);
  informer.counters.ended("GetPod", 250, "aborted");
  const points = (await collect()).of("call.duration") as { value: Histogram }[];
  assert.deepEqual(
    points.map(({ value: { sum, count }, ...attributes }) => ({ ...attributes, sum, count })),
    [
      { ...CLIENT, "rpc.method": "ListPods", sum: 2.5, count: 1 },
      { ...CLIENT, "rpc.method": "GetPod", "error.type": "aborted", sum: 0.25, count: 1 },
    ],
  );
});

test("counts container ends by reason, OOM kill, namespace and workload from the start on", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const { meter, collect } = metered(t);
  const count = containerEndCounter(meter);
  const informer = pods.informer({ mask: attributesMask });
  await informer.synced();
  const uidOf = (namespace: string, name: string) =>
    informer.get({ namespace, name })?.metadata.uid ?? assert.fail(name);
  const [web, ledger, etcd] = [
    uidOf("shop", "web-6bf9d8c7d5-2lm8z"),
    uidOf("shop", "ledger-1"),
    uidOf("kube-system", "etcd-node-1"),
  ];
  const events = pods.watchContainers({ mask: attributesMask });
  let ended = 0;
  for await (const event of events) {
    count(event);
    if (event.type === "SYNCED") {
      kubelet.restartContainer(web, "web", { exitCode: 137, reason: "OOMKilled" });
      kubelet.restartContainer(ledger, "ledger", { exitCode: 3, reason: "Error" });
      kubelet.restartContainer(etcd, "etcd", { exitCode: 0, reason: "OOMKilled" });
    }
    if (event.type === "ENDED" && !event.initial && ++ended === 3) break;
  }
  const shop = { "k8s.namespace.name": "shop", value: 1 };
  const counted = (await collect()).of("container.ends").map((each) => JSON.stringify(each, Object.keys(each).sort()));
  const expected = [
    {
      ...shop,
      "k8s.deployment.name": "web",
      "kubelet_pods.end.reason": "OOMKilled",
      "kubelet_pods.end.oom": "container",
    },
    { ...shop, "k8s.statefulset.name": "ledger", "kubelet_pods.end.reason": "exited" },
    {
      "k8s.namespace.name": "kube-system",
      "kubelet_pods.end.reason": "exited",
      "kubelet_pods.end.oom": "process",
      value: 1,
    },
  ];
  assert.deepEqual(counted.sort(), expected.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort());
});

test("counts container ends of a journal but not pod ends", async (t) => {
  const { meter, collect } = metered(t);
  const count = containerEndCounter(meter);
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-6bf9d8c7d5", uid: "r" };
  count({ ...endOf(1), workload: { kind: "Deployment", name: "web", derived: true, owner } });
  count({ ...endOf(2), container: undefined });
  assert.deepEqual((await collect()).of("container.ends"), [
    { "k8s.namespace.name": "shop", "k8s.deployment.name": "web", "kubelet_pods.end.reason": "exited", value: 1 },
  ]);
});
