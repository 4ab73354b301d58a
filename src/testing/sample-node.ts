import { SAMPLE_NODE } from "../gen/sample-node.js";
import type { PodJson } from "../pod/json-types.js";

/**
 * Returns the pods of a small, realistic node, with one of each kind that an agent meets: static pods, DaemonSets, a Deployment, a finished
 * and a running Job, a crash loop, an image that cannot be pulled, an init container in progress, a sidecar, an ephemeral container, an
 * evicted pod, a terminating pod, and one that no probe has found ready. Each call returns new, equal objects.
 */
export function sampleNode(): PodJson[] {
  return JSON.parse(SAMPLE_NODE) as PodJson[];
}
