// Tells OpenTelemetry of every container of this node that ends: a span over its life, and a log record that says how it ended. Both
// carry the pod and the container they are about, by the semantic conventions. Its own health and metrics are told as well.

import type { Meter, Tracer } from "@opentelemetry/api";
import { SpanStatusCode } from "@opentelemetry/api";
import { type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import { type Health, PodsClient } from "kubelet-pods";
import { attributesMask, attributesOf, containerEndCounter, registerMetrics } from "kubelet-pods/otel";

export interface LivesOptions {
  socketPath?: string | undefined;
  tracer: Tracer;
  logger: Logger;
  meter: Meter;
  signal: AbortSignal;
  /** Hears how the agent stands, whenever it has told something. */
  onHealth?: (health: Health) => void;
}

/** Tells of containers until the signal aborts. */
export async function tellLives({ socketPath, tracer, logger, meter, signal, onHealth }: LivesOptions): Promise<void> {
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  await using pods = client.informer({ mask: attributesMask });
  using _ = registerMetrics(pods, meter);
  const count = containerEndCounter(meter);
  // Labels are claims of who made the pod: they get names of their own.
  const labels = (key: string) => (key.startsWith("app.kubernetes.io/") ? `k8s.pod.label.${key}` : undefined);
  try {
    for await (const event of pods.watchContainers({ signal })) {
      onHealth?.(pods.health());
      count(event);
      // What had ended before this agent came was told by the agent before it, or is nobody's news.
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
