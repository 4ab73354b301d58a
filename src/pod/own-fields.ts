import { statusPaths } from "./container-run.js";
import { type PodMask, podMask } from "./mask.js";

/**
 * The fields that the library itself reads. Each stream requests them, and each version of a pod has them, whatever the masks of its readers
 * are. So selectors, lookups, ends of pods and runs of containers never lack a field.
 */
export const OWN_MASK: PodMask = podMask(
  // Which pod it is: keys, selectors, records of the journal.
  "metadata.uid",
  "metadata.namespace",
  "metadata.name",
  "metadata.labels",
  "metadata.ownerReferences",
  "spec.nodeName",
  // Whether it is another pod with the same UID, another process, or another source (V8, P1, A1). A mask cannot select single annotations.
  "metadata.creationTimestamp",
  "metadata.annotations",
  // How long it may still run, and when its object is removed (A7, R6).
  "metadata.deletionTimestamp",
  "metadata.deletionGracePeriodSeconds",
  "metadata.finalizers",
  "spec.terminationGracePeriodSeconds",
  // Which addresses it has.
  "spec.hostNetwork",
  "status.podIP",
  "status.podIPs",
  // Whether it has ended (V1 to V5), and why.
  "spec.restartPolicy",
  "spec.initContainers.name",
  "spec.initContainers.restartPolicy",
  "spec.initContainers.restartPolicyRules",
  "spec.containers.name",
  "spec.containers.restartPolicy",
  "spec.containers.restartPolicyRules",
  "status.phase",
  "status.reason",
  "status.message",
  "status.startTime",
  "status.conditions",
  // The runs of its containers (V9, V10).
  ...statusPaths("name", "restartCount", "image", "imageID", "containerID", "state", "lastState"),
);
