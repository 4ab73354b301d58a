// npm run example otel [PORT]
//
// Writes spans and log records to the console, and serves metrics for Prometheus on http://localhost:9464/metrics. For a collector, use
// the OTLP exporters instead.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { detectResources, resourceFromAttributes } from "@opentelemetry/resources";
import { ConsoleLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from "@opentelemetry/sdk-logs";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from "@opentelemetry/sdk-trace-base";
import { podResourceDetector } from "kubelet-pods/otel";
import { reportRuns } from "./agent.js";

const [port = "9464"] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

// The resource is the agent's own pod. The reported pods are attributes of spans and records.
const resource = resourceFromAttributes({ "service.name": "container-runs" }).merge(
  detectResources({ detectors: [podResourceDetector()] }),
);
const exporter = new PrometheusExporter({ preventServerStart: true });
const meters = new MeterProvider({ resource, readers: [exporter] });
const tracers = new BasicTracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor(new ConsoleSpanExporter())],
});
const logs = new LoggerProvider({
  resource,
  processors: [new SimpleLogRecordProcessor({ exporter: new ConsoleLogRecordExporter() })],
});

const server = createServer((request, response) => exporter.getMetricsRequestHandler(request, response));
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
console.log(`http://localhost:${(server.address() as AddressInfo).port}/metrics`);

try {
  await reportRuns({
    tracer: tracers.getTracer("container-runs"),
    logger: logs.getLogger("container-runs"),
    meter: meters.getMeter("container-runs"),
    signal: stop.signal,
  });
} finally {
  server.close();
  await Promise.all([meters.shutdown(), tracers.shutdown(), logs.shutdown()]);
}
