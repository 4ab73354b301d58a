// Twenty masks, to be measured against the same without them.

import { PodsClient } from "kubelet-pods";

const pods = new PodsClient();
export const results = [
  await pods.listPods({ mask: ["metadata.name"] }),
  await pods.listPods({ mask: ["metadata.name", "metadata.namespace", "status.phase"] }),
  await pods.listPods({ mask: ["metadata.uid", "metadata.labels", "metadata.annotations"] }),
  await pods.listPods({ mask: ["status.podIPs", "status.hostIPs", "spec.hostNetwork"] }),
  await pods.listPods({ mask: ["spec.containers.name", "spec.containers.image", "spec.containers.resources"] }),
  await pods.listPods({ mask: ["spec.volumes.volumeSource.configMap", "spec.volumes.name"] }),
  await pods.listPods({ mask: ["status.containerStatuses.containerID", "status.containerStatuses.state.running"] }),
  await pods.listPods({ mask: ["status.conditions.type", "status.conditions.status"] }),
  await pods.listPods({ mask: ["spec.nodeName", "spec.tolerations", "spec.affinity.nodeAffinity"] }),
  await pods.listPods({ mask: ["metadata.ownerReferences.kind", "metadata.ownerReferences.name"] }),
  await pods.getPod("1", { mask: ["metadata.name", "spec.containers.livenessProbe.handler.httpGet"] }),
  await pods.getPod("2", { mask: ["spec.securityContext.runAsUser", "spec.containers.securityContext"] }),
  await pods.getPod("3", { mask: ["spec.initContainers.name", "spec.initContainers.restartPolicy"] }),
  await pods.getPod("4", { mask: ["status.qosClass", "status.startTime", "metadata.creationTimestamp"] }),
  await pods.getPod("5", { mask: ["spec.containers.env.name", "spec.containers.env.valueFrom.fieldRef"] }),
  pods.watchPods({ mask: ["metadata.name", "status.phase"] }),
  pods.watchPods({ mask: ["metadata.uid", "status.conditions"] }),
  pods.watchPods({ mask: ["metadata", "status.podIPs.ip"] }),
  pods.informer({ mask: ["metadata.name", "metadata.namespace", "status.containerStatuses"] }),
  pods.informer({ mask: ["spec.serviceAccountName", "spec.imagePullSecrets.name", "status.podIP"] }),
];
