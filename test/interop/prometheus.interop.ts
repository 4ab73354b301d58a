// Metrics and targets, judged by Prometheus itself.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { registerMetrics } from "../../src/otel/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient, temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { noPrometheus, prometheusProgram } from "./prometheus.js";

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("promtool accepts the metrics of the Prometheus exporter", { skip: noPrometheus }, async (t) => {
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
    "kubelet_pods_evicted_total",
    "kubelet_pods_informer_age",
    "kubelet_pods_informer_list_age",
    "kubelet_pods_informer_pods",
    "kubelet_pods_informer_synced",
    "kubelet_pods_informer_unconfirmed",
    "kubelet_pods_informer_unreadable",
    "kubelet_pods_journal_failures_total",
    "kubelet_pods_journal_lost_ends_total",
    "kubelet_pods_retained",
    "kubelet_pods_waiting",
    "kubelet_pods_watch_events_total",
    "kubelet_pods_watch_losses_total",
    "kubelet_pods_watch_malformed_total",
    "kubelet_pods_watch_resyncs_total",
    "kubelet_pods_watch_streams_total",
    "kubelet_pods_watch_wedged_total",
  ]);
});

test("the example alerts are valid Prometheus rules and fire as expected", { skip: noPrometheus }, (t) => {
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
    {
      input_series: [series("journal_failures_total", "0x5 0+1x60"), series("journal_lost_ends_total", "0x30 12x60")],
      alert_rule_test: [
        isSilentAt("PodsOfNodeJournalFails", "5m"),
        firesAt("PodsOfNodeJournalFails", "30m", warning),
        isSilentAt("PodsOfNodeEndsLost", "20m"),
        firesAt("PodsOfNodeEndsLost", "40m", warning),
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
