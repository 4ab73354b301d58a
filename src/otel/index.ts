/// <reference types="node" preserve="true" />

/**
 * Attributes, a resource detector and metrics for OpenTelemetry.
 *
 * @module kubelet-pods/otel
 * @group Reference
 */

export { type AttributesOptions, attributesMask, attributesOf, type PodAttributes } from "./attributes.js";
export { type CounterMeter, containerEndCounter } from "./end-counter.js";
export { type MetricMeter, type MetricResult, type MetricsOptions, registerMetrics } from "./metrics.js";
export { type PodResourceDetector, type PodResourceDetectorOptions, podResourceDetector } from "./resource-detector.js";
