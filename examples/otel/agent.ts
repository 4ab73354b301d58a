// Emits a span and a log record for every container run that ends on this node, with the pod and the container in the semantic
// conventions. Also registers the metrics of the agent itself.

import type { Meter, Tracer } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import { type Health, PodsClient } from "kubelet-pods";
import { attributesMask, attributesOf, containerEndCounter, registerMetrics } from "kubelet-pods/otel";

export interface ReportOptions {
  socketPath?: string | undefined;
  tracer: Tracer;
  logger: Logger;
  meter: Meter;
  signal: AbortSignal;
  /** Called with the state of the agent after each report. */
  onHealth?: (health: Health) => void;
}

/** Reports containers until the signal aborts. */
export async function reportRuns({
  socketPath,
  tracer,
  logger,
  meter,
  signal,
  onHealth,
}: ReportOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  await using pods = client.informer({ mask: attributesMask });
  using _ = registerMetrics(pods, meter);
  const count = containerEndCounter(meter);
  // Labels are claims of the pod's creator, so they have their own attribute names.
  const labels = (key: string) => (key.startsWith("app.kubernetes.io/") ? `k8s.pod.label.${key}` : undefined);
  try {
    for await (const event of pods.watchContainers({ signal })) {
      onHealth?.(pods.health());
      count(event);
      // Ends before this start are skipped, so that a restart does not report them twice. A journal also covers ends while no agent runs.
      if (event.type !== "ENDED" || event.initial) continue;
      const { pod, container, end } = event;
      const attributes = attributesOf(pod, container, { labels });
      const startTime = end.startedAt ?? container.startedAt ?? new Date();
      const endTime = end.finishedAt ?? new Date();
      const span = tracer.startSpan(`container ${container.name}`, { root: true, startTime, attributes });
      const failed = (end.exitCode ?? 0) !== 0;
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR, message: `exit code ${end.exitCode}` });
      span.end(endTime);
      logger.emit({
        eventName: "container.ended",
        severityNumber: failed ? SeverityNumber.ERROR : SeverityNumber.INFO,
        severityText: failed ? "ERROR" : "INFO",
        timestamp: endTime,
        body: end.exitCode === undefined ? `ended (${event.basis})` : `ended: ${end.reason}, exit code ${end.exitCode}`,
        attributes,
      });
    }
  } catch (error) {
    if (error !== signal.reason) throw error;
  }
}
