/// <reference types="node" preserve="true" />

export { type AttributesOptions, attributesMask, attributesOf, type PodAttributes } from "./attributes.js";
export { type MetricsOptions, registerMetrics } from "./metrics.js";
export { type PodResourceDetectorOptions, podResourceDetector } from "./resource-detector.js";
