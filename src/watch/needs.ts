import { podMask } from "../pod/mask.js";

/** What a watch itself reads of each pod, to key and to judge it: sent to the kubelet with what consumers want. */
export const HEAD_MASK: ReturnType<typeof podMask> = podMask(
  "metadata.uid",
  "metadata.name",
  "metadata.namespace",
  "metadata.creationTimestamp",
  "metadata.deletionTimestamp",
  "metadata.annotations",
  "status.phase",
  "status.initContainerStatuses.state",
  "status.containerStatuses.state",
  "status.ephemeralContainerStatuses.state",
);

/** What an informer looks pods up by: kept with what its readers want. */
export const INDEX_MASK: ReturnType<typeof podMask> = podMask(
  "spec.hostNetwork",
  "status.podIP",
  "status.podIPs",
  "status.initContainerStatuses.containerID",
  "status.containerStatuses.containerID",
  "status.ephemeralContainerStatuses.containerID",
);
