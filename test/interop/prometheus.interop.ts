// Metrics and targets, judged by Prometheus itself.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { targetsServer } from "../../examples/prometheus-targets/agent.js";
import { PretendApiServer } from "../../examples/support/pretend-api-server.js";
import { isStatic, type Pod, type PodJson, toKubernetesJson } from "../../src/index.js";
import { registerMetrics } from "../../src/otel/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { realPods } from "../helpers/fixtures.js";
import { kubeletAndClient, temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { noGo } from "./go-kubelet.js";
import { noPrometheus, prometheusProgram } from "./prometheus.js";

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("promtool has nothing to say of what the Prometheus exporter shows", { skip: noPrometheus }, async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const port = await freePort();
  const exporter = new PrometheusExporter({ port, host: "127.0.0.1" });
  const provider = new MeterProvider({ readers: [exporter] });
  t.after(() => provider.shutdown());
  const informer = pods.informer({ retainMs: 60_000 });
  registerMetrics(informer, provider.getMeter("test"));
  registerMetrics(pods.informer({ namespace: "shop" }), provider.getMeter("test"), { name: "shop" });
  await informer.synced();
  await pods.listPods();
  await kubelet.close();
  await until(t, () => informer.state.phase === "stale");
  await assert.rejects(pods.listPods({ timeoutMs: 200 }));
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const { stdout, stderr, status } = spawnSync(prometheusProgram("promtool"), ["check", "metrics"], { input: text });
  assert.equal(`${stdout}${stderr}`, "");
  assert.equal(status, 0);
  const families = [...text.matchAll(/^# TYPE (\S+)/gm)]
    .map((match) => match[1])
    .filter((name) => name !== "target_info");
  // OpenTelemetry's names have no units, and the JavaScript exporter adds none.
  assert.deepEqual(families.sort(), [
    "kubelet_pods_call_duration",
    "kubelet_pods_call_retries_total",
    "kubelet_pods_informer_age",
    "kubelet_pods_informer_pods",
    "kubelet_pods_informer_synced",
    "kubelet_pods_informer_unconfirmed",
    "kubelet_pods_informer_unreadable",
    "kubelet_pods_retained",
    "kubelet_pods_waiting",
    "kubelet_pods_watch_events_total",
    "kubelet_pods_watch_losses_total",
    "kubelet_pods_watch_malformed_total",
    "kubelet_pods_watch_resyncs_total",
    "kubelet_pods_watch_streams_total",
  ]);
});

test("the alerts are rules of Prometheus, and fire when they should", { skip: noPrometheus }, (t) => {
  const rules = join(root, "examples/deploy/alerts.yaml");
  const series = (name: string, values: string, labels = "") => ({
    series: `kubelet_pods_${name}{instance="node-1"${labels}}`,
    values,
  });
  const firesAt = (alertname: string, eval_time: string, labels: Labels = {}) => ({
    alertname,
    eval_time,
    exp_alerts: [{ exp_labels: { instance: "node-1", ...labels } }],
  });
  const isSilentAt = (alertname: string, eval_time: string) => ({ alertname, eval_time, exp_alerts: [] });
  const [warning, info] = [{ severity: "warning" }, { severity: "info" }];
  const lost = (each: string) => [series("watch_losses_total", `0+${each}x120`, ', error_type="dropped"')];
  const tests = [
    {
      input_series: [series("informer_synced", "1x5 0x20")],
      alert_rule_test: [isSilentAt("PodsOfNodeStale", "10m"), firesAt("PodsOfNodeStale", "17m", warning)],
    },
    {
      input_series: lost("1"),
      alert_rule_test: [firesAt("PodsOfNodeStreamLost", "60m", { ...info, error_type: "dropped" })],
    },
    {
      input_series: [series("watch_losses_total", "0+9x120", ', error_type="connection-refused"')],
      alert_rule_test: [isSilentAt("PodsOfNodeStreamLost", "60m")],
    },
    { input_series: lost("0.05"), alert_rule_test: [isSilentAt("PodsOfNodeStreamLost", "60m")] },
    {
      input_series: [series("informer_unreadable", "1x60"), series("informer_unconfirmed", "2x60")],
      alert_rule_test: [
        firesAt("PodsOfNodeUnreadable", "11m", info),
        isSilentAt("PodsOfNodeUnconfirmed", "20m"),
        firesAt("PodsOfNodeUnconfirmed", "31m", info),
      ],
    },
  ].map((one) => ({ interval: "1m", ...one }));
  // Only whether each fires: its words are for people.
  const silent = readFileSync(rules, "utf8").replace(/^ {8}annotations:\n(?: {10}.*\n)+/gm, "");
  const file = join(temporaryDirectory(t), "tests.json");
  writeFileSync(join(dirname(file), "rules.yaml"), silent);
  writeFileSync(file, JSON.stringify({ rule_files: ["rules.yaml"], evaluation_interval: "1m", tests }));
  for (const args of [
    ["check", "rules", rules],
    ["test", "rules", file],
  ]) {
    const { stdout, stderr, status } = spawnSync(prometheusProgram("promtool"), args, { encoding: "utf8" });
    assert.equal(status, 0, `${stdout}${stderr}`);
  }
});

type Labels = Record<string, string>;

interface Target {
  labels: Labels;
  discoveredLabels: Labels;
}

/** Starts Prometheus on our targets; the result gives those that it has. */
async function scraper(t: TestContext, url: string): Promise<() => Promise<Target[]>> {
  const directory = temporaryDirectory(t);
  const config = {
    global: { scrape_interval: "1d" },
    scrape_configs: [
      {
        job_name: "pods",
        http_sd_configs: [{ url, refresh_interval: "1s" }],
        relabel_configs: [
          { source_labels: ["__meta_kubernetes_namespace"], target_label: "namespace" },
          { source_labels: ["__meta_kubernetes_pod_name"], target_label: "pod" },
          // Without it two containers without ports are one target.
          { source_labels: ["__meta_kubernetes_pod_container_name"], target_label: "container" },
        ],
      },
    ],
  };
  const file = join(directory, "prometheus.yml");
  writeFileSync(file, JSON.stringify(config)); // which is YAML
  const port = await freePort();
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${directory}`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn(prometheusProgram("prometheus"), flags, { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  t.after(async () => {
    const over = once(child, "exit");
    if (child.exitCode === null && child.kill("SIGKILL")) await over;
  });
  return async () => {
    assert.equal(child.exitCode, null, log);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets?state=active`).catch(() => undefined);
    if (!answer?.ok) return [];
    return ((await answer.json()) as { data: { activeTargets: Target[] } }).data.activeTargets;
  };
}

/** Returns the targets that Prometheus' own discovery finds of so many pods of an API server. */
async function discovered(t: TestContext, url: string, count: number): Promise<Labels[]> {
  const child = spawn(discoveryProgram(), [url], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const groups = new Map<string, Labels[]>();
  for await (const line of createInterface(child.stdout)) {
    const { source, targets } = JSON.parse(line) as { source: string; targets: Labels[] };
    groups.set(source, targets);
    if (groups.size === count) break;
  }
  child.kill("SIGKILL");
  return [...groups.values()].flat().map(asStatic);
}

/** Builds Prometheus' own discovery. */
function discoveryProgram(): string {
  const output = join(root, "test/interop/go/bin/discovery");
  const env = { ...process.env, GOTOOLCHAIN: "local", CGO_ENABLED: "0" };
  execFileSync("go", ["build", "-o", output, "."], { cwd: join(root, "test/interop/discovery"), env });
  return output;
}

/** Of a static pod the API server has the mirror pod, whose annotation has the UID that the kubelet knows. */
function asStatic(labels: Labels): Labels {
  const {
    __meta_kubernetes_pod_annotation_kubernetes_io_config_mirror: uid,
    __meta_kubernetes_pod_annotationpresent_kubernetes_io_config_mirror: _,
    ...others
  } = labels;
  return uid === undefined ? labels : { ...others, __meta_kubernetes_pod_uid: uid };
}

const META = "__meta_kubernetes_pod";
const sorted = (targets: readonly Labels[]) => {
  const keyOf = (labels: Labels) =>
    ["uid", "container_name", "container_init", "container_port_number", "container_port_protocol"]
      .map((name) => labels[`${META}_${name}`] ?? "")
      .join(" ");
  return [...targets].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

/** Whether Prometheus has it as a target, and we leave it out. */
const isLeftOut = ({ metadata, status }: PodJson) =>
  metadata?.deletionTimestamp != null || ["Succeeded", "Failed"].includes(status?.phase ?? "");

async function targetsServed(t: TestContext, pods: readonly PodJson[]) {
  const kubelet = await ReferenceKubelet.start({ pods });
  const stop = new AbortController();
  const server = targetsServer({ socketPath: kubelet.socketPath, signal: stop.signal });
  t.after(async () => {
    stop.abort();
    await kubelet.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const url = `http://127.0.0.1:${port}/targets`;
  let answer = await fetch(url);
  await until(t, async () => {
    if (!answer.ok) answer = await fetch(url);
    return answer.ok;
  });
  const groups = (await answer.json()) as { targets: [string]; labels: Labels }[];
  return {
    kubelet,
    url,
    targets: groups.map(({ targets: [address], labels }) => ({ __address__: address, ...labels })),
  };
}

test("Prometheus takes each target, and drops it when its pod is to go", { skip: noPrometheus }, async (t) => {
  const { kubelet, url, targets } = await targetsServed(t, sampleNode());
  const look = await scraper(t, url);
  let active = await look();
  await until(t, async () => {
    active = await look();
    return active.length === targets.length;
  });
  assert.ok(active.every(({ labels }) => labels["namespace"] && labels["pod"]));
  const found = active.map(({ discoveredLabels }) => ofDiscovery(discoveredLabels));
  assert.deepEqual(sorted(found), sorted(targets.map(ofDiscovery)));

  const name = active[0]?.labels["pod"];
  const pod = kubelet.pods.find(({ metadata }) => metadata?.name === name);
  kubelet.deletePod(pod?.metadata?.uid ?? "");
  await until(t, async () => (await look()).every(({ labels }) => labels["pod"] !== name));
});

/** Leaves out what the job itself adds, and what is empty: to Prometheus that is no label. */
function ofDiscovery(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).filter(([name, value]) => /^__address__$|^__meta_kubernetes_/.test(name) && value !== ""),
  );
}

/** The fixtures are of several nodes, on which pods share names and UIDs. */
function renamed(pod: PodJson, suffix: string): PodJson {
  const { uid, name, annotations } = pod.metadata ?? {};
  const own = annotations?.["kubernetes.io/config.hash"] ?? `${uid}${suffix}`;
  return { ...pod, metadata: { ...pod.metadata, uid: own, name: `${name}${suffix}` } };
}

/** Takes off what the kubelet alone puts on pods that are not static. */
function asTheServerHasIt(pod: Pod): PodJson {
  const json = toKubernetesJson(pod);
  if (isStatic(pod)) return json;
  const {
    "kubernetes.io/config.seen": _,
    "kubernetes.io/config.source": __,
    ...annotations
  } = json.metadata?.annotations ?? {};
  return { ...json, metadata: { ...json.metadata, annotations } };
}

for (const [whose, given, skip] of [
  ["the sample node", () => sampleNode(), noGo],
  ["real pods", () => realPods().map(({ json }, i) => renamed(json, `-${i}`)), noGo],
] as const) {
  test(`the targets of ${whose} are those of Prometheus' own discovery`, { skip }, async (t) => {
    const { kubelet, targets } = await targetsServed(t, given());
    const known = kubelet.pods.map(asTheServerHasIt).filter((pod) => !isLeftOut(pod));
    const api = await PretendApiServer.start(known);
    t.after(() => api.close());
    const theirs = await discovered(t, api.url, known.length);
    assert.ok(theirs.length > 10);
    assert.deepEqual(sorted(targets), sorted(theirs));
  });
}
