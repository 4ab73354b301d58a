// node --import tsx --test examples/otel/agent.test.ts

import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { reportRuns } from "./agent.js";

const UID = "2c4d8b1e-0000-4000-8000-000000000001";
const pod = {
  metadata: {
    uid: UID,
    namespace: "shop",
    name: "web-0",
    labels: { "app.kubernetes.io/name": "web", "k8s.pod.uid": "somebody else's" },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "set", controller: true }],
  },
  spec: { nodeName: "node-1", containers: [{ name: "app", image: "registry.example/app:2.1" }] },
};

async function started(t: TestContext) {
  const kubelet = await ReferenceKubelet.start({ pods: [pod] });
  const spans = new InMemorySpanExporter();
  const records = new InMemoryLogRecordExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 86_400_000 });
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const logs = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: records })] });
  const meters = new MeterProvider({ readers: [reader] });
  const stop = new AbortController();
  const ready = new EventTarget();
  const over = reportRuns({
    socketPath: kubelet.socketPath,
    tracer: tracers.getTracer("test"),
    logger: logs.getLogger("test"),
    meter: meters.getMeter("test"),
    signal: stop.signal,
    onHealth: (health) => health.ready && ready.dispatchEvent(new Event("ready")),
  });
  await once(ready, "ready");
  t.after(async () => {
    stop.abort();
    await over;
    await meters.shutdown();
    await kubelet.close();
  });
  return { kubelet, spans, records, meters, metrics, stop, over };
}

test("a span and a log record of a container that ended carry its pod", async (t) => {
  const { kubelet, spans, records, meters, metrics } = await started(t);
  const [life] = kubelet.startPod(UID, { ip: "10.1.0.9" });
  kubelet.restartContainer(UID, "app", { exitCode: 137, reason: "OOMKilled" });
  while (records.getFinishedLogRecords().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));

  const about = {
    "k8s.pod.uid": UID,
    "k8s.pod.name": "web-0",
    "k8s.namespace.name": "shop",
    "k8s.node.name": "node-1",
    "k8s.statefulset.name": "web",
    "k8s.pod.label.app.kubernetes.io/name": "web",
    "container.id": life?.containerID,
    "k8s.container.name": "app",
    "k8s.container.restart_count": 0,
    "container.image.name": "registry.example/app",
  };
  const [record] = records.getFinishedLogRecords();
  const [span] = spans.getFinishedSpans();
  for (const [name, value] of Object.entries(about)) {
    assert.equal(record?.attributes[name], value, name);
    assert.equal(span?.attributes[name], value, name);
  }
  assert.deepEqual([record?.severityText, record?.body], ["ERROR", "ended: OOMKilled, exit code 137"]);
  assert.deepEqual([span?.name, span?.status.code], ["container app", SpanStatusCode.ERROR]);

  await meters.forceFlush();
  const collected = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));
  const synced = collected.find(({ descriptor }) => descriptor.name === "kubelet_pods.informer.synced");
  assert.equal(synced?.dataPoints[0]?.value, 1);
});

test("does not report containers that had ended before its start", async (t) => {
  await using kubelet = await ReferenceKubelet.start({ pods: [pod] });
  kubelet.startPod(UID);
  kubelet.restartContainer(UID, "app", { exitCode: 1 });
  const { records } = await started(t);
  assert.deepEqual(records.getFinishedLogRecords(), []);
});
