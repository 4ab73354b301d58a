// Fifty masks, to be measured against the same without them.

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
  await pods.listPods({ mask: ["metadata.name", "spec.nodeName", "status.conditions.type"] }),
  pods.watchPods({ mask: ["metadata.labels", "metadata.name", "spec.volumes.volumeSource.secret"] }),
  pods.informer({
    mask: ["metadata.ownerReferences.uid", "spec.volumes.name", "status.containerStatuses.state.terminated"],
  }),
  await pods.listPods({ mask: ["metadata.name", "spec.affinity.podAffinity", "spec.nodeName"] }),
  pods.watchPods({ mask: ["spec.containers.image", "spec.containers.name", "spec.nodeName"] }),
  pods.informer({ mask: ["spec.containers.image", "status.podIPs.ip"] }),
  await pods.listPods({
    mask: ["metadata.annotations", "spec.containers.ports.containerPort", "spec.initContainers.resources.limits"],
  }),
  pods.watchPods({
    mask: ["metadata.ownerReferences.uid", "spec.containers.ports.containerPort", "spec.volumes.name"],
  }),
  pods.informer({
    mask: ["spec.volumes.name", "spec.volumes.volumeSource.secret", "status.containerStatuses.state.terminated"],
  }),
  await pods.listPods({
    mask: ["metadata.ownerReferences.uid", "status.containerStatuses.containerID", "status.phase"],
  }),
  pods.watchPods({ mask: ["metadata.annotations", "status.phase", "status.podIPs.ip"] }),
  pods.informer({ mask: ["spec.containers.name", "status.conditions.type", "status.hostIPs.ip"] }),
  await pods.listPods({ mask: ["spec.containers.image", "status.containerStatuses.containerID", "status.phase"] }),
  pods.watchPods({
    mask: [
      "spec.affinity.podAffinity",
      "status.containerStatuses.containerID",
      "status.containerStatuses.state.terminated",
    ],
  }),
  pods.informer({ mask: ["metadata.labels", "spec.affinity.podAffinity"] }),
  await pods.listPods({
    mask: [
      "spec.containers.ports.containerPort",
      "spec.initContainers.resources.limits",
      "spec.volumes.volumeSource.secret",
    ],
  }),
  pods.watchPods({ mask: ["spec.initContainers.resources.limits", "status.conditions.type", "status.hostIPs.ip"] }),
  pods.informer({ mask: ["metadata.annotations", "spec.containers.name", "status.hostIPs.ip"] }),
  await pods.listPods({ mask: ["metadata.name", "spec.nodeName", "status.conditions.type"] }),
  pods.watchPods({ mask: ["metadata.labels", "metadata.name", "spec.volumes.volumeSource.secret"] }),
  pods.informer({
    mask: ["metadata.ownerReferences.uid", "spec.volumes.name", "status.containerStatuses.state.terminated"],
  }),
  await pods.listPods({ mask: ["metadata.name", "spec.affinity.podAffinity", "spec.nodeName"] }),
  pods.watchPods({ mask: ["spec.containers.image", "spec.containers.name", "spec.nodeName"] }),
  pods.informer({ mask: ["spec.containers.image", "status.podIPs.ip"] }),
  await pods.listPods({
    mask: ["metadata.annotations", "spec.containers.ports.containerPort", "spec.initContainers.resources.limits"],
  }),
  pods.watchPods({
    mask: ["metadata.ownerReferences.uid", "spec.containers.ports.containerPort", "spec.volumes.name"],
  }),
  pods.informer({
    mask: ["spec.volumes.name", "spec.volumes.volumeSource.secret", "status.containerStatuses.state.terminated"],
  }),
  await pods.listPods({
    mask: ["metadata.ownerReferences.uid", "status.containerStatuses.containerID", "status.phase"],
  }),
  pods.watchPods({ mask: ["metadata.annotations", "status.phase", "status.podIPs.ip"] }),
  pods.informer({ mask: ["spec.containers.name", "status.conditions.type", "status.hostIPs.ip"] }),
];
